"""`headrace convert --record N` and `--step N`: one record, or one step, of a file of many."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import FortranFile

from headrace.errors import HeadraceError
from headrace.results.run import Compiler
from test_convert import go
from test_convert_records import framed

SCHEMA = """
[file]
format = "unformatted"
byte_order = "big"
[[record]]
name = "header"
kind = "int32"
shape = [3]
[[record]]
repeat = "rest"
records = [
  { items = [ { name = "step", kind = "int32" }, { name = "t", kind = "real64" } ] },
  { name = "u", kind = "real64", shape = [4, 3] },
]
"""


def field(step: int) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.arange(12.0).reshape(3, 4) + 100 * step


@pytest.fixture
def run(tmp_path: Path) -> Path:
    records = [np.array([1, 2, 3], ">i4").tobytes()]
    for step in range(1, 6):
        records.append(np.array([step], ">i4").tobytes() + np.array([step / 2], ">f8").tobytes())
        records.append(field(step).astype(">f8").tobytes())
    (tmp_path / "run.unf").write_bytes(framed(records, order="big"))
    (tmp_path / "run.toml").write_text(SCHEMA)
    return tmp_path / "run.unf"


@pytest.mark.parametrize(("number", "step"), [(3, 1), (5, 2), (-1, 5), (-9, 1)])
def test_one_record_of_one_kind(run: Path, number: int, step: int) -> None:
    go(run, run.with_name("u.npy"), record=number, kind="real64", shape=(4, 3))
    assert np.array_equal(np.load(run.with_name("u.npy")), field(step).T)


def test_one_record_by_a_schema_has_its_names(run: Path) -> None:
    go(run, run.with_name("a.npz"), record=4, schema=run.with_name("run.toml"))
    found = np.load(run.with_name("a.npz"))
    assert sorted(found) == ["step", "t"] and found["step"] == 2 and found["t"] == 1.0


def test_one_record_becomes_a_record_of_the_same_bytes(run: Path) -> None:
    go(run, run.with_name("one.unf"), record=4)
    with FortranFile(run.with_name("one.unf"), "r", ">u4") as file:
        assert file.read_record("u1").tobytes() == np.array([2], ">i4").tobytes() + np.array([1.0], ">f8").tobytes()
    go(run, run.with_name("one.raw"), record=5)
    assert run.with_name("one.raw").read_bytes() == field(2).astype(">f8").tobytes()


@pytest.mark.parametrize(("number", "step"), [(1, 1), (3, 3), (-1, 5)])
def test_one_step_has_all_its_arrays_without_the_dimension_of_steps(run: Path, number: int, step: int) -> None:
    go(run, run.with_name("s.npz"), step=number, schema=run.with_name("run.toml"))
    found = np.load(run.with_name("s.npz"))
    assert sorted(found) == ["step", "t", "u"]
    assert found["step"] == step and found["t"] == step / 2 and np.array_equal(found["u"], field(step).T)


def test_records_of_a_direct_access_file(tmp_path: Path) -> None:
    (tmp_path / "x.da").write_bytes(np.arange(40.0).tobytes())
    go(tmp_path / "x.da", tmp_path / "x.npy", record=2, kind="real64", from_record_length=80)
    assert np.array_equal(np.load(tmp_path / "x.npy"), np.arange(10.0, 20.0))


def test_types_of_the_record_are_found_out(tmp_path: Path) -> None:
    steps = [np.linspace(0.1, step, 500).astype("<f8") for step in range(1, 8)]
    (tmp_path / "x.unf").write_bytes(framed([step.tobytes() for step in steps]))
    go(tmp_path / "x.unf", tmp_path / "x.npy", record=-2)
    assert np.array_equal(np.load(tmp_path / "x.npy"), steps[-2])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"record": 12, "kind": "real64"}, "there is no record 12: the file has 11"),
        ({"record": 0, "kind": "real64"}, "there is no record 0"),
        ({"record": -12, "kind": "real64"}, "there is no record -12"),
        ({"step": 6, "schema": "run.toml"}, "there is no step 6: the file has 5"),
        ({"step": 1, "record": 1, "schema": "run.toml"}, "--record and --step both"),
        ({"record": 3, "kind": "real64", "shape": (5, 3)}, "expected 120 bytes for 'run', found 96"),
    ],
)
def test_what_is_not_there_is_refused(run: Path, options: dict[str, Any], words: str) -> None:
    if "schema" in options:
        options = options | {"schema": run.with_name(options["schema"])}
    with pytest.raises(HeadraceError, match=words):
        go(run, run.with_name("a.npz"), **options)
    assert not run.with_name("a.npz").exists()


def test_formats_without_records_have_no_parts(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(3))
    with pytest.raises(HeadraceError, match="--record: has no meaning for npy"):
        go(tmp_path / "x.npy", tmp_path / "y.csv", record=1)


@pytest.mark.parametrize("part", ["record", "step"])
def test_pieces_of_one_array_have_no_parts(run: Path, part: str) -> None:
    text = """[file]
format = "unformatted"
[global]
shape = [4, 6]
parts = [1, 2]
[[record]]
name = "u"
kind = "real64"
shape = "piece"
repeat = "rest"
"""
    run.with_name("g.toml").write_text(text)
    with pytest.raises(HeadraceError, match=f"--{part}: has no meaning for pieces"):
        go([run, run], run.with_name("a.npz"), schema=run.with_name("g.toml"), **{part: 1})


def test_a_record_that_the_compiler_wrote(compiler: Compiler, tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "x.f90").write_text(
        "program x\ninteger :: i\nreal(8) :: a(100)\nopen(9, file='x.unf', form='unformatted')\n"
        "do i = 1, 9\na = i\nwrite (9) a\nend do\nend program\n"
    )
    subprocess.run([compiler.path, "x.f90", "-o", "x"], cwd=tmp_path, check=True)
    subprocess.run(["./x"], cwd=tmp_path, check=True)
    go(tmp_path / "x.unf", tmp_path / "x.npy", record=7, kind="real64")
    assert np.array_equal(np.load(tmp_path / "x.npy"), np.full(100, 7.0))
