"""The page of file systems has the tables of its results; programs of Lustre and GPFS are replaced by transcripts."""

import re
import subprocess
from pathlib import Path

import pytest

from filesystems import results
from filesystems.places import Fake, faked
from headrace.measure import provenance


def test_the_page_has_the_tables_of_the_results() -> None:
    text = results.PAGE.read_text()
    assert text == results.renewed(text, results.load()), "cd test && python -m filesystems --write"


def test_the_results_are_of_real_file_systems_and_name_no_folder_of_a_machine() -> None:
    found = results.load()
    names = {place.name for place in found.places}
    assert {"tmpfs", "xfs", "btrfs", "glusterfs", "planted costs", "planted faults"} <= names
    assert {"nfs", "lustre", "gpfs"} <= set(found.not_here)
    assert not re.search(r"/(?:work|home|root|tmp)/", results.FILE.read_text())


def test_a_changed_outcome_makes_the_page_stale() -> None:
    found = results.load()
    found.places[1].checks[0].outcome = "fails"
    text = results.PAGE.read_text()
    assert results.renewed(text, found) != text


def said(kind: Fake, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, env=faked(kind), capture_output=True, text=True)


@pytest.mark.parametrize(("kind", "count"), [("lustre", "1"), ("lustre_progressive", "-1")])
def test_lfs_prints_the_transcripts(kind: Fake, count: str) -> None:
    stripes = said(kind, "lfs", "getstripe", "-y", ".").stdout
    assert re.findall(r"lmm_stripe_count: +(-?\d+)", stripes)[-1] == count
    assert len(re.findall(r"\[OST:\d+\]", said(kind, "lfs", "df", ".").stdout)) == 8
    assert said(kind, "lfs", "setstripe", "-c", "4", ".").returncode == 1


def test_programs_of_gpfs_print_the_transcripts() -> None:
    assert "storage pool name:    data" in said("gpfs", "mmlsattr", "-L", ".").stdout
    assert ":gpfs1:blockSize:8388608:" in said("gpfs", "mmlsfs", "all", "-B", "-Y").stdout


def test_the_stripes_of_a_new_file_are_those_that_lfs_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", faked("lustre")["PATH"])
    assert "lmm_stripe_size:   1048576" in provenance._stripe(tmp_path)


def test_lfs_that_fails_says_so() -> None:
    done = said("fails", "lfs", "getstripe", "/here")
    assert done.returncode == 25 and "/here: Inappropriate ioctl" in done.stderr


def test_lfs_that_hangs_does_not_end() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(["lfs", "df"], env=faked("hangs"), timeout=0.3)
