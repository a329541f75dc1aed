"""`headrace describe`: existing files seen through HDF5, netCDF and Zarr have their true values, or are refused."""

import argparse
import base64
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pytest
import xarray
from numpy.typing import NDArray

from headrace.commands import describe as command
from headrace.errors import HeadraceError, StatusError
from headrace.layout import hdf5, kerchunk
from headrace.layout.hdf5 import write_hdf5
from headrace.layout.kerchunk import write_kerchunk
from headrace.layout.pieces import global_arrays
from headrace.layout.schema import parse_schema
from headrace.layout.values import read_block, read_global
from headrace.measure.results import Compiler

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
    data = xarray.open_dataset(
        str(path), engine="kerchunk", storage_options=options, mask_and_scale=False, concat_characters=False
    )
    return {str(name): variable.values for name, variable in data.variables.items()}


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


@pytest.mark.parametrize("limit", [2**31 - 9, 23, 8], ids=["whole", "subrecords_cut_elements", "subrecords"])
@pytest.mark.parametrize(("marker", "order"), list(itertools.product((4, 8), ORDERS)))
def test_every_dialect_of_records_shows_its_true_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: int, order: str, limit: int
) -> None:
    records, true = mixed(order)
    schema = f'[file]\nformat = "unformatted"\nrecord_marker = {marker}\nbyte_order = "{order}"\n' + MIXED
    found = describe(tmp_path, schema, {"a.unf": unformatted(records, marker, order, limit)})
    same(found, true)
    check(tmp_path, true, monkeypatch)
    with h5py.File(tmp_path / "out.h5") as file:
        assert file["u"].dtype == np.dtype(ORDERS[order] + "f8")
        assert [dim[0].name for dim in file["u"].dims] == ["/time", "/y", "/x"]


