"""Two traces, line by line. Counts and bytes are exact; seconds are of one run each: nobody says 'faster' here."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from headrace.trace.results import Line, Trace
from headrace.trace.table import compact, grid, seconds, short_seconds, statement_words, wrapped

Key = tuple[object, ...]


@dataclass(frozen=True)
class Change:
    """One source line in both traces, or in one of them."""

    before: Line | None
    after: Line | None

    @property
    def place(self) -> str:
        """Where it stands; both places if it has moved."""
        if self.before is None or self.after is None:
            one = self.before or self.after
            return one.place if one else ""
        same = self.before.place == self.after.place
        return self.after.place if same else f"{self.before.place} -> {_number(self.before, self.after)}"

    @property
    def seconds(self) -> float:
        """How many more after than before."""
        return _seconds(self.after) - _seconds(self.before)

    @property
    def is_the_same(self) -> bool:
        """Whether the line did the same, whatever time it took."""
        return self.before is not None and self.after is not None and _did(self.before) == _did(self.after)


@dataclass(frozen=True)
class Changes:
    """All lines of two traces, the largest difference in seconds first."""

    before: Trace
    after: Trace
    lines: list[Change]


def compare_traces(before: Trace, after: Trace) -> Changes:
    """Match lines by their source text, then by their place; what is left is in one trace only.

    A line whose text is the same is the same statement, even if lines above it were added or its file was renamed.
    """
    left, right = list(before.lines), list(after.lines)
    pairs: list[Change] = []
    for key in (_text_in_file, _place, _text):
        pairs += _matched(left, right, key)
    pairs += [Change(line, None) for line in left] + [Change(None, line) for line in right]
    pairs.sort(key=lambda change: -abs(change.seconds))
    return Changes(before, after, pairs)


def _matched(left: list[Line], right: list[Line], key: Callable[[Line], Key | None]) -> list[Change]:
    """Takes out of both what has the same key; several of one key are matched in the order of their lines."""
    by_key: dict[Key, list[Line]] = defaultdict(list)
    for line in sorted(right, key=lambda line: line.line):
        found = key(line)
        if found is not None:
            by_key[found].append(line)
    made = []
    for line in sorted(left, key=lambda line: line.line):
        found = key(line)
        if found is not None and by_key[found]:
            other = by_key[found].pop(0)
            left.remove(line)
            right.remove(other)
            made.append(Change(line, other))
    return made


def _kind(line: Line) -> Key:
    return line.statement, line.internal, line.name


def _text_in_file(line: Line) -> Key | None:
    return (PurePath(line.file).name, " ".join(line.source.split()), *_kind(line)) if line.source else None


def _text(line: Line) -> Key | None:
    return (" ".join(line.source.split()), *_kind(line)) if line.source else None


def _place(line: Line) -> Key | None:
    """Without a source, or if the statement itself was changed in its line."""
    return (PurePath(line.file).name, line.line, *_kind(line)) if line.line else (line.place, *_kind(line))


def _number(before: Line, after: Line) -> str:
    same_file = PurePath(before.file).name == PurePath(after.file).name
    return str(after.line) if same_file and after.line else after.place


def _did(line: Line) -> Key:
    return line.statements, line.items, line.payload_bytes, line.bytes_written, line.bytes_read


def _seconds(line: Line | None) -> float:
    return line.seconds_exclusive if line else 0.0


def summary(changes: Changes) -> list[str]:
    """What is different as a whole."""
    old, new = changes.before.totals, changes.after.totals
    said = [
        f"Fortran I/O takes {short_seconds(new.io_seconds)} instead of {short_seconds(old.io_seconds)}, the run "
        f"{short_seconds(changes.after.wall)} instead of {short_seconds(changes.before.wall)}. "
        "One run each: repeat both before you believe a small difference."
    ]
    only = [change for change in changes.lines if change.before is None or change.after is None]
    same = sum(change.is_the_same for change in changes.lines)
    gone = sum(change.after is None for change in only)
    said.append(
        f"{same} of {len(changes.lines)} lines did the same; {gone} {'is' if gone == 1 else 'are'} only in the first "
        f"trace, {len(only) - gone} only in the second."
    )
    if changes.before.mpi_ranks != changes.after.mpi_ranks:
        said.append(f"{changes.before.mpi_ranks} MPI ranks before, {changes.after.mpi_ranks} after.")
    return said


def comparison_table(changes: Changes, most: int) -> str:
    """As text of at most 100 columns."""
    lines = [*(text for said in summary(changes) for text in wrapped(said)), ""]
    header = ["line", "statement", "count", "after", "payload", "after", "file bytes", "after", "seconds", "after"]
    shown = changes.lines[:most]
    lines += grid(header, [_row(change) for change in shown])
    if len(changes.lines) > most:
        lines.append(f"and {len(changes.lines) - most} more (--all shows them)")
    return "\n".join(lines) + "\n"


def _row(change: Change) -> list[str]:
    sides = (change.before, change.after)
    one = change.after or change.before
    figures: list[Callable[[Line], str]] = [
        lambda line: compact(line.statements),
        lambda line: compact(line.payload_bytes),
        lambda line: compact(line.bytes_written + line.bytes_read),
        lambda line: seconds(line.seconds_exclusive),
    ]
    words = statement_words(one) if one else ""
    return [change.place, words, *(figure(line) if line else "-" for figure in figures for line in sides)]


def as_json(changes: Changes) -> dict[str, Any]:
    """Everything, with the lines as headrace-trace/1 has them."""
    return {
        "summary": summary(changes),
        "before": {"wall": changes.before.wall, **changes.before.totals.model_dump()},
        "after": {"wall": changes.after.wall, **changes.after.totals.model_dump()},
        "lines": [
            {
                "place": change.place,
                "seconds": change.seconds,
                "before": change.before.model_dump() if change.before else None,
                "after": change.after.model_dump() if change.after else None,
            }
            for change in changes.lines
        ],
    }
