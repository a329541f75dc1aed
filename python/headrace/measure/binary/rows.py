"""Turns what a campaign found into rows with verdicts, and rows into ratios and figures. Next: ratios.py."""

import numpy as np

from headrace.measure.binary.ratios import ALL_NAMES, CASE_PAIRS, CASE_RATES, RATE_NAMES, Rate
from headrace.measure.binary.tools import part_of
from headrace.measure.binary.ways import Way
from headrace.measure.cases import TYPES, Case
from headrace.measure.engine.state import State
from headrace.measure.pairs import find_ratios, why_absent
from headrace.measure.toolbox import Toolbox, fields_of
from headrace.results.binary import BinaryRow, BinaryRun, FigureFound
from headrace.results.records import Statistics
from headrace.results.statistics import describe
from headrace.results.verdicts import steadiness


def make_row(state: State[Way], case: Case, count: int, box: Toolbox, minimum_seconds: float) -> BinaryRow:
    """What is known of a way at the end; `count` values are in the file."""
    way = state.way
    values = part_of(count, way.share)
    row = BinaryRow(
        **fields_of(state, box.tools[way.tool]),
        case=case.name,
        note=way.note,
        payload_bytes=values * np.dtype(TYPES[case.kind]).itemsize,
        file_bytes=state.file_bytes // way.share,
        values=values,
        share=way.share,
    )
    row.conclude(state.peak, minimum_seconds)
    return row


def conclude(found: BinaryRun, absent_tools: dict[str, str]) -> None:
    """The ratios and figures, and why those that are not there are absent."""
    found.absent = dict(absent_tools)
    for name, (main, also) in CASE_PAIRS.items():
        rows = [row for row in found.rows if row.case == name]
        found.intervals |= find_ratios(main, rows)
        found.also |= find_ratios(also, rows)
        for rate in CASE_RATES.get(name, ()):
            figure = _figure(rate, rows)
            if figure is not None:
                found.figures[rate.name] = figure
        for pair in dict.fromkeys(pair.name for pair in main):
            if pair not in found.intervals:
                found.absent[pair] = why_absent(pair, main, rows, absent_tools)
    found.intervals = {name: found.intervals[name] for name in ALL_NAMES if name in found.intervals}
    found.ratios = {name: ratio.median for name, ratio in found.intervals.items()}
    if found.settings.only:
        kept = {*ALL_NAMES, *RATE_NAMES} - set(found.settings.only)
        found.absent = {name: why for name, why in found.absent.items() if name not in kept}


def _figure(rate: Rate, rows: list[BinaryRow]) -> FigureFound | None:
    row = next((row for row in rows if row.key == rate.key and row.outcome == "measured" and row.samples), None)
    if row is None:
        return None

    def summary(seconds: list[float]) -> Statistics:
        return describe(seconds if rate.unit == "s" else [row.values / each / 1e6 for each in seconds])

    s = summary([sample.total for sample in row.samples])
    processor = [sample.user + sample.system for sample in row.samples]
    return FigureFound(
        meaning=rate.meaning,
        unit=rate.unit,
        median=s.median,
        low=s.low,
        high=s.high,
        confidence=s.confidence,
        n=s.n,
        goal=rate.goal,
        at_least=rate.at_least,
        processor=summary(processor).median if min(processor) > 0 else None,
        verdict=steadiness(s),
    )
