"""`headrace inspect` names the arrays of containers, and what a write of headrace that was killed leaves behind."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import REPOSITORY
from headrace.inspect.leftovers import leftover
from test_inspect_directories import adios

Run = Callable[..., "subprocess.CompletedProcess[str]"]

DATA = Path(__file__).parents[1] / "data"
SAID = "was being written, and the write did not end; remove it, unless a program is writing now"


@pytest.mark.parametrize("name", ["state.h5", "state.nc", "state.pnc", "state.zarr"])
def test_arrays_are_named_with_kinds_and_shapes(headrace: Run, tmp_path: Path, name: str) -> None:
    source = str(DATA / name)
    if name == "state.zarr":
        source = name
        assert headrace("convert", str(DATA / "state.h5"), name).returncode == 0
    done = headrace("inspect", source)
    words = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and ["mask", "logical8", "5, 4"] in words and ["lab", "character(6)", "5, 4"] in words
    assert ("bytes that fit" in done.stdout) == (name != "state.zarr")  # a directory is nothing else
    found = json.loads(headrace("inspect", source, "--json").stdout)
    assert {"name": "c", "kind": "complex(real32)", "shape": [7]} in found["arrays"] and found["leftover"] == ""


def test_many_arrays_are_counted_and_foreign_types_are_no_failure(headrace: Run, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "many.h5", "w") as file:
        for number in range(33):
            file[f"u{number:02}"] = np.zeros(3)
    done = headrace("inspect", "many.h5")
    assert done.returncode == 0 and "u29" in done.stdout and "u30" not in done.stdout and "3 more" in done.stdout
    with h5py.File(tmp_path / "texts.h5", "w") as file:
        file["words"] = ["of any", "length"]
    done = headrace("inspect", "texts.h5")
    assert done.returncode == 0 and "hdf5: 99.9 % sure" in done.stdout and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "name",
    [
        "ck.h5.headrace-0.tmp",
        "ck.h5.headrace-5228-4.tmp",
        "ck.zarr.headrace-HmebIb",
        "ck.bp.headrace-qwk5WL",
        "ck.zarr.headrace-33c32ab5dd6ea1e2-4026531836-2543-90210-1-0-9af3c0-0.part",
    ],
)
def test_what_a_killed_write_left_is_told(headrace: Run, tmp_path: Path, name: str) -> None:
    if ".bp" in name:
        adios(tmp_path).rename(tmp_path / name)
    elif ".zarr" in name:
        (tmp_path / name).mkdir()
        (tmp_path / name / "zarr.json").write_text('{"zarr_format": 3, "node_type": "group"}')
    else:
        (tmp_path / name).write_bytes(bytes(100))
    done = headrace("inspect", name)
    assert done.returncode == 1 and f"headrace: {name.partition('.headrace')[0]} {SAID}" in done.stdout, done.stdout
    assert json.loads(headrace("inspect", name, "--json").stdout)["leftover"].endswith(SAID)


@pytest.mark.parametrize("chunk", ["", "c/0/0"])
def test_a_store_without_a_description_cannot_be_looked_into_but_is_told_too(
    headrace: Run, tmp_path: Path, chunk: str
) -> None:
    (tmp_path / "ck.zarr.headrace-pH7JdG" / chunk).mkdir(parents=True)
    done = headrace("inspect", "ck.zarr.headrace-pH7JdG")
    assert done.returncode == 2 and f"ck.zarr {SAID}" in done.stderr, done.stderr
    assert "2 a file that cannot be read, or an unfinished store" in headrace("inspect", "--help").stdout


def test_the_names_are_those_of_the_library() -> None:
    for file, part in (("src/core/temporaries.cpp", 'return beginning + std::to_string(number) + ".tmp";'),
                       ("src/core/temporaries.cpp", 'stem + ".headrace-"'),
                       ("src/core/leftovers.cpp", '"%016llx-%llu-%ld-%llu-%d-%u-%llx-%ld%s"'),
                       ("src/core/leftovers.cpp", 'guarded_ending = ".part"')):  # fmt: skip
        assert part in (REPOSITORY / file).read_text()
    for name in ("ck.h5", "a.headrace-1-2.tmp.h5", ".headrace-1-2.tmp", "x.headrace-12345", "x.headrace-1-2"):
        assert leftover(Path(name)) == "", name
