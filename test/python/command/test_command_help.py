"""Help, version, completion by the shell, the manual page, and standard output as a file."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import start

Field = NDArray[np.float64]


def test_help_is_that_of_the_command(tmp_path: Path) -> None:
    for words in (["convert"], ["bench", "parallel"], []):
        asked, own = start(tmp_path, "help", *words), start(tmp_path, *words, "--help")
        assert (asked.returncode, asked.stdout) == (0, own.stdout) and "--help" in asked.stdout


def test_help_of_a_command_that_there_is_not_names_the_nearest(tmp_path: Path) -> None:
    done = start(tmp_path, "help", "convrt")
    assert done.returncode == 2 and "did you mean convert?" in done.stderr


def test_the_version_has_a_short_option(tmp_path: Path) -> None:
    assert start(tmp_path, "-V").stdout == start(tmp_path, "--version").stdout != ""


def test_the_manual_page_has_every_command(tmp_path: Path) -> None:
    pytest.importorskip("argparse_manpage")
    page = start(tmp_path, "help", "--man").stdout
    assert page.startswith(".TH HEADRACE")
    for command in ("bench parallel", "convert", "completion"):
        assert f"headrace {command}" in page.replace("\\-", "-").replace("\\(aq", "'"), command


def complete(tmp_path: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    script = start(tmp_path, "completion", "bash")
    assert script.returncode == 0, script.stderr
    (tmp_path / "script").write_text(script.stdout)
    line = " ".join(words)
    text = f"""source ./script
COMP_WORDS=({" ".join(map(repr, words))}); COMP_CWORD={len(words) - 1}; COMP_LINE={line!r}; COMP_POINT={len(line)}
_shtab_headrace headrace {words[-1]!r} {words[-2]!r}; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    return done.stdout.split()


def test_bash_completes_commands_options_and_files(tmp_path: Path) -> None:
    (tmp_path / "field.unf").touch()
    assert complete(tmp_path, "headrace", "con") == ["convert"]
    assert complete(tmp_path, "headrace", "convert", "--record-m") == []
    assert complete(tmp_path, "headrace", "convert", "--to-record-m") == ["--to-record-marker"]
    assert complete(tmp_path, "headrace", "bench", "par") == ["parallel"]
    assert "field.unf" in complete(tmp_path, "headrace", "inspect", "fie")
    assert "field.unf" in complete(tmp_path, "headrace", "trace", "fie")
    assert "field.unf" in complete(tmp_path, "headrace", "run", "fie")
    assert complete(tmp_path, "headrace", "run", "--ver") == ["--verify", "--verify-limit"]
    assert complete(tmp_path, "headrace", "trace", "sh") == ["show"]
    assert complete(tmp_path, "headrace", "trace", "show", "--mpi") == ["--mpi-rank"]


def test_a_shell_that_there_is_not_is_refused(tmp_path: Path) -> None:
    done = start(tmp_path, "completion", "fish")
    assert done.returncode == 2 and "'bash', 'zsh', 'tcsh'" in done.stderr


@pytest.fixture
def field(tmp_path: Path) -> Field:
    values = np.arange(6.0).reshape(2, 3)
    np.save(tmp_path / "field.npy", values)
    return values


def to_standard_output(folder: Path, target: str, *options: str) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "headrace", "convert", "field.npy", target, *options]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=300, env=os.environ | {"NO_COLOR": "1"})


@pytest.mark.parametrize("target", ["-", "/dev/stdout"])
def test_convert_sends_the_data_alone_to_standard_output(field: Field, tmp_path: Path, target: str) -> None:
    done = to_standard_output(tmp_path, target, "--to", "raw")
    assert done.stdout == field.tobytes("F") and done.returncode == 0
    assert b"1 array of field.npy now in standard output (" in done.stderr
    npy = to_standard_output(tmp_path, target, "--to", "npy", "-q")
    assert np.array_equal(np.load(io.BytesIO(npy.stdout)), field) and npy.stderr == b""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["field.npy"]


def test_convert_to_a_redirected_standard_output_is_whole(field: Field, tmp_path: Path) -> None:
    command = f"{sys.executable} -m headrace convert field.npy /dev/stdout --to raw > out.raw 2> messages"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=300).returncode == 0
    assert (tmp_path / "out.raw").read_bytes() == field.tobytes("F")


@pytest.mark.parametrize(
    ("options", "words"),
    [((), b"say it: --to csv"), (("--to", "zarr"), b"is not one file"), (("--to", "csv", "--json"), b"--json and B")],
)
def test_what_cannot_go_to_standard_output_is_refused(
    field: Field, tmp_path: Path, options: tuple[str, ...], words: bytes
) -> None:
    done = to_standard_output(tmp_path, "-", *options)
    assert done.returncode == 2 and done.stdout == b"" and words in done.stderr


def test_quiet_conversions_say_nothing(field: Field, tmp_path: Path) -> None:
    done = to_standard_output(tmp_path, "copy.raw", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_full_disk_behind_standard_output_is_told(field: Field, tmp_path: Path) -> None:
    for command in ("convert field.npy - --to raw", "convert field.npy /dev/stdout --to csv"):
        text = f"{sys.executable} -m headrace {command} > /dev/full"
        done = subprocess.run(["sh", "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 2
        assert "headrace: standard output: cannot be written: No space left on device" in done.stderr


def test_a_closed_standard_output_is_told(field: Field, tmp_path: Path) -> None:
    text = f"{sys.executable} -m headrace convert field.npy - --to raw -q >&-"
    done = subprocess.run(["sh", "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2 and "standard output: cannot be written" in done.stderr, done.stderr