def test_ncdump_lists_every_array_with_its_dimensions_and_values(tmp_path: Path) -> None:
    if shutil.which("ncdump") is None:
        pytest.skip("the command ncdump is not installed")
    records, true = mixed("big")
    describe(
        tmp_path,
        '[file]\nformat = "unformatted"\nbyte_order = "big"\n' + MIXED,
        {"a.unf": unformatted(records, order="big")},
    )
    dumped = subprocess.run(["ncdump", "out.h5"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert dumped.returncode == 0, dumped.stderr
    for line in ("time = 4 ;", "double u(time, y, x) ;", "short flag ;", "char names(names_1, names_length) ;"):
        assert line in dumped.stdout
    assert "_complex_real32 z(time, z_1) ;" in dumped.stdout
    assert 'names =\n  "first ",\n  "second" ;' in dumped.stdout
    assert " step = 1, 2, 1099511627776, -1 ;" in dumped.stdout
    assert "group" not in dumped.stdout
    assert true["u"].shape == (4, 5, 3)


def test_arrays_that_are_repeated_together_share_the_dimension(tmp_path: Path) -> None:
    records, _ = mixed("little")
    describe(tmp_path, UNFORMATTED + MIXED.replace('repeat_dimension = "time"', ""), {"a.unf": unformatted(records)})
    with h5py.File(tmp_path / "out.h5") as file:
        assert [file[name].dims[0][0].name for name in ("t", "step", "u", "z")] == ["/t_repeat"] * 4
        assert file["tail"].dims[0][0].name == "/tail_repeat"


@pytest.mark.parametrize("order", ORDERS)
def test_direct_access_and_raw_files_show_their_true_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    u = np.random.default_rng(1).normal(size=(6, 4)).astype(f"{ORDERS[order]}f4")
    array = '[[record]]\nname = "u"\nkind = "real32"\nshape = [4]\nrepeat = "rest"\n'
    head = f'[file]\nbyte_order = "{order}"\n'
    padded = b"header!!" + b"".join(row.tobytes() + b"padding" for row in u)
    found = describe(tmp_path, head + 'format = "direct"\nrecord_length = 23\noffset = 8\n' + array, {"d.dat": padded})
    same(found, {"u": u})
    check(tmp_path, {"u": u}, monkeypatch)
    found = describe(tmp_path, head + 'format = "raw"\noffset = 8\n' + array, {"r.dat": b"header!!" + u.tobytes()})
    same(found, {"u": u})
    check(tmp_path, {"u": u}, monkeypatch)
    gaps = array + "".join(
        f"[[record]]\n{text}\n" for text in ("skip = 3", 'name = "n"\nkind = "int16"', "skip = true")
    )
    n = np.array(300, f"{ORDERS[order]}i2")
    data = u.tobytes() + b"gap" + n.tobytes() + b"anything"
    found = describe(tmp_path, head + 'format = "raw"\n' + gaps.replace('"rest"', "6"), {"r.dat": data})
    same(found, {"u": u, "n": n})
    check(tmp_path, {"u": u, "n": n}, monkeypatch)


PROGRAM = """
program writes
   implicit none
   integer :: unit, i, k
   real(8) :: u(3, 5)
   complex(4) :: z(2)
   open(newunit=unit, file="g.unf", form="unformatted", access="sequential", status="replace")
   write(unit) 3, 5
   do i = 1, 4
      u = reshape([(i + 0.25d0 * real(k, 8), k = 1, 15)], [3, 5])
      z = [cmplx(i, -i), cmplx(0.5 * i, 7)]
      write(unit) u, z
   end do
   close(unit)
end program writes
"""


@pytest.mark.parametrize("flags", [(), ("-fmax-subrecord-length=28", "-fconvert=big-endian", "-frecord-marker=4")])
def test_files_of_gfortran_show_their_true_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gnu: Compiler, flags: tuple[str, ...]
) -> None:
    (tmp_path / "w.f90").write_text(PROGRAM)
    subprocess.run([gnu.path, *flags, "w.f90", "-o", "w"], cwd=tmp_path, check=True, timeout=60)
    subprocess.run(["./w"], cwd=tmp_path, check=True, timeout=60)
    order = "big" if flags else "little"
    schema = f"""
        [file]
        format = "unformatted"
        byte_order = "{order}"
        [[record]]
        name = "shape"
        kind = "int32"
        shape = [2]
        [[record]]
        repeat = 4
        items = [
          {{ name = "u", kind = "real64", shape = [3, 5] }},
          {{ name = "z", kind = "complex(real32)", shape = [2] }},
        ]
    """
    describe(tmp_path, schema, {"g.unf": (tmp_path / "g.unf").read_bytes()})
    i = np.arange(1, 5)
    u = i[:, None, None] + 0.25 * np.arange(1, 16).reshape(5, 3)
    z = np.stack([i - 1j * i, 0.5 * i + 7j], axis=1).astype("c8")
    check(tmp_path, {"shape": np.array([3, 5], "i4"), "u": u, "z": z}, monkeypatch)


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


@pytest.mark.parametrize("rank_order", ["fortran", "c"])
@pytest.mark.parametrize("cuts", [[[5, 5], [3, 3], [2, 2]], [[7, 3], [3, 2, 1], [4]], [[10], [6], [1, 3]]], ids=str)
def test_pieces_of_ranks_make_one_array(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cuts: list[list[int]], rank_order: str
) -> None:
    u = np.random.default_rng(2).normal(size=(4, 6, 10)).astype(">f8")
    parts = pieces(u, cuts, rank_order)
    files = {
        f"rank{n}.dat": unformatted([n.to_bytes(4, "big"), part.tobytes()], order="big") for n, part in enumerate(parts)
    }
    found = describe(tmp_path, cut_schema(cuts, [10, 6, 4], rank_order), files)
    same(found, {"step": np.arange(len(parts), dtype="i4"), "u": u})
    check(tmp_path, {"step": np.arange(len(parts), dtype="i4"), "u": u}, monkeypatch)


def test_pieces_that_are_repeated_make_one_array_with_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    u = np.random.default_rng(2).normal(size=(3, 4, 6, 10)).astype(">f8")
    cuts = [[5, 5], [6], [1, 3]]
    parts = pieces(u, cuts, "c")
    files = {
        f"rank{n}.dat": unformatted([b"\0\0\0\1", *(step.tobytes() for step in part)], order="big", limit=40)
        for n, part in enumerate(parts)
    }
    found = describe(tmp_path, cut_schema(cuts, [10, 6, 4], "c", repeat='repeat = "rest"'), files)
    same(found, {"step": np.ones(4, "i4"), "u": u})
    check(tmp_path, {"step": np.ones(4, "i4"), "u": u}, monkeypatch)


def named_pieces(places: list[tuple[str, list[int], list[int]]], more: str = "") -> str:
    return (
        '[file]\nformat = "raw"\n[[record]]\nname = "u"\nkind = "real64"\nshape = "piece"\norder = "c"\n'
        + f"[global]\nshape = [4, 6]\n{more}\n"
        + "".join(f'[[piece]]\nfile = "{f}"\noffset = {o}\nshape = {s}\n' for f, o, s in places)
    )


def test_pieces_are_found_by_name_in_any_order_and_c_order_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    u = np.arange(24.0).reshape(4, 6)
    files = {"rank10.dat": u[:, :2].tobytes(), "rank9.dat": u[:3, 2:].tobytes(), "rank8.dat": u[3:, 2:].tobytes()}
    places = [("*8.dat", [3, 2], [1, 4]), ("rank9.dat", [0, 2], [3, 4]), ("rank10.dat", [0, 0], [4, 2])]
    found = describe(tmp_path, named_pieces(places), files)
    same(found, {"u": u})
    check(tmp_path, {"u": u}, monkeypatch)


def test_files_of_one_shape_without_pieces_are_stacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    u = np.arange(24, dtype="i2").reshape(4, 3, 2)
    files = {f"step{n + 1}.raw": u[n].tobytes() for n in range(4)}
    found = describe(tmp_path, '[file]\nformat="raw"\n[[record]]\nname="u"\nkind="int16"\nshape=[2, 3]\n', files)
    same(found, {"u": u})
    check(tmp_path, {"u": u}, monkeypatch)
    with h5py.File(tmp_path / "out.h5") as file:
        assert [dim[0].name for dim in file["u"].dims] == ["/file", "/u_2", "/u_1"]


def test_gaps_are_refused_unless_the_schema_says_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    u = np.arange(24.0).reshape(4, 6)
    files = {"a": u[:, :2].tobytes(), "b": u[:2, 4:].tobytes()}
    places = [("a", [0, 0], [4, 2]), ("b", [0, 4], [2, 2])]
    with pytest.raises(HeadraceError, match="hold 12 of the 24 elements"):
        describe(tmp_path, named_pieces(places), files)
    u[:, 2:4] = u[2:, 4:] = np.nan
    found = describe(tmp_path, named_pieces(places, "fill = nan"), files)
    same(found, {"u": u})
    check(tmp_path, {"u": u}, monkeypatch)


@pytest.mark.parametrize(("kind", "fill"), [("int16", -7), ("complex(real64)", 2.5), ("real32", float("inf"))])
def test_gaps_of_every_kind_are_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, fill: float) -> None:
    dtype = {"int16": "<i2", "complex(real64)": "<c16", "real32": "<f4"}[kind]
    u = np.arange(24).reshape(4, 6).astype(dtype)
    u[2:] = fill
    schema = named_pieces([("a", [0, 0], [2, 6])], f"fill = {fill}").replace("real64", kind)
    found = describe(tmp_path, schema, {"a": u[:2].tobytes()})
    same(found, {"u": u})
    check(tmp_path, {"u": u}, monkeypatch)
    if kind == "int16":
        for wrong in ("0.5", "32768", "nan"):
            with pytest.raises(HeadraceError, match="is no value of int16"):
                describe(tmp_path, schema.replace("-7", wrong), {"a": u[:2].tobytes()})


