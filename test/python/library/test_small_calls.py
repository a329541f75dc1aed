"""Rows that are added one by one, and what small calls must get right however fast they are."""

from pathlib import Path

import numpy as np
import pytest

import headrace
from headrace.errors import StatusError
from headrace.options import format_of


def test_names_make_a_row_of_one_dimension(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    for step in range(3):
        row = np.array([step, step / 2, -step], float)
        headrace.write_array(log, row, append=True, header=["time", "energy", "mass"])
    assert log.read_text().splitlines()[0] == "time,energy,mass"
    assert np.array_equal(headrace.read_text(log), [[0, 0, 0], [1, 0.5, -1], [2, 1, -2]])


def test_one_dimension_is_no_column_without_a_word(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    with pytest.raises(StatusError, match="row or a column") as caught:
        headrace.write_array(log, np.arange(3.0), append=True)
    assert caught.value.name == "argument_invalid"
    assert not log.exists()
    headrace.write_array(log, np.arange(3.0)[None, :], append=True)
    headrace.write_array(log, np.arange(3.0), append=True)
    assert headrace.read_text(log).shape == (2, 3)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x.csv", "csv"),
        ("run.1/x.CSV", "csv"),
        ("x.csv.gz", "csv"),
        ("x.dat.ZST", "text"),
        ("x.raw/", "raw"),
        ("run.csv/x", ""),
        (".csv", ""),
        ("..csv", "csv"),
        ("x.", ""),
        ("x.csv.", ""),
        (".gz", ""),
        ("x.gz", ""),
        ("", ""),
        ("x.unknown", ""),
    ],
)
def test_endings_choose_the_format(name: str, form: str) -> None:
    assert format_of(name.encode(), {}) == form


def test_small_npy_files_are_those_of_numpy(tmp_path: Path) -> None:
    for count in (0, 1, 10, 8191, 8192, 8193, 20000):  # around the size that is written at once
        x = np.arange(float(count))
        headrace.write_array(tmp_path / "ours.npy", x)
        np.save(tmp_path / "theirs.npy", x)
        assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()
        y = np.full(count, -1.0)
        headrace.read_array(tmp_path / "theirs.npy", y)
        assert np.array_equal(x, y)
