"""Files that say by their first bytes what they are. What libmagic knows beside them: `by_libmagic`.

Next: directories.py.
"""

import ast
import importlib
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from headrace.containers.file_bytes import Bytes
from headrace.containers.hdf5 import superblock as hdf5
from headrace.containers.hdf5.family import family_of
from headrace.containers.netcdf import classic
from headrace.inspect.findings import Hypothesis

# What libmagic knows by four bytes or more.
_LONG_MAGIC = (
    "image/gif", "image/jpeg", "image/tiff", "image/webp", "video/mp4", "audio/flac", "application/ogg",
    "application/pdf", "application/x-rpm", "application/x-7z-compressed", "application/x-lz4", "application/x-hdf",
    "application/vnd.debian.binary-package", "application/x-executable", "application/x-sharedlib",
    "application/x-pie-executable", "application/x-object", "application/x-lzip", "application/vnd.rar",
    "application/x-archive", "application/postscript", "application/x-dvi",
)  # fmt: skip
_Details = dict[str, Any]
_LARGEST = 2**63 - 1  # bytes of an array
_EXAMINED = 1 << 16  # bytes behind a user block
_BEHIND_BLOCK = 50.0  # bits: less than a format that names itself by the first bytes, and fits

# Offset, bytes, format, words for it. What is longer and later in the file is stronger evidence.
_MAGIC: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"\x93NUMPY", "npy", "an array of numpy"),
    (0, hdf5.SIGNATURE, "hdf5", "HDF5"),
    (0, b"CDF\x01", "netcdf", "NetCDF classic"),
    (0, b"CDF\x02", "netcdf", "NetCDF classic, 64-bit offsets"),
    (0, b"CDF\x05", "netcdf", "NetCDF classic, 64-bit data"),
    (0, b"PK\x03\x04", "zip", "a zip archive"),
    (0, b"PK\x05\x06", "zip", "an empty zip archive"),
    (0, b"\x1f\x8b\x08", "gzip", "gzip"),
    (0, b"\x28\xb5\x2f\xfd", "zstd", "zstd"),
    (0, b"BZh", "bzip2", "bzip2"),
    (0, b"\xfd7zXZ\x00", "xz", "xz"),
    (257, b"ustar", "tar", "a tar archive"),
    (0, b"SQLite format 3\x00", "sqlite", "an SQLite database"),
    (0, b"SIMPLE  =                    T", "fits", "FITS"),
    (0, b"MATLAB 5.0 MAT-file", "matlab", "MATLAB 5"),
    (0, b"PAR1", "parquet", "Parquet"),
    (0, b"\x89PNG\r\n\x1a\n", "png", "a PNG image"),
    (0, b"GRIB", "grib", "GRIB"),
    (0, b"\x0e\x03\x13\x01", "hdf4", "HDF4"),
    (0, b"ADIOS-BP", "adios-bp", "ADIOS BP"),
    (0, b"\xff\xd8\xff", "jpeg", "a JPEG image"),
    (0, b"%PDF-", "pdf", "a PDF document"),
    (0, b"\x7fELF", "elf", "a program or library (ELF)"),
    (0, b"ARROW1", "arrow", "Arrow IPC"),
)
# How to read each; the file's name is put in.
READERS = {
    "npy": "numpy.load({file!r}, mmap_mode='r')",
    "npz": "numpy.load({file!r})",
    "hdf5": "h5py.File({file!r})",
    "netcdf": "netCDF4.Dataset({file!r})",
    "zarr": "zarr.open({file!r}, mode='r')",
    "gzip": "gzip.open({file!r})",
    "zstd": "zstandard.open({file!r})",
    "bzip2": "bz2.open({file!r})",
    "xz": "lzma.open({file!r})",
    "tar": "tarfile.open({file!r})",
    "zip": "zipfile.ZipFile({file!r})",
    "sqlite": "sqlite3.connect({file!r})",
    "fits": "astropy.io.fits.open({file!r})",
    "matlab": "scipy.io.loadmat({file!r})",
    "parquet": "pyarrow.parquet.read_table({file!r})",
    "adios-bp": "adios2.FileReader({file!r})",
}


def by_magic(head: bytes, tail: bytes, size: int) -> list[Hypothesis]:
    """Formats whose first bytes the file has; 8 bits of evidence a byte, and more for what fits behind them."""
    found = []
    for offset, magic, name, words in _MAGIC:
        if head[offset : offset + len(magic)] != magic:
            continue
        format_, bits, detail = name, 8.0 * len(magic), {"container": words}
        if name in _CHECKS and not (name == "netcdf" and head[:3] != b"CDF"):
            more, extra, format_ = _CHECKS[name](head, tail, size)
            bits += more
            detail |= extra
        found.append(Hypothesis(format_, bits, detail, size, why=f"begins as {words} does"))
    return found


