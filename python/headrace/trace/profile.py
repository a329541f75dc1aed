"""Reads the profile of one process: the file that intercept/trace/profile.h describes. Change both, and the version.

A profile is mapped memory: the process may have died while it wrote, the file may be cut. What can be read is read, and
what is missing is said (`notes`). What is no profile, or of another version or machine, is refused.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError

VERSION = 1
HEADER_BYTES = 4096
BLOCK_BYTES = 16384
BLOCK_HEADER_BYTES = 64
TIME_BINS = (BLOCK_BYTES - BLOCK_HEADER_BYTES) // 16
MAGIC = b"hrtrace\0"
BYTE_ORDER = 0x01020304

Table = NDArray[Any]  # of records


def _record(*members: tuple[str, str]) -> np.dtype[Any]:
    """A structure whose members stand for several names each."""
    return np.dtype([(name, kind) for names, kind in members for name in names.split()])


HEADER = _record(
    ("magic", "S8"),
    ("byte_order version block_bytes blocks", "<u4"),
    ("process parent launcher mpi_rank mpi_size", "<i4"),
    ("threads ending forked", "<u4"),
    ("ticks_first ticks_last nanoseconds_first nanoseconds_last epoch_nanoseconds bin_begins", "<u8"),
    ("bin_shift bin_doublings_begun bin_doublings_done redirected_calls refused_calls unused", "<u4"),
    ("lines_left_out connections_left_out blocks_refused threads_left_out frames_too_deep", "<u8"),
    ("bytes_read_by_process bytes_written_by_process", "<u8"),
    ("families", "S128"),
    ("host", "S64"),
    ("program", "S1024"),
    ("note", "S1024"),
)
BLOCK = _record(
    ("kind records record_bytes thread current line_file line_number line_kind line_name", "<u4"), ("unused", "(7,)<u4")
)
LINE = _record(
    ("file name format module", "<u4"),
    ("caller key", "<u8"),
    ("line unit", "<i4"),
    ("kind unused", "<u2"),
    ("traits connection time_line", "<u4"),
    ("statements items elements payload_bytes payload_smallest payload_largest", "<u8"),
    ("ticks nested_ticks longest_ticks system_ticks", "<u8"),
    ("writes reads seeks other_calls bytes_written bytes_read errors ends first last", "<u8"),
    ("pending_since pending_ticks pending_bytes", "<u8"),
)
CONNECTION = _record(
    ("opened_in path access form action convert status position", "<u4"),
    ("opened_line unit", "<i4"),
    ("kind unused", "<u4"),
    ("record_length", "<i8"),
    ("opens closes writes reads seeks bytes_written bytes_read", "<u8"),
)
BIN = _record(("ticks bytes", "<u8"))

_LINES, _CONNECTIONS, _TIME_LINE = 1, 2, 4  # enum profile_block_kind
_RECORDS = {_LINES: LINE, _CONNECTIONS: CONNECTION, _TIME_LINE: BIN}
_SMALLEST_SPAN = 1e-5  # seconds: two moments that are closer give no rate

ENDINGS = ("none", "exit", "_exit", "exec")


@dataclass
class Profile:
    """What one process left. Offsets are those of the file; `texts` has the strings at them."""

    name: str
    header: Any
    lines: Table
    line_offsets: NDArray[np.int64]
    line_threads: NDArray[np.int64]
    connections: Table
    connection_offsets: NDArray[np.int64]
    in_progress: list[int]  # offsets of the lines whose statement had not ended, one for a thread
    texts: dict[int, str]
    time_lines: dict[int, Table]  # BIN records by the offset that lines refer to
    notes: list[str] = field(default_factory=list)

    def member(self, name: str) -> str:
        """A text of the header."""
        return bytes(self.header[name]).decode(errors="replace")

    @property
    def ending(self) -> str:
        """One of ENDINGS: exit in good order, by _exit, another program in its place; none: killed or still running."""
        number = int(self.header["ending"])
        return ENDINGS[number] if number < len(ENDINGS) else "none"

    @property
    def seconds_per_tick(self) -> float:
        """0 if the process ended before the counter could be compared with the clock: another profile then knows it."""
        ticks = int(self.header["ticks_last"]) - int(self.header["ticks_first"])
        seconds = (int(self.header["nanoseconds_last"]) - int(self.header["nanoseconds_first"])) / 1e9
        return seconds / ticks if ticks > 0 and seconds >= _SMALLEST_SPAN else 0.0

    @property
    def begun(self) -> float:
        """Seconds since 1970 at the first event."""
        return int(self.header["epoch_nanoseconds"]) / 1e9

    def seconds(self, seconds_per_tick: float) -> float:
        """From the first event to the last that is known."""
        first, last = int(self.header["ticks_first"]), int(self.header["ticks_last"])
        if len(self.lines):
            last = max(last, int(self.lines["last"].max()))
        return max(0, last - first) * seconds_per_tick


def read_profile(data: bytes, name: str) -> Profile | None:
    """Take a profile apart; None if its process ended before it was one.

    Raises HeadraceError for what is no profile, or one that this version cannot read.
    """
    if not data.rstrip(b"\0"):
        return None
    header = _header(data, name)
    notes: list[str] = []
    blocks = min(int(header["blocks"]), (len(data) - HEADER_BYTES) // BLOCK_BYTES)
    missing = int(header["blocks"]) - blocks
    if missing:
        notes.append(f"{name}: the profile is cut off: {missing} of {header['blocks']} blocks are missing")
    found = _Blocks(data, blocks)
    if found.strange:
        notes.append(f"{name}: {found.strange} blocks of the profile are damaged and were left out")
    if header["bin_doublings_begun"] != header["bin_doublings_done"]:
        notes.append(f"{name}: the process died while its time line was rearranged; the counts are right")
    lines, line_offsets, line_threads = found.records(_LINES)
    connections, connection_offsets, _ = found.records(_CONNECTIONS)
    known = {int(offset) for offset in line_offsets}
    progress = [int(offset) for offset in found.heads["current"][found.heads["kind"] == _LINES] if int(offset) in known]
    return Profile(
        name,
        header,
        lines,
        line_offsets,
        line_threads,
        connections,
        connection_offsets,
        progress,
        _texts(data, lines, connections),
        found.time_lines(),
        notes
        + _overflows(header)
        + [note for note in bytes(header["note"]).decode(errors="replace").splitlines() if note],
    )


def _texts(data: bytes, lines: Table, connections: Table) -> dict[int, str]:
    """The strings that records refer to; empty for 0, and for one that is beyond the end of a cut file."""
    named = [lines[column] for column in ("file", "name", "format", "module")]
    named += [connections[column] for column in (CONNECTION.names or ())[:8]]
    texts = {}
    for offset in np.unique(np.concatenate(named)).tolist():
        end = data.find(b"\0", offset) if HEADER_BYTES <= offset < len(data) else -1
        texts[offset] = data[offset:end].decode(errors="replace") if end >= 0 else ""
    return texts


def used_bytes(data: bytes) -> bytes:
    """A profile without the space at its end that was reserved and never used."""
    header = np.frombuffer(data, HEADER, 1)[0]
    return data[: HEADER_BYTES + int(header["blocks"]) * BLOCK_BYTES]


def _header(data: bytes, name: str) -> Any:
    if data[: len(MAGIC)] != MAGIC:
        raise HeadraceError(f"{name}: not a profile of headrace trace: it does not begin with 'hrtrace'")
    if len(data) < HEADER_BYTES:
        raise HeadraceError(
            f"{name}: the profile is cut off: {len(data)} bytes, where its header alone has {HEADER_BYTES}",
            "nothing of it can be read; leave it out",
        )
    header = np.frombuffer(data[: HEADER.itemsize], HEADER)[0]
    if header["byte_order"] != BYTE_ORDER:
        other = int(header["byte_order"]) == int.from_bytes(BYTE_ORDER.to_bytes(4, "little"), "big")
        what = "it comes from a big-endian machine" if other else f"its byte order mark is {header['byte_order']:#010x}"
        raise HeadraceError(
            f"{name}: the profile cannot be read here: {what}", "profiles can be read on little-endian machines only"
        )
    if header["version"] != VERSION or header["block_bytes"] != BLOCK_BYTES:
        raise HeadraceError(
            f"{name}: a profile of version {header['version']}, this headrace reads version {VERSION}",
            "show it with the headrace that made it",
        )
    return header


def _overflows(header: Any) -> list[str]:
    said = {
        "lines_left_out": "statements were not counted: a thread had more than 4,096 lines, or the profile was full",
        "connections_left_out": "files were not named: there were more than 4,096, or the profile was full",
        "blocks_refused": "times there was no space left for the profile: its counts are too low",
        "threads_left_out": "threads were not counted: there was no space left for the profile",
        "frames_too_deep": "statements were not counted: more than 16 stood inside of each other",
    }
    notes = [f"{int(header[name]):,} {words}" for name, words in said.items() if header[name]]
    if header["refused_calls"]:
        notes.append(
            f"{int(header['refused_calls']):,} calls of the run time were left alone, because the check before the "
            "redirection failed: their statements are not counted"
        )
    return notes


class _Blocks:
    """The blocks of a file, by their headers."""

    def __init__(self, data: bytes, blocks: int) -> None:
        self.data = data
        whole = np.frombuffer(data, np.dtype((np.void, BLOCK_BYTES)), blocks, HEADER_BYTES)
        heads = np.ndarray((blocks,), BLOCK, whole, strides=(BLOCK_BYTES,)) if blocks else np.zeros(0, BLOCK)
        self.heads = heads
        self.strange = 0
        for kind, record in _RECORDS.items():
            of_kind = heads["kind"] == kind
            self.strange += int(np.count_nonzero(of_kind & ~self._is_sound(record, self._room(record))))

    @staticmethod
    def _room(record: np.dtype[Any]) -> int:
        return (BLOCK_BYTES - BLOCK_HEADER_BYTES) // record.itemsize

    def _is_sound(self, record: np.dtype[Any], room: int) -> NDArray[np.bool_]:
        sound: NDArray[np.bool_] = (self.heads["record_bytes"] == record.itemsize) & (self.heads["records"] <= room)
        return sound

    def records(self, kind: int) -> tuple[Table, NDArray[np.int64], NDArray[np.int64]]:
        """All records of a kind, with their offsets and their threads."""
        record = _RECORDS[kind]
        tables, offsets, threads = [np.zeros(0, record)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for number in np.flatnonzero((self.heads["kind"] == kind) & self._is_sound(record, self._room(record))):
            begin = HEADER_BYTES + int(number) * BLOCK_BYTES + BLOCK_HEADER_BYTES
            count = int(self.heads["records"][number])
            tables.append(np.frombuffer(self.data, record, count, begin))
            offsets.append(begin + record.itemsize * np.arange(count, dtype=np.int64))
            threads.append(np.full(count, int(self.heads["thread"][number]), np.int64))
        return np.concatenate(tables), np.concatenate(offsets), np.concatenate(threads)

    def time_lines(self) -> dict[int, Table]:
        """The bins of every source line that has some."""
        found = {}
        for number in np.flatnonzero((self.heads["kind"] == _TIME_LINE) & self._is_sound(BIN, self._room(BIN))):
            begin = HEADER_BYTES + int(number) * BLOCK_BYTES
            bins = np.frombuffer(self.data, BIN, int(self.heads["records"][number]), begin + BLOCK_HEADER_BYTES)
            found[begin] = bins
        return found