def test_overlaps_and_offsets_from_one_are_refused(tmp_path: Path) -> None:
    files = {"a": bytes(8 * 12), "b": bytes(8 * 18)}
    with pytest.raises(HeadraceError, match=r"a and .*b overlap, at offset \[0, 0\] and \[1, 0\]"):
        describe(tmp_path, named_pieces([("a", [0, 0], [2, 6]), ("b", [1, 0], [3, 6])]), files)
    with pytest.raises(HeadraceError, match="reaches over the global shape") as caught:
        describe(tmp_path, named_pieces([("a", [1, 1], [2, 6]), ("b", [3, 1], [3, 6])]), files)
    assert "count from 0" in caught.value.hint


def test_a_file_that_has_become_shorter_is_an_error_when_read(tmp_path: Path) -> None:
    (tmp_path / "a.raw").write_bytes(bytes(24))
    for repeat in ("", "repeat = 2\n"):
        gap = "" if not repeat else "offset = 8\nrecord_length = 8\n"
        schema = f'[file]\nformat = "{"direct" if repeat else "raw"}"\n{gap}[[record]]\nname = "u"\nkind = "int32"\n'
        (tmp_path / "a.raw").write_bytes(bytes(24))
        (array,) = global_arrays(parse_schema(schema + (repeat or "shape = [6]\n")), [tmp_path / "a.raw"])
        assert not read_global(array).any()
        (tmp_path / "a.raw").write_bytes(bytes(17))
        with pytest.raises(HeadraceError, match="has become shorter"):
            read_block(array, array.blocks[0])


