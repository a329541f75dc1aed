"""`load` gives the array of a file, mapped if its bytes allow; `records` goes through a file of records."""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.io import FortranFile

import headrace
from headrace.errors import HeadraceError, StatusError

DTYPES = ["i1", "i2", "i4", "i8", "f4", "f8", "c8", "c16", "?", "S5"]
SHAPES: list[tuple[int, ...]] = [(), (1,), (7,), (3, 4), (4, 3, 2)]
Writer = Callable[..., None]


def sample(dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    rng = np.random.default_rng(3)
    if dtype == "?":
        return rng.integers(0, 2, shape).astype("?")
    if dtype == "S5":
        return rng.choice([b"a", b"abcde", b""], shape).astype("S5")
    return np.asarray(rng.integers(-100, 100, shape) + 0.5).astype(dtype)


def same(found: NDArray[Any], wanted: NDArray[Any]) -> None:
    assert found.shape == wanted.shape
    assert found.dtype.newbyteorder("=") == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("mmap", [True, False])
@pytest.mark.parametrize("big", [False, True], ids=["little", "big"])
@pytest.mark.parametrize("ending", ["npy", "npz", "meta"])
def test_files_that_know_their_array_give_it_back(tmp_path: Path, ending: str, big: bool, mmap: bool) -> None:
    for dtype in DTYPES:
        for shape in SHAPES:
            for order in ("C", "F"):
                array = np.asarray(sample(dtype, shape), order=order)  # type: ignore[call-overload]
                file = tmp_path / f"x.{ending}"
                headrace.write_array(file, array, byte_order="big" if big else "little")
                same(headrace.load(file, mmap=mmap), array)


def test_npy_files_are_mapped_and_stay_as_they_are(tmp_path: Path) -> None:
    wanted = sample("f8", (3, 4))
    np.save(tmp_path / "x.npy", wanted)
    array = headrace.load(tmp_path / "x.npy")
    assert isinstance(array, np.memmap)
    array[0, 0] = 1e9
    same(headrace.load(tmp_path / "x.npy", mmap=False), wanted)


def test_a_deflated_npz_is_read(tmp_path: Path) -> None:
    wanted = sample("f8", (30, 4))
    np.savez_compressed(tmp_path / "x.npz", a=wanted, b=sample("i4", (3,)))
    same(headrace.load(tmp_path / "x.npz", name="a"), wanted)
    with pytest.raises(StatusError, match=r"a.*b") as error:
        headrace.load(tmp_path / "x.npz", name="c")
    assert error.value.name == "array_missing"


@pytest.mark.parametrize("mmap", [True, False])
def test_raw_and_unformatted_files_get_type_and_shape_from_the_caller(tmp_path: Path, mmap: bool) -> None:
    wanted = sample("f8", (3, 4))
    for ending in ("raw", "unf"):
        file = tmp_path / f"x.{ending}"
        headrace.write_array(file, wanted)
        same(headrace.load(file, dtype="f8", mmap=mmap), wanted.ravel())
        same(headrace.load(file, dtype="f8", shape=(3, -1), mmap=mmap), wanted)
        same(headrace.load(file, dtype="f8", shape=(4, 3), order="F", mmap=mmap), wanted.T)
        with pytest.raises(HeadraceError, match=r"96 bytes.*shape \(5, -1\)"):
            headrace.load(file, dtype="f8", shape=(5, -1), mmap=mmap)
    with pytest.raises(HeadraceError, match="does not say what type its 96 bytes have"):
        headrace.load(tmp_path / "x.raw")
    headrace.write_array(tmp_path / "y.unf", wanted, byte_order="big", record_marker=8)
    same(headrace.load(tmp_path / "y.unf", dtype="f8", byte_order="big", record_marker=8, mmap=mmap), wanted.ravel())


def test_a_text_becomes_two_dimensions(tmp_path: Path) -> None:
    wanted = sample("f8", (3, 4))
    headrace.write_array(tmp_path / "x.csv", wanted)
    same(headrace.load(tmp_path / "x.csv"), wanted)


def test_a_checksum_is_compared_when_asked(tmp_path: Path) -> None:
    wanted = sample("f8", (100,))
    headrace.write_array(tmp_path / "x.meta", wanted, checksum="crc32c")
    same(headrace.load(tmp_path / "x.meta", checksum="crc32c"), wanted)
    [data] = [file for file in tmp_path.iterdir() if file.suffix == ".bin"]
    content = bytearray(data.read_bytes())
    content[77] ^= 1
    data.write_bytes(content)
    with pytest.raises(StatusError) as error:
        headrace.load(tmp_path / "x.meta", checksum="crc32c")
    assert error.value.name == "checksum_mismatch"


@pytest.fixture
def fields(tmp_path: Path) -> tuple[Path, list[NDArray[np.float64]]]:
    arrays = [np.arange(n, dtype="f8") for n in (3, 0, 1, 500, 3)]
    with FortranFile(tmp_path / "x.unf", "w") as file:
        for array in arrays:
            file.write_record(array)
    return tmp_path / "x.unf", arrays


def test_records_are_iterated_counted_and_reached_by_number(fields: tuple[Path, list[NDArray[Any]]]) -> None:
    path, arrays = fields
    with headrace.records(path, "f8") as file:
        for found, wanted in zip(file, arrays, strict=True):
            same(found, wanted)
        assert file.next_length() is None
        with pytest.raises(EOFError):
            file.read()
        assert len(file) == 5
        for number in (3, 0, -1, 2):
            same(file[number], arrays[number])
        file.seek(1)
        file.skip(2)
        file.skip(-1)
        assert file.next_length() == 8
        same(file.read("i8"), arrays[2].view("i8"))
        with pytest.raises(IndexError, match="no record 5: the file has 5"):
            file[5]
        with pytest.raises(StatusError) as error:
            file.skip(-9)
        assert error.value.name == "record_missing"


def test_records_of_either_order_and_marker_are_found_out(tmp_path: Path) -> None:
    wanted = [np.arange(4, dtype="i4"), np.arange(100, dtype="i4")]
    for order in ("<", ">"):
        for marker in ("u4", "u8"):
            head = [np.array(len(a) * 4, order + marker).tobytes() for a in wanted]
            bytes_ = b"".join(h + a.astype(order + "i4").tobytes() + h for h, a in zip(head, wanted, strict=True))
            (tmp_path / "x.unf").write_bytes(bytes_)
            with headrace.records(tmp_path / "x.unf", "i4") as file:
                for found, array in zip(file, wanted, strict=True):
                    same(found, array)


def test_many_equal_records_come_as_one_array(tmp_path: Path) -> None:
    table = np.arange(30_000, dtype="f8").reshape(10_000, 3)
    with FortranFile(tmp_path / "x.unf", "w") as out:
        for row in table:
            out.write_record(row)
    with headrace.records(tmp_path / "x.unf", "f8") as file:
        same(file.read(), table[0])
        same(file.read_many(9_000), table[1:9_001])
        same(file.read_many(0), np.empty((0, 0)))
        pieces = file.pieces()
    assert pieces.shape == (10_000, 3)
    np.testing.assert_array_equal(pieces[:, 0], np.arange(10_000))
    np.testing.assert_array_equal(pieces[:, 1], 4 + 32 * np.arange(10_000))
    np.testing.assert_array_equal(pieces[:, 2], 24)


def test_damage_is_named_with_its_byte(fields: tuple[Path, list[NDArray[Any]]]) -> None:
    path, _ = fields
    path.write_bytes(path.read_bytes()[:-2])
    with headrace.records(path, "f8", byte_order="little") as file, pytest.raises(StatusError, match="byte") as error:
        list(file)
    assert error.value.name == "truncated_record"


def test_a_record_that_is_no_whole_number_of_elements_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.unf").write_bytes(b"\5\0\0\0abcde\5\0\0\0")
    with headrace.records(tmp_path / "x.unf", "i4") as file, pytest.raises(HeadraceError, match="5 bytes"):
        file.read()


def test_a_closed_file_of_records_is_refused(fields: tuple[Path, list[NDArray[Any]]]) -> None:
    file = headrace.records(fields[0])
    file.close()
    file.close()
    with pytest.raises(StatusError) as error:
        file.read()
    assert error.value.name == "handle_closed"
    with pytest.raises(FileNotFoundError):
        headrace.records(fields[0].with_name("missing"))
    gc.collect()


def test_pieces_of_records_with_subrecords_are_whole(tmp_path: Path) -> None:
    data = bytes(range(80))
    marks = np.array([-32, 32, -32, -32, 16, -16], "<i4")
    parts = (data[:32], data[32:64], data[64:])
    record = b"".join(marks[2 * i].tobytes() + part + marks[2 * i + 1].tobytes() for i, part in enumerate(parts))
    (tmp_path / "x.unf").write_bytes(record * 3000)
    with headrace.records(tmp_path / "x.unf", byte_order="little", record_marker=4) as file:
        assert bytes(file.read()) == data
        pieces = file.pieces()
    assert len(pieces) == 9000
    np.testing.assert_array_equal(pieces[:, 0], np.repeat(np.arange(3000), 3))
    np.testing.assert_array_equal(pieces[:3, 1:], [(4, 32), (44, 32), (84, 16)])
    assert pieces[-1, 1] == 2999 * 104 + 84


@pytest.mark.parametrize("option", ["record", "record_length", "record_marker"])
def test_zero_is_not_taken_for_an_option_left_out(tmp_path: Path, option: str) -> None:
    file = tmp_path / ("x.unf" if option == "record_marker" else "x.da")
    options: dict[str, Any] = {} if option == "record_marker" else {"record_length": 8}
    headrace.write_array(file, np.arange(6.0), **options)
    before = file.read_bytes()
    for call in (
        lambda zero: headrace.write_array(file, np.ones(1), **(options | {option: zero})),
        lambda zero: headrace.read_array(file, np.empty(6), **(options | {option: zero})),
        lambda zero: headrace.load(file, dtype="f8", **(options | {option: zero})),
    ):
        for zero in (0, np.int32(0)):
            with pytest.raises(HeadraceError, match=f"^{option}= expects .*, found .*0"):
                call(zero)
    assert file.read_bytes() == before


def test_records_take_no_options_that_c_would_cut(fields: tuple[Path, list[NDArray[Any]]]) -> None:
    path, arrays = fields
    refused: list[dict[str, Any]] = [
        {"record_marker": 2**32 + 4},
        {"record_marker": 4.0},
        {"record_marker": True},
        {"byte_order": "little\0x"},
        {"byte_order": None},
        {"long_records": b"subrecords"},
        {"record_type": 1},
    ]
    for options in refused:
        with pytest.raises(HeadraceError, match=f"{next(iter(options))}= expects"):
            headrace.records(path, "f8", **options)
    with headrace.records(path, "f8", record_marker=0) as file:  # found out
        same(file.read(), arrays[0])


@pytest.mark.parametrize("number", [2**64 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 1.5, None, True, "1", slice(0, 2)])
def test_numbers_of_records_are_not_cut_to_those_of_c(fields: tuple[Path, list[NDArray[Any]]], number: Any) -> None:
    with headrace.records(fields[0], "f8") as file:
        for call in (file.seek, file.skip, file.__getitem__):
            with pytest.raises((HeadraceError, IndexError), match=r"expects|no record|fewer records"):
                call(number)
        for count in (-1, number):
            with pytest.raises(HeadraceError):
                file.read_many(count)
        same(file.read(), fields[1][0])


@pytest.mark.parametrize("dtype", [object, "O", "i4,O", "S", "V0", "U", "f9", "i4,zz", ["f8"], 3])
def test_records_refuse_types_that_bytes_cannot_be(fields: tuple[Path, list[NDArray[Any]]], dtype: Any) -> None:
    with pytest.raises(HeadraceError):
        headrace.records(fields[0], dtype)
    with headrace.records(fields[0], "f8") as file:
        for call in (file.read, lambda of: file.read_many(1, of)):
            with pytest.raises(HeadraceError):
                call(dtype)
        same(file.read(), fields[1][0])


@pytest.mark.parametrize(
    ("name", "files"),
    [
        *(("a.h5", "HDF5 files"), ("a.nc", "NetCDF-4 files"), ("a.pnc", "CDF-5 files"), ("a.cdf5", "CDF-5 files")),
        *(("a.bp", "ADIOS2's stores"), ("a.zarr", "Zarr stores")),
    ],
)
def test_the_formats_of_headrace_mpi_are_refused_by_its_name(tmp_path: Path, name: str, files: str) -> None:
    with pytest.raises(StatusError, match=f"{files} are written and read by headrace_mpi: ") as refused:
        headrace.write_array(tmp_path / name, np.arange(3.0))
    assert "format_unknown" in str(refused.value) and not list(tmp_path.iterdir())
