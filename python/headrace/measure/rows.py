"""Turns what a measurement found into rows of the results: statistics, share of the ceiling, verdict."""

import statistics as standard
from collections.abc import Iterable

from headrace.measure.catalogue import SHAPES
from headrace.measure.engine.state import State
from headrace.measure.measurement import Statement, VariantUnit
from headrace.results.records import NOT_REACHED, Condition, Operation
from headrace.results.run import Row
from headrace.results.statistics import describe, paired_ratio
from headrace.results.verdicts import Evidence, judge

SUSPICIOUS = 1.10  # times the ceiling
TOUCH = "memory:first_touch"

Ceilings = dict[tuple[str, Operation, Condition, int], dict[int, float]]


def make_rows(units: Iterable[VariantUnit], minimum_seconds: float, why: str = NOT_REACHED) -> list[Row]:
    """Every variant's rows, in the order of the plan; `why` tells of those that have no sample."""
    found = list(units)
    ceilings = _ceilings(found)
    fault = _seconds_a_fault(found)
    rows = [_row(unit, state, ceilings, minimum_seconds, fault) for unit in found for state in unit.states]
    for row in rows:
        if not row.samples and row.outcome == "measured":
            row.outcome, row.message = "skipped", why
    return rows


def _ceilings(units: list[VariantUnit]) -> Ceilings:
    """By directory, operation, condition, number of processes and round: the fastest plain write(2) or read(2)."""
    best: Ceilings = {}
    for unit in (unit for unit in units if unit.companion):
        for state in unit.states:
            place = best.setdefault(_place(unit, state), {})
            for number, speed in state.speeds().items():
                place[number] = max(place.get(number, 0.0), speed)
    return best


def _place(unit: VariantUnit, state: State[Statement]) -> tuple[str, Operation, Condition, int]:
    return str(unit.variant.directory), state.way.operation, state.way.condition, unit.variant.processes


def _seconds_a_fault(units: list[VariantUnit]) -> float:
    """What touching a page of memory for the first time costs; 0 if it was not measured."""
    costs = [
        sample.total / sample.page_faults
        for unit in units
        if unit.variant.mechanism.key == TOUCH
        for state in unit.states
        for sample in state.samples
        if sample.page_faults > 0
    ]
    return standard.median(costs) if costs else 0.0


def _row(unit: VariantUnit, state: State[Statement], ceilings: Ceilings, minimum_seconds: float, fault: float) -> Row:
    variant, operation = unit.variant, state.way.operation
    row = Row(
        compiler=variant.compiler.identifier,
        directory=str(variant.directory),
        family=variant.mechanism.family,
        mechanism=variant.mechanism.name,
        statement=variant.mechanism.statement(operation),
        shape=SHAPES[variant.mechanism.shape],
        operation=operation,
        condition=state.way.condition,
        knob=variant.knob.name,
        processes=variant.processes,
        count=unit.count_of_values,
        file_state="fresh" if operation == "write" else "existing",
        payload_bytes=state.payload_bytes,
        file_bytes=state.file_bytes,
        peak_memory_bytes=state.peak,
        resident_share=state.cached_share,
        outcome=state.outcome,
        message=state.message,
        samples=state.samples,
    )
    if not row.samples:
        return row
    if variant.mechanism.family == "null":
        cost = standard.median(s.total for s in row.samples)
        row.message = f"the harness itself costs {cost * 1e9:.0f} ns a transfer"
        return row
    row.bandwidths = row.speeds()
    row.statistics = describe(list(row.bandwidths.values()))
    _touch(row, fault)
    of_ceiling: list[float] = []
    if variant.mechanism.family != "memory":
        of_ceiling = paired_ratio(row.bandwidths, ceilings.get(_place(unit, state), {}))
        row.ceiling_fraction = standard.median(of_ceiling) if of_ceiling else None
    if row.outcome == "measured":
        row.verdict, why = judge(
            Evidence(
                row.statistics,
                standard.median(s.total * s.passes for s in row.samples),
                minimum_seconds,
                () if unit.companion else of_ceiling,
                SUSPICIOUS,
                row.resident_share,
                state.verified,
            )
        )
        row.message = row.message or why
    return row


def _touch(row: Row, fault: float) -> None:
    """The share of the time that goes into memory that is touched for the first time."""
    shares = [s.page_faults * fault / s.total for s in row.samples if s.page_faults >= 0]
    if fault > 0 and shares and row.family != "memory":
        row.first_touch_share = min(1.0, standard.median(shares))
