"""Unsigned integers and float16: kept in npy and npz files, exact in texts or refused."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headrace
from headrace import HeadraceError

UNSIGNED = ("u1", "u2", "u4", "u8")


def samples(dtype: str) -> Any:
    if dtype == "f2":
        return np.array([0.1, -0.0, 65504, 6e-8, np.inf, -1.5], dtype).reshape(2, 3)
    most = np.iinfo(dtype).max
    return np.array([0, 1, most, most - 1, most // 2, most // 2 + 1], dtype).reshape(2, 3)


@pytest.mark.parametrize("dtype", [*UNSIGNED, "f2"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("ending", ["npy", "npz"])
def test_npy_and_npz_keep_the_type(tmp_path: Path, dtype: str, order: Any, byte_order: str, ending: str) -> None:
    values = np.array(samples(dtype), order=order)
    file = tmp_path / f"x.{ending}"
    headrace.write_array(file, values, byte_order=byte_order)
    by_numpy = np.load(file) if ending == "npy" else np.load(file)["arr_0"]
    assert by_numpy.dtype.newbyteorder("=") == values.dtype
    np.testing.assert_array_equal(by_numpy, values)
    for mmap in (True, False):
        loaded = headrace.load(file, mmap=mmap)
        assert loaded.dtype.newbyteorder("=") == values.dtype
        np.testing.assert_array_equal(loaded, values)
    read = np.zeros_like(values)
    headrace.read_array(file, read)
    assert read.tobytes() == values.tobytes()


@pytest.mark.parametrize("dtype", [*UNSIGNED, "f2"])
@pytest.mark.parametrize("stored", ["<", ">"])
def test_files_of_numpy_are_read(tmp_path: Path, dtype: str, stored: str) -> None:
    for number, values in enumerate((samples(dtype), np.asfortranarray(samples(dtype)), samples(dtype)[0, 2])):
        file = tmp_path / f"{number}.npy"
        np.save(file, np.asarray(values).astype(stored + dtype))
        np.testing.assert_array_equal(headrace.load(file), values)
        np.testing.assert_array_equal(headrace.load(file, mmap=False), values)


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_another_type_is_never_filled(tmp_path: Path, dtype: str) -> None:
    file = tmp_path / "x.npy"
    np.save(file, samples(dtype))
    same_size = np.full((2, 3), 7, dtype.replace("u", "i"))
    with pytest.raises(HeadraceError, match="unsigned integers, which Fortran does not have"):
        headrace.read_array(file, same_size)
    assert (same_size == 7).all()
    np.save(file, samples(dtype).view(dtype.replace("u", "i")))
    with pytest.raises(HeadraceError, match="another type or kind"):
        headrace.read_array(file, np.zeros((2, 3), dtype))


@pytest.mark.parametrize("dtype", [*UNSIGNED, "f2"])
@pytest.mark.parametrize("name", ["x.raw", "x.unf"])
def test_formats_of_bytes_keep_them(tmp_path: Path, dtype: str, name: str) -> None:
    values = samples(dtype)
    headrace.write_array(tmp_path / name, values, byte_order="big")
    bytes_of = values.astype(">" + dtype).tobytes()
    content = (tmp_path / name).read_bytes()
    assert content == bytes_of if name == "x.raw" else content[4:-4] == bytes_of
    read = np.zeros_like(values)
    headrace.read_array(tmp_path / name, read, byte_order="big")
    np.testing.assert_array_equal(read, values)


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4"])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.txt"])
def test_texts_of_unsigned_integers_are_exact(tmp_path: Path, dtype: str, name: str) -> None:
    values = samples(dtype)
    headrace.write_array(tmp_path / name, values)
    np.testing.assert_array_equal(
        np.loadtxt(tmp_path / name, delimiter={"x.csv": ",", "x.tsv": "\t"}.get(name)), values
    )
    read = np.zeros_like(values)
    headrace.read_array(tmp_path / name, read)
    np.testing.assert_array_equal(read, values)
    np.testing.assert_array_equal(headrace.read_text(tmp_path / name, dtype), values)


def test_edited_and_hexadecimal_texts_have_the_same_digits(tmp_path: Path) -> None:
    values = np.array([[0, 200, 255]], "u1")
    headrace.write_array(tmp_path / "x.dat", values, edit="(3i5)")
    assert (tmp_path / "x.dat").read_text() == "    0  200  255\n"
    headrace.write_array(tmp_path / "h.csv", values, number="hex")
    read = np.zeros_like(values)
    headrace.read_array(tmp_path / "h.csv", read, number="hex")
    np.testing.assert_array_equal(read, values)


def test_uint64_is_exact_or_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    values = np.array([[0, 2**53 + 1, 2**63 - 1]], "u8")
    headrace.write_array(file, values)
    assert file.read_text() == f"0,{2**53 + 1},{2**63 - 1}\n"
    np.testing.assert_array_equal(headrace.read_text(file, "u8"), values)
    file.unlink()
    with pytest.raises(HeadraceError, match=f"{2**63} is more than an integer of 8 bytes holds"):
        headrace.write_array(file, np.array([1, 2**63], "u8"))
    assert not file.exists()
    file.write_text(f"{2**63}\n")
    with pytest.raises(HeadraceError, match="out of range"):
        headrace.read_text(file, "u8")


@pytest.mark.parametrize(("text", "words"), [("1\n-1\n", r"element \(1, 0\) is -1"), ("256\n", "is 256, which uint8")])
def test_numbers_that_do_not_fit_are_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "x.csv"
    file.write_text(text)
    array = np.full((text.count("\n"), 1), 9, "u1")
    with pytest.raises(HeadraceError, match=words):
        headrace.read_array(file, array)
    assert (array == 9).all()


def test_float16_in_texts(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    values = np.array([[0.1, 65504, -6e-8]], "f2")
    headrace.write_array(file, values)
    np.testing.assert_array_equal(headrace.read_text(file).astype("f2"), values)
    with pytest.raises(HeadraceError, match="rounding twice"):
        headrace.read_text(file, "f2")


@pytest.mark.parametrize("dtype", ["u4", "f2"])
def test_meta_files_refuse_them(tmp_path: Path, dtype: str) -> None:
    with pytest.raises(HeadraceError, match="meta files have no"):
        headrace.write_array(tmp_path / "x.meta", samples(dtype))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dtype", UNSIGNED)
def test_hexadecimal_numbers_fill_views(tmp_path: Path, dtype: str) -> None:
    """Also views of views, whose base is another array."""
    values = samples(dtype)
    headrace.write_array(tmp_path / "x.csv", values, number="hex")
    wide = np.full((2, 6), 7, dtype)
    for view in (np.zeros(6, dtype).reshape(2, 3), wide[:, ::2], np.zeros((3, 2), dtype).T, wide[::-1, 3:]):
        headrace.read_array(tmp_path / "x.csv", view, number="hex")
        np.testing.assert_array_equal(view, values)
        assert (wide[:, 1] == 7).all()
    np.testing.assert_array_equal(headrace.read_text(tmp_path / "x.csv", dtype, number="hex"), values)


@pytest.mark.parametrize("dtype", UNSIGNED)
@pytest.mark.parametrize("edit", ["(3z17.16)", "(2( 1X, B 64.64, 4x),O30)", "(t2,z20/z20/bn,o40)"])
def test_bits_in_texts_are_read_back(tmp_path: Path, dtype: str, edit: str) -> None:
    values = samples(dtype)
    file = tmp_path / "x.txt"
    headrace.write_array(file, values, edit=edit)
    if edit.startswith("(3z"):
        assert [int(cell, 16) for cell in file.read_text().split()] == values.ravel().tolist()
    read = np.zeros((2, 6), dtype)[:, ::2]
    headrace.read_array(file, read, edit=edit)
    np.testing.assert_array_equal(read, values)


@pytest.mark.parametrize("edit", ["(i21)", "(i21,z16)", "(z16,1x,i20)", "(g21.0)"])
def test_a_negative_number_never_becomes_a_large_one(tmp_path: Path, edit: str) -> None:
    """If a format has other edit descriptors as well, the digits are those of the number."""
    file = tmp_path / "x.txt"
    headrace.write_array(file, np.array([5, -1, 5, -1]), edit=edit)
    read = np.full(4, 7, "u8")
    with pytest.raises(HeadraceError, match="which uint64 does not have"):
        headrace.read_array(file, read, edit=edit)
    assert (read == 7).all()
    with pytest.raises(HeadraceError, match="more than an integer of 8 bytes"):
        headrace.write_array(file, np.array([2**63], "u8"), edit=edit)


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz"])
def test_a_minus_sign_before_hexadecimal_digits_is_refused(tmp_path: Path, name: str) -> None:
    """Fortran reads it with Z; the bits alone would be those of 2**64 - 1."""
    text = "a-b ffffffffffffffff\na-b               -1\n"
    file = tmp_path / name

    def put(content: str) -> None:
        file.write_bytes(gzip.compress(content.encode()) if name.endswith("gz") else content.encode())

    put(text)
    read = np.full(2, 7, "u8")
    with pytest.raises(HeadraceError, match=r"element \(1,\) is -1, which uint64 does not have"):
        headrace.read_array(file, read, edit="(4x, Z 16)")
    assert (read == 7).all()
    put(text.replace("-1", " 1"))
    headrace.read_array(file, read, edit="(4x, Z 16)")
    assert read.tolist() == [2**64 - 1, 1]