def test_the_order_of_a_shell_is_no_order_of_ranks(tmp_path: Path) -> None:
    schema = '[file]\nformat="raw"\n[[record]]\nname="u"\nkind="int8"\n'
    with pytest.raises(HeadraceError, match=r"rank10.dat stands before .*rank2.dat"):
        describe(tmp_path, schema, {"rank1.dat": b"1", "rank10.dat": b"x", "rank2.dat": b"2"})


def test_thousands_of_records_become_several_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    u = np.arange(5001 * 2, dtype="f4").reshape(5001, 2)
    schema = '[file]\nformat="unformatted"\n[[record]]\nname="u"\nkind="real32"\nshape=[2]\nrepeat="rest"\n'
    found = describe(tmp_path, schema, {"a.unf": unformatted([row.tobytes() for row in u])})
    same(found, {"u": u})
    check(tmp_path, {"u": u}, monkeypatch)
    with h5py.File(tmp_path / "out.h5") as file:
        assert len(file["_pieces/u"]) == 4


def test_an_array_over_its_own_dimension_is_a_coordinate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = """
        [file]
        format = "raw"
        [[record]]
        name = "x"
        kind = "real32"
        shape = [3]
        dimensions = ["x"]
        [[record]]
        name = "u"
        kind = "real32"
        shape = [3, 2]
        dimensions = ["x", "y"]
    """
    x, u = np.array([0, 0.5, 2], "f4"), np.arange(6, dtype="f4").reshape(2, 3)
    found = describe(tmp_path, schema, {"a.raw": x.tobytes() + u.tobytes()})
    same(found, {"x": x, "u": u})
    check(tmp_path, {"x": x, "u": u}, monkeypatch)
    for name, engine in (("out.h5", "netcdf4"), ("out.json", "kerchunk")):
        data = xarray.open_dataset(str(tmp_path / name), engine=engine)  # type: ignore[arg-type]
        assert data.u.dims == ("y", "x") and list(data.coords) == ["x"]
    with pytest.raises(HeadraceError, match="'x' has 3 elements in array 'x' and 2 in 'u'"):
        describe(tmp_path, schema.replace("[3, 2]", "[2, 3]"), {"a.raw": x.tobytes() + u.tobytes()})
    with pytest.raises(HeadraceError, match="'y' has the name of a dimension"):
        describe(tmp_path, schema.replace('"u"', '"y"'), {"a.raw": x.tobytes() + u.tobytes()})


