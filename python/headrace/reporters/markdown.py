"""Results as Markdown: conditions, ratios beside their goals, and every row, for documents and pull requests."""

from collections.abc import Iterable, Mapping, Sequence

from headrace.reporters.any_report import as_run
from headrace.reporters.console import number
from headrace.reporters.parallel_tables import conclusions
from headrace.reporters.taken_over_tables import lines_of, starts_of
from headrace.results.binary import BinaryRun, FigureFound
from headrace.results.conclusions import conclude
from headrace.results.files import AnyRun
from headrace.results.goals import judgement
from headrace.results.parallel import Group, ParallelRun
from headrace.results.records import Statistics
from headrace.results.run import Row
from headrace.results.taken_over import TakenOverRun
from headrace.results.text import TextRun
from headrace.results.transfers import RatioFound

_GOALS = {
    "met": "met",
    "missed": "missed",
    "open": "open",
    "too small": "array too small",
    "not judged": "too few rounds",
}


def markdown(runs: Sequence[AnyRun], names: Sequence[str]) -> str:
    """A document with a section for each run."""
    parts = ["# headrace: results"]
    for run, name in zip(runs, names, strict=True):
        parts += [f"## {_cell(name)}", *said(run), conditions(run), ratios(run), rows(run)]
    return "\n\n".join(part for part in parts if part) + "\n"


def said(run: AnyRun) -> list[str]:
    """The conclusions, a paragraph each."""
    if isinstance(run, ParallelRun):
        return conclusions(run)
    return conclude(as_run(run))


def conditions(run: AnyRun) -> str:
    """What was run, on what, and for how long: no figure means anything without it."""
    p = run.provenance
    places = ", ".join(f"`{place.path}` ({place.file_system})" for place in run.directories)
    compilers = ", ".join(dict.fromkeys(compiler.identifier for compiler in run.compilers))
    machine = ", ".join(part for part in (p.processor, f"{p.cores} cores", p.distribution, compilers, p.mpi) if part)
    what = f"`{' '.join(p.command)}`, headrace {p.headrace_version}, {p.date[:10]}, {run.elapsed_seconds:.0f} s"
    whole = "" if run.complete else " The run was interrupted: rows are missing."
    return f"Measured by {what}, in {places} on {machine}.{whole}"


def ratios(run: AnyRun) -> str:
    """A line for each ratio, with a column for each number of MPI ranks; empty if the benchmark has none."""
    columns: dict[str, Mapping[str, RatioFound | FigureFound]]
    if isinstance(run, ParallelRun):
        columns = {f"{ranks} MPI ranks": found for ranks, found in run.intervals.items()}
        absent = {name: why for found in run.absent.values() for name, why in found.items()}
    elif isinstance(run, TextRun | BinaryRun | TakenOverRun):
        columns = {"median (interval)": _ratios(run)}
        absent = run.absent
    else:
        return ""
    table = _ratio_table(columns)
    known = [f"`{name}`: {_cell(why)}" for name, why in sorted(absent.items())]
    if not known:
        return table
    return f"{table}\n\nNot measured:\n\n" + "\n".join(f"- {line}" for line in known)


def rows(run: AnyRun) -> str:
    """A line for each row that was measured, the slowest first; a table for each operation and condition."""
    if isinstance(run, ParallelRun):
        return "\n\n".join(_group(run, group) for group in run.groups)
    plain = as_run(run)
    kinds = dict.fromkeys((row.operation, row.condition, row.directory) for row in plain.rows)
    tables = []
    for operation, condition, place in kinds:
        chosen = [r for r in plain.rows if (r.operation, r.condition, r.directory) == (operation, condition, place)]
        chosen = [row for row in chosen if row.statistics and row.outcome == "measured"]
        if chosen:
            cells = (
                (_name(row), row.compiler, row.statistics, _share(row.ceiling_fraction), row.verdict) for row in chosen
            )
            tables.append(_rows(f"{operation}, {condition}, `{place}`", "of the ceiling", cells, "compiler or tool"))
    return "\n\n".join(tables)