def by_user_block(file: Bytes, tail: bytes) -> list[Hypothesis]:
    """HDF5 behind a block of the user's own; a tar archive of an HDF5 file looks like that too, and names itself."""
    block = hdf5.user_block(file)
    if not block:
        return []
    _, extra, format_ = _hdf5_from(file.read(block, _EXAMINED), tail, file.size, block)
    detail = {"container": f"HDF5 behind a user block of {block:,} bytes", "user_block": block} | extra
    why = f"goes on as HDF5 does behind {block:,} bytes"
    return [Hypothesis(format_, _BEHIND_BLOCK, detail, file.size, why=why)]


def by_family(path: Path, size: int) -> list[Hypothesis]:
    """A member of a family of HDF5, which nothing in it tells: its name does, and the superblock of the first."""
    found = family_of(path)
    if found is None or found[1] == 0:
        return []
    family, number = found
    first = family.path(0)
    words = f"HDF5, member {number} of the family of {family.members:,} files that {first.name} begins"
    detail = {"container": words, "driver": "family", "first": str(first)}
    detail |= cut_off(size, family.bytes_of(number))
    why = f"{first.name} is the first of a family, to which it belongs by its name"
    return [Hypothesis("hdf5", _BEHIND_BLOCK, detail, size, why=why)]


def add_classic_damage(path: Path, size: int, named: list[Hypothesis]) -> None:
    """Says of a classic file that is shorter than its header states that it is cut off."""
    for one in named:
        if str(one.detail.get("container")).startswith("NetCDF classic"):
            with path.open("rb") as file:
                needed = classic.end_of(file, size)
            one.detail |= cut_off(size, needed)


def add_family_damage(path: Path, named: list[Hypothesis]) -> None:
    """Members that are missing or cut off, if the file is the first of a family."""
    for one in named:
        if one.detail.get("driver") == "family" and "first" not in one.detail and "damage" not in one.detail:
            found = family_of(path)
            words = found[0].damage() if found is not None and found[1] == 0 else ""
            if words:
                one.detail.update({"damage": "damaged", "damage_words": words})