def test_names_may_be_of_any_alphabet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = UNFORMATTED + '[[record]]\nname = "Größe"\nkind = "int8"\nshape = [2, 2]\ndimensions = ["ζ", "y z"]\n'
    describe(tmp_path, schema, {"Daten ä.unf": unformatted([b"abcd"])})
    monkeypatch.chdir(tmp_path)
    true = {"Größe": np.array([[97, 98], [99, 100]], "i1")}
    for values in (through_h5py(tmp_path / "out.h5"), through_kerchunk(tmp_path / "out.json")):
        same(values, true)
    same(through_netcdf(tmp_path / "out.h5"), true)


def test_arrays_without_elements_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = (
        '[file]\nformat="unformatted"\n[[record]]\nname="e"\nkind="int32"\nshape=[0]\n[[record]]\nname="n"\nkind="int8"'
    )
    describe(tmp_path, schema, {"a.unf": unformatted([b"", b"\5"])})
    true = {"e": np.zeros(0, "i4"), "n": np.array(5, "i1")}
    monkeypatch.chdir(tmp_path)
    same(through_h5py(tmp_path / "out.h5"), true)
    same(through_kerchunk(tmp_path / "out.json"), true)


U = '[[record]]\nname="u"\nkind="int32"\nshape=[2]\n'
UNFORMATTED = '[file]\nformat="unformatted"\n'

UNFIT: dict[str, tuple[str, bytes, str]] = {
    "another length": (
        UNFORMATTED + U,
        unformatted([b"12345"]),
        "record 1 at offset 4: expected 8 bytes for 'u', found 5",
    ),
    "lengths that vary": (
        UNFORMATTED + U + "repeat = 3\n",
        unformatted([b"12345678", b"1234567", b"123456789"]),
        "record 2 at offset 20: expected 8 bytes for 'u', found 7; 2 of 3 such records differ",
    ),
    "too few records": (
        UNFORMATTED + U + "repeat = 2\n",
        unformatted([b"12345678"]),
        "at least 2 records, the file has 1",
    ),
    "too many records": (UNFORMATTED + U, unformatted([b"12345678"] * 3), "2 records are left at offset 20"),
    "half a group": (
        UNFORMATTED + '[[record]]\nrepeat="rest"\nrecords=[{skip=true},{name="u",kind="int8"}]\n',
        unformatted([b"1", b"2", b"3"]),
        "3 records are left, no whole number of times 2",
    ),
    "the other byte order": (
        UNFORMATTED + U,
        unformatted([b"12345678"], order="big"),
        "byte 0; it fits with byte_order",
    ),
    "raw too short": ('[file]\nformat="raw"\n' + U, b"1234567", "takes 1 times 8 bytes from offset 0, the file has 7"),
    "raw too long": ('[file]\nformat="raw"\n' + U, b"123456789", "1 bytes are left at offset 8"),
    "raw before offset": ('[file]\nformat="raw"\noffset=4\n' + U, b"123", "has 3 bytes, the schema starts at offset 4"),
    "half a direct record": (
        '[file]\nformat="direct"\nrecord_length=10\n' + U,
        b"1234567890123",
        "no whole number of records of 10 bytes: 3 bytes are left at offset 10",
    ),
    "short direct records": (
        '[file]\nformat="direct"\nrecord_length=4\n' + U,
        b"1234",
        "expected 8 bytes for 'u', found 4",
    ),
    "real128": ('[file]\nformat="raw"\n' + U.replace("int32", "real128"), bytes(32), "real128 has no type"),
}


