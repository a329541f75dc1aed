"""The arrays of a Zarr 3 store: their metadata, and which chunks are there. First: store.py.

A chunk without a file is no damage in Zarr: readers take the fill value. One of another size than its values have is.
"""

import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.marks import COMPLETE

ABOUT = "zarr.json"
_OF_A_STORE = (ABOUT, ".zgroup", ".zarray")
_MOST_METADATA = 1 << 26  # bytes; all of a large store stand together in that of its root
_MOST_CHUNKS = 1 << 16  # of an array, that are looked for
_SIZES = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "int32": 4, "uint32": 4}
_SIZES |= {"float32": 4, "int64": 8, "uint64": 8, "float64": 8, "complex64": 8, "complex128": 16}
_RAW = re.compile(r"r(\d{1,6})")  # a type of so many bits


@dataclass(frozen=True)
class _Array:
    """What the metadata say; `bytes` of a chunk None: only its codecs know."""

    grid: tuple[int, ...]
    prefix: str
    separator: str
    bytes: int | None
    complete: bool

    def key(self, place: tuple[int, ...]) -> str:
        """The file of a chunk, from the directory of the array."""
        parts = [self.prefix] if self.prefix else []
        return self.separator.join([*parts, *map(str, place)]) or "0"


def is_store(path: Path) -> bool:
    """Whether a directory is a Zarr store."""
    return any((path / name).is_file() for name in _OF_A_STORE)


def metadata(path: Path) -> dict[str, Any] | None:
    """A JSON object from a file; None if it is none."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_MOST_METADATA))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def check(store: Path, chunks: bool) -> tuple[str, list[str]]:
    """What is damaged in a store of version 3, "" if nothing is; and remarks on chunks that have no file.

    chunks: look at them too, not only at the metadata.
    """
    remarks: list[str] = []
    for folder in _nodes(store):
        name = folder.relative_to(store)
        about = metadata(folder / ABOUT)
        if about is None:
            return f"{name / ABOUT} is not a JSON object: no reader opens it", []
        array = _array(about)
        if array is not None and chunks:
            damage, remark = _check_chunks(folder, name, array)
            if damage:
                return damage, []
            remarks += [remark] if remark else []
    return "", remarks


def _nodes(store: Path) -> Iterator[Path]:
    """The directories of groups and arrays, without those of chunks."""
    for folder, below, files in os.walk(store):
        below.sort()
        if ABOUT in files:
            yield Path(folder)
        else:
            below.clear()


def _array(about: dict[str, Any]) -> _Array | None:
    """None for groups, and if the metadata have another form."""
    try:
        grid, encoding = about["chunk_grid"], about["chunk_key_encoding"]
        if about["node_type"] != "array" or grid["name"] != "regular" or encoding["name"] not in ("default", "v2"):
            return None
        default = encoding["name"] == "default"
        shape, chunk = about["shape"], grid["configuration"]["chunk_shape"]
        cells = tuple(-(-int(n) // int(c)) for n, c in zip(shape, chunk, strict=True))
        separator = str((encoding.get("configuration") or {}).get("separator", "/" if default else "."))
        if separator not in ("/", "."):
            return None
        complete = bool((about.get("attributes") or {}).get(COMPLETE))
        return _Array(cells, "c" if default else "", separator, _bytes_of_chunk(about, chunk), complete)
    except (KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError):
        return None


def _bytes_of_chunk(about: dict[str, Any], chunk: list[int]) -> int | None:
    """Known if a chunk file has nothing but the values."""
    type_ = about["data_type"]
    if not isinstance(type_, str) or {codec["name"] for codec in about["codecs"]} - {"bytes", "transpose"}:
        return None
    raw = _RAW.fullmatch(type_)
    size = int(raw[1]) // 8 if raw else _SIZES.get(type_)
    return None if size is None else size * math.prod(map(int, chunk))


def _check_chunks(folder: Path, name: Path, array: _Array) -> tuple[str, str]:
    """What is damaged, and a remark."""
    missing, odd = [], []
    count = math.prod(array.grid)
    for number in range(min(count, _MOST_CHUNKS)):
        key = array.key(_place(number, array.grid))
        try:
            size = (folder / key).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            missing.append(key)
            continue
        if array.bytes is not None and size != array.bytes:
            odd.append(f"chunk {name / key} has {size:,} bytes, expected {array.bytes:,}")
    if odd:
        more = f"; and {len(odd) - 1:,} more chunks" if len(odd) > 1 else ""
        return odd[0] + more, ""
    if not missing:
        return "", ""
    looked = f"{count:,} chunks" if count <= _MOST_CHUNKS else f"the first {_MOST_CHUNKS:,} of {count:,} chunks"
    verb = "has" if len(missing) == 1 else "have"
    words = f"{len(missing):,} of {looked} {verb} no file, the first is {name / missing[0]}"
    if array.complete:
        return f"{words}; all chunks of this array were written", ""
    return "", f"{words}: readers take the fill value for it" + ("" if len(missing) == 1 else " and the others")


def _place(number: int, grid: tuple[int, ...]) -> tuple[int, ...]:
    """The chunk of that number, the last dimension fastest; a grid may have more cells than memory has bytes."""
    place = []
    for extent in reversed(grid):
        number, index = divmod(number, extent)
        place.append(index)
    return tuple(place[::-1])
