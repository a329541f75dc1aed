"""Files that name themselves by their first bytes: arrays of other tools, archives, compressed files."""

import bz2
import gzip
import importlib.util
import io
import json
import lzma
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.io import netcdf_file, savemat

from content import Array


def _array(rng: Generator) -> Array:
    shape = tuple(int(n) for n in rng.integers(2, 20, rng.integers(1, 4)))
    kind = str(rng.choice(["<f8", "<f4", "<i4", "<i8", ">f8", "<c16", "<i2"]))
    return rng.normal(0, 100, shape).astype(kind)


def _npy(path: Path, rng: Generator) -> Array:
    array = _array(rng)
    if rng.random() < 0.5:
        array = np.asfortranarray(array)
    with path.open("wb") as file:
        np.lib.format.write_array(file, array, version=(int(rng.integers(1, 3)), 0))
    return array


def _npz(path: Path, rng: Generator) -> Array:
    array = _array(rng)
    save: Callable[..., None] = np.savez_compressed if rng.random() < 0.5 else np.savez
    with path.open("wb") as file:
        save(file, first=array, second=np.arange(5))
    return array


def _hdf5(path: Path, rng: Generator) -> Array:
    import h5py

    array = _array(rng)
    with h5py.File(path, "w", libver=str(rng.choice(["earliest", "latest"]))) as file:
        file.create_dataset("group/field", data=array, chunks=True if rng.random() < 0.5 else None)
    return array


def _netcdf_classic(path: Path, rng: Generator) -> Array:
    array = rng.normal(size=(4, 6)).astype(">f8")
    with netcdf_file(path, "w", version=int(rng.integers(1, 3))) as file:
        file.createDimension("x", 4)
        file.createDimension("y", 6)
        file.createVariable("field", "d", ("x", "y"))[:] = array
    return array


def _netcdf4(path: Path, rng: Generator) -> Array:
    import netCDF4

    array = rng.normal(size=(4, 6))
    with netCDF4.Dataset(path, "w", format="NETCDF4" if rng.random() < 0.6 else "NETCDF3_64BIT_DATA") as file:
        file.createDimension("x", 4)
        file.createDimension("y", 6)
        file.createVariable("field", "f8", ("x", "y"))[:] = array
    return array


def _zarr(path: Path, rng: Generator) -> Array:
    """An array of one chunk: version 3 or 2, without a library."""
    array = rng.normal(size=(int(rng.integers(2, 9)), 5))
    path.mkdir()
    shape = list(array.shape)
    if rng.random() < 0.6:
        description: dict[str, Any] = {
            "zarr_format": 3,
            "node_type": "array",
            "shape": shape,
            "data_type": "float64",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shape}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": 0,
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        }
        name, chunk = "zarr.json", path / "c" / "0" / "0"
    else:
        description = {"zarr_format": 2, "shape": shape, "chunks": shape, "dtype": "<f8", "order": "C"}
        description |= {"compressor": None, "fill_value": 0, "filters": None}
        name, chunk = ".zarray", path / "0.0"
    (path / name).write_text(json.dumps(description, indent=2))
    chunk.parent.mkdir(parents=True, exist_ok=True)
    chunk.write_bytes(array.tobytes())
    return array


def _content(rng: Generator) -> bytes:
    """What compressed files hold: numbers as text or as bytes."""
    values = rng.normal(size=int(rng.integers(50, 2000)))
    return values.tobytes() if rng.random() < 0.5 else "\n".join(f"{value:.6f}" for value in values).encode()


def _gzip(path: Path, rng: Generator) -> None:
    path.write_bytes(gzip.compress(_content(rng)))


def _bzip2(path: Path, rng: Generator) -> None:
    path.write_bytes(bz2.compress(_content(rng)))


def _xz(path: Path, rng: Generator) -> None:
    path.write_bytes(lzma.compress(_content(rng)))


def _zstd(path: Path, rng: Generator) -> None:
    """A frame of one raw block, after RFC 8878, section 3.1.1: no library needed."""
    data = _content(rng)[:100_000]
    header = 0xFD2FB528.to_bytes(4, "little") + bytes([0xA0]) + struct.pack("<I", len(data))
    path.write_bytes(header + struct.pack("<I", len(data) << 3 | 1)[:3] + data)


def _tar(path: Path, rng: Generator) -> None:
    forms = (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)
    with tarfile.open(path, "w", format=int(rng.choice(forms))) as archive:
        for name in ("step_000.dat", "step_001.dat"):
            data = _content(rng)
            about = tarfile.TarInfo(name)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))


def _zip(path: Path, rng: Generator) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("results/notes.txt", "figures of the run")
        archive.writestr("results/step.dat", _content(rng))


def _sqlite(path: Path, rng: Generator) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute("create table runs (step integer, energy real)")
        database.executemany("insert into runs values (?, ?)", [(i, float(rng.normal())) for i in range(50)])
    database.close()


def _fits(path: Path, rng: Generator) -> Array:
    array = rng.normal(size=(int(rng.integers(3, 30)), 12)).astype(">f8")
    cards = ["SIMPLE  =                    T", "BITPIX  =                  -64", "NAXIS   =                    2"]
    cards += [f"NAXIS1  = {array.shape[1]:20d}", f"NAXIS2  = {array.shape[0]:20d}", "END"]
    header = "".join(card.ljust(80) for card in cards).ljust(2880)
    data = array.tobytes()
    path.write_bytes(header.encode() + data + bytes(-len(data) % 2880))
    return array


def _matlab(path: Path, rng: Generator) -> Array:
    array = rng.normal(size=(int(rng.integers(2, 30)), 3))
    with path.open("wb") as file:
        savemat(file, {"field": array})
    return array


def _parquet(path: Path, rng: Generator) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = int(rng.integers(5, 200))
    pq.write_table(pa.table({"step": np.arange(n), "energy": rng.normal(size=n)}), path)


def _png(path: Path, rng: Generator) -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    width, height = (int(n) for n in rng.integers(2, 40, 2))
    rows = b"".join(b"\0" + rng.integers(0, 256, width, dtype=np.uint8).tobytes() for _ in range(height))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# Class, file ending, writer, the optional package that it needs.
CONTAINERS: list[tuple[str, str, Callable[[Path, Generator], Array | None], str]] = [
    ("npy", ".npy", _npy, ""),
    ("npz", ".npz", _npz, ""),
    ("hdf5", ".h5", _hdf5, "h5py"),
    ("netcdf", ".nc", _netcdf_classic, ""),
    ("netcdf", ".nc4", _netcdf4, "netCDF4"),
    ("zarr", ".zarr", _zarr, ""),
    ("gzip", ".gz", _gzip, ""),
    ("bzip2", ".bz2", _bzip2, ""),
    ("xz", ".xz", _xz, ""),
    ("zstd", ".zst", _zstd, ""),
    ("tar", ".tar", _tar, ""),
    ("zip", ".zip", _zip, ""),
    ("sqlite", ".db", _sqlite, ""),
    ("fits", ".fits", _fits, ""),
    ("matlab", ".mat", _matlab, ""),
    ("parquet", ".parquet", _parquet, "pyarrow"),
    ("png", ".png", _png, ""),
]


def available() -> list[tuple[str, str, Callable[[Path, Generator], Array | None]]]:
    """The containers whose packages are installed."""
    return [one[:3] for one in CONTAINERS if not one[3] or importlib.util.find_spec(one[3])]