@pytest.mark.parametrize(("schema", "data", "message"), UNFIT.values(), ids=UNFIT.keys())
def test_files_that_do_not_fit_the_schema_are_refused(tmp_path: Path, schema: str, data: bytes, message: str) -> None:
    with pytest.raises(HeadraceError) as caught:
        describe(tmp_path, schema, {"a.dat": data})
    assert message in caught.value.message and "a.dat" in caught.value.message + "a.dat" * ("128" in message)
    assert caught.value.hint or isinstance(caught.value, StatusError)  # the library's messages end with advice
    assert not (tmp_path / "out.h5").exists()


@pytest.mark.parametrize("marker", [4, 8])
def test_cut_files_and_changed_markers_are_refused_and_located(tmp_path: Path, marker: int) -> None:
    schema = UNFORMATTED + f"record_marker = {marker}\n" + U + "repeat = 2\n"
    good = unformatted([b"12345678", b"abcdefgh"], marker, limit=5)
    describe(tmp_path, schema, {"a.unf": good})
    markers = [n for n in range(len(good)) if good[n] not in b"12345678abcdefgh"]
    assert len(markers) >= 8 * marker - 8
    damaged = [good[:n] for n in range(len(good))]
    damaged += [good[:n] + bytes([good[n] ^ flip]) + good[n + 1 :] for n in markers for flip in (1, 0x80, 0xFF)]
    for data in damaged:
        with pytest.raises(HeadraceError) as caught:
            describe(tmp_path, schema, {"a.unf": data})
        assert "byte " in caught.value.message or "records" in caught.value.message  # damaged, or cut between records


@pytest.mark.parametrize("name", ["missing", ".", "fifo"])
def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    for form in ("raw", "unformatted"):
        with pytest.raises(HeadraceError):
            global_arrays(parse_schema(f'[file]\nformat = "{form}"\n' + U), [tmp_path / name])


def test_subrecords_of_pgi_are_told_by_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = unformatted([bytes(range(48))], limit=20)
    words = np.frombuffer(data, "<i4").copy()
    negative = (words < 0) & (words > -64)
    words[negative] = -words[negative] | -(2**31)
    schema = UNFORMATTED + 'long_records = "high_bit"\n' + U.replace("[2]", "[12]")
    found = describe(tmp_path, schema, {"a.unf": words.tobytes()})
    same(found, {"u": np.frombuffer(bytes(range(48)), "<i4")})
    check(tmp_path, {"u": np.frombuffer(bytes(range(48)), "<i4")}, monkeypatch)


def test_unlike_files_are_not_stacked_and_pieces_need_their_files(tmp_path: Path) -> None:
    with pytest.raises(HeadraceError, match=r"a has the shape \[2, 3\], .*b \[2, 1\]"):
        describe(
            tmp_path, '[file]\nformat="raw"\n' + U.replace("[2]", '[2]\nrepeat="rest"'), {"a": bytes(24), "b": bytes(8)}
        )
    places = [("a", [0, 0], [4, 2]), ("b", [0, 2], [4, 4])]
    with pytest.raises(HeadraceError, match=r"piece 2 of the schema \('b'\): expected one file, found none"):
        describe(tmp_path, named_pieces(places), {"a": bytes(64)})
    with pytest.raises(HeadraceError, match=r"expected one .* whose file matches, found none"):
        describe(tmp_path, named_pieces(places), {"a": bytes(64), "b": bytes(128), "c": b""})
    schema = cut_schema([2, 1, 1], [10, 6, 4], "c")
    with pytest.raises(HeadraceError, match="makes 2 pieces, found 1 files"):
        describe(tmp_path, schema, {"a": b""})