def _npy(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    width = 2 if head[6:7] in (b"", b"\x01") else 4
    begin = 8 + width + int.from_bytes(head[8 : 8 + width], "little")
    if size < max(begin, 8 + width):
        return -16.0, {"header": "damaged"} | cut_off(size, max(begin, 8 + width)), "npy"
    if begin > len(head):  # a type of thousands of members: the header is longer than what was read
        return 0.0, {"data_offset": begin}, "npy"
    try:
        header = ast.literal_eval(head[8 + width : begin].decode("latin-1"))
        descr, shape, order = header["descr"], header["shape"], bool(header["fortran_order"])
    except (ValueError, SyntaxError, KeyError, TypeError, MemoryError, RecursionError):
        return -16.0, {"header": "damaged"} | _damaged("it describes no array"), "npy"
    dtype = _dtype_of(descr)
    flaw = _flaw_of_npy(descr, dtype, shape)
    if dtype is None or flaw:
        return 0.0, {"header": "damaged", "data_offset": begin} | _damaged(flaw), "npy"
    detail = {"dtype": str(descr), "shape": list(shape), "data_offset": begin, "fortran_order": order}
    bytes_of_array = 0 if dtype.hasobject else math.prod(shape) * dtype.itemsize  # of objects: whatever pickle needs
    return 20.0, detail | cut_off(size, begin + bytes_of_array), "npy"


def _dtype_of(descr: Any) -> np.dtype[Any] | None:
    """None if numpy cannot read the description; it raises what its parsers meet, SyntaxError among others."""
    try:
        found: np.dtype[Any] = np.lib.format.descr_to_dtype(descr)
    except Exception:
        return None
    return found


def _flaw_of_npy(descr: Any, dtype: np.dtype[Any] | None, shape: Any) -> str:
    """Why numpy refuses such an array; nothing if it does not."""
    if not isinstance(shape, tuple) or not all(isinstance(extent, int) for extent in shape):
        return f"the shape {_shown(shape)} is not a tuple of integers"
    if any(extent < 0 for extent in shape):
        return f"the shape {_shown(shape)} has a negative extent"
    if dtype is None:
        return f"the type {_shown(descr)} is none that numpy knows"
    if max((*shape, math.prod(shape) * dtype.itemsize)) > _LARGEST:
        return f"an array of the shape {_shown(shape)} has more than 2**63 - 1 bytes"
    return ""


def _shown(value: Any) -> str:
    """As text that is not long; Python refuses to write integers of thousands of digits."""
    try:
        text = repr(value)
    except ValueError:
        return "of huge numbers"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _damaged(words: str) -> _Details:
    return {"damage": "damaged", "damage_words": f"its header is damaged: {words}"}


def cut_off(size: int, needed: int) -> _Details:
    """What the file says of its own length, if it is shorter."""
    if size >= needed:
        return {}
    words = f"it is cut off: {size:,} of at least {needed:,} bytes are there"
    return {"damage": "truncated", "damage_words": words}


def _zip(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    names = re.findall(rb"PK\x01\x02.{42}([^\x00-\x1f]+?\.npy)", tail, re.DOTALL)
    first = head[30 : 30 + int.from_bytes(head[26:28], "little")]
    more, damage = 16.0, dict[str, Any]()
    end = tail.rfind(b"PK\x05\x06")  # 22 bytes, the last two the length of a comment behind them
    if end < 0 or len(tail) < end + 22 + int.from_bytes(tail[end + 20 : end + 22], "little"):
        more = -8.0
        damage = {"damage": "truncated", "damage_words": "it is cut off: the list of its members at the end is missing"}
    if first.endswith(b".npy"):
        return more + 16, {"arrays": [n.decode(errors="replace") for n in names][:20]} | damage, "npz"
    return more, damage, "zip"


def _hdf5(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    return _hdf5_from(head, tail, size, 0)


def _hdf5_from(head: bytes, tail: bytes, size: int, block: int) -> tuple[float, _Details, str]:
    """`head` begins behind the user block."""
    netcdf = b"_NCProperties" in head or b"_Netcdf4" in head or b"_NCProperties" in tail
    detail: _Details = {}
    if head.startswith(hdf5.SIGNATURE):
        detail = cut_off(size, block + hdf5.bytes_from(head))
        if hdf5.is_family(head):
            detail |= {"container": "HDF5, the first file of a family", "driver": "family"}
    return 0.0, detail | ({"also": "hdf5"} if netcdf else {}), "netcdf" if netcdf else "hdf5"


def _classic(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    """Behind the number of records stands the list of dimensions: a tag of 10, or zeros if there is none."""
    at = 12 if head[3:4] == b"\x05" else 8
    tagged = head[at : at + 4] in (b"\0\0\0\x0a", bytes(4))
    return (28.0 if tagged else -16.0), {}, "netcdf"


def _tar(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    stated = head[148:156].strip(b"\0 ")
    total = sum(head[:148]) + 8 * 32 + sum(head[156:512])
    fits = stated.isdigit() and int(stated, 8) == total
    return (20.0 if fits else -10.0), {"first_member": head[:100].rstrip(b"\0").decode(errors="replace")}, "tar"


def _gzip(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    return (6.0 if len(head) > 9 and head[3] < 32 and head[9] in (*range(14), 255) else -8.0), {}, "gzip"


def _bzip2(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    return (24.0 if head[4:10] in (b"1AY&SY", b"\x17rE8P\x90") else -16.0), {}, "bzip2"


def _parquet(head: bytes, tail: bytes, size: int) -> tuple[float, _Details, str]:
    return (32.0 if tail.endswith(b"PAR1") else -16.0), {}, "parquet"


_CHECKS: dict[str, Callable[[bytes, bytes, int], tuple[float, _Details, str]]] = {
    "npy": _npy, "zip": _zip, "hdf5": _hdf5, "tar": _tar, "gzip": _gzip, "bzip2": _bzip2, "parquet": _parquet,
    "netcdf": _classic,
}  # fmt: skip


def by_libmagic(path: Path) -> Hypothesis | None:
    """What libmagic says about the file; weak evidence, because it knows hundreds of formats by two bytes each."""
    try:
        magic = importlib.import_module("magic")
        mime, words = magic.from_file(str(path), mime=True), magic.from_file(str(path))
    except Exception:  # python-magic is optional, and raises its own exceptions if libmagic is missing
        return None
    plain = mime.startswith(("text/", "inode/")) or mime in ("application/octet-stream", "application/x-empty")
    if plain or words == "data":
        return None
    bits = 8.0 if mime in _LONG_MAGIC else -3.0
    return Hypothesis(mime, bits, {"container": words}, path.stat().st_size, why="libmagic says so")
