"""Pairs (.meta), direct access and raw files against numpy, which reads their bytes by what they state."""

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import headrace
from headrace import native
from headrace.errors import HeadraceError

DTYPES = ["i1", "i2", "i4", "i8", "f4", "f8", "f16", "c8", "c16", "c32", "?", "S1", "S7"]
ORDERS = ["little", "big"]


def values(code: str, shape: tuple[int, ...]) -> NDArray[Any]:
    rng = np.random.default_rng(3)
    if code == "?":
        return rng.integers(0, 2, shape).astype(bool)
    if code.startswith("S"):
        return rng.integers(0, 10 ** min(6, int(code[1:])), shape).astype(code)
    return (rng.standard_normal(shape) * 100).astype(code)


def described(text: str) -> dict[str, Any]:
    """The keys of the last group."""
    group = text[text.rindex("&array") + 6 :]
    found = dict(re.findall(r"^ +(\w+) += (.*)$", group, re.MULTILINE))
    return {key: value[1:-1] if value.startswith("'") else value for key, value in found.items()}


def dtype_of(keys: dict[str, Any]) -> np.dtype[Any]:
    """The element that type and byte_order mean."""
    order = {"little": "<", "big": ">"}[keys["byte_order"]]
    kind, bits = re.fullmatch(r"([a-z]+)[(]?(.*?)[)]?", keys["type"]).groups()  # type: ignore[union-attr]
    if kind == "int":
        return np.dtype(f"{order}i{int(bits) // 8}")
    if kind == "complex":
        real = dtype_of(keys | {"type": bits})
        return np.dtype(f"{order}c{2 * real.itemsize}")
    if kind == "real":
        return np.dtype(f"{order}f{16 if 'bytes' in bits else int(bits) // 8}")
    return np.dtype("?") if kind == "logical" else np.dtype(f"S{bits}")


def read_by(meta: Path) -> NDArray[Any]:
    keys = described(meta.read_text())
    shape = tuple(int(extent) for extent in keys["shape"].split(","))
    element = dtype_of(keys)
    count = int(keys["bytes"]) // element.itemsize
    flat = np.fromfile(meta.parent / keys["data_file"], element, count, offset=int(keys["offset"]))
    return flat.reshape(shape, order="F")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("code", DTYPES)
def test_numpy_reads_the_data_file_by_what_the_text_says(tmp_path: Path, code: str, order: str) -> None:
    x = values(code, (5, 4, 3))
    headrace.write_array(tmp_path / "x.meta", x[::-1, ::2], byte_order=order, name="first")
    headrace.write_array(tmp_path / "x.meta", x, byte_order=order, name="second", append=True, checksum="crc32c")
    found = read_by(tmp_path / "x.meta")
    assert found.shape == x.shape
    assert np.array_equal(found, x)
    # Nobody but the caller knows whether these 16 bytes are C's long double or real128.
    said = code if code in ("f16", "c32") else None
    mapped = headrace.load(tmp_path / "x.meta", name="first", dtype=said)
    assert isinstance(mapped, np.memmap)
    assert np.array_equal(mapped, x[::-1, ::2])
    assert np.array_equal(headrace.load(tmp_path / "x.meta", name="second", dtype=said, checksum="crc32c"), x)
    back = np.zeros_like(x)
    headrace.read_array(tmp_path / "x.meta", back, name="second")
    assert back.tobytes() == x.tobytes()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("code", DTYPES)
def test_numpy_reads_raw_and_direct_files(tmp_path: Path, code: str, order: str) -> None:
    x = values(code, (5, 4, 3))[::-1]
    element = x.dtype.newbyteorder("<" if order == "little" else ">")
    headrace.write_array(tmp_path / "x.raw", x, byte_order=order)
    assert np.array_equal(np.fromfile(tmp_path / "x.raw", element).reshape(x.shape), x)
    length = 7 * x.itemsize  # 60 elements: 8 records and 4 elements
    headrace.write_array(tmp_path / "x.da", x, byte_order=order, record_length=length)
    found = np.fromfile(tmp_path / "x.da", element)
    assert np.array_equal(found[:60].reshape(x.shape), x)
    assert found[60:].tobytes() == bytes(3 * x.itemsize)
    headrace.write_array(tmp_path / "x.da", x[0, 0], byte_order=order, record_length=length, record=12)
    back = np.zeros_like(x[0, 0])
    headrace.read_array(tmp_path / "x.da", back, byte_order=order, record_length=length, record=12)
    assert back.tobytes() == x[0, 0].tobytes()
    (tmp_path / "y.raw").write_bytes(x.astype(element).tobytes())
    whole = np.zeros_like(x)
    headrace.read_array(tmp_path / "y.raw", whole, byte_order=order)
    assert whole.tobytes() == x.tobytes()


