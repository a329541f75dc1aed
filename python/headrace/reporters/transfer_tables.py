"""Tables of ways and ratios that `headrace bench text` and `bench binary` share: at most 100 columns."""

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.markup import escape

from headrace.reporters.console import compact, number, print_written
from headrace.results.binary import BinaryRun
from headrace.results.goals import TOO_SMALL, Judgement, WithGoal, judgement
from headrace.results.records import Operation
from headrace.results.taken_over import TakenOverRun
from headrace.results.text import TextRun
from headrace.results.trace import TraceRun
from headrace.results.transfers import RatioFound, TransferRow
from headrace.results.verdicts import ENOUGH

_HEADS = ("MB/s", "interval", "Mval/s", "B/val", "cores", "memory")
_MET: dict[Judgement, str] = {
    **{"": "-", "met": "yes", "missed": "no"},
    **{"open": "open", "too small": "size", "not judged": f"n<{ENOUGH}"},
}
_OPERATIONS: tuple[Operation, ...] = ("write", "read")


def print_ratios(
    intervals: Mapping[str, RatioFound], also: Mapping[str, RatioFound], out: Console, legend: bool = True
) -> None:
    """A line a ratio: those with goals, and below them others."""
    if not intervals and not also:
        return
    width = max(28, *(len(name) + 1 for name in (*intervals, *also)))
    out.print(f"\n[bold]{'ratio':<{width}}{'median':>8}{'interval':>15}{'goal':>8}  met  of the time of[/bold]")
    for name, ratio in (*intervals.items(), *also.items()):
        _print_ratio(name, ratio, width, out)
    if legend:
        print_judgements((*intervals.values(), *also.values()), out)


def met_cell(found: WithGoal) -> str:
    """The cell of the column "met"."""
    return f"{_MET[judgement(found)]:>4}"


def print_judgements(figures: Iterable[WithGoal], out: Console) -> None:
    """What stands in the column "met" beside yes and no."""
    words = {judgement(found) for found in figures}
    said = {
        "open": "met open: the goal lies within the interval, so that another run may say otherwise",
        "too small": f"met size: {TOO_SMALL}",
        "not judged": f"met n<{ENOUGH}: too few rounds to judge (--rounds, --time-budget)",
    }
    for word, text in said.items():
        if word in words:
            out.print(f"[dim]{text}[/dim]")


def _print_ratio(name: str, ratio: RatioFound, width: int, out: Console) -> None:
    interval = f"{number(ratio.low)}..{number(ratio.high)}" if ratio.n > 1 else "-"
    goal = "-" if ratio.goal is None else f"{'>=' if ratio.at_least else '<='} {ratio.goal:g}"
    colour = "yellow" if judgement(ratio) in ("missed", "open") else "default"
    line = f"{name:<{width}}{number(ratio.median):>8}{interval:>15}{goal:>8} {met_cell(ratio)}  {ratio.meaning}"
    out.print(f"[{colour}]{escape(line)}[/{colour}]", no_wrap=True, overflow="ellipsis")


def print_rows(title: str, rows: Iterable[TransferRow], out: Console) -> None:
    """A table of the writes and one of the reads, the slowest first."""
    found = [row for row in rows if row.statistics]
    for operation in _OPERATIONS:
        _print_operation(title, [row for row in found if row.operation == operation], operation, out)


def print_remarks(rows: Sequence[TransferRow], out: Console) -> None:
    """What failed, and the notes of ways."""
    for row in rows:
        if row.outcome != "measured" or not row.samples:
            out.print(f"[red]{row.outcome}[/red]: {row.case}, {escape(row.key)}: {escape(row.message)}")
    for note in dict.fromkeys(f"{row.title}: {row.way}: {row.note}" for row in rows if row.note):
        out.print(f"* {escape(note)}")


def _print_operation(title: str, rows: Sequence[TransferRow], operation: Operation, out: Console) -> None:
    if not rows:
        return
    heads = "".join(f"{head:>{width}}" for head, width in zip(_HEADS, (8, 14, 8, 7, 7, 8), strict=True))
    out.print(f"\n[bold]{escape(title)}[/bold]", no_wrap=True, overflow="ellipsis")
    out.print(f"[bold]{operation:<37}{heads} verdict[/bold]")
    for row in sorted(rows, key=lambda row: row.statistics.median if row.statistics else 0):
        out.print(_line(row), no_wrap=True, overflow="ignore")


def _line(row: TransferRow) -> str:
    assert row.statistics is not None
    s = row.statistics
    name = f"{row.title}: {row.way}"
    cells = (
        f"{number(s.median):>8}",
        f"{f'{number(s.low)}..{number(s.high)}' if s.n > 1 else '-':>14}",
        f"{number(s.median * row.values / row.payload_bytes):>8}",
        f"{row.file_bytes / row.values:>7.2f}",
        f"{sum(x.user + x.system for x in row.samples) / sum(x.total for x in row.samples):>7.1f}",
        f"{compact(row.peak_memory_bytes or 0):>8}",
    )
    verdict = row.verdict or row.outcome
    mark = "*" if row.note else ""  # explained below the tables
    colour = "default" if verdict == "valid" else "yellow"
    return f"[{colour}]{escape(f'{name[:36]}{mark}'):<37}{''.join(cells)} {verdict}[/{colour}]"


def print_end(
    run: TextRun | BinaryRun | TraceRun | TakenOverRun, out: Console, written: Iterable[object], how: str
) -> None:
    """What is absent, notes, files, and one line on `how` it was measured; {place} in it is the directory."""
    for name, why in run.absent.items():
        out.print(f"[bold]absent[/bold]: {name}: {escape(why)}")
    for note in run.notes:
        out.print(escape(note))
    print_written(written, out)
    place = f"{escape(run.directories[0].path)} ({run.directories[0].file_system})"
    out.print(f"[dim]{how.replace('{place}', place)}; took {run.elapsed_seconds:.0f} s[/dim]")
