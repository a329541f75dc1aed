"""What the tests of descriptions share: files made by hand, and readers that open what describes them."""

import itertools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pytest
import xarray
from numpy.typing import NDArray

from headrace.layout.hdf5 import write_hdf5
from headrace.layout.kerchunk import write_kerchunk
from headrace.layout.pieces import global_arrays
from headrace.layout.schema import parse_schema
from headrace.layout.values import read_global

Run = Callable[..., "subprocess.CompletedProcess[str]"]


Values = dict[str, NDArray[Any]]


ORDERS = {"little": "<", "big": ">"}


def unformatted(records: list[bytes], marker: int = 4, order: Any = "little", limit: int = 2**31 - 9) -> bytes:
    """Records as gfortran writes them; longer ones than `limit` bytes as subrecords."""
    data = b""
    for record in records:
        parts = [record[at : at + limit] for at in range(0, len(record), limit)] or [b""]
        for number, part in enumerate(parts):
            front = -len(part) if number < len(parts) - 1 else len(part)
            back = -len(part) if number > 0 else len(part)
            data += front.to_bytes(marker, order, signed=True) + part + back.to_bytes(marker, order, signed=True)
    return data


def describe(tmp_path: Path, schema: str, files: dict[str, bytes]) -> Values:
    """Write the files, and out.h5 and out.json that describe them; returns what `read_global` reads."""
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    arrays = global_arrays(parse_schema(schema), [tmp_path / name for name in files])
    write_hdf5(tmp_path / "out.h5", arrays, absolute=False)
    write_kerchunk(tmp_path / "out.json", arrays, absolute=False)
    return {array.name: read_global(array) for array in arrays}


def through_h5py(path: Path) -> Values:
    with h5py.File(path) as file:
        return {n: d[()] for n, d in file.items() if isinstance(d, h5py.Dataset) and not _is_placeholder(d)}


def _is_placeholder(dataset: Any) -> bool:
    return bytes(dataset.attrs.get("NAME", b"")).startswith(b"This is a netCDF dimension but not")


def through_netcdf(path: Path) -> Values:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        file.set_auto_chartostring(False)
        return {name: np.asarray(variable[...]) for name, variable in file.variables.items()}


def through_kerchunk(path: Path, **options: Any) -> Values:
    """What xarray reads, the indices of Fortran arrays the other way round and texts as characters, as in HDF5."""
    data = xarray.open_dataset(
        str(path), engine="kerchunk", storage_options=options, mask_and_scale=False, concat_characters=False
    )
    references = json.loads(path.read_text())["refs"]
    found = {}
    for name, variable in data.variables.items():
        values = variable.values
        if json.loads(references[f"{name}/.zarray"])["order"] == "F":
            values = np.ascontiguousarray(values.T).reshape(values.shape[::-1])
        texts = values.dtype.kind == "S"
        found[str(name)] = values.reshape(*values.shape, 1).view("S1") if texts else values
    return found


def same(found: Values, true: Values) -> None:
    """The same names, shapes, and values bit by bit."""
    assert found.keys() == true.keys()
    for name, values in true.items():
        got = found[name]
        if got.dtype.names == ("r", "i"):
            got = got["r"] + 1j * got["i"]
        assert got.shape == values.shape, name
        native = values.dtype.newbyteorder("=")
        assert np.array_equal(
            got.astype(native).view(f"V{native.itemsize}"), values.astype(native).view(f"V{native.itemsize}")
        )


def check(folder: Path, true: Values, monkeypatch: pytest.MonkeyPatch, kinds: str = "h5 json") -> None:
    """Every reader sees the true values."""
    monkeypatch.chdir(folder)
    if "h5" in kinds:
        same(through_h5py(folder / "out.h5"), true)
        same(through_netcdf(folder / "out.h5"), true)
    if "json" in kinds:
        same(through_kerchunk(folder / "out.json"), true)


MIXED = """
[[record]]
name = "header"
kind = "int32"
shape = [3]

[[record]]
skip = true

[[record]]
items = [ { name = "names", kind = "character(6)", shape = [2] }, { skip = 5 }, { name = "flag", kind = "logical16" } ]

[[record]]
repeat = 4
repeat_dimension = "time"
records = [
  { items = [ { name = "t", kind = "real64" }, { name = "step", kind = "int64" } ] },
  { name = "u", kind = "real64", shape = [3, 5], dimensions = ["x", "y"] },
  { name = "z", kind = "complex(real32)", shape = [2] },
]

[[record]]
repeat = "rest"
name = "tail"
kind = "int8"
shape = []
"""


def mixed(order: str) -> tuple[list[bytes], Values]:
    """The records of MIXED, and what they hold in C order."""
    random = np.random.default_rng(4)
    o = ORDERS[order]
    true: Values = {
        "header": np.array([3, 5, 4], f"{o}i4"),
        "names": np.array([list("first "), list("second")], "S1"),
        "flag": np.array(-1, f"{o}i2"),
        "t": random.normal(size=4).astype(f"{o}f8"),
        "step": np.array([1, 2, 2**40, -1], f"{o}i8"),
        "u": random.normal(size=(4, 5, 3)).astype(f"{o}f8"),
        "z": (random.normal(size=(4, 2)) + 1j * random.normal(size=(4, 2))).astype(f"{o}c8"),
        "tail": np.array([7, -8, 9], "i1"),
    }
    records = [true["header"].tobytes(), b"unknown", b"first second" + b"-----" + true["flag"].tobytes()]
    for n in range(4):
        records += [
            true["t"][n : n + 1].tobytes() + true["step"][n : n + 1].tobytes(),
            true["u"][n].tobytes(),
            true["z"][n].tobytes(),
        ]
    return records + [true["tail"][n].tobytes() for n in range(3)], true


def pieces(whole: NDArray[Any], cuts: list[list[int]], rank_order: str) -> list[NDArray[Any]]:
    """The pieces of an array in C order; `cuts` and `rank_order` as the schema has them: first dimension first."""
    edges = [np.concatenate(([0], np.cumsum(cut))) for cut in cuts]
    numbers = [range(len(cut)) for cut in cuts]
    grid = itertools.product(*numbers) if rank_order == "c" else (i[::-1] for i in itertools.product(*numbers[::-1]))
    parts = (tuple(slice(edges[d][i], edges[d][i + 1]) for d, i in enumerate(at))[::-1] for at in grid)
    return [np.ascontiguousarray(whole[(..., *part)]) for part in parts]


def cut_schema(cuts: Any, shape: list[int], rank_order: str, repeat: str = "", fill: str = "") -> str:
    return f"""
        [file]
        format = "unformatted"
        byte_order = "big"
        [[record]]
        name = "step"
        kind = "int32"
        [[record]]
        name = "u"
        kind = "real64"
        shape = "piece"
        dimensions = ["x", "y", "z"]
        {repeat}
        [global]
        shape = {shape}
        parts = {json.dumps(cuts)}
        rank_order = "{rank_order}"
        {fill}
    """


def named_pieces(places: list[tuple[str, list[int], list[int]]], more: str = "") -> str:
    return (
        '[file]\nformat = "raw"\n[[record]]\nname = "u"\nkind = "real64"\nshape = "piece"\norder = "c"\n'
        + f"[global]\nshape = [4, 6]\n{more}\n"
        + "".join(f'[[piece]]\nfile = "{f}"\noffset = {o}\nshape = {s}\n' for f, o, s in places)
    )


UNFORMATTED = '[file]\nformat="unformatted"\n'
