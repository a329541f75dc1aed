"""The elements of files copied by the library, in constant memory: hr_convert_records. First: plain.py."""

import os
import signal
import threading
from ctypes import CFUNCTYPE, Array, Structure, byref, c_char_p, c_int, c_int64, c_longlong, c_size_t
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from headrace import native
from headrace.containers.meter import Meter
from headrace.containers.request import Side
from headrace.containers.words import word_bytes
from headrace.errors import HeadraceError, StatusError

if TYPE_CHECKING:
    from headrace.containers.variable import Variable

_FORMS = {"unformatted": 1, "direct": 2, "raw": 3}
_LONG = {"subrecords": 0, "high_bit": 1, "unsigned": 2}
_OTHER_RECORDS = "record_size_mismatch"
_Progress = CFUNCTYPE(c_int, c_int64, c_int64)


class RecordLayout(Structure):
    """hr_record_layout."""

    _fields_ = (
        ("form", c_int),
        ("big_endian", c_int),
        ("record_marker", c_int),
        ("long_records", c_int),
        ("segmented", c_int),
        ("record_length", c_longlong),
        ("first_byte", c_longlong),
        ("bytes", c_longlong),
        ("head", c_char_p),
        ("head_bytes", c_size_t),
    )


class WordRun(Structure):
    """hr_word_run."""

    _fields_ = (("record", c_longlong), ("bytes", c_longlong), ("word_bytes", c_int))


Runs = Array[WordRun]


def copy_elements(variable: "Variable", target: Path, result: Side, meter: Meter, head: bytes = b"") -> bool:
    """Write the elements of an array in one record or in none, with `head` in front, if they lie ready in a file.

    Returns False if they do not, or not in records that hold what the array needs: reading tile by tile knows
    values that lie in two records, and says why it refuses others. The new file appears whole or not at all.
    """
    stored = variable.stored
    order = result.byte_order or variable.byte_order
    if stored is None or not variable.bytes or (result.format == "unformatted" and stored.side.format != "raw"):
        return False
    if stored.path.stat().st_mtime_ns != stored.changed:
        raise HeadraceError(
            f"{stored.path}: the file has changed while it was read", "convert it when nothing writes to it"
        )
    before = record_layout(replace(stored.side, byte_order=variable.byte_order))
    before.first_byte = stored.first
    before.bytes = variable.bytes if stored.side.format == "raw" else 0
    after = record_layout(replace(result, byte_order=order))
    after.head, after.head_bytes = head, len(head)
    if stored.record_bytes:  # a longer record is refused; a file of its size has no shorter one then
        after.form, after.record_length = _FORMS["direct"], stored.record_bytes
    turned = order != variable.byte_order
    runs = word_runs([(0, 0, word_bytes(variable.kind))] if turned else [])
    try:
        copy_records(stored.path, before, target, after, runs, meter)
    except StatusError as error:
        if error.name != _OTHER_RECORDS:
            raise
        meter.at(0)
        return False
    return True


def padding_note(length: int) -> str:
    """What is said if a direct-access record is longer than what it holds."""
    return f"records shorter than --to-record-length {length:,} are filled with zeros; their own length is not kept"


def record_layout(side: Side) -> RecordLayout:
    return RecordLayout(
        form=_FORMS[side.format],
        big_endian=int(side.byte_order == "big"),
        record_marker=side.record_marker or 4,
        long_records=_LONG[side.long_records or "subrecords"],
        segmented=int(side.record_type == "segmented"),
        record_length=side.record_length or 0,
    )


def copy_records(file: Path, before: RecordLayout, target: Path, after: RecordLayout, runs: Runs, shown: Meter) -> int:
    """Calls the library. A signal is noted and ends the work, because no exception may cross it."""
    stopped: list[int] = []
    count = c_longlong()
    with _noted(stopped):

        def progress(done: int, whole: int) -> int:
            shown.at(done - before.first_byte)
            return 0 if stopped else 1

        try:
            native.call(
                "hr_convert_records",
                c_char_p(os.fsencode(file)),
                byref(before),
                c_char_p(os.fsencode(target)),
                byref(after),
                runs if len(runs) else None,
                c_size_t(len(runs)),
                None,
                _Progress(progress),
                byref(count),
            )
        except StatusError as error:
            if error.name != "interrupted" or not stopped:
                raise
            raise KeyboardInterrupt from None
    if stopped:  # it came when all was done
        raise KeyboardInterrupt
    return count.value


class _noted:  # noqa: N801
    """Within the block SIGINT and SIGTERM are noted in a list."""

    def __init__(self, stopped: list[int]) -> None:
        self._stopped = stopped
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._stopped.append(number)

    def __exit__(self, *ignored: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def word_runs(runs: list[tuple[int, int, int]]) -> Runs:
    return (WordRun * len(runs))(*(WordRun(*run) for run in runs))
