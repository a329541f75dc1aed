"""Files of records into other files of records, in constant memory: hr_convert_records. Next: dialects.py.

What the records hold is needed where the byte orders differ: words are turned round, and records have words of several
lengths. A schema says it, or one kind for all.
"""

import math
import os
import signal
import threading
from collections.abc import Iterator
from ctypes import CFUNCTYPE, Structure, byref, c_char_p, c_int, c_int64, c_longlong, c_size_t
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from headrace import native
from headrace.convert.dialects import dialect_of, holds_no_values
from headrace.convert.progress import Meter, meter
from headrace.convert.request import PLAIN, Request, Side
from headrace.convert.words import word_bytes
from headrace.errors import HeadraceError, StatusError
from headrace.layout import kinds

if TYPE_CHECKING:
    from ctypes import Array as CArray

    from headrace.convert.variable import Variable
    from headrace.layout.schema import Array, Record, Schema

MOST_RUNS = 4_000_000  # entries of a pattern that does not simply repeat: about 500 MB

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


if TYPE_CHECKING:
    _Runs = CArray[WordRun]


def is_stream(request: Request) -> bool:
    """Whether both files hold records or plain bytes, all of them wanted and in their order."""
    schema = request.schema
    whole = schema is None or (schema.global_ is None and not schema.piece and schema.file.offset == 0)
    plain = request.source.format in PLAIN and request.result.format in PLAIN
    return plain and whole and len(request.files) == 1 and request.name is None and not request.selected


