"""`headrace describe`: existing files seen through HDF5, netCDF and Zarr have their true values, or are refused."""

import itertools
import shutil
import subprocess
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import xarray

from describing import (
    MIXED,
    ORDERS,
    UNFORMATTED,
    check,
    cut_schema,
    describe,
    mixed,
    named_pieces,
    pieces,
    same,
    through_h5py,
    through_kerchunk,
    through_netcdf,
    unformatted,
)
from headrace.convert import convert
from headrace.convert.choose import request_of
from headrace.errors import HeadraceError
from headrace.layout.pieces import global_arrays
from headrace.layout.schema import parse_schema
from headrace.layout.values import read_block, read_global
from headrace.results.run import Compiler


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
            with pytest.raises(HeadraceError, match="is not a value of int16"):
                describe(tmp_path, schema.replace("-7", wrong), {"a": u[:2].tobytes()})


def test_overlaps_and_offsets_from_one_are_refused(tmp_path: Path) -> None:
    files = {"a": bytes(8 * 12), "b": bytes(8 * 18)}
    with pytest.raises(HeadraceError, match=r"a and .*b overlap, at offset \[0, 0\] and \[1, 0\]"):
        describe(tmp_path, named_pieces([("a", [0, 0], [2, 6]), ("b", [1, 0], [3, 6])]), files)
    with pytest.raises(HeadraceError, match="reaches beyond the global shape") as caught:
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
    for name, engine, names, values in (
        ("out.h5", "netcdf4", ("y", "x"), u),
        ("out.json", "kerchunk", ("x", "y"), u.T),
    ):
        data = xarray.open_dataset(str(tmp_path / name), engine=engine)  # type: ignore[arg-type]
        assert data.u.dims == names and list(data.coords) == ["x"]
        assert np.array_equal(data.u, values)
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


def test_references_show_what_the_store_of_convert_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Indices are those of the program in both; of a C program if the schema says so."""
    u, c = np.arange(48.0).reshape(2, 4, 3, 2), np.arange(12, dtype="i4").reshape(2, 2, 3)
    names = np.array([["a b", "cd "], ["  e", "f g"], ["hij", "klm"]], "S3")
    schema = """
        [file]
        format = "raw"
        [[record]]
        name = "names"
        kind = "character(3)"
        shape = [2, 3]
        dimensions = ["p", "q"]
        [[record]]
        repeat = "rest"
        repeat_dimension = "time"
        records = [
          { name = "u", kind = "real64", shape = [2, 3, 4], dimensions = ["x", "y", "z"] },
          { name = "c", kind = "int32", shape = [2, 3], order = "c", dimensions = ["i", "j"] },
        ]
    """
    data = names.tobytes() + b"".join(u[n].tobytes() + c[n].tobytes() for n in range(2))
    describe(tmp_path, schema, {"a.raw": data})
    (tmp_path / "a.toml").write_text(schema)
    monkeypatch.chdir(tmp_path)
    said: dict[str, Any] = {"schema": Path("a.toml")}
    convert(request_of([Path("a.raw"), Path("a.zarr")], {}, {}, **said))
    references = xarray.open_dataset("out.json", engine="kerchunk")  # type: ignore[arg-type]
    store = xarray.open_zarr("a.zarr")
    for found in (references, store):
        assert found.u.dims == ("x", "y", "z", "time") and np.array_equal(found.u, u.T)
        assert found.names.dims == ("p", "q") and np.array_equal(found.names, names.T)
    assert references.c.dims == ("time", "i", "j") and np.array_equal(references.c, c)
