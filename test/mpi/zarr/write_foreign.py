"""Write stores with zarr-python as others do, for the program foreign. Fills its working directory."""

import shutil
import warnings
from pathlib import Path
from typing import Any

# Ends here, skipped, if there is no zarr-python.
from check_stores import expected, np, zarr
from zarr.codecs import (
    BloscCodec,
    BytesCodec,
    Crc32cCodec,
    GzipCodec,
    ShardingCodec,
    TransposeCodec,
    ZstdCodec,
)

SHAPE = (13, 7, 5)
KINDS = ["int8", "int16", "int32", "int64", "real32", "real64", "complex64", "complex128"]


def ways() -> dict[str, dict[str, Any]]:
    """What the codecs, keys and chunks of a store may be like."""
    small = (2, 2, 3)
    whole = ShardingCodec(chunk_shape=small)
    at_start = ShardingCodec(
        chunk_shape=small,
        codecs=[TransposeCodec(order=(1, 2, 0)), BytesCodec(), ZstdCodec(level=3), Crc32cCodec()],
        index_location="start",
    )
    big = BytesCodec(endian="big")
    return {
        "default": {"chunks": (4, 3, 2)},
        "plain": {"chunks": (4, 3, 2), "compressors": None},
        "dots": {
            "chunks": (4, 3, 2),
            "chunk_key_encoding": {"name": "default", "separator": "."},
        },
        "old_keys": {"chunks": (5, 7, 2), "chunk_key_encoding": {"name": "v2", "separator": "."}},
        "gzip": {"chunks": (13, 7, 1), "compressors": GzipCodec(level=1)},
        "crc": {"chunks": (4, 7, 5), "compressors": [Crc32cCodec()]},
        "both": {"chunks": (20, 20, 20), "compressors": [Crc32cCodec(), ZstdCodec(level=1)]},
        "turned": {
            "chunks": (4, 3, 2),
            "filters": [TransposeCodec(order=(1, 2, 0))],
            "compressors": None,
        },
        "twice": {
            "chunks": (4, 3, 2),
            "filters": [TransposeCodec(order=(1, 2, 0)), TransposeCodec(order=(0, 2, 1))],
        },
        "fortran": {
            "chunks": (4, 3, 2),
            "filters": [TransposeCodec(order=(2, 1, 0))],
            "compressors": None,
        },
        "big": {"chunks": (4, 3, 2), "serializer": big, "compressors": None},
        "shards": {"chunks": (4, 4, 6), "serializer": whole, "compressors": None},
        "shards_start": {"chunks": (4, 4, 6), "serializer": at_start, "compressors": None},
    }


def write_all(directory: Path) -> list[str]:
    """One store for each way, with an array of every kind in it."""
    lines = []
    for way, settings in ways().items():
        group = zarr.open_group(directory / f"{way}.zarr", mode="w")
        for kind in KINDS:
            values = expected(kind, SHAPE)
            array = group.create_array(kind, shape=SHAPE, dtype=values.dtype, **settings)
            array[...] = values
            lines.append(f"{way}.zarr {kind} {kind} 13 7 5")
    return lines


def write_special(directory: Path) -> list[str]:
    """Logicals, characters, chunks that were never written, nested groups, a bare array."""
    group = zarr.open_group(directory / "special.zarr", mode="w")
    for kind in ("logical4", "character7"):
        values = expected(kind, SHAPE)
        array = group.create_array(kind, shape=SHAPE, dtype=values.dtype, chunks=(4, 3, 2))
        array[...] = values
    group.create_array("fill", shape=(1,), dtype="f8", chunks=(1,), fill_value=0.25)
    deep = group.create_group("a").create_group("b")
    deep.create_array("c", shape=(4,), dtype="f8", chunks=(3,))[:] = np.arange(4) + 0.25
    bare = zarr.create_array(directory / "bare.zarr", shape=(4,), dtype="f8", chunks=(2,))
    bare[:] = np.arange(4) + 0.25
    # Only the second half was written; the first has the fill value.
    half = group.create_array("half", shape=(1, 2), dtype="f8", chunks=(1, 1), fill_value=0.25)
    half[0, 1] = 1.25
    shards = group.create_array("shards", shape=(2,), dtype="f8", chunks=(1,), shards=(2,), fill_value=0.25)
    shards[1] = 1.25
    return [
        "special.zarr logical4 logical4 13 7 5",
        "special.zarr logical4 logical1 13 7 5",
        "special.zarr character7 character7 13 7 5",
        "special.zarr fill real64 1",
        "special.zarr half real64 1 2",
        "special.zarr shards real64 2",
        "special.zarr a/b/c real64 4",
        "bare.zarr data real64 4",
    ]


def write_refused(directory: Path) -> list[str]:
    """What headrace does not read, and says so by name."""
    group = zarr.open_group(directory / "refused.zarr", mode="w")
    group.create_array("blosc", shape=(4,), dtype="f8", compressors=BloscCodec(cname="lz4"))
    group.create_array("unsigned", shape=(4,), dtype="u4")
    group.create_array("text", shape=(4,), dtype="str")
    old = zarr.open_group(directory / "old.zarr", mode="w", zarr_format=2)
    old.create_array("data", shape=(4,), dtype="f8")
    return [
        "refused.zarr blosc refused blosc",
        "refused.zarr unsigned refused uint32",
        "refused.zarr text refused string",
        "refused.zarr none refused unsigned",
        "old.zarr data refused format",
    ]


def main() -> None:
    """Write everything and the list of it."""
    warnings.simplefilter("ignore")
    directory = Path()
    for old in directory.glob("*.zarr"):
        shutil.rmtree(old)
    lines = write_all(directory) + write_special(directory) + write_refused(directory)
    (directory / "foreign.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