def statements(run: AnyRun) -> str:
    """Of `headrace bench run`: a line for each case, with the times of a statement, and the start of a process."""
    assert isinstance(run, TakenOverRun)
    heads = ["case", "ns without", "ns with", "times faster (interval)", "goal", "the goal is", "taken over", "if left"]
    table = [_line(heads), _line(["---", *["---:"] * 2, *["---"] * 5])]
    for line in lines_of(run):
        case, found = f"`{line.case.title}`" if "(" in line.case.title else line.case.title, line.ratio
        times = (number(line.without.nanoseconds), number(line.within.nanoseconds), _ratio(found))
        goal = (_goal(found), _GOALS.get(judgement(found), ""))
        table.append(_line([case, *times, *goal, line.taken_over, "; ".join(line.within.why_left)]))
    said = [
        f"{found.meaning.partition(': ')[2].replace('w', 'W', 1)}: {number(found.median)} ms ({number(found.low)} to "
        f"{number(found.high)}; goal: at most {found.goal:g} ms, {_GOALS.get(judgement(found), '')})."
        for found in starts_of(run).values()
    ]
    known = [f"- `{name}`: {_cell(why)}" for name, why in sorted(run.absent.items())]
    parts = ["\n".join(table), " ".join(said), *(["Not measured:", "\n".join(known)] if known else [])]
    return "\n\n".join(part for part in parts if part)


def _ratios(run: TextRun | BinaryRun | TakenOverRun) -> Mapping[str, RatioFound | FigureFound]:
    if isinstance(run, TakenOverRun):
        return run.intervals
    figures = run.figures if isinstance(run, BinaryRun) else {}
    return {**run.intervals, **figures, **run.also}


def _ratio_table(columns: Mapping[str, Mapping[str, RatioFound | FigureFound]]) -> str:
    names = dict.fromkeys(name for found in columns.values() for name in found)
    if not names:
        return ""
    lines = _head(["ratio", "goal", *columns, "the time of", "the goal is"])
    for name in names:
        known = [found[name] for found in columns.values() if name in found]
        cells = [_ratio(found[name]) if name in found else "-" for found in columns.values()]
        # The meaning may name the fastest of several, which differs with the number of MPI ranks.
        meanings = ", or ".join(dict.fromkeys(ratio.meaning for ratio in known))
        judged = [_GOALS.get(judgement(ratio), "") for ratio in known]
        lines.append(_line([f"`{name}`", _goal(known[0]), *cells, meanings, ", ".join(judged) if any(judged) else ""]))
    return "\n".join(lines)


def _ratio(found: RatioFound | FigureFound) -> str:
    unit = f" {found.unit}" if isinstance(found, FigureFound) else ""
    interval = f"{number(found.low)} to {number(found.high)}, " if found.n > 1 else ""
    return f"{number(found.median)}{unit} ({interval}n = {found.n})"


def _goal(found: RatioFound | FigureFound) -> str:
    return "" if found.goal is None else f"{'>=' if found.at_least else '<='} {found.goal:g}"


def _group(run: ParallelRun, group: Group) -> str:
    tables = []
    for operation, condition in (("write", group.write_condition), ("read", group.read_condition)):
        members = [row for row in run.of(group) if row.operation == operation and row.statistics]
        if members:
            cells = ((row.way, row.pattern, row.statistics, _share(row.limit_fraction), row.verdict) for row in members)
            shape = " x ".join(map(str, group.extents))
            title = f"{group.ranks} MPI ranks, {operation}, {condition}, `{group.directory}`: {shape} real64"
            tables.append(_rows(title, "of raw files", cells, "pattern"))
    return "\n\n".join(tables)


def _rows(
    title: str, share: str, cells: Iterable[tuple[str, str, Statistics | None, str, str | None]], tool: str
) -> str:
    lines = [f"**{title}**", "", *_head(["way", tool, "MB/s", "interval", share, "rounds", "verdict"])]
    for name, maker, found, part, verdict in sorted(cells, key=lambda cell: cell[2].median if cell[2] else 0):
        assert found is not None
        interval = f"{number(found.low)} to {number(found.high)}" if found.n > 1 else "-"
        lines.append(_line([f"`{name}`", maker, number(found.median), interval, part, str(found.n), verdict or ""]))
    return "\n".join(lines)


def _name(row: Row) -> str:
    knob = f", {row.knob}" if row.knob != "default" else ""
    processes = f", {row.processes} processes" if row.processes > 1 else ""
    return f"{row.key}{knob}{processes}"


def _share(part: float | None) -> str:
    return "" if part is None else f"{100 * part:.0f} %"


def _head(titles: Sequence[str]) -> list[str]:
    return [_line(titles), _line(["---"] * len(titles))]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
