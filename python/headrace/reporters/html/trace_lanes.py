"""Who did I/O when: a lane for each MPI rank or process, coloured by source line, on the time axis of the run."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.reporters.html.numbers import size
from headrace.reporters.html.timelines import selection, tick_step
from headrace.trace.results import Process, TimeLine, Trace
from headrace.trace.table import short_seconds, statement_words

COLUMNS = 500
MANY_LANES, FEWER_COLUMNS = 16, 250
COLOURS = 5  # source lines with a colour of their own; c6 is all others
_STRENGTHS = ((0.75, 1.0), (0.4, 0.7), (0.1, 0.45), (0.002, 0.25))  # share of the time at work, opacity

Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Block:
    """One colour over some columns."""

    x: float
    width: float
    colour: str
    opacity: float
    title: str


@dataclass(frozen=True)
class Lane:
    """One MPI rank, or one process."""

    label: str
    note: str
    blocks: list[Block]


@dataclass(frozen=True)
class Lanes:
    """The whole picture."""

    lanes: list[Lane]
    left_out: int
    ticks: list[tuple[float, str]]
    colours: list[tuple[str, str]]  # class, meaning
    rate: str  # the points of a polygon, 100 wide and 100 high
    peak: str


def colours_of(trace: Trace) -> dict[int, str]:
    """The costliest lines that have a time line, by id."""
    known = {line.line for line in trace.time_lines}
    costliest = [line.id for line in trace.lines if line.id in known][:COLOURS]
    return {line: f"c{number}" for number, line in enumerate(costliest, 1)}


def lanes(trace: Trace, colours: dict[int, str]) -> Lanes:
    """All lanes, or an even selection of many. The costliest is always among them."""
    groups = _groups(trace)
    span = max(_end(line) for line in trace.time_lines)
    span = max(span, max((process.seconds for process in trace.processes), default=0.0))
    shown = selection(len(groups))
    keys = list(groups)
    costliest = max(range(len(keys)), key=lambda number: _seconds(groups[keys[number]]))
    shown = sorted({*shown, costliest})
    edges = np.linspace(0.0, span, (COLUMNS if len(shown) <= MANY_LANES else FEWER_COLUMNS) + 1)
    rate = sum((_columns(line, line.payload_bytes, edges) for line in trace.time_lines), np.zeros(len(edges) - 1))
    rate /= np.diff(edges)
    return Lanes(
        [_lane(keys[number], groups[keys[number]], trace, colours, edges) for number in shown],
        len(keys) - len(shown),
        _ticks(span),
        [
            (colour, f"{trace.lines[line].place}, {statement_words(trace.lines[line])}")
            for line, colour in colours.items()
        ]
        + [("c6", "other lines")] * any(line.line not in colours for line in trace.time_lines),
        _polygon(rate),
        f"{size(float(rate.max()))}/s",
    )


def _groups(trace: Trace) -> dict[tuple[int, int], list[TimeLine]]:
    """Time lines by MPI rank; of processes without one by process. Every MPI rank has a lane, with or without I/O."""
    groups: dict[tuple[int, int], list[TimeLine]] = {
        _key(number, process): []
        for number, process in enumerate(trace.processes)
        if process.mpi_rank is not None or process.io_seconds > 0
    }
    for line in trace.time_lines:
        groups.setdefault(_key(line.process, trace.processes[line.process]), []).append(line)
    return dict(sorted(groups.items()))


def _key(number: int, process: Process) -> tuple[int, int]:
    return (0, process.mpi_rank) if process.mpi_rank is not None else (1, number)


def _end(line: TimeLine) -> float:
    return line.begins + (line.bins[-1] + 1) * line.width if line.bins else 0.0


def _seconds(lines: list[TimeLine]) -> float:
    return sum(sum(line.seconds) for line in lines)


def _columns(line: TimeLine, values: list[float] | list[int], edges: Figures) -> Figures:
    """What is in bins, spread over the columns of the picture."""
    if not line.bins:
        return np.zeros(len(edges) - 1)
    dense = np.zeros(line.bins[-1] - line.bins[0] + 1)
    dense[np.asarray(line.bins) - line.bins[0]] = values
    at = line.begins + line.width * (line.bins[0] + np.arange(len(dense) + 1))
    spread: Figures = np.diff(np.interp(edges, at, np.concatenate([[0.0], np.cumsum(dense)])))
    return spread


def _lane(key: tuple[int, int], lines: list[TimeLine], trace: Trace, colours: dict[int, str], edges: Figures) -> Lane:
    kinds = [*dict.fromkeys(line for line in colours), -1]
    busy = np.zeros((len(kinds), len(edges) - 1))
    for line in lines:
        busy[kinds.index(line.line if line.line in colours else -1)] += _columns(line, line.seconds, edges)
    busy /= edges[1] - edges[0]
    all_kinds = busy.sum(axis=0)
    main = np.where(all_kinds > _STRENGTHS[-1][0], busy.argmax(axis=0), -1)
    strength = np.select([all_kinds >= share for share, _ in _STRENGTHS], range(len(_STRENGTHS)), -1)
    state = main * 10 + strength
    changes = np.flatnonzero(np.diff(state)) + 1
    blocks = []
    label = f"MPI rank {key[1]}" if key[0] == 0 else f"process {trace.processes[key[1]].process}"
    for begin, end in zip([0, *changes.tolist()], [*changes.tolist(), len(state)], strict=True):
        if main[begin] < 0:
            continue
        kind = kinds[main[begin]]
        place = trace.lines[kind].place if kind >= 0 else "other lines"
        at_work = 100 * float(all_kinds[begin:end].mean())
        blocks.append(
            Block(
                round(100 * begin / len(state), 2),
                round(100 * (end - begin) / len(state), 2),
                colours.get(kind, "c6"),
                _STRENGTHS[int(strength[begin])][1],
                f"{label}, {edges[begin]:.4g} to {edges[end]:.4g} s: {place}; "
                f"in I/O {min(at_work, 100):.0f} % of that time",
            )
        )
    return Lane(label, short_seconds(_seconds(lines)), blocks)


def _ticks(span: float) -> list[tuple[float, str]]:
    step = tick_step(span)
    scale, unit = (1.0, "s") if span >= 1 else (1e3, "ms")
    return [(100 * index * step / span, f"{index * step * scale:g} {unit}") for index in range(int(span / step) + 1)]


def _polygon(rate: Figures) -> str:
    peak = max(float(rate.max()), 1e-9)
    points = [(100 * index / len(rate), 100 - 100 * float(value) / peak) for index, value in enumerate(rate)]
    outline = [
        (0.0, 100.0),
        *(corner for x, y in points for corner in ((x, y), (x + 100 / len(rate), y))),
        (100.0, 100.0),
    ]
    return " ".join(f"{x:.2f},{y:.1f}" for x, y in outline)
