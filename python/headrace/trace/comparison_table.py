"""A comparison of two traces as text of at most 100 columns."""

from collections.abc import Callable, Sequence

from headrace.trace.comparison import Row, Side, TraceComparison, Whole
from headrace.trace.table import WIDTH, compact, cut, grid, seconds, wrapped

LINES = 20
_WORTH_SAYING = 0.01  # share of the I/O seconds of either run
_TEXTS = 10
_FORMS = {"formatted": "fmt", "list-directed": "list", "namelist": "nml", "unformatted": "unf"}
_RULE = (
    "Counts and bytes are exact. Seconds are of one run each: what differs may be chance. A difference does not prove "
    "that one of them is faster. Run each several times before you say so."
)


def comparison_table(found: TraceComparison, names: tuple[str, str], every_line: bool) -> str:
    """Everything that is printed; `names` are those of the two files."""
    worst = max((side.seconds for row in found.rows for side in (row.a, row.b) if side), default=0.0)
    least = _WORTH_SAYING * max(found.a.io_seconds, found.b.io_seconds, worst)
    shown = found.rows if every_line else [row for row in found.rows if _is_worth(row, least)][:LINES]
    parts = [_head("A", names[0], found.a), _head("B", names[1], found.b), ""]
    parts += grid(
        ["", "I/O s", "wall s", "count", "payload", "written", "read"],
        [_sums("A", found.a), _sums("B", found.b)],
    )
    parts += ["", *wrapped(_RULE), "\n  ".join(wrapped(_tally(found), WIDTH - 2)), ""]
    if shown:
        header = ["line", "statement", "is", "count A", "B", "payload A", "B", "bytes A", "B", "seconds A", "B"]
        parts += grid(header, [_cells(row) for row in shown])
    shown_rows = {id(row) for row in shown}
    rest = [row for row in found.rows if id(row) not in shown_rows]
    if rest:
        before, after = (sum(side.seconds for row in rest if (side := getattr(row, which))) for which in ("a", "b"))
        what = f"and {len(rest)} more line{'s' * (len(rest) > 1)}: {seconds(before)} s in A, {seconds(after)} s in B"
        parts.append(f"{what} (--all shows them)")
    parts += _texts(shown)
    parts += ["\n  ".join(wrapped(f"note: {note}", WIDTH - 2)) for note in found.notes]
    return "\n".join(part.rstrip() for part in parts).rstrip() + "\n"


def _head(letter: str, name: str, whole: Whole) -> str:
    command = " ".join(whole.command) or "a directory of profiles"
    return cut(f"{letter}  {name}: {command}, on {whole.host}, {whole.date}", WIDTH)


def _sums(letter: str, whole: Whole) -> list[str]:
    counts = (whole.statements, whole.payload_bytes, whole.bytes_written, whole.bytes_read)
    return [letter, seconds(whole.io_seconds), seconds(whole.wall), *map(compact, counts)]


def _tally(found: TraceComparison) -> str:
    numbers = {word: sum(row.change == word for row in found.rows) for word in ("same", "moved", "changed")}
    new, gone = (sum(row.change == word for row in found.rows) for word in ("new", "gone"))
    return (
        f"{sum(numbers.values())} lines are in both: {numbers['same']} in their place, {numbers['moved']} moved, "
        f"{numbers['changed']} rewritten. {new} are new in B, {gone} are gone."
    )


def _is_worth(row: Row, least: float) -> bool:
    if row.a is None or row.b is None or row.change == "changed" or row.a.counts != row.b.counts:
        return True
    return max(row.a.seconds, row.b.seconds) >= least > 0


def _cells(row: Row) -> list[str]:
    some = row.b or row.a
    assert some is not None
    forms = "->".join(dict.fromkeys("+".join(_FORMS[form] for form in side.forms) for side in (row.a, row.b) if side))
    words = some.name if some.statement == "library call" else f"{some.statement} {forms}".strip()
    return [
        _places(row),
        words,
        row.change,
        *_both(row, lambda side: compact(side.statements)),
        *_both(row, lambda side: compact(side.payload_bytes)),
        *_both(row, lambda side: compact(side.bytes_written + side.bytes_read)),
        *_both(row, lambda side: seconds(side.seconds)),
    ]


def _places(row: Row) -> str:
    if row.a is None or row.b is None or row.a.place == row.b.place:
        side = row.b or row.a
        return side.place if side else ""
    file, _, number = row.b.place.rpartition(":")
    return f"{row.a.place}->{number if row.a.place.startswith(f'{file}:') else row.b.place}"


def _both(row: Row, cell: Callable[[Side], str]) -> list[str]:
    return [cell(side) if side else "-" for side in (row.a, row.b)]


def _texts(rows: Sequence[Row]) -> list[str]:
    """What was rewritten, is new or gone, in words."""
    said = [""]
    for row in [row for row in rows if row.change in ("changed", "new", "gone")][:_TEXTS]:
        for letter, side in (("A", row.a), ("B", row.b)):
            if side and side.source:
                said.append(cut(f"{letter} {side.place}  {side.source}", WIDTH))
    return [*said, ""] if len(said) > 1 else [""]
