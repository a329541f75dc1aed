"""`headrace convert`: there and back every bit is the same, other readers see the values, and the rest is refused."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pyarrow.parquet
import pytest
import zarr
from numpy.typing import NDArray

from headrace.convert import Result, convert
from headrace.convert.choose import request_of
from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.layout.hdf5 import write_hdf5
from headrace.layout.pieces import global_arrays
from headrace.layout.schema import load_schema

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SIGNALLING = np.array([0x7FF4000000001234, 0x8000000000000000, 0x7FF8000000000001, 1, 2, 3], "u8").view("f8")
WAYS = ["x.meta", "x.h5", "x.nc", "x.zarr", "x.npz", "x.parquet"]


def go(a: "Path | list[Path]", b: Path, **said: Any) -> Result:
    """Convert; from_... and to_... are about the files, the rest about the array."""
    sides = {
        side: {key.removeprefix(side): said.pop(key) for key in list(said) if key.startswith(side)}
        for side in ("from_", "to_")
    }
    if isinstance(said.get("kind"), str):
        said["kind"] = kinds.find(said["kind"])
    paths = [a, b] if isinstance(a, Path) else [*a, b]
    return convert(request_of(paths, sides["from_"], sides["to_"], **said))


def arrays() -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(4)
    found: dict[str, NDArray[Any]] = {
        f"i{n}{order}": rng.integers(-100, 100, (2, 3)).astype(f"{'<' if order == 'l' else '>'}i{n}")
        for n in (1, 2, 4, 8)
        for order in "lb"
    }
    for order, mark in (("l", "<"), ("b", ">")):
        found[f"f8{order}"] = SIGNALLING.astype(f"{mark}f8").reshape(2, 3)
        found[f"f4{order}"] = (
            np.array([0x7FA00001, 0x80000000, 1, 0xFFC00123], "u4").astype(f"{mark}u4").view(f"{mark}f4")
        )
        found[f"c16{order}"] = SIGNALLING.astype(f"{mark}f8").view(f"{mark}c16")
        found[f"c8{order}"] = found[f"f4{order}"].view(f"{mark}c8")
    found["logical"] = np.array([[True, False], [False, False]])
    found["characters"] = np.array([b"ab", b"c  ", b" \0d"], "S3")
    found["single"] = np.array(-0.0)
    found["empty"] = np.zeros((0, 3))
    found["deep"] = np.arange(24, dtype="i2").reshape(1, 2, 3, 4)
    return found


def same(found: NDArray[Any], true: NDArray[Any]) -> None:
    """Shape and every bit of the values; the byte order may be the other one."""
    assert found.shape == true.shape
    native = true.dtype.newbyteorder("=")
    assert found.dtype.newbyteorder("=") == native
    one, other = (np.ascontiguousarray(x).astype(native).tobytes() for x in (found, true))
    assert one == other


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("order", ["fortran", "c"])
@pytest.mark.parametrize("way", WAYS)
def test_there_and_back_is_the_same(tmp_path: Path, way: str, order: str, layout: Any) -> None:
    true = {name: np.asarray(values, order=layout) for name, values in arrays().items()}
    if way == "x.parquet":  # a table: its columns have one length, and rows hold something
        true = {name: values for name, values in true.items() if values.shape == (2, 3)}
    np.savez(tmp_path / "a.npz", **true)
    go(tmp_path / "a.npz", tmp_path / way, order=order)
    go(tmp_path / way, tmp_path / "b.npz", order=order)
    with np.load(tmp_path / "b.npz") as found:
        assert set(found.files) == true.keys()
        for name, values in true.items():
            same(found[name], values)
    left = [path for path in tmp_path.iterdir() if ".headrace-" in path.name]
    assert left == []


@pytest.mark.parametrize("marker", [4, 8])
@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("way", ["x.unf", "x.raw", "x.da"])
def test_plain_files_there_and_back_are_the_same(tmp_path: Path, way: str, byte_order: str, marker: int) -> None:
    for name, values in arrays().items():
        if values.size == 0:
            continue
        np.save(tmp_path / "a.npy", np.asfortranarray(values))
        length = {"to_record_length": values.nbytes} if way == "x.da" else {}
        if way == "x.unf":
            length = {"to_record_marker": marker}
        result = go(tmp_path / "a.npy", tmp_path / way, to_byte_order=byte_order, **length)
        back = {"from_record_length": values.nbytes} if way == "x.da" else {}
        if way == "x.unf":
            back = {"from_record_marker": marker}
        kind = result.variables[0].kind
        shape = values.shape
        go(
            tmp_path / way, tmp_path / "b.npy", from_byte_order=byte_order, kind=kind, shape=shape, **back
        )  # fmt: skip
        found = np.load(tmp_path / "b.npy")
        same(found.view("?") if name == "logical" else found, values)


def test_the_first_index_is_fastest_in_records_and_last_in_hdf5(tmp_path: Path) -> None:
    x = np.arange(6.0).reshape(2, 3)
    np.save(tmp_path / "x.npy", x)
    go(tmp_path / "x.npy", tmp_path / "x.raw")
    assert np.fromfile(tmp_path / "x.raw").tolist() == x.ravel(order="F").tolist()
    go(tmp_path / "x.npy", tmp_path / "x.h5")
    with h5py.File(tmp_path / "x.h5") as file:
        assert np.array_equal(file["x"][()], x.T)
    go(tmp_path / "x.npy", tmp_path / "c.raw", order="c")
    assert np.fromfile(tmp_path / "c.raw").tolist() == x.ravel().tolist()
    go(tmp_path / "x.npy", tmp_path / "c.h5", order="c")
    with h5py.File(tmp_path / "c.h5") as file:
        assert np.array_equal(file["x"][()], x)


def test_other_readers_see_the_values(tmp_path: Path) -> None:
    true = {"u": np.asfortranarray(np.arange(12.0).reshape(3, 4)), "z": np.array([1 + 2j, -0.0 + 3j, 0])}
    true["n"], true["flag"] = np.array([1, -2, 3], ">i4"), np.array([True, False, True])
    np.savez(tmp_path / "a.npz", **true)
    for name in ("a.h5", "a.nc", "a.zarr"):
        go(tmp_path / "a.npz", tmp_path / name)
    with h5py.File(tmp_path / "a.h5") as file:
        for name, values in true.items():
            assert np.array_equal(file[name][()], values.T)
        assert file["n"].dtype == np.dtype(">i4") and file["flag"].dtype == np.dtype("?")
    with netCDF4.Dataset(tmp_path / "a.nc") as file:
        assert np.array_equal(file["u"][...], true["u"].T)
        assert np.array_equal(file["z"][...] @ [1, 1j], true["z"]) and file["z"].dimensions[-1] == "complex"
        assert file["n"][...].tolist() == [1, -2, 3] and file["flag"].headrace_type == "logical"
    store = zarr.open(str(tmp_path / "a.zarr"), mode="r")
    assert store.metadata.zarr_format == 3
    for name, values in true.items():
        assert np.array_equal(store[name][...], values)
    go(tmp_path / "a.npz", tmp_path / "n.parquet", name="n")
    assert pyarrow.parquet.read_table(tmp_path / "n.parquet")["n"].to_pylist() == [1, -2, 3]


def test_foreign_files_are_read(tmp_path: Path) -> None:
    x = np.arange(24, dtype=">i4").reshape(4, 6)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("group/x", data=x, chunks=(2, 3), compression="gzip")
    go(tmp_path / "x.h5", tmp_path / "x.npy", order="c")
    same(np.load(tmp_path / "x.npy"), x)
    zarr.create_group(store=str(tmp_path / "x.zarr"), zarr_format=2).create_array("y", data=x)
    go(tmp_path / "x.zarr", tmp_path / "y.npy")
    same(np.load(tmp_path / "y.npy"), x)
    table = pyarrow.table({"a": [1.5, None], "b": [True, False], "c": ["x", "y"]})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    go(tmp_path / "t.parquet", tmp_path / "b.npy", name="b")
    assert np.load(tmp_path / "b.npy").tolist() == [True, False]
    for name, word in (("a", "nulls"), ("c", "string")):
        with pytest.raises(HeadraceError, match=word):
            go(tmp_path / "t.parquet", tmp_path / "b.npy", name=name)


@pytest.mark.parametrize(
    "values", [np.array([1.5, -0.0, np.inf, 1e-300]), np.array([[1, 2], [3, -4]]), np.eye(2, dtype="f4")]
)
@pytest.mark.parametrize(
    ("file", "said"),
    [("x.csv", {}), ("x.tsv", {}), ("x.txt", {}), ("x.csv.gz", {}), ("x.csv", {"number": "hex"})],
)
def test_tables_there_and_back_are_the_same(tmp_path: Path, values: Any, file: str, said: dict[str, Any]) -> None:
    np.save(tmp_path / "a.npy", values)
    go(tmp_path / "a.npy", tmp_path / file, **{f"to_{key}": value for key, value in said.items()})
    kind = {"f4": "real32", "f8": "real64", "i8": "int64"}[values.dtype.str[1:]]
    go(tmp_path / file, tmp_path / "b.npy", kind=kind, **{f"from_{key}": value for key, value in said.items()})
    same(np.load(tmp_path / "b.npy"), values)
    if not said and values.dtype.itemsize == 8:  # whole numbers are found out
        go(tmp_path / file, tmp_path / "c.npy")
        same(np.load(tmp_path / "c.npy"), values)


@pytest.mark.parametrize("file", ["x.csv", "x.txt.gz"])
@pytest.mark.parametrize("order", ["fortran", "c"])
def test_tables_state_more_than_two_dimensions(tmp_path: Path, file: str, order: str) -> None:
    x = np.arange(24.0).reshape(2, 3, 4) / 8
    np.save(tmp_path / "a.npy", x)
    go(tmp_path / "a.npy", tmp_path / file, order=order)
    go(tmp_path / file, tmp_path / "b.npy", order=order)
    same(np.load(tmp_path / "b.npy"), x)


@pytest.mark.parametrize("edit", ["*", "(3es24.16e3)"])
def test_edited_texts_there_and_back_are_the_same(tmp_path: Path, edit: str) -> None:
    x = np.asfortranarray(np.random.default_rng(2).normal(size=(3, 2, 2)))
    np.save(tmp_path / "a.npy", x)
    go(tmp_path / "a.npy", tmp_path / "x.txt", to_edit=edit)
    go(tmp_path / "x.txt", tmp_path / "b.npy", from_edit=edit, kind="real64", shape=(3, 2, 2))
    same(np.load(tmp_path / "b.npy"), x)
    assert float((tmp_path / "x.txt").read_text().split()[1]) == x[1, 0, 0]


def test_what_a_format_cannot_hold_is_refused_and_nothing_written(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", nan=SIGNALLING, u=np.arange(3, dtype="u4"), w=np.arange(2.0))
    (tmp_path / "q.raw").write_bytes(bytes(range(32)))
    for name, more, word in (
        ("x.csv", {"name": "nan"}, "NaN"), ("x.csv", {}, "one array, not 3: 'nan', 'u', 'w'"),
        ("x.npy", {}, "one array, not 3: 'nan', 'u', 'w'"), ("x.npy", {}, "--name nan, or write an .npz file"),
        ("x.da", {}, "one array, not 3: 'nan', 'u', 'w'"),
        ("x.meta", {}, "uint32"),
        ("x.da", {"name": "w"}, "length"), ("x.parquet", {}, "the same length"), ("x.csv", {"name": "u"}, "uint32"),
        ("x.npz", {"name": "missing"}, "'nan', 'u', 'w'"),
    ):  # fmt: skip
        (tmp_path / name).write_text("old")
        with pytest.raises(HeadraceError) as caught:
            go(tmp_path / "a.npz", tmp_path / name, **more)
        assert word in caught.value.message + caught.value.hint
        assert (tmp_path / name).read_text() == "old"
    for name in ("x.npy", "x.npz", "x.nc", "x.csv"):
        with pytest.raises(HeadraceError, match="real128"):
            go(tmp_path / "q.raw", tmp_path / name, kind="real128")
    assert not [path for path in tmp_path.iterdir() if ".headrace-" in path.name]


@pytest.mark.parametrize("way", ["q.h5", "q.zarr", "q.meta", "q.unf", "q.parquet"])
@pytest.mark.parametrize("kind", ["real128", "complex(real128)", "logical32", "logical64"])
def test_kinds_that_numpy_has_not_are_kept(tmp_path: Path, way: str, kind: str) -> None:
    data = np.random.default_rng(1).integers(0, 256, 64, np.uint8).tobytes()
    (tmp_path / "q.raw").write_bytes(data)
    go(tmp_path / "q.raw", tmp_path / way, kind=kind, from_byte_order="big")
    more = {"kind": kind} if way == "q.unf" else {}
    result = go(tmp_path / way, tmp_path / "back.raw", to_byte_order="big", **more)
    assert (tmp_path / "back.raw").read_bytes() == data
    assert way == "q.unf" or result.variables[0].kind.name == kind


def test_an_old_pair_stays_whole_until_the_new_one_is(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.arange(3.0), y=np.arange(2))
    for _ in range(3):
        go(tmp_path / "a.npz", tmp_path / "p.meta")
        go(tmp_path / "p.meta", tmp_path / "p.meta")  # a pair over itself
    assert len(list(tmp_path.glob("p.*.bin"))) == 2
    go(tmp_path / "p.meta", tmp_path / "b.npz")
    with np.load(tmp_path / "b.npz") as found:
        assert found["x"].tolist() == [0, 1, 2] and found["y"].tolist() == [0, 1]
    data = next(tmp_path.glob("p.real64*.bin"))
    data.write_bytes(bytes([1]) + data.read_bytes()[1:])
    with pytest.raises(HeadraceError, match="crc32c"):
        go(tmp_path / "p.meta", tmp_path / "c.npz")


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.h5", "x.nc", "x.zarr", "x.parquet", "x.meta", "x.unf", "x.csv"])
def test_damaged_and_missing_files_are_named(tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "a.npy", np.arange(1000.0))
    go(tmp_path / "a.npy", tmp_path / name)
    if name == "x.zarr":
        (tmp_path / name / "zarr.json").write_text("{")
    else:
        file = next(tmp_path.glob("x.real64.bin")) if name == "x.meta" else tmp_path / name
        file.write_bytes(file.read_bytes()[:-9] + (b"oops" if name == "x.csv" else b""))
    with pytest.raises(HeadraceError, match="x"):
        go(tmp_path / name, tmp_path / "b.npy", **({"kind": "real64"} if name == "x.unf" else {}))
    assert not (tmp_path / "b.npy").exists()
    (shutil.rmtree if name == "x.zarr" else Path.unlink)(tmp_path / name)  # type: ignore[operator]
    with pytest.raises(HeadraceError, match="No such file"):
        go(tmp_path / name, tmp_path / "b.npy")


def test_a_package_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "a.npy", np.arange(3))
    for package, name in (("h5py", "x.h5"), ("netCDF4", "x.nc"), ("zarr", "x.zarr"), ("pyarrow", "x.parquet")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(HeadraceError) as caught:
            go(tmp_path / "a.npy", tmp_path / name)
        wanted = "'zarr>=3'" if package == "zarr" else package
        assert caught.value.hint.startswith(f"{sys.executable} -m pip install {wanted}")
        assert not (tmp_path / name).exists()


def test_targets_that_are_no_files_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3))
    os.mkfifo(tmp_path / "fifo.npy")
    (tmp_path / "full.zarr").mkdir()
    (tmp_path / "full.zarr" / "precious").write_text("text")
    (tmp_path / "folder.npz").mkdir()
    for name, word in (
        ("fifo.npy", "pipe"), ("full.zarr", "is not a Zarr store"), ("folder.npz", "directory"), ("x.foo", "ending"),
        ("none/x.npy", "no directory"), ("/dev/null", "ending"),
    ):  # fmt: skip
        with pytest.raises(HeadraceError, match=word):
            go(tmp_path / "a.npy", tmp_path / name)
    assert (tmp_path / "full.zarr" / "precious").exists()
    for name, meant in (("x.cvs", ".csv"), ("x.zar", ".zarr")):
        with pytest.raises(HeadraceError) as caught:
            go(tmp_path / "a.npy", tmp_path / name)
        assert caught.value.hint.startswith(f"did you mean {meant}?\n  known are .unf, ")


@pytest.mark.parametrize(
    "name", ["x.npy", "x.npz", "x.h5", "x.nc", "x.zarr", "x.parquet", "x.meta", "x.raw", "x.unf", "x.csv"]
)
def test_a_file_that_cannot_grow_leaves_the_old_one_and_nothing_else(tmp_path: Path, name: str) -> None:
    values = np.random.default_rng(1).random(100_000)
    np.save(tmp_path / "a.npy", values)
    np.save(tmp_path / "small.npy", values[:10])
    go(tmp_path / "small.npy", tmp_path / name)
    before = sorted(path.name for path in tmp_path.iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))  # Python ignores SIGXFSZ: writing fails with EFBIG
    try:
        with pytest.raises(HeadraceError):
            go(tmp_path / "a.npy", tmp_path / name)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    result = go(tmp_path / name, tmp_path / "back.npy", **({"kind": "real64"} if name in ("x.raw", "x.unf") else {}))
    assert result.variables[0].shape == (10,)


def test_links_are_followed_and_the_mode_is_kept(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3))
    (tmp_path / "real.npz").write_text("old")
    (tmp_path / "real.npz").chmod(0o640)
    (tmp_path / "link.npz").symlink_to("real.npz")
    go(tmp_path / "a.npy", tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink() and (tmp_path / "real.npz").stat().st_mode & 0o777 == 0o640
    assert np.load(tmp_path / "real.npz")["a"].tolist() == [0, 1, 2]


def test_a_file_may_be_converted_over_itself(tmp_path: Path) -> None:
    x = np.arange(6.0).reshape(2, 3)
    np.save(tmp_path / "a.npy", x)
    go(tmp_path / "a.npy", tmp_path / "a.npy", to_byte_order="big")
    found = np.load(tmp_path / "a.npy")
    assert found.dtype == np.dtype(">f8")
    same(found, x)


def test_the_command_prints_what_it_has_done(headrace: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(6.0).reshape(2, 3))
    done = headrace("convert", "a.npy", "a.h5")
    assert done.returncode == 0 and done.stderr == ""
    assert "1 array of a.npy" in done.stdout and "real64" in done.stdout and "2, 3" in done.stdout
    failed = headrace("convert", "a.npy", "a.xyz")
    assert failed.returncode == 2 and failed.stdout == "" and "a.xyz" in failed.stderr and "--to" in failed.stderr


@pytest.mark.parametrize("source", ["hdf5", "netcdf"])
def test_descriptions_and_dimensions_add_no_arrays(tmp_path: Path, source: str) -> None:
    """A dimension without values, and the pieces of a description, are no arrays."""
    data = np.arange(96.0)
    schema = '[file]\nformat = "raw"\n[[record]]\nname = "u"\nkind = "real64"\nshape = "piece"\n'
    schema += '[[record]]\nname = "t"\nkind = "real64"\nshape = [2]\n[global]\nshape = [12, 8]\nparts = [2, 1]\n'
    files = [tmp_path / f"rank{rank}.raw" for rank in range(2)]
    for rank, file in enumerate(files):
        part = data.reshape(8, 12)[:, 6 * rank : 6 * rank + 6]
        file.write_bytes(part.tobytes() + np.array([rank, 2.0]).tobytes())
    (tmp_path / "s.toml").write_text(schema + 'rank_order = "fortran"\n')
    write_hdf5(tmp_path / "d.nc", global_arrays(load_schema(tmp_path / "s.toml"), files), absolute=True)
    go(tmp_path / "d.nc", tmp_path / "b.npz", from_format=source)
    with np.load(tmp_path / "b.npz") as found:
        assert sorted(found.files) == ["t", "u"]
        assert np.array_equal(found["u"], data.reshape(8, 12).T)
    go(tmp_path / "b.npz", tmp_path / "c.nc")
    go(tmp_path / "c.nc", tmp_path / "c.npz", from_format=source)
    assert np.load(tmp_path / "c.npz").files == np.load(tmp_path / "b.npz").files


@pytest.mark.parametrize("way", ["x.h5", "x.nc", "x.meta", "x.npz"])
def test_arrays_keep_their_order(tmp_path: Path, way: str) -> None:
    names = ["z", "b", "g/y", "g/a", "a"] if way in ("x.h5", "x.npz") else ["z", "b", "y", "a"]
    np.savez(tmp_path / "a.npz", **{name: np.arange(3.0) for name in names})
    go(tmp_path / "a.npz", tmp_path / way)
    assert [variable.name for variable in go(tmp_path / way, tmp_path / "b.npz").variables] == names
