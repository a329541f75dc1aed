"""What `headrace inspect` says of directories: Zarr stores, ADIOS output, and those from which something is gone."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from headrace.inspect import inspect_file

Run = Callable[..., "subprocess.CompletedProcess[str]"]

INDEX = b"ADIOS-BP v2.<.1 Index Table".ljust(32, b"\0") + bytes.fromhex(
    "323c310000050200 6e"
)  # as ADIOS2 2.12 wrote it


def adios(folder: Path, data_files: int = 2) -> Path:
    """A directory as ADIOS2 leaves it with BP5, as far as `inspect` looks."""
    path = folder / "run.bp"
    path.mkdir()
    counts = b"".join(number.to_bytes(8, "little") for number in (0x30, 4, data_files, data_files))
    (path / "md.idx").write_bytes(INDEX.ljust(64, b"\0") + b"w" + counts)
    for name in ("md.0", "mmd.0", "profiling.json", *(f"data.{number}" for number in range(data_files))):
        (path / name).write_bytes(b"x" * 100)
    return path


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (["md.idx"], "md.idx is missing: no reader opens it; found md.0, mmd.0, profiling.json, data.0 and data.1"),
        (["md.0"], "md.0 is missing: no reader opens it; found md.idx, mmd.0, profiling.json, data.0 and data.1"),
        (["mmd.0"], "mmd.0 is missing: no reader opens it; found md.0, md.idx, profiling.json, data.0 and data.1"),
        (
            ["md.idx", "md.0", "mmd.0", "profiling.json"],
            "md.idx and md.0 are missing: no reader opens it; found data.0",
        ),
        (
            ["data.1"],
            "data.1 is missing, with the values that it held; found md.0, md.idx, mmd.0, profiling.json and d",
        ),
        (["data.0", "data.1"], "data.0 and data.1 are missing, with the values that they held"),
    ],
)
def test_what_is_gone_of_adios_output_is_named(tmp_path: Path, gone: list[str], said: str) -> None:
    path = adios(tmp_path)
    for name in gone:
        (path / name).unlink()
    report = inspect_file(path)
    assert report.verdict.format == "adios-bp" and report.exit_code == 1
    assert report.verdict.detail["damage_words"].startswith(said)
    assert not report.snippets


def test_whole_adios_output_is_read_by_adios(tmp_path: Path, headrace: Run) -> None:
    adios(tmp_path, 12)
    done = headrace("inspect", "run.bp")
    assert done.returncode == 0 and "ADIOS BP5" in done.stdout and "adios2.FileReader('run.bp')" in done.stdout
    done = headrace("convert", "run.bp", "x.h5")
    assert done.returncode == 2 and "run.bp: is a file of ADIOS2, which convert does not read" in done.stderr
    assert "read it with headrace_mpi" in done.stderr and "--from" not in done.stderr


def test_an_index_without_bytes_is_told(tmp_path: Path, headrace: Run) -> None:
    (adios(tmp_path) / "md.idx").write_bytes(b"")
    done = headrace("inspect", "run.bp")
    assert done.returncode == 1 and "damaged: md.idx has no bytes: no reader opens it; found md.0," in done.stdout


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "it is empty"),
        (["b.dat"], "found b.dat"),
        ([f"{letter}.dat" for letter in "abcdefgh"], "found a.dat, b.dat, c.dat, d.dat, e.dat and 3 more"),
    ],
)
def test_another_directory_is_refused_with_what_it_holds(
    tmp_path: Path, headrace: Run, names: list[str], said: str
) -> None:
    (tmp_path / "d").mkdir()
    for name in names:
        (tmp_path / "d" / name).touch()
    done = headrace("inspect", "d")
    assert done.returncode == 2 and "d: is a directory, and neither a Zarr store, which has zarr.json" in done.stderr
    assert f"nor ADIOS output, which has md.idx; {said}\n  name a file in it" in done.stderr
