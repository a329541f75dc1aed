"""Rules of the statements around transfers: HR301 to HR306."""

from collections.abc import Iterator

from headrace.trace.advice.costs import estimate
from headrace.trace.advice.facts import Facts, Found, of_bytes, per_statement, times
from headrace.trace.results import Line

MANY = 100  # of a process: OPEN, FLUSH, BACKSPACE cost microseconds
MANY_REWINDS = 10
MANY_INQUIRES = 1000
SAME_FILE = 20  # openings of each file, on average
ASKS_SYSTEM = 200e-9  # seconds: INQUIRE(UNIT=) takes 20 ns, INQUIRE(FILE=) 1 us
SMALL = 4096  # bytes: a buffer would have collected them
IN_SYSTEM = 0.3  # share of the seconds


def around(line: Line, facts: Facts) -> Iterator[Found]:
    """All that can be said of a statement that moves no data, and of a unit without a buffer."""
    each = line.statements / max(1, line.processes)
    if line.statement == "open" and each >= MANY and line.statements >= SAME_FILE * max(1, len(line.files)):
        yield _opens(line, facts)
    elif line.statement == "flush" and each >= MANY:
        yield _flushes(line, facts)
    elif line.statement == "inquire" and each >= MANY_INQUIRES:
        if line.seconds_exclusive >= ASKS_SYSTEM * line.statements:
            yield _inquires(line)
    elif line.statement == "backspace" and each >= MANY:
        yield _backspaces(line, facts)
    elif line.statement == "rewind" and each >= MANY_REWINDS:
        yield from _rewinds(line, facts)
    elif line.statement == "write" and not line.internal:
        yield from _unbuffered(line, facts)


def _opens(line: Line, facts: Facts) -> Found:
    files = len(line.files)
    closes = [
        other
        for other in facts.trace.lines
        if other.statement == "close" and set(other.files[:1]) & set(line.files[:1]) and other.statements >= MANY
    ]
    once = max(1, files) * sum(x.seconds_exclusive / x.statements for x in (line, *closes))
    written = sum(x.bytes_written for x in closes) * facts.costs.system_byte("write")
    before = line.seconds_exclusive + sum(x.seconds_exclusive for x in closes)
    after = 2 * once + 2 * written
    return Found(
        "HR301",
        line,
        f"{times(line.statements, 'OPEN')} of {times(files, 'file')}"
        + (f", with {times(sum(x.statements for x in closes), 'CLOSE')}" if closes else ""),
        "OPEN once in front of the loop, CLOSE behind it"
        + ("; FLUSH where the data must be in the file" if closes else ""),
        estimate(after, once / 4, 4 * once + 4 * written + 0.02 * before),
        others=closes,
        effect_words="the same bytes at the end; after a crash what was in the buffer is missing",
        evidence={"opens": line.statements, "files": files},
    )


def _flushes(line: Line, facts: Facts) -> Found:
    written = line.bytes_written * facts.costs.system_byte("write")
    each = line.seconds_exclusive / line.statements
    return Found(
        "HR302",
        line,
        f"{times(line.statements, 'FLUSH')}, {times(line.calls.write, 'system call')} of "
        f"{of_bytes(line.bytes_written / max(1, line.calls.write))}",
        "FLUSH (unit) once a checkpoint; CLOSE flushes too",
        estimate(each + written, each / 4, 10 * each + 4 * written + 0.02 * line.seconds_exclusive),
        effect_words="the same bytes at the end; after a crash what was in the buffer is missing",
        evidence={"flushes": line.statements, "bytes_written": line.bytes_written},
    )


def _inquires(line: Line) -> Found:
    once = line.seconds_exclusive / line.statements * max(1, line.processes)
    return Found(
        "HR304",
        line,
        f"{times(line.statements, 'INQUIRE')}, {1e6 * line.seconds_exclusive / line.statements:.2g} us each",
        "INQUIRE once in front of the loop, and keep the answer in a LOGICAL",
        estimate(once, once / 4, 10 * once + 0.02 * line.seconds_exclusive),
        evidence={"inquiries": line.statements},
    )


def _backspaces(line: Line, facts: Facts) -> Found:
    file = facts.file(line)
    reads = facts.lines_of(file, "read") if file else []
    reading = sum(x.seconds_exclusive for x in reads)
    return Found(
        "HR305",
        line,
        times(line.statements, "BACKSPACE"),
        "READ the record into a CHARACTER variable once, then READ (variable, ...) from that as often as needed",
        estimate(0.8 * reading, 0.3 * reading, reading + 0.1 * line.seconds_exclusive),
        others=reads,
        evidence={"backspaces": line.statements},
    )


def _rewinds(line: Line, facts: Facts) -> Iterator[Found]:
    file = facts.file(line)
    reads = [x for x in facts.lines_of(file, "read") if x.statements >= line.statements] if file else []
    if not reads:
        return
    reading = sum(x.seconds_exclusive for x in reads)
    again = line.statements / max(1, line.processes) + 1
    once = reading / again
    yield Found(
        "HR306",
        line,
        f"{times(line.statements, 'REWIND')}: the file is read {again:.0f} times",
        "READ the file once into an array, and use that",
        estimate(1.2 * once, 0.5 * once, 3 * once + 0.02 * reading),
        others=reads,
        evidence={"rewinds": line.statements},
    )


def _unbuffered(line: Line, facts: Facts) -> Iterator[Found]:
    calls = line.calls.write
    if line.statements < MANY_INQUIRES or calls < 0.9 * line.statements or "direct" in line.traits:
        return
    small = per_statement(line) <= SMALL and line.bytes_written <= SMALL * calls
    if not small or line.seconds_in_system < IN_SYSTEM * line.seconds_exclusive:
        return
    file = facts.file(line)
    kind = file.kind if file else "unknown"
    where = {"terminal": "a terminal", "pipe": "a pipe", "other": "a device"}.get(kind, "a file")
    advice = (
        "send the output to a file: ./program > output.txt"
        if kind in ("terminal", "pipe", "other")
        else "unset GFORTRAN_UNBUFFERED_ALL; Intel: OPEN (..., BUFFERED='YES')"
    )
    outside = line.seconds_exclusive - line.seconds_in_system
    written = line.bytes_written * facts.costs.system_byte("write")
    yield Found(
        "HR303",
        line,
        f"{times(calls, 'system call')} for {times(line.statements, 'statement')} to {where}",
        advice,
        estimate(outside + 2 * written, outside, outside * 1.2 + 0.2 * line.seconds_in_system + 2 * written),
        evidence={"write_calls": calls, "statements": line.statements},
    )
