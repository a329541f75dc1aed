"""Rules of formatted statements: HR201 to HR204, HR207."""

import re
from collections.abc import Iterator

from headrace.advice.costs import estimate
from headrace.advice.facts import SIZES, Facts, Found, element_size, operation_of, times
from headrace.advice.rewrite import Rewrite
from headrace.results.records import of_bytes
from headrace.trace.files import PRECONNECTED
from headrace.trace.results import Estimate, Line

MANY_NUMBERS = 20_000  # 4 to 14 ms of conversion
MANY = 10_000  # statements
MUCH_FOR_PEOPLE = 1 << 20  # bytes
SMALL_PIECE = 8192 + 512  # bytes: libgfortran's buffer of text, and a record
MANY_CALLS = 1000
SLOW_CALL = 20e-6  # seconds: a local disk takes less than 10
_NUMBERS = {"e", "es", "en", "d", "f", "g", "i", "z", "b", "o", "ex"}
KEPT = 0.4  # of a line's seconds remain at least, if only its statements become fewer


def text(line: Line, facts: Facts) -> Iterator[Found]:
    """All that can be said of a formatted or list-directed statement to a file."""
    if line.form not in ("formatted", "list-directed") or line.statement not in ("write", "read"):
        return
    if line.internal or "child" in line.traits or not line.elements:
        return
    file = facts.file(line)
    if file is None or file.kind in ("terminal", "pipe"):
        return  # text for people, or for another program
    if file.path in PRECONNECTED.values() and file.bytes_written + file.bytes_read < MUCH_FOR_PEOPLE:
        return  # likewise; more than that is data that a shell put into a file
    if line.elements >= MANY_NUMBERS and _are_numbers(line):
        yield _as_unformatted(line, facts)
    few = line.elements <= 2 * line.statements
    if line.statements >= MANY and few and line.form == "formatted" and _are_numbers(line):
        yield _one_statement(line, facts)
    yield from _small_buffer(line, facts)


def _are_numbers(line: Line) -> bool:
    """Text of characters stays text. Numbers of several kinds have another mean size than any of them."""
    edits = [set(re.findall(r"[a-z]+", re.sub(r"'[^']*'|\"[^\"]*\"", "", text.lower()))) for text in line.formats]
    if element_size(line) not in SIZES[2:]:
        smallest = line.payload_bytes >= SIZES[2] * line.elements
        return smallest and bool(edits) and all(words & _NUMBERS and not words & {"a", "l", "g"} for words in edits)
    return not edits or any(words & _NUMBERS for words in edits)


def _as_unformatted(line: Line, facts: Facts) -> Found:
    moved = line.bytes_written + line.bytes_read
    listed = line.form == "list-directed"
    size = f", {of_bytes(moved)} of text for {of_bytes(line.payload_bytes)} of numbers" if moved else ""
    other = "writes" if line.statement == "read" else "reads"
    alone = (
        sum(bool(set(one.files) & set(line.files)) for one in facts.trace.lines if one.statement == line.statement) == 1
    )
    return Found(
        "HR203" if listed else "HR201",
        line,
        f"{times(line.elements, 'number')} {'with FMT=*' if listed else 'as text'} in "
        f"{times(line.statements, 'statement')}{size}",
        Rewrite(line, facts.sources).unformatted()
        if alone
        else "OPEN (..., form='unformatted'), and each READ and WRITE of the file without a format",
        facts.whole_arrays(line, "stream"),
        effect_words=f"binary: what {other} the file must change, and people cannot read it",
        evidence={"elements": line.elements, "payload_bytes": line.payload_bytes, "file_bytes": moved},
    )


def _one_statement(line: Line, facts: Facts) -> Found:
    advancing = "non-advancing" not in line.traits
    each = facts.costs.text_statement(operation_of(line), line.form)
    found = Found(
        "HR202" if advancing else "HR204",
        line,
        f"{times(line.statements, 'statement')} of {line.elements / line.statements:.3g} "
        f"number{'s' * (line.elements > line.statements)}"
        f"{'' if advancing else ', each with ADVANCE=NO'}",
        Rewrite(line, facts.sources).one_text_statement(advancing),
        _fewer_statements(line, each, facts.passes(line)),
        evidence={"statements": line.statements, "elements": line.elements},
    )
    found.effect_words = "the same bytes, if the loop runs at least once"
    return found


def _fewer_statements(line: Line, each: float, remaining: float) -> Estimate:
    saved = max(0.0, line.statements - remaining) * each
    now = line.seconds_exclusive
    after = max(KEPT * now, now - saved)
    return estimate(after, max(0.5 * KEPT * now, now - 1.5 * saved), now - 0.5 * (now - after))


def _small_buffer(line: Line, facts: Facts) -> Iterator[Found]:
    calls = line.calls.write
    if line.statement != "write" or calls < MANY_CALLS or line.bytes_written > calls * SMALL_PIECE:
        return
    if line.bytes_written < 0.5 * calls * SMALL_PIECE or line.seconds_in_system < calls * SLOW_CALL:
        return  # smaller pieces have another reason
    outside = max(0.0, line.seconds_exclusive - line.seconds_in_system)
    fewer = line.bytes_written / 1048576 / calls
    after = outside + line.seconds_in_system * max(fewer, 0.2)
    yield Found(
        "HR207",
        line,
        f"{times(calls, 'system call')} of {of_bytes(line.bytes_written / calls)}, "
        f"{1e6 * line.seconds_in_system / calls:.0f} us each",
        "export GFORTRAN_FORMATTED_BUFFER_SIZE=1048576 before the program starts (gfortran 10 and newer)",
        estimate(after, outside, outside + 0.7 * line.seconds_in_system),
        evidence={"write_calls": calls, "bytes_written": line.bytes_written},
    )
