"""What `load` makes of files whose types, shapes or order of bytes are unusual, and what it refuses."""

import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import headrace
from headrace import loading
from headrace.errors import HeadraceError, StatusError

QUAD_ONE = bytes(14) + b"\xff\x3f"  # 1.0 as IEEE binary128
both_ways = pytest.mark.parametrize("mmap", [True, False])


@pytest.fixture
def described(tmp_path: Path) -> Callable[..., Path]:
    """Write a pair of a description and its bytes."""

    def write(kind: str, shape: tuple[int, ...], data: bytes, order: str = "little") -> Path:
        (tmp_path / "x.bin").write_bytes(data)
        extents = f"shape={','.join(map(str, shape))}" if shape else ""
        (tmp_path / "x.meta").write_text(
            f"&array name='x' type='{kind}' array_rank={len(shape)} {extents} byte_order='{order}'"
            " data_file='x.bin' /\n"
        )
        return tmp_path / "x.meta"

    return write


def same(found: NDArray[Any], wanted: NDArray[Any]) -> None:
    assert found.shape == wanted.shape
    assert found.dtype.newbyteorder("=") == wanted.dtype.newbyteorder("=")
    assert found.tolist() == wanted.tolist()


@both_ways
@pytest.mark.parametrize("dtype", [">f8", "<f8", ">i2", ">u4", ">c16", ">U3", ">M8[s]", ">i4,<f4", "V8"])
def test_a_byte_order_in_the_type_of_an_untyped_file_counts(tmp_path: Path, dtype: str, mmap: bool) -> None:
    wanted = np.zeros(48, "u1")
    wanted[3::4] = np.arange(12)
    for ending in ("raw", "unf"):
        headrace.write_array(tmp_path / f"x.{ending}", wanted.view("i1"))
        found = headrace.load(tmp_path / f"x.{ending}", dtype=dtype, mmap=mmap)
        same(found, wanted.view(dtype))
        if not mmap:
            assert found.dtype.isnative


@both_ways
def test_byte_orders_that_contradict_each_other_are_refused(tmp_path: Path, mmap: bool) -> None:
    wanted = np.arange(6.0)
    headrace.write_array(tmp_path / "x.raw", wanted, byte_order="big")
    for dtype in (">f8", "f8", np.dtype(">f8"), np.float64):
        same(headrace.load(tmp_path / "x.raw", dtype=dtype, byte_order="big", mmap=mmap), wanted)
    for dtype, order in ((">f8", "little"), ("<f8", "big"), (">f8", "native"), (">i4,>f4", "little")):
        with pytest.raises(HeadraceError, match=f"{dtype}.*contradicts byte_order='{order}'"):
            headrace.load(tmp_path / "x.raw", dtype=dtype, byte_order=order, mmap=mmap)


@both_ways
@pytest.mark.parametrize("order", ["little", "big"])
def test_reals_of_16_bytes_are_given_as_bytes_only(
    described: Callable[..., Path], order: str, mmap: bool, tmp_path: Path
) -> None:
    data = (QUAD_ONE + bytes(16))[:: 1 if order == "little" else -1]
    for kind, shape, length in (("real(16 bytes)", (2,), 16), ("complex(real(16 bytes))", (1,), 32)):
        file = described(kind, shape, data, order)
        for dtype in (None, "f8", "c16", "V8", "V4,V12"):
            with pytest.raises(HeadraceError, match=f"of {length} bytes, which numpy does not have") as error:
                headrace.load(file, dtype=dtype, mmap=mmap)
            assert f'"V{length}"' in error.value.hint
    file = described("real(16 bytes)", (2,), data, order)
    assert QUAD_ONE in headrace.load(file, dtype="V16", mmap=mmap).tolist()
    (tmp_path / "x.raw").write_bytes(np.ones(2, np.longdouble).tobytes())  # the caller's word
    same(headrace.load(tmp_path / "x.raw", dtype=np.longdouble, mmap=mmap), np.ones(2, np.longdouble))
    headrace.write_array(file, np.ones(2, np.longdouble), byte_order=order)
    same(headrace.load(file, dtype=np.longdouble, mmap=mmap), np.ones(2, np.longdouble))


@both_ways
def test_bytes_that_would_be_pointers_are_refused(tmp_path: Path, mmap: bool) -> None:
    (tmp_path / "x.raw").write_bytes(bytes(48))
    for dtype in (object, "i8,O", np.dtype([("a", [("b", "O")])])):
        with pytest.raises(HeadraceError, match="references to Python objects"):
            headrace.load(tmp_path / "x.raw", dtype=dtype, mmap=mmap)


@pytest.mark.parametrize("dtype", [object, "S", "i999999999999999999999", "\ud800", "zz", "U3"])
def test_texts_refuse_types_that_cells_cannot_be(tmp_path: Path, dtype: Any) -> None:
    headrace.write_array(tmp_path / "x.csv", np.arange(6.0))
    for call in (headrace.read_text, lambda file, dtype: headrace.load(file, dtype=dtype)):
        with pytest.raises(HeadraceError):
            call(tmp_path / "x.csv", dtype)
    with pytest.raises(HeadraceError, match="format= expects a str, found 5"):
        headrace.load(tmp_path / "x.csv", format=5)  # type: ignore[typeddict-item]


@both_ways
@pytest.mark.parametrize("order", ["little", "big"])
def test_logicals_of_every_kind_are_loaded(described: Callable[..., Path], order: str, mmap: bool) -> None:
    for length in (2, 4, 8):
        wanted = np.array([1, 0, -1], f"i{length}").astype(f"{'<' if order == 'little' else '>'}i{length}")
        same(headrace.load(described(f"logical({length})", (3,), wanted.tobytes(), order), mmap=mmap), wanted)


