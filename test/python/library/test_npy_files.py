"""npy and npz files: numpy opens ours, we open numpy's, and a file of ours is the one that numpy.save writes."""

import io
import mmap
import zipfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import headrace
from headrace.errors import StatusError

RNG = np.random.default_rng(11)
TYPES = ["i1", "i2", "i4", "i8", "f4", "f8", "c8", "c16", "?", "S5"]
SHAPES: list[tuple[int, ...]] = [(), (0,), (7,), (3, 4), (0, 5), (1, 4), (3, 1), (2, 3, 4), (3, 70, 50), (300, 400)]
SHAPES += [(40, 30, 2), (20, 9000), (9000, 20), (2,) * 15]


def sample(dtype: str, shape: tuple[int, ...], order: Literal["C", "F"] = "C") -> NDArray[Any]:
    size = int(np.prod(shape))
    if dtype == "?":
        flat: NDArray[Any] = RNG.integers(0, 2, size).astype(bool)
    else:  # bytes that make letters, and finite numbers
        flat = np.frombuffer(RNG.integers(65, 90, size * np.dtype(dtype).itemsize).astype(np.uint8).tobytes(), dtype)
    return np.array(flat.reshape(shape, order=order), order=order)


def saved(array: NDArray[Any]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_files_are_those_of_numpy_save_and_come_back(tmp_path: Path, dtype: str, order: Literal["C", "F"]) -> None:
    for shape in SHAPES:
        array = sample(dtype, shape, order)
        headrace.write_array(tmp_path / "x.npy", array)
        assert (tmp_path / "x.npy").read_bytes() == saved(array), shape
        for other in ("C", "F"):
            found = np.empty(shape, dtype, order=other)
            headrace.read_array(tmp_path / "x.npy", found)
            assert found.tobytes() == array.tobytes(), shape


@pytest.mark.parametrize("dtype", TYPES)
def test_sections_are_written_and_filled(tmp_path: Path, dtype: str) -> None:
    whole = sample(dtype, (40, 60))
    section = whole[::2, ::-3]
    headrace.write_array(tmp_path / "x.npy", section)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), section)
    np.save(tmp_path / "y.npy", np.ascontiguousarray(section))
    found = np.zeros((40, 60), dtype)
    headrace.read_array(tmp_path / "y.npy", found[::2, ::-3])
    np.testing.assert_array_equal(found[::2, ::-3], section)
    assert not found[1::2].any()


@pytest.mark.parametrize("dtype", [name for name in TYPES if name[0] in "ifc"])
def test_either_byte_order_is_written_and_read(tmp_path: Path, dtype: str) -> None:
    array = sample(dtype, (30, 20))
    headrace.write_array(tmp_path / "x.npy", array, byte_order="big")
    loaded = np.load(tmp_path / "x.npy")
    assert loaded.dtype == np.dtype(dtype).newbyteorder(">")
    np.testing.assert_array_equal(loaded, array)
    found = np.empty_like(array, order="F")
    headrace.read_array(tmp_path / "x.npy", found)
    np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_is_read(tmp_path: Path, version: tuple[int, int]) -> None:
    array = sample("f8", (3, 4))
    with (tmp_path / "x.npy").open("wb") as file:
        np.lib.format.write_array(file, array, version=version)
    found = np.empty_like(array)
    headrace.read_array(tmp_path / "x.npy", found)
    np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("compression", ["none", "deflate"])
def test_numpy_and_zipfile_open_archives(tmp_path: Path, dtype: str, compression: Literal["none", "deflate"]) -> None:
    arrays = {"x": sample(dtype, (30, 40)), "a/b": sample(dtype, (7,), "F"), "höhe": sample(dtype, ())}
    for number, (name, array) in enumerate(arrays.items()):
        append = number > 0
        headrace.write_array(tmp_path / "x.npz", array, name=name, append=append, compression=compression)
    with zipfile.ZipFile(tmp_path / "x.npz") as archive:
        assert archive.testzip() is None
        kind = zipfile.ZIP_STORED if compression == "none" else zipfile.ZIP_DEFLATED
        assert {member.compress_type for member in archive.infolist()} == {kind}
        assert archive.read("x.npy") == saved(arrays["x"])
    with np.load(tmp_path / "x.npz") as loaded:
        assert loaded.files == list(arrays)
        for name, array in arrays.items():
            np.testing.assert_array_equal(loaded[name], array)
            found = np.empty_like(array)
            headrace.read_array(tmp_path / "x.npz", found, name=name)
            assert found.tobytes() == array.tobytes()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives_of_numpy_are_opened_and_grow(tmp_path: Path, save: Any) -> None:
    array = sample("f4", (50, 60))
    save(tmp_path / "x.npz", x=array, y=np.arange(3))
    headrace.write_array(tmp_path / "x.npz", array.T, name="z", append=True)
    found = np.empty((50, 60), "f4", order="F")
    for name in ("x", "z"):
        headrace.read_array(tmp_path / "x.npz", found if name == "x" else found.T, name=name)
        np.testing.assert_array_equal(found, array)
    with np.load(tmp_path / "x.npz") as loaded:
        assert loaded.files == ["x", "y", "z"]
    with pytest.raises(StatusError, match='"x", "y", "z"'):
        headrace.read_array(tmp_path / "x.npz", found)


def test_stored_arrays_can_be_mapped(tmp_path: Path) -> None:
    array = sample("f8", (3, 4), "F")
    headrace.write_array(tmp_path / "x.npz", array, name="x")
    loaded = headrace.load(tmp_path / "x.npz")
    assert isinstance(loaded, np.memmap)
    assert isinstance(loaded._mmap, mmap.mmap)  # type: ignore[attr-defined]
    assert loaded.flags.aligned
    np.testing.assert_array_equal(loaded, array)


@pytest.mark.parametrize("dtype", ["U3", "M8[s]", "g", "V5", "O"])
def test_what_fortran_has_not_is_refused_with_its_name(tmp_path: Path, dtype: str) -> None:
    array = np.zeros(3, dtype)
    np.save(tmp_path / "x.npy", array, allow_pickle=True)
    with pytest.raises(StatusError, match="kind_unsupported") as refused:
        headrace.load(tmp_path / "x.npy")
    assert "in Python save" in str(refused.value)


def test_structures_are_refused_with_their_fields(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(2, [("a", "f8"), ("b", "i4")]))
    with pytest.raises(StatusError, match="each field by itself"):
        headrace.load(tmp_path / "x.npy")