def test_what_kerchunk_cannot_say_is_refused_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = UNFORMATTED + U.replace("[2]", "[20]")
    data = {"a.unf": unformatted([bytes(range(80))], limit=23)}
    monkeypatch.setattr(kerchunk, "COPY_LIMIT", 0)
    with pytest.raises(HeadraceError, match="a piece lies in 4 byte segments") as caught:
        describe(tmp_path, schema, data)
    assert "x.h5" in caught.value.hint
    monkeypatch.setattr(kerchunk, "COPY_LIMIT", 65536)
    monkeypatch.setattr(kerchunk, "CHUNK_LIMIT", 3)
    cuts = [[7, 3], [6], [4]]
    parts = pieces(np.zeros((4, 6, 10)), cuts, "c")
    files = {f"r{n}": unformatted([b"1234", part.tobytes()], order="big") for n, part in enumerate(parts)}
    with pytest.raises(HeadraceError, match=r"pieces of \(4, 6, 3\) and of \(4, 6, 7\) elements"):
        describe(tmp_path, cut_schema(cuts, [10, 6, 4], "c"), files)
    assert not (tmp_path / "out.json").exists()


def test_only_what_a_subrecord_cuts_is_copied(tmp_path: Path) -> None:
    u = np.arange(600.0).reshape(3, 20, 10)
    schema = UNFORMATTED + '[[record]]\nname = "u"\nkind = "real64"\nshape = [10, 20]\nrepeat = 3\n'
    for limit, chunks, most in ((2**31 - 9, [1, 20, 10], 0), (800, [1, 10, 10], 0), (804, None, 1600)):
        describe(tmp_path, schema, {"a.unf": unformatted([step.tobytes() for step in u], limit=limit)})
        references = json.loads((tmp_path / "out.json").read_text())["refs"]
        copied = sum(len(base64.b64decode(v[7:])) for v in references.values() if v[:7] == "base64:")
        assert copied <= most and (copied > 0) == (most > 0)
        assert chunks is None or json.loads(references["u/.zarray"])["chunks"] == chunks


def test_too_many_segments_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hdf5, "SEGMENT_LIMIT", 2)
    with pytest.raises(HeadraceError, match="'u' lies in 3 byte segments; a description holds at most 2"):
        describe(tmp_path, UNFORMATTED + U + "repeat = 3\n", {"a.unf": unformatted([bytes(8)] * 3)})


def test_without_h5py_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(HeadraceError, match="needs h5py") as caught:
        describe(tmp_path, UNFORMATTED + U, {"a.unf": unformatted([bytes(8)])})
    assert 'pip install "headrace[describe]"' in caught.value.hint


def test_a_description_moves_together_with_its_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records, true = mixed("little")
    before, after = tmp_path / "before", tmp_path / "after"
    (before / "data").mkdir(parents=True)
    describe(before, UNFORMATTED + MIXED, {"data/a.unf": unformatted(records)})
    before.rename(after)
    check(after, true, monkeypatch)
    monkeypatch.chdir("/")
    same(through_kerchunk(after / "out.json", template_overrides={"dir": str(after)}), true)
    code = f"import h5py; print(h5py.File({str(after / 'out.h5')!r})['header'][:].tolist())"
    for prefix, answer in (("${ORIGIN}", "[3, 5, 4]"), ("", "")):
        seen = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"HDF5_EXTFILE_PREFIX": prefix},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert seen.stdout.strip() == answer  # without its data a description is an error, never zeros


