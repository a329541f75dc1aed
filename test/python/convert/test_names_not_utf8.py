"""Names that are not UTF-8 in HDF5 and NetCDF-4 files: arrays are listed and converted, and no traceback is shown."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
NAMES = ["caf\\xe9", "ok"]


def save(file: Path) -> str:
    """As programs in Latin-1 write them; netCDF4 opens such files too."""
    with h5py.File(file, "w", track_order=True) as made:
        made.create_dataset(b"caf\xe9", data=np.arange(3.0))
        made.create_dataset("ok", data=np.arange(4.0))
    return str(file)


@pytest.mark.parametrize("ending", [".h5", ".nc"])
def test_inspect_lists_the_arrays(tmp_path: Path, headrace: Run, ending: str) -> None:
    done = headrace("inspect", save(tmp_path / f"latin{ending}"), "--json")
    assert done.returncode == 0, done.stderr
    assert [one["name"] for one in json.loads(done.stdout)["arrays"]] == NAMES


def test_convert_keeps_the_arrays_of_hdf5(tmp_path: Path, headrace: Run) -> None:
    done = headrace("convert", save(tmp_path / "latin.h5"), str(tmp_path / "out.npz"))
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "out.npz") as kept:
        assert sorted(kept) == NAMES
        assert np.array_equal(kept[NAMES[0]], np.arange(3.0))


def test_convert_says_what_netcdf_cannot_read(tmp_path: Path, headrace: Run) -> None:
    file = save(tmp_path / "latin.nc")
    done = headrace("convert", file, str(tmp_path / "out.npz"))
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    for words in (str(file), "expected UTF-8", "--from hdf5"):
        assert words in done.stderr
    assert headrace("convert", file, str(tmp_path / "out.npz"), "--from", "hdf5").returncode == 0
