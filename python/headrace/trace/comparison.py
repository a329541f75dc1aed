"""Two traces line by line: what stayed, what moved in its file, what was rewritten, what is new and what is gone.

A line is the same if its text is: numbers shift as soon as a line is put in above. Lines of a changed text are paired
only if nothing else can be meant: the same statement, between the same neighbours, as many in both traces.
"""

import bisect
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Literal

from headrace.trace.notes import of_processes
from headrace.trace.results import Line, Trace

Change = Literal["same", "moved", "changed", "new", "gone"]
Pair = tuple["Side", "Side"]


@dataclass
class Side:
    """One source line in one of the traces, all its forms and files together."""

    place: str
    file: str
    line: int
    source: str
    procedure: str
    statement: str
    name: str
    forms: list[str]
    statements: int = 0
    payload_bytes: int = 0
    bytes_written: int = 0
    bytes_read: int = 0
    system_calls: int = 0
    seconds: float = 0.0

    @property
    def counts(self) -> tuple[int, ...]:
        """What is exact."""
        return self.statements, self.payload_bytes, self.bytes_written, self.bytes_read


@dataclass
class Row:
    """A line of A, of B, or both."""

    change: Change
    a: Side | None
    b: Side | None


@dataclass
class Whole:
    """One of the two runs."""

    command: list[str]
    date: str
    host: str
    processes: int
    mpi_ranks: int
    wall: float
    io_seconds: float
    statements: int
    payload_bytes: int
    bytes_written: int
    bytes_read: int


@dataclass
class TraceComparison:
    """Counts and bytes are exact. Seconds are those of one run each: their difference may be chance."""

    a: Whole
    b: Whole
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def compare_traces(a: Trace, b: Trace) -> TraceComparison:
    """Match the lines of two traces; those whose seconds differ most come first."""
    left, right = _sides(a), _sides(b)
    rows = [Row(_change(before, after), before, after) for before, after in _pairs(left, right)]
    paired = {id(side) for row in rows for side in (row.a, row.b)}
    rows += [Row("gone", side, None) for side in left if id(side) not in paired]
    rows += [Row("new", None, side) for side in right if id(side) not in paired]
    rows.sort(key=_weight, reverse=True)
    return TraceComparison(_whole(a), _whole(b), rows, _notes(a, b, left, right))


def _weight(row: Row) -> tuple[float, float]:
    before, after = (side.seconds if side else 0.0 for side in (row.a, row.b))
    return abs(after - before), max(before, after)


def _sides(trace: Trace) -> list[Side]:
    """The lines of a trace in the order of their files."""
    found: dict[Hashable, Side] = {}
    for line in trace.lines:
        key = line.file, line.line, line.statement, line.name, line.place
        side = found.get(key)
        if side is None:
            side = Side(line.place, line.file, line.line, line.source, line.procedure, line.statement, line.name, [])
            found[key] = side
        _add(side, line)
    return sorted(found.values(), key=lambda side: (side.file, side.line, side.statement, side.name))


def _add(side: Side, line: Line) -> None:
    if line.form and line.form not in side.forms:
        side.forms.append(line.form)
    side.statements += line.statements
    side.payload_bytes += line.payload_bytes
    side.bytes_written += line.bytes_written
    side.bytes_read += line.bytes_read
    side.system_calls += line.calls.write + line.calls.read + line.calls.seek + line.calls.other
    side.seconds += line.seconds_exclusive


def _pairs(left: Sequence[Side], right: Sequence[Side]) -> list[Pair]:
    """From the surest match to the least sure one."""
    name = _file_names(left, right)
    has_procedures = _all_known(left) and _all_known(right)

    def words(side: Side) -> Hashable:
        """What a line says; without a source its number stands for that, or what it is called by."""
        text = " ".join(side.source.split()) or (side.line if side.line else side.place)
        return side.statement, side.name, text

    def procedure(side: Side) -> str:
        return side.procedure if has_procedures else ""

    pairs = _in_order(left, right, name, lambda side: (words(side), procedure(side)))
    anchors = {(name(before), before.line, after.line) for before, after in pairs if before.line and after.line}
    for key in (
        lambda side: (name(side), words(side), procedure(side)),
        lambda side: (name(side), words(side)),
        lambda side: (words(side), procedure(side)) if side.source else None,  # moved to another file
        lambda side: (words(side),) if side.source else None,
    ):
        pairs += _by_key(*_left_over(left, right, pairs), key)
    gap_left, gap_right = _gaps(anchors, name, 1), _gaps(anchors, name, 2)

    def neighbours(gap: Callable[[Side], int]) -> Callable[[Side], Hashable]:
        return lambda side: (
            (name(side), gap(side), side.statement, side.name, procedure(side)) if side.line and side.file else None
        )

    return pairs + _rewritten(*_left_over(left, right, pairs), neighbours(gap_left), neighbours(gap_right))


def _all_known(sides: Iterable[Side]) -> bool:
    return all(side.procedure for side in sides if side.file)


