"""Timelines: a row for each MPI rank, coloured by phase, as coordinates that the template draws."""

import math
from dataclasses import dataclass

from headrace.reporters.html.numbers import number
from headrace.results.methods import mpi_ranks
from headrace.results.parallel import PHASES, Group, ParallelRow, ParallelRun, RankTimes

WIDTH, LEFT, LANE, TOP, BOTTOM = 1000.0, 90.0, 16.0, 6.0, 30.0
MOST_LANES = 64  # MPI ranks; of more, an even selection is drawn
COLOURS = {phase: f"c{index}" for index, phase in enumerate(PHASES, 1)}
MEANINGS = {
    "open": "open or create, define",
    "exchange": "between MPI ranks",
    "transfer": "to or from the file system or the library",
    "sync": "to the device",
    "close": "close, rename",
    "wait": "for other MPI ranks",
}


@dataclass(frozen=True)
class Block:
    """One phase of one MPI rank."""

    x: float
    width: float
    colour: str
    title: str


@dataclass(frozen=True)
class Lane:
    """One MPI rank."""

    label: str
    y: float
    begin: float
    width: float
    blocks: list[Block]


@dataclass(frozen=True)
class Timeline:
    """One transfer."""

    title: str
    note: str
    height: float
    lanes: list[Lane]
    ticks: list[tuple[float, str]]
    colours: list[tuple[str, str, str]]  # phase, class, meaning: the legend
    open: bool


def timelines(run: ParallelRun, opened: int = 8) -> list[Timeline]:
    """Every transfer with times of its MPI ranks, of the group with the most of them."""
    groups = [group for group in run.groups if any(row.rank_times for row in run.of(group))]
    if not groups:
        return []
    group = max(groups, key=lambda group: group.ranks)
    rows = [row for row in run.of(group) if row.rank_times]
    rows.sort(key=lambda row: (row.operation == "read", row.last_done or 0.0))
    longest = {op: _common([row for row in rows if row.operation == op]) for op in ("write", "read")}
    return [timeline(row, group, longest[row.operation], index < opened) for index, row in enumerate(rows)]


def _common(rows: list[ParallelRow]) -> float:
    """The seconds that the time axes of an operation share, so that pictures can be compared: four times the median."""
    ends = sorted(max(rank.end for rank in row.rank_times) for row in rows)
    return min(ends[-1], 4 * ends[len(ends) // 2]) if ends else 0.0


def timeline(row: ParallelRow, group: Group, common: float, opened: bool) -> Timeline:
    """The picture of a row; the axis is its own if the transfer takes longer than the common one."""
    end = max(rank.end for rank in row.rank_times)
    span = max(common, end) or 1e-9
    shown = selection(len(row.rank_times))
    lanes = [_lane(rank, row.rank_times[rank], TOP + LANE * index, span) for index, rank in enumerate(shown)]
    used = [phase for phase in PHASES if any(getattr(rank, phase) > 0 for rank in row.rank_times)]
    speed = f"{number(row.statistics.median / 1e3)} GB/s" if row.statistics else ""
    note = f"{number(1e3 * end)} ms{', ' + speed if speed else ''}; {mpi_ranks(group.ranks)}"
    if end > common:
        note += "; a time axis of its own"
    if len(shown) < len(row.rank_times):
        note += f"; {len(shown)} of them are drawn"
    return Timeline(
        f"{row.way}, {row.operation}",
        note,
        TOP + LANE * len(lanes) + BOTTOM,
        lanes,
        _ticks(span),
        [(phase, COLOURS[phase], MEANINGS[phase]) for phase in used],
        opened,
    )


def selection(count: int) -> list[int]:
    """The lanes that are drawn of so many: all, or an even selection with both ends."""
    if count <= MOST_LANES:
        return list(range(count))
    return sorted({round(index * (count - 1) / (MOST_LANES - 1)) for index in range(MOST_LANES)})


def _lane(rank: int, times: RankTimes, y: float, span: float) -> Lane:
    """Without events the phases stand in their usual order."""
    events = list(times.events)
    if not events:
        begin = times.begin
        for phase in PHASES:
            seconds = getattr(times, phase)
            if seconds > 0:
                events.append((phase, begin, begin + seconds))
                begin += seconds
    # What encloses is drawn first.
    events.sort(key=lambda event: event[1] - event[2])
    blocks = [
        Block(
            _x(begin, span),
            round(max(_x(end, span) - _x(begin, span), 0.4), 2),
            COLOURS.get(phase, "c6"),
            f"MPI rank {rank}: {phase} {1e3 * begin:.3f} to {1e3 * end:.3f} ms",
        )
        for phase, begin, end in events
    ]
    return Lane(
        f"MPI rank {rank}", y, _x(times.begin, span), round(_x(times.end, span) - _x(times.begin, span), 2), blocks
    )


def _x(seconds: float, span: float) -> float:
    return round(LEFT + (WIDTH - LEFT - 10) * max(0.0, seconds) / span, 2)


def _ticks(span: float) -> list[tuple[float, str]]:
    """About six round numbers of milliseconds."""
    step = tick_step(span)
    return [(_x(index * step, span), f"{1e3 * index * step:g} ms") for index in range(int(span / step) + 1)]


def tick_step(span: float) -> float:
    """The distance of about six ticks at round numbers."""
    step: float = 10.0 ** math.floor(math.log10(span / 6))
    return step * next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 8)
