"""Files of records into other files of records, in constant memory: hr_convert_records.

Next: ../containers/records/dialects.py.

What the records hold is needed if the byte orders differ: words are turned round, and records have words of several
lengths. A schema says it, or one kind for all.
"""

import dataclasses
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from headrace.containers.meter import Meter, Show, nobody
from headrace.containers.records.copies import Runs, copy_records, padding_note, record_layout, word_runs
from headrace.containers.records.dialects import dialect_of, holds_no_values
from headrace.containers.request import PLAIN, Request, Side
from headrace.containers.words import word_bytes
from headrace.errors import HeadraceError
from headrace.later import later
from headrace.layout import kinds

if TYPE_CHECKING:
    from headrace import record_files
    from headrace.layout import segments
    from headrace.layout.schema import Array, Record, Schema
else:
    record_files, segments = later("headrace.record_files"), later("headrace.layout.segments")

MOST_RUNS = 4_000_000  # entries of a pattern that does not simply repeat: about 500 MB


def is_stream(request: Request) -> bool:
    """Whether both files hold records or plain bytes, all of them wanted and in their order."""
    schema = request.schema
    whole = schema is None or (schema.global_ is None and not schema.piece and schema.file.offset == 0)
    plain = request.source.format in PLAIN and request.result.format in PLAIN
    return plain and whole and len(request.files) == 1 and request.name is None and request.selected is None


def convert_stream(request: Request, show: Show = nobody) -> int:
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
    request.check_left_out()
    size = request.file.stat().st_size  # before: the files may be one
    shown = Meter(size, show)
    count = copy_records(request.file, record_layout(found), request.target, record_layout(result), runs, shown)
    if result.format == "direct":
        _note_padding(request, found, size, count, result.record_length or 1)
    return count


def _note_padding(request: Request, found: Side, size: int, count: int, length: int) -> None:
    """Records that were shorter have zeros behind them now, and nothing in B tells."""
    markers = 2 * (found.record_marker or 4) * count if found.format == "unformatted" else 0
    if request.target.stat().st_size != size - markers:
        request.notes.append(padding_note(length))


def _runs(request: Request, found: Side, result: Side) -> Runs:
    """What the records hold, as far as it matters."""
    turned = found.byte_order != result.byte_order
    schema = request.schema
    if schema is not None:
        left = segments.file_arrays(schema, request.file)[1]  # the library asks for no more than the first records
        if turned:
            request.left_out.append(dataclasses.replace(left, how=f"keep their {found.byte_order}-endian order in"))
        if turned or (found.format == "raw" and result.format != "raw"):
            return _of_schema(schema, request)
    if not turned:
        return word_runs([])
    if found.format == "unformatted" and holds_no_values(request.file):
        return word_runs([(0, 0, 8)])  # of words that there are none of
    if request.kind is not None:
        return word_runs([(0, 0, word_bytes(request.kind))])
    raise HeadraceError(
        f"{request.file}: to turn {found.byte_order}-endian words round, headrace must know how long they are",
        "name the kind of all values (--kind real64), or what each record holds (--schema); 'headrace inspect"
        " --schema' writes a first one",
    )


def _of_schema(schema: "Schema", request: Request) -> Runs:
    words = {word for entry in schema.record for record in entry.each() for _, word in _items(record)}
    if len(words) == 1 and schema.file.format != "raw":
        return word_runs([(0, 0, words.pop())])
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
    return word_runs(runs)


def _units(schema: "Schema", request: Request) -> int:
    """Records of the file; bytes if it has none."""
    size = request.file.stat().st_size
    file = schema.file
    if file.format == "raw":
        return size
    if file.format == "direct":
        return size // (file.record_length or 1)
    options: dict[str, Any] = {"byte_order": file.byte_order, "long_records": file.long_records}
    marker = 0 if file.record_type == "segmented" else file.record_marker
    with record_files.records(request.file, record_marker=marker, record_type=file.record_type, **options) as opened:
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
