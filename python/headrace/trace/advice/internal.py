"""The rule of internal files: HR701."""

from collections.abc import Iterator

from headrace.trace.advice.facts import Facts, Found, times
from headrace.trace.results import Line

SHARE = 0.1  # of all I/O seconds, of one line
MANY = 10_000  # statements


def internal(line: Line, facts: Facts) -> Iterator[Found]:
    """Conversion from and to character variables that takes much of the time."""
    if not line.internal or line.statement not in ("write", "read") or line.statements < MANY:
        return
    if line.seconds_exclusive < SHARE * facts.io_seconds:
        return
    each = line.seconds_exclusive / line.statements
    yield Found(
        "HR701",
        line,
        f"{times(line.statements, 'internal ' + line.statement.upper())} of {times(line.elements, 'value')}, "
        f"{1e9 * each:.0f} ns each; no file is involved",
        "convert once and keep the text; or a whole row in one statement: WRITE (text, '(*(g0, 1x))') row",
        None,
        why_no_estimate="what it gains depends on how often the same value is converted",
        evidence={"statements": line.statements, "nanoseconds_each": 1e9 * each},
    )
