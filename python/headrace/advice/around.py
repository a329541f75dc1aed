"""Rules of the statements around transfers: HR301 to HR306."""

from collections.abc import Iterator

from headrace.advice.costs import estimate
from headrace.advice.facts import Facts, Found, per_statement, times
from headrace.results.records import of_bytes
from headrace.trace.reopened import IN_PLACE_OF_OPEN, reopened
from headrace.trace.results import Line

MANY = 100  # of a process: OPEN, FLUSH, BACKSPACE cost microseconds
MANY_REWINDS = 10
MANY_INQUIRES = 1000
SAME_FILE = 20  # openings of each file, on average
ASKS_SYSTEM = 200e-9  # seconds: INQUIRE(UNIT=) takes 20 ns, INQUIRE(FILE=) 1 us
SMALL = 4096  # bytes: a buffer would have collected them
COLD = 15e-6  # seconds: the first call finds nothing in the caches
IN_SYSTEM = 0.3  # share of the seconds


def around(line: Line, facts: Facts) -> Iterator[Found]:
    """All that can be said of a statement that moves no data, and of a unit without a buffer."""
    each = line.statements / max(1, line.processes)
    if line.statement == "open" and each >= MANY and line.statements >= SAME_FILE * max(1, len(line.files)):
        yield from _opens(line, facts)
    elif line.statement == "flush" and each >= MANY:
        if facts.may_wait(line):
            yield _flushes(line, facts)
    elif line.statement == "inquire" and each >= MANY_INQUIRES:
        if line.seconds_exclusive >= ASKS_SYSTEM * line.statements:
            yield _inquires(line)
    elif line.statement == "backspace" and each >= MANY:
        yield from _backspaces(line, facts)
    elif line.statement == "rewind" and each >= MANY_REWINDS:
        yield from _rewinds(line, facts)
    elif line.statement == "write" and not line.internal:
        yield from _unbuffered(line, facts)


def _opens(line: Line, facts: Facts) -> Iterator[Found]:
    ways = {reopened(facts.trace, facts.files[number]) for number in line.files if number in facts.files}
    way = ways.pop() if len(ways) == 1 else None
    if way is None:
        return
    files = len(line.files)
    instead = "; ".join(IN_PLACE_OF_OPEN[way])
    own = set(line.files[:1])
    many = (x for x in facts.trace.lines if x.statement == "close" and x.statements >= MANY)
    closes = [close for close in many if own & set(close.files[:1])]
    once = max(1, files) * sum(x.seconds_exclusive / x.statements for x in (line, *closes))
    yield _with_writes(
        Found(
            "HR301",
            line,
            f"{times(line.statements, 'OPEN')} of {times(files, 'file')}"
            + (f", with {times(sum(x.statements for x in closes), 'CLOSE')}" if closes else ""),
            "OPEN once before the loop, CLOSE after it"
            + (f"; where OPEN was: {instead}" if instead else "")
            + ("; FLUSH where the data must be in the file" if closes else ""),
            None,
            others=closes,
            evidence={"opens": line.statements, "files": files},
        ),
        facts,
        once + COLD,
    )


def _flushes(line: Line, facts: Facts) -> Found:
    calls = line.calls.write
    return _with_writes(
        Found(
            "HR302",
            line,
            f"{times(line.statements, 'FLUSH')}, {times(calls, 'system call')} of "
            f"{of_bytes(line.bytes_written / max(1, calls))}",
            "FLUSH (unit) once for each checkpoint; CLOSE flushes too",
            None,
            evidence={"flushes": line.statements, "bytes_written": line.bytes_written},
        ),
        facts,
        line.seconds_exclusive / line.statements,
    )


def _with_writes(found: Found, facts: Facts, once: float) -> Found:
    """The WRITE statements belong to it: they fill a buffer now, which somebody must empty."""
    file = facts.file(found.line)
    gone = found.before
    moved = sum(x.bytes_written for x in (found.line, *found.others))
    writes = facts.lines_of(file, "write") if file else []
    found.others = [*found.others, *writes]
    writing = sum(x.seconds_exclusive for x in writes)
    in_system = moved * facts.costs.system_byte("write")
    after = once + writing + in_system
    found.after = estimate(after, 0.5 * after, 4 * once + 1.3 * writing + 4 * in_system + 0.02 * gone)
    found.effect_words = "the same bytes at the end; after a crash what was in the buffer is missing"
    return found


def _inquires(line: Line) -> Found:
    once = line.seconds_exclusive / line.statements * max(1, line.processes) + COLD
    return Found(
        "HR304",
        line,
        f"{times(line.statements, 'INQUIRE')}, {1e6 * line.seconds_exclusive / line.statements:.2g} us each",
        "ask every N steps what another program may change; a file of this program needs no INQUIRE if it stays open",
        estimate(once, once / 5, 10 * once + 0.02 * line.seconds_exclusive),
        evidence={"inquiries": line.statements},
    )


def _backspaces(line: Line, facts: Facts) -> Iterator[Found]:
    file = facts.file(line)
    reads = facts.lines_of(file, "read") if file else []
    if facts.is_written_too(line) or not reads:
        return  # the last record is written over
    count = sum(x.statements for x in reads)
    found = Found(
        "HR305",
        line,
        times(line.statements, "BACKSPACE"),
        "keep what was read in variables, and use it again",
        None,
        others=reads,
        evidence={"backspaces": line.statements, "reads": count},
    )
    if any(x.form != "unformatted" for x in reads) or count <= line.statements:
        found.others = []
        found.better = "READ the record into a CHARACTER variable, and READ (variable, ...) from that"
        found.why_no_estimate = "a READ from a variable may take as long as the second one from the file"
    else:
        reading = sum(x.seconds_exclusive for x in reads)
        fewer = reading * (1 - line.statements / count)
        found.after = estimate(fewer, 0.4 * fewer, 1.5 * fewer + 0.02 * line.seconds_exclusive)
    yield found


def _rewinds(line: Line, facts: Facts) -> Iterator[Found]:
    file = facts.file(line)
    reads = [x for x in facts.lines_of(file, "read") if x.statements >= line.statements] if file else []
    if not reads or facts.is_written_too(line):
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
    advice = "send the output to a new file"
    if kind not in ("terminal", "pipe", "other"):
        if not facts.may_wait(line):
            return
        advice = "unset GFORTRAN_UNBUFFERED_ALL; Intel: OPEN (..., BUFFERED='YES')"
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
