"""A slash behind the name of a file is refused by every command and by the library; a store may have it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import headrace as library
from headrace.errors import StatusError

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ADVICE = "\n  leave out the slash, or name a file in that directory\n"


def refusal(name: str, wanted: str) -> str:
    return f"headrace: {name}: the name ends in a slash, which names a directory{wanted}{ADVICE}"


@pytest.mark.parametrize("form", [(), ("--json",), ("--schema",)])
def test_inspect_refuses_it(headrace: Run, tmp_path: Path, form: tuple[str, ...]) -> None:
    (tmp_path / "field.csv").write_text("1,2\n3,4\n")
    done = headrace("inspect", *form, "field.csv/")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", refusal("field.csv/", ", not a file"))


def test_inspect_says_what_is_not_there(headrace: Run) -> None:
    done = headrace("inspect", "field.csv/")
    assert done.returncode == 2 and "No such file" in done.stderr


@pytest.mark.parametrize("ending", ["npy", "csv", "h5", "nc", "parquet", "unf"])
@pytest.mark.parametrize("before", ["nothing", "file", "directory"])
def test_convert_refuses_it_behind_b(headrace: Run, tmp_path: Path, ending: str, before: str) -> None:
    np.save(tmp_path / "a.npy", np.arange(3.0))
    b = tmp_path / f"b.{ending}"
    if before == "file":
        b.write_text("old")
    elif before == "directory":
        b.mkdir()
    name = {"h5": "hdf5", "nc": "netcdf", "unf": "unformatted"}.get(ending, ending)
    done = headrace("convert", "a.npy", f"b.{ending}/")
    assert (done.returncode, done.stderr) == (2, refusal(f"b.{ending}/", f"; {name} files are files"))
    assert b.exists() == (before != "nothing") and (before != "file" or b.read_text() == "old")


def test_convert_refuses_it_with_formats_and_behind_a(headrace: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3.0))
    done = headrace("convert", "a.npy", "b.zarr/", "--to", "npy")
    assert done.stderr == refusal("b.zarr/", "; npy files are files")
    done = headrace("convert", "a.npy/", "b.csv", "--from", "npy")
    assert done.stderr == refusal("a.npy/", ", not a file")
    assert [path.name for path in tmp_path.iterdir()] == ["a.npy"]


def test_stores_may_have_it(headrace: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3.0))
    for a, b in (("a.npy", "b.zarr/"), ("b.zarr/", "c.zarr//"), ("c.zarr/", "d.npy")):
        done = headrace("convert", a, b)
        assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "d.npy"), np.arange(3.0))
    assert headrace("inspect", "b.zarr/").returncode == 0


def test_other_commands_refuse_it(headrace: Run) -> None:
    done = headrace("describe", "out.h5/", "a.unf", "--schema", "s.toml")
    assert (done.returncode, done.stderr) == (2, refusal("out.h5/", ", not a file"))


@pytest.mark.parametrize(
    "words",
    ["--json", "text --json", "binary --json", "parallel --json", "--report", "parallel --report", "parallel --trace"],
)
def test_bench_refuses_it_before_anything_is_measured(headrace: Run, tmp_path: Path, words: str) -> None:
    done = headrace("bench", *words.split(), "out.file/")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", refusal("out.file/", ", not a file"))
    assert not list(tmp_path.iterdir())


def test_the_library_refuses_it(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3.0))
    for work in (
        lambda: library.write_array(f"{tmp_path}/a.npy/", np.arange(4.0)),
        lambda: library.write_array(f"{tmp_path}/a.npy/", np.arange(4.0), format="npy"),
        lambda: library.load(f"{tmp_path}/a.npy/"),
        lambda: library.read_array(f"{tmp_path}/a.npy/", np.empty(3)),
    ):
        with pytest.raises(StatusError, match="slash, which names a directory; npy files are files") as refused:
            work()
        assert refused.value.name == "argument_invalid"
    assert np.array_equal(np.load(tmp_path / "a.npy"), np.arange(3.0))
