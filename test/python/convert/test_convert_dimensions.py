"""Names of dimensions in HDF5 files of `headrace convert`: scales, as xarray and NetCDF-4 want them."""

import json
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pytest
import xarray
import zarr

from headrace.containers.hdf5 import dimensions as hdf5_dimensions
from headrace.convert import convert
from headrace.convert.choose import request_of


def go(source: Path, target: Path) -> list[str]:
    request = request_of([source, target], {}, {})
    convert(request)
    return request.notes


def store(path: Path, **arrays: tuple[tuple[int, ...], list[str] | None]) -> dict[str, Any]:
    """A store of Python: arrays g__u stand in groups."""
    root = zarr.create_group(store=str(path))
    values = {name: np.arange(float(np.prod(shape))).reshape(shape) for name, (shape, _) in arrays.items()}
    for name, (_, names) in arrays.items():
        root.create_array(name.replace("__", "/"), data=values[name], dimension_names=names)
    return values


def test_xarray_and_netcdf_see_names_and_coordinates(tmp_path: Path) -> None:
    values = store(tmp_path / "a.zarr", u=((3, 4), ["x", "y"]), w=((4,), ["y"]), x=((3,), ["x"]), s=((), None))
    go(tmp_path / "a.zarr", tmp_path / "b.h5")
    with xarray.open_dataset(tmp_path / "b.h5", engine="netcdf4") as opened:
        assert dict(opened.sizes) == {"x": 3, "y": 4} and set(opened.coords) == {"x"}
        assert opened["u"].dims == ("y", "x") and opened["w"].dims == ("y",) and opened["u"].attrs == {}
        assert np.array_equal(opened["u"].values, values["u"].T)
        assert float(opened["u"].sel(x=2.0, y=1)) == values["u"][2, 1]
    with netCDF4.Dataset(tmp_path / "b.h5") as file:
        assert set(file.variables) == {"u", "w", "x", "s"} and set(file.dimensions) == {"x", "y"}
    with h5py.File(tmp_path / "b.h5") as file:
        assert file["u"].dims[1][0] == file["x"] and file["u"].dims[0][0] == file["y"]
        title = file["y"].attrs["NAME"].decode()
        assert title == "This is a netCDF dimension but not a netCDF variable.         4"


@pytest.mark.parametrize("ending", [".zarr", ".nc", ".h5"])
def test_names_come_back_and_dimensions_become_no_arrays(tmp_path: Path, ending: str) -> None:
    values = store(tmp_path / "a.zarr", u=((3, 4), ["x", "y"]), x=((3,), ["x"]), g__v=((4, 3), ["y", "x"]))
    go(tmp_path / "a.zarr", tmp_path / "b.h5")
    assert not any("left out" in note for note in go(tmp_path / "b.h5", tmp_path / f"c{ending}"))
    go(tmp_path / f"c{ending}", tmp_path / "d.zarr")
    found = {name: array for name, array in zarr.open_group(str(tmp_path / "d.zarr")).members(None)}
    assert set(found) == {"u", "x", "g", "g/v"}
    about = json.loads((tmp_path / "d.zarr" / "g" / "v" / "zarr.json").read_text())
    assert about["dimension_names"] == ["y", "x"]
    assert np.array_equal(np.asarray(zarr.open_array(str(tmp_path / "d.zarr"), path="u")), values["u"])


def test_arrays_of_a_group_are_the_scales_of_that_group(tmp_path: Path) -> None:
    store(tmp_path / "a.zarr", g__u=((3, 4), ["x", "y"]), g__x=((3,), ["x"]), y=((4,), None), x=((3,), ["x"]))
    go(tmp_path / "a.zarr", tmp_path / "b.h5")
    with h5py.File(tmp_path / "b.h5") as file:
        assert file["g/u"].dims[1][0] == file["g/x"] and file["g/u"].dims[0][0] == file["y"]
        assert not file["x"].attrs.get("REFERENCE_LIST", []) and file["x"].is_scale
    with netCDF4.Dataset(tmp_path / "b.h5") as file:
        assert file["g/u"].dimensions == ("y", "x") and set(file["g"].variables) == {"u", "x"}


def test_a_name_that_is_taken_gets_its_extent_behind_it_and_the_label_keeps_it(tmp_path: Path) -> None:
    arrays = {"p": ((3,), ["n"]), "q": ((5,), ["n"]), "m": ((2, 2), ["m", "g"]), "g__u": ((2,), ["m"])}
    store(tmp_path / "a.zarr", **arrays)  # type: ignore[arg-type]
    go(tmp_path / "a.zarr", tmp_path / "b.h5")
    with netCDF4.Dataset(tmp_path / "b.h5") as file:
        assert file["p"].dimensions == ("n",) and file["q"].dimensions == ("n_5",)
        assert file["m"].dimensions == ("g_2", "m_2") and file["g/u"].dimensions == ("m_2",)
    with h5py.File(tmp_path / "b.h5") as file:
        assert [dimension.label for dimension in file["m"].dims] == ["g", "m"] and file["q"].dims[0].label == "n"


def test_what_can_be_no_scale_stays_a_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hdf5_dimensions, "_MOST_USERS", 2)
    store(tmp_path / "a.zarr", a=((3,), ["n"]), b=((3,), ["n"]), c=((3,), ["n"]), d=((3, 3), ["n", "k/s"]))
    go(tmp_path / "a.zarr", tmp_path / "b.h5")
    with h5py.File(tmp_path / "b.h5") as file:
        assert [len(file[name].dims[0]) for name in "abc"] == [1, 1, 0] and file["c"].dims[0].label == "n"
        assert [dimension.label for dimension in file["d"].dims] == ["k/s", "n"] and "k" not in file


def test_a_scale_takes_as_many_users_as_are_attached(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        scale = file.create_dataset("n", (1,), ">f4")
        scale.make_scale()
        for number in range(hdf5_dimensions._MOST_USERS):
            file.create_dataset(f"a{number}", (1,), "i1").dims[0].attach_scale(scale)