def call(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """The command, within this process."""
    monkeypatch.chdir(folder)
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    chosen = parser.parse_args(["describe", *words])
    assert chosen.run(chosen) == 0


def one_file(tmp_path: Path) -> list[str]:
    """A file of one record, and the words that describe it."""
    (tmp_path / "s.toml").write_text(UNFORMATTED + U)
    (tmp_path / "a.unf").write_bytes(unformatted([np.array([5, -6], "<i4").tobytes()]))
    return ["out.h5", "a.unf", "--schema", "s.toml"]


def test_the_command_writes_both_and_says_what_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = one_file(tmp_path)
    call(tmp_path, monkeypatch, *line, "--kerchunk", "--absolute")
    out = capsys.readouterr().out
    assert out.startswith("8 bytes in 1 file are described by out.h5 (")
    assert out.splitlines()[2].split() == ["u", "int32", "u_1", "=", "2", "1", "1", "8"]
    monkeypatch.chdir("/")
    same(through_h5py(tmp_path / "out.h5"), {"u": np.array([5, -6], "i4")})
    same(through_kerchunk(tmp_path / "out.json"), {"u": np.array([5, -6], "i4")})
    call(tmp_path, monkeypatch, *line, "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == [{"path": "out.h5", "bytes": (tmp_path / "out.h5").stat().st_size}]
    assert told["arrays"] == [
        {"name": "u", "kind": "int32", "dtype": "<i4", "shape": [2], "dimensions": ["u_1"], "pieces": 1, "segments": 1}
        | {"bytes": 8}
    ]


def test_without_files_the_pieces_beside_the_schema_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "s.toml").write_text(named_pieces([("a", [0, 0], [4, 2]), ("b", [0, 2], [4, 4])]))
    u = np.arange(24.0).reshape(4, 6)
    (folder / "a").write_bytes(u[:, :2].tobytes())
    (folder / "b").write_bytes(u[:, 2:].tobytes())
    call(tmp_path, monkeypatch, "run/out.h5", "--schema", "run/s.toml")
    seen = subprocess.run(["ncdump", "-v", "u", "out.h5"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert "18, 19, 20, 21, 22, 23 ;" in seen.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["out.txt", "a.unf", "--schema", "s.toml"], "expected the ending .h5, .hdf5, .nc or .json, found .txt"),
        (["out.h5", "--schema", "s.toml"], "there is no file to describe"),
        (["out.h5", "missing.unf", "--schema", "s.toml"], "missing.unf: no such file"),
        (["out.h5", ".", "--schema", "s.toml"], "Is a directory"),
        (["out.h5", "a.unf", "--schema", "missing.toml"], "missing.toml: cannot be read"),
        (["no/out.h5", "a.unf", "--schema", "s.toml"], "no/out.h5: cannot be written: No such file or directory"),
        (["a.h5", "a.h5", "--schema", "s.toml"], "a.h5 is one of the files to describe"),
    ],
)
def test_what_the_command_cannot_do_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    one_file(tmp_path)
    shutil.copy(tmp_path / "a.unf", tmp_path / "a.h5")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(HeadraceError) as caught:
        call(tmp_path, monkeypatch, *words)
    assert message in caught.value.message
    assert sorted(tmp_path.iterdir()) == before


def test_when_one_of_two_descriptions_is_refused_neither_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = one_file(tmp_path)
    before = sorted(tmp_path.iterdir())
    for module, limit in ((kerchunk, "CHUNK_LIMIT"), (hdf5, "SEGMENT_LIMIT")):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, 0)
            with pytest.raises(HeadraceError, match="array 'u'"):
                call(tmp_path, monkeypatch, *words, "--kerchunk")
        assert sorted(tmp_path.iterdir()) == before


def test_slow_work_shows_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = one_file(tmp_path)
    call(tmp_path, monkeypatch, *words)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(command, "_PATIENCE", 0.0)
    call(tmp_path, monkeypatch, *words)
    assert "describe: 1/2" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["out.h5", "out.json"])
def test_a_full_disk_leaves_the_old_description(
    tmp_path: Path, headrace: Run, interpose: Callable[[str], Path], name: str
) -> None:
    words = one_file(tmp_path)
    words[0] = name
    (tmp_path / name).write_bytes(b"old")
    before = sorted(tmp_path.iterdir())
    done = headrace(
        "describe",
        *words,
        LD_PRELOAD=str(interpose("full_disk")),
        HEADRACE_TEST_DISK_PATH=f".{name}.",
        HEADRACE_TEST_DISK_BYTES="100",
    )
    assert done.returncode == 2 and f"{name}: cannot be written" in done.stderr, done.stderr
    assert (tmp_path / name).read_bytes() == b"old"
    assert sorted(tmp_path.iterdir()) == before