def test_headrace_reads_a_text_that_a_person_wrote(tmp_path: Path) -> None:
    x = values("f8", (4, 3))
    (tmp_path / "old.dat").write_bytes(b"header__" + x.tobytes(order="F"))
    (tmp_path / "x.meta").write_text(
        "! from the old program\n&ARRAY Type='real64' array_rank=2, shape=4 3\n"
        '  byte_order="little" data_file="old.dat" offset=8 / ! done\n'
    )
    assert np.array_equal(headrace.load(tmp_path / "x.meta"), x)


def test_pairs_move_together(tmp_path: Path) -> None:
    x = values("f8", (4, 3))
    (tmp_path / "a").mkdir()
    headrace.write_array(tmp_path / "a" / "x.meta", x)
    (tmp_path / "a").rename(tmp_path / "b")
    (tmp_path / "b" / "x.meta").rename(tmp_path / "b" / "other.meta")
    assert np.array_equal(headrace.load(tmp_path / "b" / "other.meta"), x)


FULL_DISK: list[tuple[str, dict[str, Any], int]] = [
    ("x.raw", {}, 100000),
    ("x.da", {"record_length": 4000}, 799999),
    ("x.da", {"record_length": 8, "record": 4}, 0),
    ("x.da", {"record_length": 8, "record": 4}, 100000),
    ("x.meta", {"checksum": "crc32c"}, 100000),
    ("x.meta", {}, 800100),  # the data fit, not the text
    ("x.meta", {"name": "more", "append": True}, 100000),
    ("x.meta", {"name": "more", "append": True}, 800100),
]

# Each case is a process of its own: the disk counts what was written before. One that loads numpy is enough.
WRITE = """
import os, sys, numpy, headrace
array = numpy.ones(100000)
for folder, name, options, free in eval(sys.argv[1]):
    if os.fork() == 0:
        os.environ |= {"HEADRACE_TEST_DISK_PATH": folder, "HEADRACE_TEST_DISK_BYTES": str(free)}
        try:
            headrace.write_array(folder + "/" + name, array, **options)
        except OSError as error:
            os._exit(error.errno)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, interpose: Callable[[str], Path]) -> None:
    cases = []
    for number, (name, options, free) in enumerate(FULL_DISK):
        folder = tmp_path / f"case{number}-"
        folder.mkdir()
        if name == "x.da":
            headrace.write_array(folder / name, values("f8", (3,)), record_length=8)
        else:
            headrace.write_array(folder / name, values("f8", (3,)))
        cases.append((str(folder), name, options, free))
    old = {path: path.read_bytes() for path in tmp_path.glob("*/*")}
    library = {"HEADRACE_LIBRARY": str(native.library_path()), "LD_PRELOAD": str(interpose("full_disk"))}
    command = [sys.executable, "-c", WRITE, repr(cases)]
    done = subprocess.run(command, env=os.environ | library, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == [str(errno.ENOSPC)] * len(cases), done.stderr
    assert {path: path.read_bytes() for path in tmp_path.glob("*/*")} == old


def test_a_text_without_its_data_says_which_file_is_missing(tmp_path: Path) -> None:
    headrace.write_array(tmp_path / "x.meta", values("f8", (3,)))
    (tmp_path / "x.real64.bin").unlink()
    with pytest.raises(HeadraceError, match=r"x\.real64\.bin") as caught:
        headrace.load(tmp_path / "x.meta")
    assert isinstance(caught.value, FileNotFoundError)
