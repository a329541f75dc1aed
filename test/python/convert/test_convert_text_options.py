"""Options of texts on the command line, logicals that are none, and records without values."""

import gzip
import struct
from pathlib import Path
from subprocess import CompletedProcess
from typing import Protocol

import numpy as np
import pytest

from headrace.errors import HeadraceError
from test_convert import go


class Run(Protocol):
    """The command as conftest.py gives it."""

    def __call__(self, *arguments: str) -> "CompletedProcess[str]":
        """Run it."""


@pytest.fixture
def observed(tmp_path: Path) -> Path:
    path = tmp_path / "obs.csv"
    path.write_text("time,mass,mark\n1,2.5,3\n2,-999,4\n3,,xx\n")
    return path


def test_missing_values_become_what_is_said(observed: Path, headrace: Run) -> None:
    target = observed.with_name("x.npy")
    refused = headrace("convert", str(observed), str(target))
    assert refused.returncode == 2 and not target.exists()
    done = headrace("convert", str(observed), str(target), "--from-missing", "nan,-999,xx")
    assert done.returncode == 0, done.stderr
    nan = float("nan")
    np.testing.assert_array_equal(np.load(target), [[1, 2.5, 3], [2, nan, 4], [3, nan, nan]])


def test_missing_values_of_integers_stay_integers(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,\n,4\n")
    go(tmp_path / "a.csv", tmp_path / "b.npy", from_missing="-1")
    found = np.load(tmp_path / "b.npy")
    assert found.dtype == np.int64 and found.tolist() == [[1, -1], [-1, 4]]
    go(tmp_path / "a.csv", tmp_path / "b.npy", from_missing="0.5")
    assert np.load(tmp_path / "b.npy").tolist() == [[1, 0.5], [0.5, 4]]
    with pytest.raises(HeadraceError, match="missing"):
        go(tmp_path / "a.csv", tmp_path / "c.npy", from_missing="none at all")
    assert not (tmp_path / "c.npy").exists()


@pytest.mark.parametrize(
    ("said", "expected"), [("mark,time", [[3, 1], [4, 2]]), ("1", [1, 2]), ("3,1", [[3, 1], [4, 2]])]
)
def test_columns_are_chosen_by_name_or_number(tmp_path: Path, headrace: Run, said: str, expected: list[object]) -> None:
    source, target = tmp_path / "a.csv", tmp_path / "b.npy"
    source.write_text("time,mass,mark\n1,2.5,3\n2,3.5,4\n")
    done = headrace("convert", str(source), str(target), "--from-columns", said)
    assert done.returncode == 0, done.stderr
    assert np.load(target).tolist() == expected


@pytest.mark.parametrize(("said", "word"), [("tim", "time"), ("4", "4"), ("1,,2", "columns"), ("0", "0")])
def test_columns_that_there_are_not_are_named(observed: Path, headrace: Run, said: str, word: str) -> None:
    target = observed.with_name("b.npy")
    done = headrace("convert", str(observed), str(target), "--from-columns", said)
    assert done.returncode == 2 and word in done.stderr and not target.exists()


def test_levels_of_compression_are_heeded(tmp_path: Path, headrace: Run) -> None:
    values = np.arange(20000.0) * 1.25
    np.save(tmp_path / "a.npy", values)
    sizes = {}
    for level in ("1", "9"):
        target = tmp_path / f"{level}.csv.gz"
        done = headrace("convert", str(tmp_path / "a.npy"), str(target), "--to-level", level)
        assert done.returncode == 0, done.stderr
        assert [float(line) for line in gzip.decompress(target.read_bytes()).split()] == values.tolist()
        sizes[level] = target.stat().st_size
    assert sizes["9"] < sizes["1"]
    for name, level in (("b.csv", "1"), ("b.csv.gz", "10"), ("b.csv.gz", "0"), ("b.npy", "1")):
        done = headrace("convert", str(tmp_path / "a.npy"), str(tmp_path / name), "--to-level", level)
        assert done.returncode == 2 and "level" in done.stderr and not (tmp_path / name).exists()


@pytest.mark.parametrize(
    ("ending", "option"), [("raw", "--from-missing=nan"), ("npy", "--from-columns=1"), ("unf", "--from-missing=nan")]
)
def test_options_of_texts_have_no_meaning_elsewhere(tmp_path: Path, headrace: Run, ending: str, option: str) -> None:
    (tmp_path / f"a.{ending}").write_bytes(bytes(16))
    done = headrace("convert", str(tmp_path / f"a.{ending}"), str(tmp_path / "b.csv"), option, "--kind", "real64")
    assert done.returncode == 2 and option.split("=")[0] in done.stderr


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_a_table_takes_no_logical_that_is_neither(tmp_path: Path, bits: int) -> None:
    for wrong in (2, -2, 3):
        np.array([0, 1, wrong], f"<i{bits // 8}").tofile(tmp_path / "a.raw")
        with pytest.raises(HeadraceError, match="neither") as refused:
            go(tmp_path / "a.raw", tmp_path / "b.csv", kind=f"logical{bits}", from_byte_order="little")
        assert f"int{bits}" in refused.value.hint and not (tmp_path / "b.csv").exists()
    np.array([0, 1, -1], f"<i{bits // 8}").tofile(tmp_path / "a.raw")
    go(tmp_path / "a.raw", tmp_path / "b.csv", kind=f"logical{bits}", from_byte_order="little")
    assert (tmp_path / "b.csv").read_text().split() == ["F", "T", "T"]


@pytest.mark.parametrize("said", ["little", "big"])
def test_an_empty_record_has_the_byte_order_that_is_said(tmp_path: Path, said: str) -> None:
    source = tmp_path / "a.unf"
    source.write_bytes(bytes(8))
    go(source, tmp_path / "b.npy", from_byte_order=said, kind="real64")
    assert np.load(tmp_path / "b.npy").shape == (0,)
    go(source, tmp_path / "b.unf", from_byte_order=said, to_byte_order="big", to_record_marker=8)
    assert (tmp_path / "b.unf").read_bytes() == bytes(16)
    with pytest.raises(HeadraceError, match="records are empty") as refused:
        go(source, tmp_path / "c.npy")
    assert "--kind" in refused.value.hint and not (tmp_path / "c.npy").exists()


def test_a_byte_order_that_markers_refute_is_still_refused(tmp_path: Path) -> None:
    (tmp_path / "a.unf").write_bytes(struct.pack("<i8si", 8, b"12345678", 8))
    with pytest.raises(HeadraceError, match="byte order little, not big"):
        go(tmp_path / "a.unf", tmp_path / "b.npy", from_byte_order="big", kind="real64")
