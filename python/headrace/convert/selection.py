"""One record, or one step, of a file of many: `--record N` and `--step N`.

Next: ../layout/segments.py, which finds the bytes.

Both become a schema that names what is wanted and skips all else, so that every format and every check serves them too.
"""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from headrace.containers.records.dialects import dialect_of, schema_dialect
from headrace.containers.request import PLAIN, Request
from headrace.errors import HeadraceError
from headrace.layout.positions import Positions, record_positions
from headrace.layout.schema import Dialect, Entry, Record, Schema


def select(request: Request, record: int | None, step: int | None, look: Callable[[Request], Request]) -> Request:
    """The request for record `record` or step `step` alone, both from 1; negative numbers count from the end.

    `look` finds out what the records hold when nobody has said it. Raises HeadraceError that says how many there are.
    """
    if record is not None and step is not None:
        raise HeadraceError("--record and --step both choose a part of the file", "leave one of them out")
    option = "--record" if step is None else "--step"
    if request.source.format not in ("unformatted", "direct") and not (step is not None and request.schema):
        raise HeadraceError(
            f"{option}: has no meaning for {request.source.format}", "it is for unformatted and direct-access records"
        )
    if request.schema is not None and (request.schema.global_ is not None or request.schema.piece):
        raise HeadraceError(
            f"{option}: has no meaning for pieces of one array ([global], [[piece]])",
            "convert all of them, or describe one file by a schema of its own",
        )
    one = _of_one_record(request, record, look) if step is None else _of_one_step(request, step or 0, look)
    schema, selected = one
    return dataclasses.replace(request, schema=schema, kind=None, shape=None, selected=selected)


def _of_one_record(request: Request, wanted: int | None, look: Callable[[Request], Request]) -> tuple[Schema, range]:
    dialect = _dialect(request)
    positions = record_positions(request.file, dialect)
    number = _number("--record", wanted or 0, positions.count, "record", request.file)
    if request.schema is None and request.kind is None and _as_it_is(request, dialect):
        bytes_ = int(positions.lengths()[number])
        holds: tuple[Record, ...] = (Record(name=f"record_{number + 1}", kind="int8", shape=(bytes_,)),)
    elif request.schema is None and request.kind is not None:
        holds = (_of_one_kind(request, positions, number),)
    else:
        schema = request.schema or look(request).schema
        assert schema is not None
        holds = (_holds(schema, positions, number),)
    return _only(dialect, number, 1, holds, positions.count)


def _dialect(request: Request) -> Dialect:
    return request.schema.file if request.schema is not None else schema_dialect(dialect_of(request))


def _as_it_is(request: Request, dialect: Dialect) -> bool:
    """Whether the bytes of the record are wanted as they are: then it does not matter what they mean."""
    return request.result.format in PLAIN and request.result.byte_order in (None, dialect.byte_order)


def _of_one_kind(request: Request, positions: Positions, number: int) -> Record:
    assert request.kind is not None
    held = int(positions.lengths()[number])
    shape = request.shape if request.shape is not None else (held // request.kind.size,)
    return Record(
        name=request.array_name,
        kind=request.kind.name,
        shape=shape,
        order="c" if request.order == "c" else "fortran",
    )


def _holds(schema: Schema, positions: Positions, number: int) -> Record:
    """What a schema says of record `number`, from 0."""
    at = 0
    for entry in schema.record:
        each = entry.each()
        left = positions.count - at
        times = 1 if entry.repeat is None else left // len(each) if entry.repeat == "rest" else entry.repeat
        if number < at + times * len(each):
            found = each[(number - at) % len(each)]
            if not any(item.name for item in found.arrays()):
                raise HeadraceError(
                    f"{positions.path}: the schema skips record {number + 1}", "say there what it holds, or --kind"
                )
            return Record.model_validate(_said(found))
        at += times * len(each)
    raise HeadraceError(
        f"{positions.path}: the schema ends at record {at}, before record {number + 1}", "add what follows"
    )


def _of_one_step(request: Request, wanted: int, look: Callable[[Request], Request]) -> tuple[Schema, range]:
    schema = request.schema or look(request).schema
    assert schema is not None
    repeated = [place for place, entry in enumerate(schema.record) if entry.repeat is not None]
    if len(repeated) != 1:
        raise HeadraceError(
            f"{request.file}: --step needs records that are repeated together, found {len(repeated)} such groups",
            "a --schema says which: one [[record]] with repeat; --record N takes a record by its number",
        )
    if schema.file.format == "raw":
        raise HeadraceError("--step: has no meaning for raw", "it is for unformatted and direct-access records")
    place = repeated[0]
    entry = schema.record[place]
    each = entry.each()
    positions = record_positions(request.file, schema.file)
    before = sum(len(other.each()) for other in schema.record[:place])
    behind = sum(len(other.each()) for other in schema.record[place + 1 :])
    left = positions.count - before - behind
    if entry.repeat == "rest" and left % len(each):
        raise HeadraceError(
            f"{request.file}: {left} records are left for steps of {len(each)}: the last step is incomplete",
            "state the number of whole steps as repeat in a --schema, and [[record]] with skip for what follows",
        )
    times = left // len(each) if entry.repeat == "rest" else int(entry.repeat or 0)
    number = _number("--step", wanted, times, "step", request.file)
    records = tuple(Record.model_validate(_said(record)) for record in each)
    return _only(schema.file, before + number * len(each), len(each), records, positions.count)


def _said(record: Record) -> dict[str, object]:
    return {key: value for key, value in record if key in Record.model_fields and key in record.model_fields_set}


def _number(option: str, wanted: int, count: int, what: str, path: Path) -> int:
    """From 0."""
    number = wanted - 1 if wanted > 0 else count + wanted
    if wanted == 0 or not 0 <= number < count:
        raise HeadraceError(
            f"{path}: there is no {what} {wanted}: the file has {count}",
            f"{option} counts from 1; -1 is the last one",
        )
    return number


def _only(dialect: Dialect, first: int, count: int, holds: tuple[Record, ...], whole: int) -> tuple[Schema, range]:
    """A schema of `count` records from `first` on, all else is skipped; and their numbers."""
    entries = [Entry(skip=True, repeat=first)] if first else []
    entries += [Entry.model_validate(_said(record)) for record in holds]
    if first + count < whole:
        entries.append(Entry(skip=True, repeat="rest"))
    return Schema(file=dialect, record=tuple(entries)), range(first, first + count)