@both_ways
def test_types_without_sign_or_of_several_fields_are_read_and_mapped(tmp_path: Path, mmap: bool) -> None:
    data = bytes(range(96))
    (tmp_path / "x.raw").write_bytes(data)
    for dtype in ("u1", "u2", "u4", "u8", "f2", "U2", "M8[s]", "i4,f4", "V12", "S3", "?"):
        for order in ("little", "big"):
            element = np.dtype(dtype).newbyteorder(order)  # type: ignore[arg-type]
            wanted = np.frombuffer(bytes(i % 2 for i in range(96)) if dtype == "?" else data, element)
            (tmp_path / "x.raw").write_bytes(wanted.tobytes())
            if dtype == "U2":
                wanted = np.frombuffer(bytes(96), element)
                (tmp_path / "x.raw").write_bytes(bytes(96))
            for shape, kept in (((2, -1), "C"), ((2, -1), "F")):
                found = headrace.load(
                    tmp_path / "x.raw", dtype=dtype, byte_order=order, mmap=mmap, shape=shape, order=kept
                )
                assert found.tobytes() == wanted.reshape(shape, order=kept).astype(found.dtype).tobytes()


@both_ways
def test_integers_of_16_bytes_are_given_as_bytes_only(described: Callable[..., Path], mmap: bool) -> None:
    file = described("int128", (), bytes(range(16)))
    with pytest.raises(HeadraceError, match="integers of 16 bytes, which numpy does not have"):
        headrace.load(file, mmap=mmap)
    assert headrace.load(file, dtype="V16", mmap=mmap).tobytes() == bytes(range(16))


@both_ways
def test_empty_arrays_are_loaded(described: Callable[..., Path], mmap: bool) -> None:
    same(headrace.load(described("character(0)", (3,), b""), mmap=mmap), np.array([b"", b"", b""], "S1"))
    same(headrace.load(described("real64", (3, 0), b""), mmap=mmap), np.empty((3, 0)))
    with pytest.raises(HeadraceError, match="2147483647 at most"):
        headrace.load(described("character(2147483648)", (0,), b""), mmap=mmap)
    with pytest.raises(HeadraceError, match="no room"):
        headrace.load(described("real64", (0, 2**62, 2**62), b""), mmap=mmap)


@both_ways
def test_shapes_are_whole_numbers(tmp_path: Path, mmap: bool) -> None:
    file, wanted = tmp_path / "x.raw", np.arange(6.0)
    headrace.write_array(file, wanted)
    same(headrace.load(file, dtype="f8", mmap=mmap, shape=np.int64(6)), wanted)
    same(headrace.load(file, dtype="f8", mmap=mmap, shape=np.array(6)), wanted)  # type: ignore[arg-type]
    same(headrace.load(file, dtype="f8", mmap=mmap, shape=[np.int32(2), -1]), wanted.reshape(2, 3))
    same(headrace.load(file, dtype="V48", mmap=mmap, shape=()), wanted.view("V48").reshape(()))
    refused: list[Any] = [(2.0, 3), "6", True, (-1, -2, -3), (-1, -1), (-2, -3), (2**64, 0), (0, 2**63 - 1), (1,) * 70]
    for shape in (*refused, {6}, None):
        with pytest.raises(HeadraceError):
            headrace.load(file, dtype="f8" if shape else "S0", mmap=mmap, shape=shape)
    for order in ("X", "A", None):
        with pytest.raises(HeadraceError, match="order= expects"):
            headrace.load(file, dtype="f8", order=order, mmap=mmap)  # type: ignore[arg-type]


def test_a_file_that_is_replaced_while_it_is_loaded_is_whole(tmp_path: Path) -> None:
    stop = threading.Event()
    failures: list[BaseException] = []

    def replace(ending: str) -> None:
        try:
            for i in range(100_000):
                if stop.is_set():
                    return
                headrace.write_array(tmp_path / f"x.{ending}", np.full((10, 1000 + i % 2), float(i)))
        except BaseException as error:
            failures.append(error)

    writers = [threading.Thread(target=replace, args=[ending]) for ending in ("meta", "npy")]
    for ending in ("meta", "npy"):
        headrace.write_array(tmp_path / f"x.{ending}", np.zeros((10, 1000)))
    for writer in writers:
        writer.start()
    try:
        for _ in range(400):
            for ending in ("meta", "npy"):
                array = headrace.load(tmp_path / f"x.{ending}")
                assert array.shape in ((10, 1000), (10, 1001))
                assert (array == array[0, 0]).all()
                assert array.shape[1] == 1000 + array[0, 0] % 2
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert not failures


def test_a_file_that_is_replaced_each_time_is_tried_again_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headrace.write_array(tmp_path / "x.npy", np.arange(3.0))
    mapped, failures = loading._mapped, iter([None] * 100)
    monkeypatch.setattr(loading, "_mapped", lambda found: next(failures, mapped(found)))
    assert np.array_equal(headrace.load(tmp_path / "x.npy"), np.arange(3.0))
    monkeypatch.setattr(loading, "_PATIENCE", 0.01)
    monkeypatch.setattr(loading, "_mapped", lambda found: None)
    with pytest.raises(HeadraceError, match="replaced again and again while it is opened"):
        headrace.load(tmp_path / "x.npy")


def test_a_data_file_that_is_missing_is_told_in_the_end(described: Callable[..., Path], tmp_path: Path) -> None:
    file = described("real64", (3,), struct.pack("<3d", 1, 2, 3))
    (tmp_path / "x.bin").unlink()
    with pytest.raises(FileNotFoundError) as error:
        headrace.load(file)
    assert isinstance(error.value, StatusError)
