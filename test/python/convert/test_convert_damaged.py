"""`headrace convert` refuses cut HDF5 and NetCDF files and damaged stores, in the words of `headrace inspect`."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pytest
import zarr

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def netcdf(path: Path, form: Any) -> None:
    with netCDF4.Dataset(path, "w", format=form) as file:
        file.createDimension("t", None)
        file.createDimension("x", 1000)
        for name in ("u", "v"):
            variable = file.createVariable(name, "f8", ("t", "x"))
            for step in range(3):
                variable[step] = np.arange(1.0, 1001.0)


def hdf5(path: Path, _: Any) -> None:
    with h5py.File(path, "w") as file:
        file["u"] = np.arange(1000.0)


@pytest.mark.parametrize(
    ("make", "form", "source"),
    [
        (netcdf, "NETCDF3_CLASSIC", "a.nc"),
        (netcdf, "NETCDF3_64BIT_OFFSET", "a.nc"),
        (netcdf, "NETCDF3_64BIT_DATA", "a.pnc"),
        (netcdf, "NETCDF4", "a.nc"),
        (hdf5, "", "a.h5"),
    ],
)
def test_a_cut_file_is_refused_with_the_words_of_inspect(
    tmp_path: Path, headrace: Run, make: Callable[..., None], form: Any, source: str
) -> None:
    path = tmp_path / source
    make(path, form)
    size = path.stat().st_size
    assert headrace("convert", source, "whole.npz").returncode == 0
    with path.open("r+b") as file:
        file.truncate(size // 2)
    looked = headrace("inspect", source)
    words = f"it is cut off: {size // 2:,} of at least {size:,} bytes are there"
    assert looked.returncode == 1 and f"damaged: {words}" in looked.stdout
    done = headrace("convert", source, "b.npz")
    assert done.returncode == 2 and f"{source}: is damaged: {words}" in done.stderr
    said = headrace("convert", source, "b.npz", "--from", "hdf5" if make is hdf5 else "netcdf")
    assert said.returncode == 2 and words in said.stderr
    assert not (tmp_path / "b.npz").exists()


def test_a_store_with_cut_metadata_is_refused_with_the_words_of_inspect(tmp_path: Path, headrace: Run) -> None:
    zarr.save_group(str(tmp_path / "a.zarr"), u=np.arange(1000.0))
    about = tmp_path / "a.zarr" / "zarr.json"
    about.write_text(about.read_text()[:-20])
    words = "zarr.json is not a JSON object: no reader opens the store"
    assert f"damaged: {words}" in headrace("inspect", "a.zarr").stdout
    done = headrace("convert", "a.zarr", "b.npz")
    assert done.returncode == 2 and f"a.zarr: is damaged: {words}" in done.stderr
