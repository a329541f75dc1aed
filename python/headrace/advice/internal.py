"""The rule of internal files: HR701."""

from collections.abc import Iterator

from headrace.advice.facts import Facts, Found, times
from headrace.trace.results import Line

SHARE = 0.1  # of all I/O seconds, of one line
MANY = 10_000  # statements
ROW = 3  # values of a statement

_BETTER = {
    "write": ("convert once and keep the text", "WRITE (text, '(*(g0, 1x))') row"),
    "read": ("READ the numbers from the file itself, not from a line of it", "READ (text, *) row"),
}


def internal(line: Line, facts: Facts) -> Iterator[Found]:
    """Conversion from and to character variables that takes much of the time."""
    if not line.internal or line.statement not in ("write", "read") or line.statements < MANY:
        return
    if line.seconds_exclusive < SHARE * facts.io_seconds:
        return
    each = line.seconds_exclusive / line.statements
    keep, whole_row = _BETTER[line.statement]
    is_row = line.elements >= ROW * line.statements
    yield Found(
        "HR701",
        line,
        f"{times(line.statements, 'internal ' + line.statement.upper())} of {times(line.elements, 'value')}, "
        f"{1e9 * each:.0f} ns each; no file is involved",
        keep if is_row else f"{keep}; or a whole row in one statement: {whole_row}",
        None,
        why_no_estimate="what it gains depends on how often the same value is converted",
        evidence={"statements": line.statements, "nanoseconds_each": 1e9 * each},
    )