def _file_names(left: Sequence[Side], right: Sequence[Side]) -> Callable[[Side], str]:
    """Files by their last names, unless a trace has several of one."""
    ambiguous = set()
    for sides in (left, right):
        paths = defaultdict(set)
        for side in sides:
            paths[PurePath(side.file).name].add(side.file)
        ambiguous |= {name for name, full in paths.items() if len(full) > 1}

    def name(side: Side) -> str:
        short = PurePath(side.file).name
        return side.file if short in ambiguous else short

    return name


def _in_order(
    left: Sequence[Side], right: Sequence[Side], name: Callable[[Side], str], key: Callable[[Side], Hashable]
) -> list[Pair]:
    """The lines of each file that are the same in the same order, as a comparison of texts finds them."""
    files_of_right = _grouped(right, name)
    pairs = []
    for file, before in _grouped(left, name).items():
        after = files_of_right.get(file, [])
        matcher = SequenceMatcher(None, [key(side) for side in before], [key(side) for side in after], autojunk=False)
        for i, j, length in matcher.get_matching_blocks():
            pairs += list(zip(before[i : i + length], after[j : j + length], strict=True))
    return pairs


def _by_key(left: Sequence[Side], right: Sequence[Side], key: Callable[[Side], Hashable]) -> list[Pair]:
    """Those of one key in order; if there are more in one trace, it cannot be said which."""
    after = _grouped(right, key)
    return [
        pair
        for common, before in _grouped(left, key).items()
        if common is not None and len(before) == len(after.get(common, []))
        for pair in zip(before, after[common], strict=True)
    ]


def _rewritten(
    left: Sequence[Side],
    right: Sequence[Side],
    gap_left: Callable[[Side], Hashable],
    gap_right: Callable[[Side], Hashable],
) -> list[Pair]:
    """Lines of another text between the same neighbours; without sources only the number can tell."""
    after = _grouped(right, gap_right)
    pairs = []
    for common, before in _grouped(left, gap_left).items():
        others = after.get(common, []) if common is not None else []
        if all(side.source for side in [*before, *others]):
            pairs += list(zip(before, others, strict=True)) if len(before) == len(others) else []
        else:
            by_number = {side.line: side for side in others}
            pairs += [(side, by_number[side.line]) for side in before if side.line in by_number]
    return pairs


def _gaps(
    anchors: set[tuple[str, int, int]], name: Callable[[Side], str], column: Literal[1, 2]
) -> Callable[[Side], int]:
    """Between which lines that both traces have one stands."""
    by_file: dict[str, list[int]] = {}
    for anchor in anchors:
        by_file.setdefault(anchor[0], []).append(anchor[column])
    for lines in by_file.values():
        lines.sort()
    return lambda side: bisect.bisect_left(by_file.get(name(side), []), side.line)


def _left_over(left: Sequence[Side], right: Sequence[Side], pairs: Sequence[Pair]) -> tuple[list[Side], list[Side]]:
    paired = {id(side) for pair in pairs for side in pair}
    return [s for s in left if id(s) not in paired], [s for s in right if id(s) not in paired]


def _grouped(sides: Iterable[Side], key: Callable[[Side], Hashable]) -> dict[Hashable, list[Side]]:
    groups: dict[Hashable, list[Side]] = {}
    for side in sides:
        groups.setdefault(key(side), []).append(side)
    return groups


def _change(before: Side, after: Side) -> Change:
    if before.source and after.source and before.source.split() != after.source.split():
        return "changed"
    if before.line != after.line or PurePath(before.file).name != PurePath(after.file).name:
        return "moved"
    return "same"


def _whole(trace: Trace) -> Whole:
    fortran = [line for line in trace.lines if line.statement not in ("not Fortran", "library call")]
    totals = trace.totals
    return Whole(
        trace.command,
        trace.date,
        trace.host,
        len(trace.processes),
        trace.mpi_ranks,
        trace.wall,
        totals.io_seconds,
        sum(line.statements for line in fortran),
        sum(line.payload_bytes for line in fortran),
        totals.bytes_written,
        totals.bytes_read,
    )


def _notes(a: Trace, b: Trace, left: Sequence[Side], right: Sequence[Side]) -> list[str]:
    """What makes the two less alike than their lines say."""
    said = []
    for what, before, after in (
        ("command", " ".join(a.command), " ".join(b.command)),
        ("host", a.host, b.host),
        ("number of MPI ranks", str(a.mpi_ranks), str(b.mpi_ranks)),
        ("number of processes", of_processes(len(a.processes)), of_processes(len(b.processes))),
        ("run times", _families(a), _families(b)),
        ("exit code", str(a.exit_code), str(b.exit_code)),
    ):
        if before != after:
            said.append(f"{what}: A {before or 'not known'}, B {after or 'not known'}")
    for letter, trace, sides in (("A", a, left), ("B", b, right)):
        if trace.signal:
            said.append(f"{letter} was killed by {trace.signal}: it has what ran until then")
        if any(side.file and not side.source for side in sides):
            said.append(f"{letter}: the source of some lines was not found; those are matched by their numbers")
        said += [f"{letter}: {note}" for note in trace.notes]
    return said


def _families(trace: Trace) -> str:
    return ", ".join(dict.fromkeys(name for process in trace.processes for name in process.families))
