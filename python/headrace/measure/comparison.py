"""Two results files against each other: a ratio with an interval, and whether it means anything."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from headrace.errors import HeadraceError
from headrace.measure.results import Row, Run

RESAMPLES = 2000
SMALLEST = 0.02  # a difference under 2 % is called noise whatever the interval says


@dataclass
class Difference:
    """One row that both files have. Speeds in useful MB/s; ratio is B / A."""

    what: str
    a: float
    b: float
    ratio: float
    low: float
    high: float
    judgement: Literal["faster", "slower", "noise"]


def compare(a: Run, b: Run) -> list[Difference]:
    """Rows in both runs, largest change first. Raises HeadraceError when there are none.

    The interval is the 95 % percentile bootstrap of the ratio of the medians (Efron and Tibshirani, 1993). With fewer
    than six rounds on a side the resamples cannot reach past what was seen, so the intervals of both medians are
    taken instead: low(B)/high(A) to high(B)/low(A), which is wider.
    """
    left, right = _indexed(a), _indexed(b)
    common = [key for key in left if key in right]
    if not common:
        raise HeadraceError(
            "the two files have no measured row in common",
            "a row is the same when mechanism, compiler, directory, knob, operation, condition and processes are",
        )
    found = [_difference(key, left[key], right[key]) for key in common]
    return sorted(found, key=lambda d: abs(np.log(d.ratio)), reverse=True)


def settings_that_differ(a: Run, b: Run) -> list[str]:
    """What makes the two runs hard to compare: machine, kernel, variables, compilers' flags, size."""
    lines = []
    for field in ("host", "system", "processor", "cores", "headrace_version", "variables", "dirty_limits"):
        one, two = getattr(a.provenance, field), getattr(b.provenance, field)
        if one != two:
            lines.append(f"{field} differs: {one} against {two}")
    if a.settings.size_bytes != b.settings.size_bytes:
        lines.append(f"size differs: {a.settings.size_bytes} against {b.settings.size_bytes} bytes")
    for field in ("minimum_seconds", "seed", "conditions"):
        one, two = getattr(a.settings, field), getattr(b.settings, field)
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


def _indexed(run: Run) -> dict[str, Row]:
    found = {}
    for row in run.rows:
        if row.statistics is None or row.outcome != "measured":
            continue
        processes = f", {row.processes} processes" if row.processes > 1 else ""
        knob = f", {row.knob}" if row.knob != "default" else ""
        key = f"{row.operation} {row.key}, {row.compiler}, {row.directory}, {row.condition}{knob}{processes}"
        found[key] = row
    return found


def _difference(what: str, a: Row, b: Row) -> Difference:
    assert a.statistics and b.statistics
    ratio = b.median / a.median
    if min(a.statistics.n, b.statistics.n) < 6:
        low, high = b.statistics.low / a.statistics.high, b.statistics.high / a.statistics.low
    else:
        low, high = _bootstrap(_speeds(a), _speeds(b))
    judgement: Literal["faster", "slower", "noise"] = "noise"
    if low > 1 and ratio > 1 + SMALLEST:
        judgement = "faster"
    elif high < 1 and ratio < 1 - SMALLEST:
        judgement = "slower"
    return Difference(what, a.median, b.median, ratio, low, high, judgement)


def _speeds(row: Row) -> list[float]:
    return list(row.bandwidths.values())


def _bootstrap(a: list[float], b: list[float]) -> tuple[float, float]:
    generator = np.random.default_rng(1)
    medians = [np.median(generator.choice(x, (RESAMPLES, len(x))), axis=1) for x in (a, b)]
    low, high = np.quantile(medians[1] / medians[0], (0.025, 0.975))
    return float(low), float(high)
