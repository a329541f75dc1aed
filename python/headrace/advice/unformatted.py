"""Rules of unformatted statements: HR101, HR102, HR103, HR107, HR108, HR407, HR408."""

from collections.abc import Iterator

from headrace.advice.costs import estimate
from headrace.advice.facts import Facts, Found, is_direct, is_transfer, operation_of, per_statement, times
from headrace.advice.rewrite import Rewrite
from headrace.results.records import of_bytes
from headrace.trace.files import VARIOUS
from headrace.trace.results import Line

MANY = 10_000  # statements: below, their overhead is less than a millisecond
FEW_ELEMENTS = 4
SHORT_RECORD = 1024  # bytes: from here on the copy costs more than the record
SHORT_DIRECT = 512
MANY_ITEMS = 1000  # of a statement
MUCH_MORE = 4  # times as much is read as the program gets
SCATTERED = 1_000_000  # bytes read
CONVERTED = 10_000_000  # bytes of payload


def unformatted(line: Line, facts: Facts) -> Iterator[Found]:
    """All that can be said of an unformatted statement."""
    if not is_transfer(line, "unformatted") or not line.elements:
        return
    scattered = _scattered(line)
    if scattered:
        yield _read_more(line, facts)
    elif is_direct(line):
        if line.statements >= MANY and per_statement(line) <= SHORT_DIRECT:
            yield _direct(line, facts)
    elif "positioned" in line.traits:
        pass  # where the bytes go is known to the program alone
    elif line.statements >= MANY and line.elements <= FEW_ELEMENTS * line.statements:
        yield _records(line, facts, "HR101")
    elif line.statements >= MANY and per_statement(line) <= SHORT_RECORD:
        yield _records(line, facts, "HR107")
    elif line.items >= MANY_ITEMS * line.statements and line.items >= 0.9 * line.elements:
        yield _items(line, facts)
    yield from _converted(line, facts)
    if line.statement == "read" and line.errors:
        yield _mismatch(line)


def _access(line: Line, facts: Facts) -> str:
    file = facts.file(line)
    if file and file.access == "stream":
        return "stream"
    return "sequential"


def _records(line: Line, facts: Facts, code: str) -> Found:
    access = _access(line, facts)
    stream = access != "sequential"
    rewrite = Rewrite(line, facts.sources)
    found = Found(
        code,
        line,
        f"{times(line.statements, 'statement')} of {of_bytes(per_statement(line))}",
        rewrite.whole_array(),
        facts.whole_arrays(line, "stream" if stream else "sequential"),
        evidence={"statements": line.statements, "payload_of_a_statement": per_statement(line)},
    )
    if stream:
        found.effect = "identical"
        condition = ", if all items are of one type" if rewrite.has_several_items else ""
        found.effect_words = f"the same bytes{condition}: ACCESS='STREAM' has no records"
    else:
        other = "writes" if line.statement == "read" else "reads"
        found.effect_words = (
            f"fewer, longer records: what {other} the file must change in the same way. With ACCESS='STREAM' it has no "
            "records at all"
        )
    return found


def _direct(line: Line, facts: Facts) -> Found:
    file = facts.file(line)
    recl = file.record_length if file else 0
    exact = line.payload_smallest == recl == line.payload_largest
    return Found(
        "HR102",
        line,
        f"{times(line.statements, 'record')} of {of_bytes(per_statement(line))}, a statement each",
        Rewrite(line, facts.sources).without_record(recl if exact else 0),
        facts.whole_arrays(line, "stream"),
        effect="identical" if exact else "reader",
        effect_words="the same bytes, if the records are written in ascending order"
        if exact
        else "records are longer than what is in them: without the padding the reader must change",
        evidence={"statements": line.statements, "payload_of_a_statement": per_statement(line), "record_length": recl},
    )


def _items(line: Line, facts: Facts) -> Found:
    return Found(
        "HR103",
        line,
        f"{times(line.items, 'item')} that are passed one by one in {times(line.statements, 'statement')}",
        Rewrite(line, facts.sources).array_of_items(),
        facts.whole_arrays(line, _access(line, facts)),
        evidence={"items": line.items, "elements": line.elements, "statements": line.statements},
    )


def _scattered(line: Line) -> bool:
    if line.statement != "read" or line.bytes_read < SCATTERED:
        return False
    return line.bytes_read >= MUCH_MORE * max(1, line.payload_bytes)


def _read_more(line: Line, facts: Facts) -> Found:
    share = 2 * line.payload_bytes / line.bytes_read
    outside = max(0.0, line.seconds_exclusive - line.seconds_in_system)
    after = line.seconds_in_system * share + outside
    size = of_bytes(line.payload_bytes)
    return Found(
        "HR108",
        line,
        f"{of_bytes(line.bytes_read)} are read from the file for {size} that the program gets",
        "ascending order of records, or a whole block of them in one READ; without a change of the source "
        "GFORTRAN_UNFORMATTED_BUFFER_SIZE=4096",
        estimate(after, 0.2 * after, outside * 1.2 + line.seconds_in_system * min(1.0, 2 * share) + 1e-4),
        evidence={"bytes_read": line.bytes_read, "payload_bytes": line.payload_bytes},
    )


def _converted(line: Line, facts: Facts) -> Iterator[Found]:
    file = facts.file(line)
    if file is None or file.convert in ("", "native", VARIOUS) or line.payload_bytes < CONVERTED:
        return
    begun_again = file.access in ("", "sequential") and file.position in ("", "asis", "rewind")
    if line.statement == "write" and file.status not in ("replace", "new") and not begun_again:
        return  # one file would have both byte orders
    swapped = line.payload_bytes * facts.costs.swapped_byte(operation_of(line))
    after, high = line.seconds_exclusive - swapped, line.seconds_exclusive - 0.5 * swapped
    model = facts.costs.model(operation_of(line))
    if model and model.vendor == "llvm" and line.elements >= MANY_ITEMS * line.items:
        # swapped element by element, into a record that grows: whole arrays are copied at once
        best = facts.whole_arrays(line)
        after, high = min(after, best.seconds), min(high, best.high)
    yield Found(
        "HR408",
        line,
        f"CONVERT='{file.convert}' on {of_bytes(line.payload_bytes)}",
        "OPEN without CONVERT=",
        estimate(after, 0.5 * after, high),
        effect_words=f"the other byte order: convert old files once, headrace convert {file.path}",
        evidence={"payload_bytes": line.payload_bytes},
    )


def _mismatch(line: Line) -> Found:
    return Found(
        "HR407",
        line,
        f"{times(line.errors, 'error')} in {times(line.statements, 'statement')}",
        "an I/O list as long as the record in the file",
        None,
        why_no_estimate="this concerns correctness, not time",
        evidence={"errors": line.errors, "statements": line.statements},
    )
