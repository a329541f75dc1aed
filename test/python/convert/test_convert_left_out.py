"""What `headrace convert` says of what a container holds beside its arrays: attributes, and steps."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pyarrow.parquet
import pytest
import zarr

from headrace.convert import convert
from headrace.convert.choose import request_of

Run = Callable[..., "subprocess.CompletedProcess[str]"]

VALUES = np.arange(12.0).reshape(4, 3)


def notes(source: Path, target: Path, **said: Any) -> list[str]:
    request = request_of([source, target], {}, {}, **said)
    convert(request)
    others = ("taken for", "--order c", "still needs")
    return [note for note in request.notes if not any(words in note for words in others)]


def hdf5(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file.attrs["time"] = 0.25
        file["v"] = VALUES
        file["g/u"] = VALUES
        file["g"].attrs["model"] = "a"
        file["g/u"].attrs.update(units="m", long_name="depth")


def netcdf(path: Path) -> None:
    with netCDF4.Dataset(path, "w") as file:
        file.time = 0.25
        group = file.createGroup("g")
        group.model = "a"
        for holder, name in ((file, "v"), (group, "u")):
            holder.createDimension("y", 4)
            holder.createDimension("x", 3)
            holder.createVariable(name, "f8", ("y", "x"))[:] = VALUES
        group["u"].units, group["u"].long_name = "m", "depth"


def store(path: Path, version: Any) -> None:
    root = zarr.create_group(store=str(path), zarr_format=version, attributes={"time": 0.25})
    root.create_array("v", data=VALUES)
    group = root.create_group("g", attributes={"model": "a"})
    group.create_array("u", data=VALUES, attributes={"units": "m", "long_name": "depth"})


SOURCES: dict[str, Callable[[Path], None]] = {
    "a.h5": hdf5,
    "a.nc": netcdf,
    "a.zarr": lambda path: store(path, 3),
    "old.zarr": lambda path: store(path, 2),
}


@pytest.mark.parametrize("target", ["b.h5", "b.nc", "b.zarr", "b.parquet", "b.npz"])
@pytest.mark.parametrize("source", SOURCES)
def test_attributes_that_are_left_out_are_named(tmp_path: Path, source: str, target: str) -> None:
    SOURCES[source](tmp_path / source)
    (said,) = notes(tmp_path / source, tmp_path / target)
    assert said.startswith("attributes are left out: time of the file; model of group g; ")
    assert set(said.rpartition("; ")[2].removesuffix(" of g/u").split(" and ")) == {"units", "long_name"}
    # What was written has none of them, and the attributes that headrace itself writes are no loss.
    assert notes(tmp_path / target, tmp_path / "c.npz") == []
    assert notes(tmp_path / source, tmp_path / "c.npz", name="v") == ["attributes are left out: time of the file"]


def test_metadata_of_parquet_are_named(tmp_path: Path) -> None:
    field = pyarrow.field("n", pyarrow.int64(), nullable=False, metadata={"units": "m"})
    table = pyarrow.table(
        [pyarrow.array([1, 2])], schema=pyarrow.schema([field], metadata={"run": "7", "pandas": "{}"})
    )
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    assert notes(tmp_path / "a.parquet", tmp_path / "b.h5") == ["attributes are left out: run of the file; units of n"]


def test_of_many_attributes_a_few_are_named(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for number in range(8):
            file[f"u{number}"] = VALUES
            file[f"u{number}"].attrs.update({f"a{n}": n for n in range(7)})
    (said,) = notes(tmp_path / "a.h5", tmp_path / "b.npz")
    assert said.startswith("attributes are left out: a0, a1, a2, a3, a4 and 2 more of u0; ")
    assert said.endswith(" of u4; and those of 3 more")


@pytest.mark.parametrize("target", ["b.h5", "b.nc", "b.zarr", "b.npz"])
@pytest.mark.parametrize("form", ["NETCDF3_64BIT_DATA", "NETCDF4", "hdf5", "zarr"])
def test_steps_that_become_a_dimension_are_named(tmp_path: Path, headrace: Run, form: Any, target: str) -> None:
    """As headrace_mpi writes them: an unlimited dimension with the numbers of the steps, or an attribute in Zarr."""
    source = "a.zarr" if form == "zarr" else "a.h5" if form == "hdf5" else "a.nc"
    if form == "zarr":
        root = zarr.create_group(store=str(tmp_path / source), zarr_format=3)
        steps = {"headrace_all_chunks_written": True, "headrace_steps": "step"}
        for name in ("u", "v"):
            root.create_array(name, data=VALUES, dimension_names=["x", "step"], attributes=steps)
        root.create_array("step", data=np.array([3, 5, 9]), dimension_names=["step"])
    else:
        with netCDF4.Dataset(tmp_path / source, "w", format="NETCDF4" if form == "hdf5" else form) as file:
            file.createDimension("step", None)
            file.createDimension("x", 4)
            file.createVariable("step", "i4", ("step",))[:] = [3, 5, 9]
            for name in ("u", "v"):
                file.createVariable(name, "f8", ("step", "x"))[:] = VALUES.T
    done = headrace("convert", source, target)
    assert done.returncode == 0
    assert "note: u and v: the steps became an ordinary dimension step, which does not grow" in done.stdout
    again = headrace("convert", target, "c.npz", "--json")
    assert json.loads(again.stdout)["notes"] == []
    with np.load(tmp_path / "c.npz") as found:
        assert np.array_equal(found["u"], VALUES) and found["step"].tolist() == [3, 5, 9]


@pytest.mark.parametrize(("target", "said"), [("b.zarr", 1), ("b.nc", 1), ("b.h5", 1), ("b.npz", 0)])
def test_a_restart_needs_the_old_file(tmp_path: Path, headrace: Run, target: str, said: int) -> None:
    """headrace_mpi reads the first three; attributes alone are as good a reason as steps alone."""
    netcdf(tmp_path / "attributes.nc")
    with netCDF4.Dataset(tmp_path / "steps.nc", "w") as file:
        file.createDimension("step", None)
        file.createVariable("u", "f8", ("step",))[:] = [1.0, 2.0]
    with h5py.File(tmp_path / "plain.h5", "w") as file:
        file["v"] = VALUES
    for source, expected in (("attributes.nc", said), ("steps.nc", said), ("plain.h5", 0)):
        done = headrace("convert", source, target)
        text = f"note: a program that reads those attributes or steps, as at a restart, still needs {source}"
        assert done.returncode == 0 and done.stdout.count(text) == expected, done.stdout


def test_names_of_dimension_scales_go_with_them(tmp_path: Path) -> None:
    """headrace_mpi and NetCDF-4 attach scales, and write no labels."""
    netcdf(tmp_path / "a.nc")
    (tmp_path / "a.nc").rename(tmp_path / "a.h5")
    notes(tmp_path / "a.h5", tmp_path / "b.nc")
    with netCDF4.Dataset(tmp_path / "b.nc") as file:
        assert file["v"].dimensions == ("y", "x")
