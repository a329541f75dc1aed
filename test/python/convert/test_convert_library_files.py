"""Files of headrace_mpi and of `headrace convert` hold each kind in one way: data/state.*, which state.f90 wrote."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import REPOSITORY
from headrace import marks

Run = Callable[..., "subprocess.CompletedProcess[str]"]

DATA = Path(__file__).parents[1] / "data"
FIRST, SECOND = np.meshgrid(np.arange(1, 6), np.arange(1, 5), indexing="ij")
LAB = np.array([[f"L{i}-{j}".encode().ljust(6) for j in range(1, 5)] for i in range(1, 6)], "S6")
LAB[4, 3] = b" " * 6
VALUES: dict[str, NDArray[Any]] = {
    "u": (FIRST + 10 * SECOND).astype("f8"),
    "mask": (FIRST + SECOND) % 3 == 0,
    "lab": LAB,
    "one": np.array(list("abcdefg"), "S1"),
    "z": FIRST - 1j * SECOND,
    "c": (np.arange(1, 8) * (1 + 2j)).astype("c8"),
    "n": -np.arange(1, 8, dtype="i2"),
}
KINDS = {
    "u": "real64",
    "mask": "logical8",
    "lab": "character(6)",
    "one": "character(1)",
    "z": "complex(real64)",
    "c": "complex(real32)",
    "n": "int16",
}


def form(path: Path) -> dict[str, Any]:
    """Type, dimensions and marks of each variable: what headrace_mpi needs to read it as the kind that it was."""
    with netCDF4.Dataset(path) as file:
        return {
            name: (x.dtype.newbyteorder("="), x.dimensions, x.shape, {key: x.getncattr(key) for key in x.ncattrs()})
            for name, x in file.variables.items()
        }


@pytest.mark.parametrize("source", ["state.nc", "state.pnc", "state.h5"])
def test_every_kind_that_the_library_wrote_is_found(headrace: Run, tmp_path: Path, source: str) -> None:
    done = headrace("convert", str(DATA / source), "x.npz")
    assert done.returncode == 0 and "note: attributes" not in done.stdout, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert {name: kind for name, kind, *_ in map(str.split, lines[-7:])} == KINDS
    with np.load(tmp_path / "x.npz") as found:
        for name, values in VALUES.items():
            assert found[name].dtype == values.dtype and found[name].tobytes("F") == values.tobytes("F"), name


@pytest.mark.parametrize("way", ["b.h5", "b.zarr", "b.npz", "b.nc", "b.pnc", "b.meta"])
@pytest.mark.parametrize("ending", ["nc", "pnc"])
def test_what_comes_back_is_in_the_form_of_the_library(headrace: Run, tmp_path: Path, ending: str, way: str) -> None:
    original = DATA / f"state.{ending}"
    for a, b in ((str(original), way), (way, f"c.{ending}")):
        done = headrace("convert", a, b)
        assert done.returncode == 0, done.stderr
    true, found = form(original), form(tmp_path / f"c.{ending}")
    keeps_names = way not in ("b.npz", "b.meta")
    for name, (dtype, dimensions, shape, said) in true.items():
        own = dimensions[-1:] if keeps_names is False and name in ("lab", "one", "z", "c") else ()
        kept = dimensions if keeps_names else own
        assert found[name][0] == dtype and found[name][2:] == (shape, said), name
        assert found[name][1][-len(kept) :] == kept or not kept, name


def test_blanks_at_the_end_of_texts_stay_blanks(headrace: Run, tmp_path: Path) -> None:
    """HDF5 pads Fortran's texts with blanks, and would hand them over as NULs in a type of numpy."""
    with h5py.File(DATA / "state.h5") as file:
        assert file["lab"].id.get_type().get_strpad() == h5py.h5t.STR_SPACEPAD
    assert headrace("convert", str(DATA / "state.h5"), "x.raw", "--name", "lab").returncode == 0
    assert (tmp_path / "x.raw").read_bytes() == LAB.tobytes("F")


def test_steps_of_texts_alone_are_not_their_length(headrace: Run, tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "a.nc", "w", format="NETCDF3_64BIT_DATA") as file:
        file.createDimension("step", None)
        file.createDimension("string3", 3)
        file.createVariable("letter", "S1", ("step",))[:] = np.array([b"a", b"b"], "S1")
        file.createVariable("word", "S1", ("step", "string3"))[:] = np.array([[b"o", b"n", b"e"], [b"t", b"w", b"o"]])
    assert headrace("convert", "a.nc", "x.npz").returncode == 0
    with np.load(tmp_path / "x.npz") as found:
        assert found["letter"].tolist() == [b"a", b"b"] and found["word"].tolist() == [b"one", b"two"]


def test_older_files_say_the_kind_in_another_way(headrace: Run, tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        for name, extent in (("x", 2), ("flag_length", 3)):
            file.createDimension(name, extent)
        compound = file.createCompoundType(np.dtype([("r", "f8"), ("i", "f8")]), "complex128")
        file.createVariable("flag", "i1", ("x",))[:] = [0, 1]
        file["flag"].headrace_kind = "logical8"
        file.createVariable("word", "S1", ("x", "flag_length"))[:] = np.array([list(b"one"), list(b"two")], "u1").view(
            "S1"
        )
        file["word"].headrace_kind = "character(3)"
        file.createVariable("z", compound, ("x",))[:] = np.array([(1, 2), (3, 4)], compound.dtype)
    assert headrace("convert", "a.nc", "x.npz").returncode == 0
    with np.load(tmp_path / "x.npz") as found:
        assert found["flag"].tolist() == [False, True] and found["word"].tolist() == [b"one", b"two"]
        assert found["z"].tolist() == [1 + 2j, 3 + 4j]


@pytest.mark.parametrize(
    ("header", "constant", "name"),
    [
        ("netcdf/file.hpp", "mark_name", marks.MARK),
        ("netcdf/file.hpp", "steps_attribute", marks.STEPS),
        ("zarr/metadata.hpp", "steps_name", marks.STEPS),
        ("zarr/metadata.hpp", "complete_name", marks.COMPLETE),
    ],
)
def test_attributes_have_the_names_of_the_library(header: str, constant: str, name: str) -> None:
    text = (REPOSITORY / "mpi" / "formats" / header).read_text()
    assert re.findall(rf'{constant} = "(\w+)";', text) == [name]
