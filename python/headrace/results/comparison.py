"""Two results files against each other: which rows are faster, slower, and for which nobody can tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from headrace.errors import HeadraceError
from headrace.results.comparable import Measured
from headrace.results.differences import FEWEST_ROUNDS, Change, Pair, differences
from headrace.results.files import AnyRun
from headrace.results.run import Run

Judgement = Literal["faster", "slower", "cannot tell"]

_SIZES = ("values", "hex_table", "threads", "records", "convert_bytes", "bytes_a_rank", "layout", "scaling")

TRUSTED = (None, "valid", "noisy")  # a noisy row has a wide interval; what other verdicts doubt no interval shows


@dataclass(frozen=True)
class Difference:
    """One row that both files have. Speeds are geometric means over the rounds; ratio is B / A.

    `low` and `high` enclose what changed in this row, whatever the machine did, None if the row is not judged. All
    intervals of a comparison hold together with 95 %.
    """

    what: str
    a: float
    b: float
    ratio: float
    low: float | None
    high: float | None
    judgement: Judgement
    why: str = ""


@dataclass(frozen=True)
class Comparison:
    """The rows, those that differ first, and what is known about the two runs as a whole. Ratios are B / A."""

    rows: list[Difference]
    missing: list[str]  # rows that only one file has a speed of, with the reason
    shift: float | None  # median of all rows; None if they are too few
    reference_shift: float | None  # median of the rows that no Fortran run time takes part in
    by_references: bool  # these say what the machine did: all rows together have changed by more than it may have done
    smallest: float | None  # half of the judged rows would have shown a change of this share

    def count(self, judgement: Judgement) -> int:
        return sum(row.judgement == judgement for row in self.rows)


def compare(a: Sequence[Measured], b: Sequence[Measured]) -> Comparison:
    """The rows that both files have. Raises HeadraceError when there are none.

    Of all comparisons of a thing with itself at most 5 % call any row faster or slower (differences.py says how). A
    row with fewer than 3 rounds on a side is not judged, nor is one that a verdict other than 'noisy' doubts.
    """
    left, right = ({row.key: row for row in side} for side in (a, b))
    common = [key for key, row in left.items() if row.speeds and key in right and right[key].speeds]
    if not common:
        raise HeadraceError(
            "the two files have no measured row in common",
            "a row is the same when mechanism, compiler, directory, knob, operation, condition and processes are",
        )
    doubts = {key: _doubt(left[key], right[key]) for key in common}
    judged = [key for key in common if not doubts[key]]
    found = differences([Pair(left[key].speeds, right[key].speeds, left[key].reference) for key in judged])
    changes = dict(zip(judged, found.changes, strict=True))
    rows = [_difference(left[key], right[key], changes.get(key), doubts[key]) for key in common]
    rows.sort(key=lambda row: (row.judgement == "cannot tell", row.low is None, -abs(math.log(row.ratio))))
    halves = sorted((c.high - c.low) / 2 for c in found.changes if c is not None)
    return Comparison(
        rows,
        _missing(left, right, "A", "B") + _missing(right, left, "B", "A"),
        _ratio(found.shift),
        _ratio(found.reference_shift),
        found.by_references,
        math.expm1(halves[len(halves) // 2]) if halves else None,
    )


def settings_that_differ(a: AnyRun, b: AnyRun) -> list[str]:
    """What makes the two runs hard to compare: machine, kernel, variables, compilers' flags, size.

    Raises HeadraceError for runs of different benchmarks.
    """
    if a.command != b.command:
        raise HeadraceError(
            f"A holds results of headrace {a.command}, B of headrace {b.command}", "compare two runs of one benchmark"
        )
    lines = []
    for field in ("host", "system", "processor", "cores", "headrace_version", "variables", "dirty_limits"):
        one, two = getattr(a.provenance, field), getattr(b.provenance, field)
        if one != two:
            lines.append(f"{field} differs: {one} against {two}")
    sizes = [run.settings.size_bytes if isinstance(run, Run) else None for run in (a, b)]
    if sizes[0] != sizes[1]:
        lines.append(f"size differs: {sizes[0]} against {sizes[1]} bytes")
    for field in ("minimum_seconds", "seed", "conditions", *_SIZES):
        one, two = getattr(a.settings, field, None), getattr(b.settings, field, None)
        if one != two:
            lines.append(f"{field} differs: {one} against {two}")
    systems = {d.path: (d.file_system, d.mount_options) for d in a.directories}
    for directory in b.directories:
        here = (directory.file_system, directory.mount_options)
        if systems.get(directory.path, here) != here:
            lines.append(f"file system of {directory.path} differs: {systems[directory.path]} against {here}")
    flags = {c.identifier: c.flags for c in a.compilers}
    for compiler in b.compilers:
        if compiler.identifier in flags and flags[compiler.identifier] != compiler.flags:
            lines.append(
                f"flags of {compiler.identifier} differ: {flags[compiler.identifier]} against {compiler.flags}"
            )
    for run, name in ((a, "A"), (b, "B")):
        if not run.complete:
            lines.append(f"{name} was interrupted")
    return lines


def _doubt(a: Measured, b: Measured) -> str:
    """Why nothing can be said of a row; empty if something can."""
    for row, side in ((a, "A"), (b, "B")):
        if row.verdict not in TRUSTED:
            return f"{row.verdict} in {side}"
    fewest = min(len(a.speeds), len(b.speeds))
    return f"{fewest} round{'s' * (fewest != 1)}, {FEWEST_ROUNDS} needed" if fewest < FEWEST_ROUNDS else ""


def _difference(a: Measured, b: Measured, change: Change | None, doubt: str) -> Difference:
    speeds = [math.exp(math.fsum(map(math.log, row.speeds)) / len(row.speeds)) for row in (a, b)]
    ratio = speeds[1] / speeds[0]
    if change is None:
        return Difference(a.key, speeds[0], speeds[1], ratio, None, None, "cannot tell", doubt)
    judgement: Judgement = "faster" if change.low > 0 else "slower" if change.high < 0 else "cannot tell"
    return Difference(a.key, speeds[0], speeds[1], ratio, math.exp(change.low), math.exp(change.high), judgement)


def _missing(here: dict[str, Measured], there: dict[str, Measured], one: str, other: str) -> list[str]:
    """Rows measured here and not there."""
    lines = []
    for key, row in here.items():
        if row.speeds and not (key in there and there[key].speeds):
            why = f"{there[key].trouble or 'without a speed'} in {other}" if key in there else f"not in {other}"
            lines.append(f"{key}: measured in {one}, {why}")
    return lines


def _ratio(logarithm: float | None) -> float | None:
    return None if logarithm is None else math.exp(logarithm)
