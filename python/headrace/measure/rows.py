"""Turns what a measurement found into rows of the results: statistics, share of the ceiling, verdict."""

import statistics as standard
from collections.abc import Iterable

from headrace.measure.catalogue import SHAPES
from headrace.measure.measurement import State
from headrace.measure.process import Report
from headrace.measure.results import Condition, Operation, Row, Verdict
from headrace.measure.statistics import describe, paired_ratio, relative_width

NOISY = 0.10  # width of the interval as a share of the median
SUSPICIOUS = 1.10  # times the ceiling, in every round
EVICTED = 0.01  # share of pages that may have stayed in the page cache of a cold read

Ceilings = dict[tuple[str, Operation, Condition, int], dict[int, float]]


def make_rows(states: Iterable[State], minimum_seconds: float) -> list[Row]:
    """Every variant's rows, in the order of the plan."""
    found = list(states)
    ceilings = _ceilings(found)
    return [
        _row(state, operation, ceilings, minimum_seconds)
        for state in found
        for operation in state.variant.operations
        if state.rounds or state.trouble
    ]


def _ceilings(states: list[State]) -> Ceilings:
    """By directory, operation, condition, number of processes and round: the fastest plain write(2) or read(2)."""
    best: Ceilings = {}
    for state in states:
        if not state.variant.ceiling:
            continue
        for operation in state.variant.operations:
            variant = state.variant
            key = (str(variant.directory), operation, _condition(state, operation), variant.processes)
            place = best.setdefault(key, {})
            for number, speed in state.bandwidths(operation).items():
                place[number] = max(place.get(number, 0.0), speed)
    return best


def _condition(state: State, operation: Operation) -> Condition:
    pair = state.variant.pair
    return pair.write if operation == "write" else pair.read


def _row(state: State, operation: Operation, ceilings: Ceilings, minimum_seconds: float) -> Row:
    variant = state.variant
    condition = _condition(state, operation)
    row = Row(
        compiler=variant.compiler.identifier,
        directory=str(variant.directory),
        family=variant.mechanism.family,
        mechanism=variant.mechanism.name,
        statement=variant.mechanism.statement(operation),
        shape=SHAPES[variant.mechanism.shape],
        operation=operation,
        condition=condition,
        knob=variant.knob.name,
        processes=variant.processes,
        count=state.count,
        file_state="fresh" if operation == "write" else "existing",
    )
    if state.trouble:
        row.outcome, row.message = state.trouble.outcome, state.trouble.message
    reports = [report for number in sorted(state.rounds) for report in state.rounds[number]]
    if not reports:
        return row
    _describe_transfers(row, state, reports)
    if variant.mechanism.family == "null":
        cost = standard.median(s.total for s in row.samples) if row.samples else 0.0
        row.message = f"the harness itself costs {cost * 1e9:.0f} ns a transfer"
        return row
    speeds = state.bandwidths(operation)
    if not speeds:
        return row
    row.bandwidths = speeds
    row.statistics = describe(list(speeds.values()))
    suspicious = False
    if variant.mechanism.family != "memory":
        ratios = paired_ratio(speeds, ceilings.get((row.directory, operation, condition, row.processes), {}))
        row.ceiling_fraction = standard.median(ratios) if ratios else None
        suspicious = not state.variant.ceiling and bool(ratios) and min(ratios) > SUSPICIOUS
    _judge(row, state, minimum_seconds, suspicious)
    return row


def _describe_transfers(row: Row, state: State, reports: list[Report]) -> None:
    operation = row.operation
    for number in sorted(state.rounds):
        samples = [r.sample(operation, number) for r in state.rounds[number]]
        present = [s for s in samples if s is not None]
        if present:  # of several processes the slowest is kept
            sample = max(present, key=lambda s: s.total)
            if len(present) > 1:
                sample.first_done, sample.last_done = _ends(state.rounds[number], operation)
            row.samples.append(sample)
    row.payload_bytes = reports[0].payload_bytes
    row.file_bytes = reports[0].file_bytes
    peaks = [r.peak[operation] for r in reports if operation in r.peak]
    row.peak_memory_bytes = int(standard.median(peaks)) if peaks else None
    if operation == "read" and row.condition == "cold":
        row.resident_share = max((abs(r.resident) for r in reports if r.resident is not None), default=None)
    wrong = [r for r in reports if r.outcome == "wrong"]
    if wrong and not state.trouble:
        row.outcome, row.message = "wrong", wrong[0].message


def _ends(reports: list[Report], operation: Operation) -> tuple[float, float]:
    """Seconds from the first begin to the first and to the last end of the first pass."""
    first = [report.passes[operation][0] for report in reports]
    start = min(p["begin"] for p in first)
    ends = [p["begin"] + p["total"] - start for p in first]
    return min(ends), max(ends)


def _judge(row: Row, state: State, minimum_seconds: float, suspicious: bool) -> None:
    assert row.statistics is not None
    verdict: Verdict = "valid"
    lasted = standard.median(s.total * s.passes for s in row.samples)
    if row.statistics.n < 3:
        verdict = "noisy"
        row.message = row.message or f"{row.statistics.n} of at least 3 rounds fitted in the time budget"
    elif relative_width(row.statistics) > NOISY:
        verdict = "noisy"
    if lasted < 0.9 * minimum_seconds:
        verdict = "too-short"
    if suspicious:
        verdict = "cache-suspect"
    if row.resident_share is not None and row.resident_share > EVICTED:
        verdict = "unknown"
        row.message = row.message or f"{row.resident_share:.0%} of the pages stayed in the page cache: not a cold read"
    if not all(r.verified for reports in state.rounds.values() for r in reports):
        verdict = "unverified"
    row.verdict = None if row.outcome == "wrong" else verdict
