"""Formats are those of the gfortran that `dialect` names; by default those of the newest that is known."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import headrace
from headrace.errors import HeadraceError

HALF = np.array([0.5])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "0.500E+000\n"),
        ({"dialect": "gfortran16"}, "0.500E+000\n"),
        ({"dialect": "GFortran15"}, "0.500E+0\n"),
        ({"dialect": "gfortran13"}, "0.500E+0\n"),
        ({"dialect": "gfortran12"}, "0.500\n"),
        ({"dialect": "gfortran11"}, "0.500\n"),
    ],
)
def test_writes_the_formats_of_a_version(options: dict[str, str], text: str, tmp_path: Path) -> None:
    headrace.write_array(tmp_path / "x.dat", HALF, edit="(e0.3)", **options)  # type: ignore[arg-type]
    assert (tmp_path / "x.dat").read_text() == text
    headrace.write_array(tmp_path / "x.csv", HALF, number="e0.3", **options)  # type: ignore[arg-type]
    assert (tmp_path / "x.csv").read_text() == text


def test_reads_as_a_version(tmp_path: Path) -> None:
    x = np.zeros(2)
    (tmp_path / "x.txt").write_text("1;2\n")
    headrace.read_array(tmp_path / "x.txt", x, edit="*", dialect="gfortran12")
    assert list(x) == [1, 2]
    with pytest.raises(HeadraceError, match=r"semicolon .*dialect=\"gfortran12\""):
        headrace.read_array(tmp_path / "x.txt", x, edit="*")
    (tmp_path / "x.dat").write_text("  1.0  2.0\n")
    headrace.read_array(tmp_path / "x.dat", x, edit="(f5.1 f5.1)", dialect="gfortran14")
    with pytest.raises(HeadraceError, match=r"column 7 .*a comma between edit descriptors"):
        headrace.read_array(tmp_path / "x.dat", x, edit="(f5.1 f5.1)")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("x.dat", {"edit": "(e0.3)", "dialect": "gfortran9"}, "known are gfortran11 to gfortran16"),
        ("x.dat", {"dialect": "gfortran12"}, "dialect= has no meaning without a format"),
        ("x.npy", {"dialect": "gfortran12"}, "dialect= has no meaning for the format npy"),
    ],
)
def test_refuses_what_has_no_meaning(name: str, options: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(HeadraceError, match=words):
        headrace.write_array(tmp_path / name, HALF, **options)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(HeadraceError, match=words):
        headrace.read_array(tmp_path / name, np.zeros(1), **options)  # type: ignore[arg-type]


def test_convert_takes_a_version(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", HALF)
    command = [sys.executable, "-m", "headrace", "convert", "x.npy", "x.txt", "--to-edit", "(e0.3)"]
    subprocess.run([*command, "--to-dialect", "gfortran12"], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "x.txt").read_text() == "0.500\n"