def copy_elements(variable: "Variable", target: Path, result: Side, meter: Meter, head: bytes = b"") -> bool:
    """Write the elements of an array in one record or in none, with `head` in front, if they lie ready in a file.

    Returns False where they do not, or not in records that hold what the array needs: reading tile by tile knows
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
    before = _layout(replace(stored.side, byte_order=variable.byte_order))
    before.first_byte = stored.first
    before.bytes = variable.bytes if stored.side.format == "raw" else 0
    after = _layout(replace(result, byte_order=order))
    after.head, after.head_bytes = head, len(head)
    if stored.record_bytes:  # a longer record is refused; a file of its size has no shorter one then
        after.form, after.record_length = _FORMS["direct"], stored.record_bytes
    turned = order != variable.byte_order
    runs = _array([(0, 0, word_bytes(variable.kind))] if turned else [])
    try:
        _call(stored.path, before, target, after, runs, meter)
    except StatusError as error:
        if error.name != _OTHER_RECORDS:
            raise
        meter.at(0)
        return False
    return True


def convert_stream(request: Request, quiet: bool = False) -> int:
    """Convert; returns the number of records. The new file appears whole or not at all."""
    found = dialect_of(request)
    given = request.result
    result = Side(
        given.format,
        given.byte_order or found.byte_order,
        given.record_marker or (found.record_marker if found.format == "unformatted" else 4),
        given.record_length or (found.record_length if given.format == "direct" else None),
    )
    if result.format == "direct" and result.record_length is None:
        raise HeadraceError(
            f"{request.target}: direct access needs the length of its records", "give its bytes: --to-record-length"
        )
    runs = _runs(request, found, result)
    size = request.file.stat().st_size  # before: the files may be one
    with meter(size, quiet) as shown:
        count = _call(request.file, _layout(found), request.target, _layout(result), runs, shown)
    if result.format == "direct":
        _note_padding(request, found, size, count, result.record_length or 1)
    return count


def _note_padding(request: Request, found: Side, size: int, count: int, length: int) -> None:
    """Records that were shorter have zeros behind them now, and nothing in B tells."""
    markers = 2 * (found.record_marker or 4) * count if found.format == "unformatted" else 0
    if request.target.stat().st_size != size - markers:
        request.notes.append(padding_note(length))


def padding_note(length: int) -> str:
    """What is said where a direct-access record is longer than what it holds."""
    return f"records shorter than --to-record-length {length:,} are filled with zeros; their own length is not kept"


def _layout(side: Side) -> RecordLayout:
    return RecordLayout(
        form=_FORMS[side.format],
        big_endian=int(side.byte_order == "big"),
        record_marker=side.record_marker or 4,
        long_records=_LONG[side.long_records or "subrecords"],
        segmented=int(side.record_type == "segmented"),
        record_length=side.record_length or 0,
    )


def _call(file: Path, before: RecordLayout, target: Path, after: RecordLayout, runs: "_Runs", shown: Meter) -> int:
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


def _runs(request: Request, found: Side, result: Side) -> "_Runs":
    """What the records hold, as far as it matters."""
    turned = found.byte_order != result.byte_order
    schema = request.schema
    if schema is not None and (turned or (found.format == "raw" and result.format != "raw")):
        return _of_schema(schema, request)
    if not turned:
        return _array([])
    if found.format == "unformatted" and holds_no_values(request.file):
        return _array([(0, 0, 8)])  # of words that there are none of
    if request.kind is not None:
        return _array([(0, 0, word_bytes(request.kind))])
    raise HeadraceError(
        f"{request.file}: to turn {found.byte_order}-endian words round it must be known how long they are",
        "name the kind of all values (--kind real64), or what each record holds (--schema); 'headrace inspect"
        " --schema' writes a first one",
    )


def _array(runs: list[tuple[int, int, int]]) -> "_Runs":
    return (WordRun * len(runs))(*(WordRun(*run) for run in runs))


def _of_schema(schema: "Schema", request: Request) -> "_Runs":
    words = {word for entry in schema.record for record in entry.each() for _, word in _items(record)}
    if len(words) == 1 and schema.file.format != "raw":
        return _array([(0, 0, words.pop())])
    last = schema.record[-1]
    total = None
    if last.repeat == "rest" and len(schema.record) > 1:
        total = _units(schema, request)
    runs: list[tuple[int, int, int]] = []
    number = done = 0
    for entry in schema.record:
        each = entry.each()
        size = sum(map(_size, each)) if schema.file.format == "raw" else len(each)
        alone = len(schema.record) == 1 and entry.repeat is not None  # the library repeats it by itself
        times = 1 if alone or entry.repeat is None else entry.repeat
        if times == "rest":
            times = (total - done) // size if size and total is not None else 0
        if len(runs) + times * sum(len(record.arrays()) for record in each) > MOST_RUNS:
            raise HeadraceError(
                f"{request.file}: the schema describes more than {MOST_RUNS:,} parts of records one by one",
                "a schema of one [[record]] with repeat has no such limit",
            )
        for _ in range(times):
            for record in each:
                runs += [(number, size, word) for size, word in _runs_of(record)]
                number += 1
        done += times * size
    return _array(runs)


def _units(schema: "Schema", request: Request) -> int:
    """Records of the file; bytes where it has none."""
    size = request.file.stat().st_size
    from headrace.record_files import records as open_records

    file = schema.file
    if file.format == "raw":
        return size
    if file.format == "direct":
        return size // (file.record_length or 1)
    options: dict[str, Any] = {"byte_order": file.byte_order, "long_records": file.long_records}
    marker = 0 if file.record_type == "segmented" else file.record_marker
    with open_records(request.file, record_marker=marker, record_type=file.record_type, **options) as opened:
        return len(opened)


def _size(record: "Record") -> int:
    return sum(size for size, _ in _items(record))


def _runs_of(record: "Record") -> list[tuple[int, int]]:
    """Bytes and words of what stands in a record; 0 bytes: all the rest."""
    items = list(_items(record))
    rest = any(item.skip is True for item in record.arrays())
    runs = [(size, word) for size, word in items if size > 0]
    return [*runs, (0, 1)] if rest or not runs else runs


def _items(record: "Record") -> Iterator[tuple[int, int]]:
    for item in record.arrays():
        if item.skip is True:
            yield 0, 1
        else:
            yield _bytes(item)


def _bytes(item: "Array") -> tuple[int, int]:
    if item.skip is not None:
        return int(item.skip), 1
    kind = kinds.find(item.kind or "")
    assert kind is not None and item.shape != "piece"
    return kind.size * math.prod(item.shape), word_bytes(kind)
