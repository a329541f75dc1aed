"""`headrace convert` and Zarr: x(i, j, k) is x[i-1, j-1, k-1] in each store, and the same element in other formats."""

import itertools
import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import xarray
import zarr
from numpy.typing import NDArray
from zarr.codecs import BytesCodec, Crc32cCodec, TransposeCodec

from headrace.containers import regrouped, variable
from headrace.convert import Result, convert
from headrace.convert.choose import request_of
from headrace.errors import HeadraceError

SHAPES = [(12, 10, 14), (4, 4, 4), (5, 1, 3, 2), (7, 6), (9,)]


def go(a: Path, b: Path, **said: Any) -> Result:
    return convert(request_of([a, b], {}, {}, **said))


def stored_array(store: Path, name: str) -> Any:
    """As Python sees it."""
    return zarr.open_group(str(store), mode="r")[name]


def distinct(shape: tuple[int, ...]) -> NDArray[Any]:
    """u(i, j, k) = i + 100 j + 10000 k, in Fortran's order of elements."""
    index = np.indices(shape) + 1
    return np.asfortranarray(sum(axis * 100.0**d for d, axis in enumerate(index)))


def written_by_headrace_mpi(
    store: Path, values: NDArray[Any], chunk: tuple[int, ...], names: tuple[str, ...] = ()
) -> None:
    """What write_array of headrace_mpi makes: the bytes of a block in memory are the chunk."""
    rank = values.ndim
    codecs: list[dict[str, Any]] = []
    if rank > 1:
        codecs.append({"name": "transpose", "configuration": {"order": list(range(rank))[::-1]}})
    codecs.append({"name": "bytes", "configuration": {"endian": "little"}})
    about = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": values.shape,
        "data_type": "float64",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},
        "fill_value": "NaN",
        "codecs": codecs,
        "dimension_names": names or [f"d{d + 1}" for d in range(rank)],
        "attributes": {"headrace_all_chunks_written": True},
    }
    (store / "data").mkdir(parents=True)
    (store / "data" / "zarr.json").write_text(json.dumps(about))
    (store / "zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {}}))
    grid = tuple(-(-n // c) for n, c in zip(values.shape, chunk, strict=True))
    for place in np.ndindex(*grid):
        block = np.zeros(chunk, order="F")
        part = values[tuple(slice(p * c, p * c + c) for p, c in zip(place, chunk, strict=True))]
        block[tuple(slice(0, n) for n in part.shape)] = part
        (store / "data" / ("c." + ".".join(map(str, place)))).write_bytes(block.tobytes(order="F"))


@pytest.mark.parametrize("way", [(".zarr", ".h5"), (".h5", ".zarr"), (".nc", ".zarr"), (".zarr", ".meta")])
@pytest.mark.parametrize("shape", SHAPES)
def test_npy_through_zarr_and_others_is_the_same(tmp_path: Path, shape: tuple[int, ...], way: tuple[str, str]) -> None:
    u = distinct(shape)
    np.save(tmp_path / "u.npy", u)
    files = [tmp_path / f"u{ending}" for ending in (".npy", *way)]
    for a, b in itertools.pairwise(files):
        go(a, b)
    go(files[-1], tmp_path / "back.npy")
    back = np.load(tmp_path / "back.npy")
    assert back.flags.f_contiguous and back.shape == shape and np.array_equal(back, u)
    assert np.array_equal(stored_array(tmp_path / "u.zarr", "u")[...], u)
    if (tmp_path / "u.h5").exists():
        with h5py.File(tmp_path / "u.h5") as file:
            assert np.array_equal(file["u"][()], u.T)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_store_of_headrace_mpi_keeps_its_indices(tmp_path: Path, shape: tuple[int, ...]) -> None:
    u = distinct(shape)
    for number, chunk in enumerate({shape, tuple((n + 1) // 2 for n in shape), (*shape[:-1], 1)}):
        store = tmp_path / f"{number}.zarr"
        written_by_headrace_mpi(store, u, chunk)
        assert np.array_equal(stored_array(store, "data")[...], u)
        result = go(store, tmp_path / "u.npy")
        assert result.variables[0].shape == shape[::-1]
        found = np.load(tmp_path / "u.npy")
        assert found.flags.f_contiguous and np.array_equal(found, u)
        go(store, tmp_path / "u.raw")
        assert np.array_equal(np.fromfile(tmp_path / "u.raw"), u.ravel(order="F"))
        go(store, tmp_path / "u.h5")
        with h5py.File(tmp_path / "u.h5") as file:
            assert np.array_equal(file["data"][()], u.T)


def test_what_is_written_has_the_metadata_that_headrace_mpi_writes(tmp_path: Path) -> None:
    u = distinct((12, 10, 14))
    np.save(tmp_path / "u.npy", u)
    go(tmp_path / "u.npy", tmp_path / "u.zarr")
    about = json.loads((tmp_path / "u.zarr" / "u" / "zarr.json").read_text())
    assert about["shape"] == [12, 10, 14]
    assert about["codecs"][0] == {"name": "transpose", "configuration": {"order": [2, 1, 0]}}
    assert about["dimension_names"] == ["u_1", "u_2", "u_3"]


@pytest.mark.parametrize("endings", [(".zarr", ".h5", ".zarr"), (".nc", ".zarr")])
def test_names_of_dimensions_follow_and_xarray_opens_the_store(tmp_path: Path, endings: tuple[str, ...]) -> None:
    u = distinct((12, 10, 14))
    written_by_headrace_mpi(tmp_path / "a.zarr", u, (12, 10, 7), ("x", "y", "z"))
    file = tmp_path / "a.zarr"
    for number, ending in enumerate(endings):
        after = tmp_path / f"{number}{ending}"
        go(file, after)
        file = after
    with xarray.open_zarr(file, consolidated=True) as opened:
        assert opened["data"].dims == ("x", "y", "z")
        assert np.array_equal(opened["data"].values, u)
        assert float(opened["data"].isel(x=1, y=0, z=0)) == u[1, 0, 0]


def test_one_name_with_two_extents_is_told_apart(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for name, extent in (("p", 3), ("q", 5)):
            file[name] = np.arange(float(extent))
            file[name].dims[0].label = "x"
    go(tmp_path / "a.h5", tmp_path / "a.zarr")
    with xarray.open_zarr(tmp_path / "a.zarr") as opened:
        assert dict(opened.sizes) == {"x": 3, "x_5": 5}
        assert opened["q"].values.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("chunks", [(1, 10, 14), (12, 10, 1), (5, 4, 3), (12, 10, 14)])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_stores_of_python_keep_their_indices(
    tmp_path: Path, layout: Any, chunks: tuple[int, ...], version: Any
) -> None:
    u = distinct((12, 10, 14))
    more: dict[str, Any] = {"order": layout} if version == 2 else {}
    if version == 3 and layout == "F":
        more = {"filters": [TransposeCodec(order=(2, 1, 0))]}
    zarr.create_group(store=str(tmp_path / "a.zarr"), zarr_format=version).create_array(
        "u", data=u, chunks=chunks, attributes={"_ARRAY_DIMENSIONS": ["x", "y", "z"]} if version == 2 else {}, **more
    )
    request = request_of([tmp_path / "a.zarr", tmp_path / "u.npy"], {}, {})
    convert(request)
    assert ["--order c" in note for note in request.notes] == ([True] if layout == "C" else [])
    found = np.load(tmp_path / "u.npy")
    assert found.flags.f_contiguous and np.array_equal(found, u)
    request = request_of([tmp_path / "a.zarr", tmp_path / "c.npy"], {}, {}, order="c")
    convert(request)
    assert request.notes == []
    found = np.load(tmp_path / "c.npy")
    assert found.flags.c_contiguous and np.array_equal(found, u)
    go(tmp_path / "a.zarr", tmp_path / "c.h5", order="c")
    with h5py.File(tmp_path / "c.h5") as file:
        assert np.array_equal(file["u"][()], u)
        assert version == 3 or [scale[0].name for scale in file["u"].dims] == ["/x", "/y", "/z"]


def test_order_c_writes_a_store_in_c_order(tmp_path: Path) -> None:
    u = np.ascontiguousarray(distinct((12, 10, 14)))
    np.save(tmp_path / "u.npy", u)
    go(tmp_path / "u.npy", tmp_path / "u.zarr", order="c")
    stored = stored_array(tmp_path / "u.zarr", "u")
    assert np.array_equal(stored[...], u)
    assert not [codec for codec in stored.filters if isinstance(codec, TransposeCodec)]


@pytest.mark.parametrize("order", ["fortran", "c"])
@pytest.mark.parametrize("chunks", [(1, 10, 14), (12, 1, 14), (5, 4, 3), (12, 10, 14), (12, 10, 1)])
@pytest.mark.parametrize("limit", [700, 5000])
def test_tiles_across_the_chunks_have_the_true_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, chunks: tuple[int, ...], order: str
) -> None:
    """As arrays larger than memory: tiles of a few bytes, a scratch file, and a chunk is decoded once."""
    u = distinct((12, 10, 14))
    for file, codecs in (("c", ()), ("t", (TransposeCodec(order=(2, 1, 0)),))):
        store = zarr.create_group(store=str(tmp_path / f"{file}.zarr"), zarr_format=3)
        for name, compressor in (("plain", None), ("checked", Crc32cCodec())):
            store.create_array(
                name, data=u, chunks=chunks, filters=codecs, compressors=compressor, serializer=BytesCodec()
            )
    monkeypatch.setattr(variable.tiles, "__defaults__", (1, limit))
    for name, bytes_ in (("TILE", limit), ("_SCRATCH", 8 * limit), ("_BLOCK", 2 * limit)):
        monkeypatch.setattr(regrouped, name, bytes_)
    for file in ("c", "t"):
        for name in ("plain", "checked"):
            go(tmp_path / f"{file}.zarr", tmp_path / "u.npy", name=name, order=order)
            assert np.array_equal(np.load(tmp_path / "u.npy"), u)
            go(tmp_path / f"{file}.zarr", tmp_path / "u.zarr", name=name, order=order)
            assert np.array_equal(stored_array(tmp_path / "u.zarr", name)[...], u)


def test_chunks_that_lie_across_the_tiles_are_decoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    u = distinct((12, 10, 14))
    read: list[Any] = []

    def box(tile: Any) -> Any:
        read.append(tile)
        return u.T[tile]

    monkeypatch.setattr(variable.tiles, "__defaults__", (1, 1000))
    monkeypatch.setattr(regrouped, "TILE", 1000)
    monkeypatch.setattr(regrouped, "_BLOCK", 1)
    reader, grain = regrouped.regrouped(box, (14, 10, 12), (14, 10, 1), 8, tmp_path / "x")
    assert grain == 1
    for tile in variable.tiles((14, 10, 12), 8):
        assert np.array_equal(reader(tile), u.T[tile])
    assert len(read) == 12  # as many as there are chunks
    other = (slice(3, 9), slice(0, 10), slice(2, 5))
    assert np.array_equal(reader(other), u.T[other])
    assert not list(tmp_path.iterdir())


def test_a_chunk_that_is_cut_or_missing_is_named(tmp_path: Path) -> None:
    u = distinct((12, 10, 14))
    written_by_headrace_mpi(tmp_path / "a.zarr", u, (12, 10, 7))
    chunk = tmp_path / "a.zarr" / "data" / "c.0.0.1"
    chunk.write_bytes(chunk.read_bytes()[:-8])
    with pytest.raises(HeadraceError, match=r"c\.0\.0\.1 has 6,712 bytes, expected 6,720"):
        go(tmp_path / "a.zarr", tmp_path / "u.npy")
    chunk.unlink()
    with pytest.raises(HeadraceError, match=r"c\.0\.0\.1 is missing"):
        go(tmp_path / "a.zarr", tmp_path / "u.npy")
    assert not (tmp_path / "u.npy").exists()


def test_a_chunk_that_was_never_written_is_the_fill_value(tmp_path: Path) -> None:
    stored = zarr.create_group(store=str(tmp_path / "a.zarr"), zarr_format=3).create_array(
        "u", shape=(4, 6), chunks=(4, 3), dtype="f8", fill_value=7.0, compressors=None,
        filters=[TransposeCodec(order=(1, 0))],
    )  # fmt: skip
    stored[:, :3] = distinct((4, 3))
    go(tmp_path / "a.zarr", tmp_path / "u.npy")
    assert np.array_equal(np.load(tmp_path / "u.npy"), np.hstack([distinct((4, 3)), np.full((4, 3), 7.0)]))


@pytest.mark.parametrize("order", [(2, 1, 0), (1, 0, 2), None])
def test_shards_and_other_orders_are_read_by_their_indices(tmp_path: Path, order: Any) -> None:
    u = distinct((12, 10, 14))
    zarr.create_group(store=str(tmp_path / "a.zarr"), zarr_format=3).create_array(
        "u", data=u, chunks=(3, 5, 7), shards=(6, 10, 14), filters=[TransposeCodec(order=order)] if order else "auto"
    )
    request = request_of([tmp_path / "a.zarr", tmp_path / "u.npy"], {}, {})
    convert(request)
    assert np.array_equal(np.load(tmp_path / "u.npy"), u)
    assert len(request.notes) == (order != (2, 1, 0))
