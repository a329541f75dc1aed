"""Turns what a campaign found into rows with verdicts, and rows into ratios. Next: ratios.py."""

from headrace.measure.cases import Case
from headrace.measure.engine.state import State
from headrace.measure.pairs import find_ratios, why_absent
from headrace.measure.text.ratios import ALL_NAMES, ALSO, ALSO_HEX_TABLE, HEX_TABLE, PAIRS
from headrace.measure.text.ways import Way
from headrace.measure.toolbox import Toolbox, fields_of
from headrace.results.text import TextRow, TextRun, TextSettings


def make_row(state: State[Way], case: Case, box: Toolbox, settings: TextSettings) -> TextRow:
    """What is known of a way at the end."""
    way = state.way
    row = TextRow(
        **fields_of(state, box.tools[way.tool]),
        case=case.name,
        note=way.note,
        payload_bytes=case.payload_bytes,
        file_bytes=state.file_bytes,
        values=case.count,
    )
    row.conclude(state.peak, settings.minimum_seconds)
    return row


def conclude(found: TextRun, box: Toolbox) -> None:
    """The ratios, and why those that are not there are absent."""
    if not found.cases:
        return
    main = [row for row in found.rows if row.case == found.cases[0].name]
    table = [row for row in found.rows if row.case == "hex table"]
    found.intervals = find_ratios(PAIRS, main) | find_ratios(HEX_TABLE, table)
    found.intervals = {name: found.intervals[name] for name in ALL_NAMES if name in found.intervals}
    found.ratios = {name: ratio.median for name, ratio in found.intervals.items()}
    found.also = find_ratios(ALSO, main) | find_ratios(ALSO_HEX_TABLE, table)
    found.absent = dict(box.absent)
    for name in ALL_NAMES:
        if name not in found.ratios and name not in found.absent:
            pairs, rows = (HEX_TABLE, table) if name == HEX_TABLE[0].name else (PAIRS, main)
            found.absent[name] = why_absent(name, pairs, rows, box.absent)
