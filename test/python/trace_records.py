"""The records of profiles, read by the tests of intercept/ without the product's reader."""

import struct
from dataclasses import dataclass
from pathlib import Path

HEADER_BYTES, BLOCK_BYTES, BLOCK_HEADER_BYTES = 4096, 16384, 64
BLOCK_LINES, BLOCK_CONNECTIONS = 1, 2
KINDS = (
    "none",
    "write",
    "read",
    "open",
    "close",
    "inquire",
    "flush",
    "rewind",
    "backspace",
    "endfile",
    "wait",
    "iolength",
    "library call",
    "run time",
    "not Fortran",
)
TRAITS = (
    "formatted",
    "list",
    "namelist",
    "unformatted",
    "direct",
    "positioned",
    "internal",
    "non-advancing",
    "asynchronous",
    "child",
    "collective",
)

LINE = struct.Struct("<4I2Q2i2H3I21Q")
LINE_FIELDS = [
    "file",
    "name",
    "format",
    "module",
    "caller",
    "key",
    "line",
    "unit",
    "kind",
    "unused",
    "traits",
    "connection",
    "time_line",
    "statements",
    "items",
    "elements",
    "payload",
    "smallest",
    "largest",
    "ticks",
    "nested",
    "longest",
    "system",
    "writes",
    "reads",
    "seeks",
    "others",
    "written",
    "read",
    "errors",
    "ends",
    "first",
    "last",
]
CONNECTION = struct.Struct("<8I2i2Iq7Q")
CONNECTION_FIELDS = [
    "opened_in",
    "path",
    "access",
    "form",
    "action",
    "convert",
    "status",
    "position",
    "opened_line",
    "unit",
    "kind",
    "unused",
    "record_length",
    "opens",
    "closes",
    "writes",
    "reads",
    "seeks",
    "written",
    "read",
]


@dataclass
class Record:
    """One source line and one file it went to."""

    file: str
    line: int
    kind: str
    unit: int
    traits: frozenset[str]
    format: str
    path: str
    numbers: dict[str, int]


@dataclass
class Profile:
    """One process."""

    records: list[Record]
    connections: list[dict[str, str | int]]
    redirected: int
    refused: int
    note: str
    ending: int


def text_at(data: bytes, offset: int) -> str:
    """The text at an offset; empty for 0."""
    return data[offset : data.index(b"\0", offset)].decode("utf-8", "replace") if offset else ""


def read_profile(path: Path) -> Profile:
    """Reads one profile."""
    data = path.read_bytes()
    assert data[:7] == b"hrtrace", path
    blocks = struct.unpack_from("<I", data, 20)[0]
    counters = struct.unpack_from("<3I", data, 44)
    redirected, refused = struct.unpack_from("<2I", data, 116)
    note = data[1400 : 1400 + 1024].split(b"\0")[0].decode()
    profile = Profile([], [], redirected, refused, note, counters[1])
    for block in range(blocks):
        begins = HEADER_BYTES + block * BLOCK_BYTES
        kind, records, record_bytes = struct.unpack_from("<3I", data, begins)
        for record in range(records if kind in (BLOCK_LINES, BLOCK_CONNECTIONS) else 0):
            at = begins + BLOCK_HEADER_BYTES + record * record_bytes
            if kind == BLOCK_LINES:
                profile.records.append(line_at(data, at))
            else:
                profile.connections.append(connection_at(data, at))
    return profile


def line_at(data: bytes, at: int) -> Record:
    """One record of a line."""
    numbers = dict(zip(LINE_FIELDS, LINE.unpack_from(data, at), strict=False))
    path = connection_at(data, numbers["connection"])["path"] if numbers["connection"] else ""
    traits = frozenset(name for bit, name in enumerate(TRAITS) if numbers["traits"] >> bit & 1)
    return Record(
        text_at(data, numbers["file"]),
        numbers["line"],
        KINDS[numbers["kind"]],
        numbers["unit"],
        traits,
        text_at(data, numbers["format"]),
        str(path),
        numbers,
    )


def connection_at(data: bytes, at: int) -> dict[str, str | int]:
    """One record of a connection; its texts are read."""
    values: dict[str, str | int] = dict(zip(CONNECTION_FIELDS, CONNECTION.unpack_from(data, at), strict=False))
    for field in CONNECTION_FIELDS[:8]:
        values[field] = text_at(data, int(values[field]))
    return values
