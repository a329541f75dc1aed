"""Tables of `headrace bench parallel` for the terminal: at most 100 columns, the conclusion first."""

import textwrap
from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape

from headrace.measure.parallel.hints import other_names, what_became
from headrace.measure.parallel.methods import DEFAULT, MORE, NULL, SPECIAL, pattern_of
from headrace.measure.parallel.ratios import PAIRS, summary
from headrace.measure.parallel.rows import GOAL_BYTES, NOTHING_COLLECTED, calls_nothing_collective
from headrace.measure.parallel.shapes import size_for
from headrace.measure.parallel.ways import BASE
from headrace.reporters.console import compact, number, print_written, rounds_said
from headrace.reporters.parallel_rows import WIDTH, named, print_rows, rate, rows_of
from headrace.reporters.transfer_tables import print_ratios
from headrace.results.goals import goals_said
from headrace.results.methods import LIMIT, NPY, ZARR, mpi_ranks
from headrace.results.parallel import LIMIT_NOISY, Group, ParallelRow, ParallelRun
from headrace.results.transfers import RatioFound
from headrace.results.verdicts import ENOUGH

MOST_NAMES = 3  # that have failed for the same reason
_LIST = 47  # columns before a ratio's meaning
_NAME = 35
_CELL = 21  # of a scaling model: 0.123 (0.101..0.145) and two blanks


def print_parallel_run(run: ParallelRun, out: Console, written: Iterable[object] = ()) -> None:
    """Everything that a run found, and the files that were written of it."""
    for sentence in conclusions(run):
        out.print(f"[bold]{escape(sentence)}[/bold]")
    _print_workers(run, out)
    for group in run.groups:
        _print_group(run, group, out)
    _print_published(run, out)
    _print_models(run, out)
    _print_troubles(run, out)
    _print_hints(run, out)
    for remark in run.remarks:
        out.print(f"remark: {escape(remark)}")
    for note in run.notes:
        out.print(escape(note))
    print_written(written, out)
    what = f"{run.settings.scaling} scaling, {run.settings.layout} layout{_rounds(run)}"
    out.print(f"[dim]{what}; every value read was compared; took {run.elapsed_seconds:.0f} s[/dim]")


def _rounds(run: ParallelRun) -> str:
    """How many the time was enough for."""
    counts = [row.statistics.n for row in run.rows if row.statistics]
    if not counts:
        return ""
    fewest, most = min(counts), max(counts)
    return f"; {fewest if fewest == most else f'{fewest} to {most}'} round{'s' * (most > 1)} a row"


def conclusions(run: ParallelRun) -> list[str]:
    """The sentences that a user came for, about the most MPI ranks."""
    said: list[str] = []
    for ranks in sorted(run.intervals, key=int, reverse=True)[:1]:
        ratios = run.intervals[ranks]
        parts = []
        if "zarr_vs_fpp" in ratios:
            parts.append(f"at {_sure(ratios['zarr_vs_fpp'])} of raw file per process")
        best = [ratios[name] for name in ("zarr_vs_best_collective", "zarr_vs_best_collective_ompio") if name in ratios]
        if best:
            least = min(best, key=lambda ratio: ratio.median)
            parts.append(f"{_sure(least)} times as fast as the fastest collective library ({least.meaning})")
        if parts:
            what = f"On {mpi_ranks(int(ranks))} headrace writes one Zarr store {' and '.join(parts)}"
            said.append(f"{what}{_doubt('too-short') if _is_too_short(run, int(ranks)) else ''}.")
    said += _goals(run)
    said += _fastest(run)
    if not said:
        said.append("Nothing was measured." if not run.rows else "No ratio could be taken: see below.")
    return said


def _is_too_short(run: ParallelRun, ranks: int) -> bool:
    """Whether the Zarr store, or the raw files that it is compared with, took less than --min-time."""
    compared = (row for row in run.rows if row.ranks == ranks and row.method in (LIMIT, ZARR))
    return any(row.verdict == "too-short" for row in compared if row.operation == "write")


def _goals(run: ParallelRun) -> list[str]:
    """How many are met, and how sure that is."""
    over = " over all numbers of MPI ranks" if len(run.intervals) > 1 else ""
    said = goals_said((ratio for ratios in run.intervals.values() for ratio in ratios.values()), over)
    if not said:
        return []
    said = said[0].upper() + said[1:]
    absent = sum(map(len, run.absent.values()))
    if absent:
        said += f"; {absent} more {'was' if absent == 1 else 'were'} not measured: absent, with the reason"
    return [f"{said}.", *_to_judge(run)]


def _to_judge(run: ParallelRun) -> list[str]:
    """What to run if goals are not judged because the array was too small for them."""
    if not any(ratio.too_small for ratios in run.intervals.values() for ratio in ratios.values()):
        return []
    asked = run.settings
    size = size_for(GOAL_BYTES, asked.ranks, "weak" if asked.scaling == "weak" else "strong")
    without = [f"--preset {asked.preset}"] * bool(asked.preset) + ["--quick"] * asked.quick
    less = f", and without {' and '.join(without)}" if without else ""
    return [f"To have them judged, run it with --size {size}MiB or more{less}."]


def _sure(ratio: RatioFound) -> str:
    """A figure; with its interval if that is wide."""
    if ratio.n < ENOUGH:
        return f"{number(ratio.median)} ({rounds_said(ratio.n)}: no interval)"
    if ratio.verdict == "valid":
        return number(ratio.median)
    return f"{number(ratio.median)} (noisy: {number(ratio.low)} to {number(ratio.high)})"


def _fastest(run: ParallelRun) -> list[str]:
    """The fastest way that gives one logical array, if the ratios do not say it."""
    if any(run.intervals.values()) or not run.groups:
        return []
    most = max(group.ranks for group in run.groups)
    found = [
        row
        for row in run.rows
        if row.ranks == most and row.statistics and row.outcome == "measured" and row.method != NULL
        if row.operation == "write"
    ]
    if not found:
        return []
    if len({row.method for row in found} - {LIMIT}) == 1:  # it was asked for, and the limit is there to compare it with
        found = [row for row in found if row.method != LIMIT]
    best = max(found, key=lambda row: row.statistics.median if row.statistics else 0)
    assert best.statistics is not None
    place = f" in {best.directory}" if len({group.directory for group in run.groups}) > 1 else ""
    speed = best.statistics.median
    shown = f"{rate(speed / 1e3)} GB/s" if speed >= 100 else f"{rate(speed)} MB/s"
    share = best.limit_fraction if best.method != LIMIT else None
    rest = f" at {100 * share:.0f} % of raw file per process" if share else ""
    how = "" if rest and len(found) == 1 else " fastest"
    return [f"On {mpi_ranks(most)} {best.way} writes{how}{place}{rest}: {shown}{_doubt(best.verdict)}."]


def _doubt(verdict: str | None) -> str:
    """What the verdict of a row takes from a sentence about it."""
    why = {
        "noisy": "more --rounds narrow it down",
        "too-short": "the transfer lasted less than --min-time, take a larger --size",
        "cache-suspect": "faster than raw files were, which a cache may explain",
    }
    return "" if verdict == "valid" else f" ({verdict}: {why[verdict]})" if verdict in why else f" ({verdict})"


def _print_workers(run: ParallelRun, out: Console) -> None:
    seen: dict[str, None] = {}
    for worker in run.workers:
        nodes = f"{worker.nodes} node{'s' * (worker.nodes > 1)}"
        seen[f"{worker.mpi.split(',')[0]}, MPI-IO by {worker.mpi_io}, {nodes}"] = None
    for text in seen:
        out.print(f"[dim]{escape(text)}[/dim]", no_wrap=True, overflow="ellipsis")


def _print_group(run: ParallelRun, group: Group, out: Console) -> None:
    rows = run.of(group)
    size = f"{group.payload_bytes / 2**20:,.0f} MiB" if group.payload_bytes >= 2**20 else f"{group.payload_bytes:,} B"
    shape = " x ".join(map(str, group.extents))
    out.print(
        f"\n[bold]{mpi_ranks(group.ranks)}, {escape(group.directory)}: {shape} real64, {size}[/bold]",
        no_wrap=True,
        overflow="ellipsis",
    )
    look = rows_of([row for row in rows if row.statistics])
    for operation, condition in (("write", group.write_condition), ("read", group.read_condition)):
        members = [row for row in rows if row.operation == operation and row.statistics]
        if members:
            print_rows(look, f"{operation}, {condition}", members, out)
    if any(row.statistics for row in rows):
        out.print(
            f"[dim]{look.unit}: median of the row alone; raw %: speed in % of {LIMIT}, median of the\n"
            "ratios within rounds: the two may disagree, compare rows by raw %; late: end of the last MPI rank\n"
            "/ of the first; mem: bytes beside the array, the most of one MPI rank; phases: the two longest,\n"
            "% of the time; verdicts: doc/reference/bench_parallel.md, How to read the tables[/dim]"
        )
    if any(row.limit_is_noisy for row in rows):
        out.print(f"[dim]raw noisy: {LIMIT_NOISY}[/dim]")
    _print_calls(rows, out)
    print_ratios(group.intervals, group.also, out)
    reasons: dict[str, list[str]] = {}
    for name, why in group.absent.items():
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        out.print(f"[dim]absent: {', '.join(names)}: {escape(why)}[/dim]")


def _print_calls(rows: list[ParallelRow], out: Console) -> None:
    """Independent and collective calls of MPI-IO in one transfer, all MPI ranks: PMPI counts them on any MPI."""
    lines: dict[str, dict[str, tuple[int, int]]] = {}
    for row in rows:
        c = row.counts
        if c is None or not row.statistics:
            continue
        calls = (c.collective_writes + c.collective_reads, c.independent_writes + c.independent_reads)
        if any(calls):
            lines.setdefault(named(row), {})[row.operation] = calls
    if lines:
        heads = f"{'write: coll.':>15}{'indep.':>10}{'read: coll.':>15}{'indep.':>10}"
        out.print(f"[bold]{'MPI-IO calls, all MPI ranks':<{_NAME}}{heads}[/bold]", no_wrap=True)
    for name, found in lines.items():
        first = f"{name}\n{'':<{_NAME}}" if len(name) >= _NAME else f"{name:<{_NAME}}"
        cells = [
            f"{compact(collective):>15}{compact(independent):>10}"
            for collective, independent in (found.get("write", (0, 0)), found.get("read", (0, 0)))
        ]
        out.print(escape(first + "".join(cells)), no_wrap=True)
    if any(calls_nothing_collective(row) for row in rows if row.statistics):
        out.print(f"[dim]{NOTHING_COLLECTED}[/dim]")


def _print_published(run: ParallelRun, out: Console) -> None:
    found = run.published
    if found is None:
        return
    out.print(f"\n[bold]{escape(found.title)}[/bold]")
    for table in found.tables:
        heads = "".join(f"{column:>15}" for column in table.columns)
        out.print(f"[bold]{f'{table.title}, {table.unit}':<{_NAME + 4}}{heads}[/bold]", no_wrap=True)
        for row in table.rows:
            cells = [number(row.values[column]) if column in row.values else "-" for column in table.columns]
            text = "".join(f"{cell:>15}" for cell in cells)
            out.print(escape(f"{row.what:<{_NAME + 4}}{text}"), no_wrap=True)
    for text in found.differs:
        out.print(f"[dim]{escape(text)}[/dim]")
    out.print(f"[dim]source: {escape(found.source)}[/dim]")


def _print_models(run: ParallelRun, out: Console) -> None:
    if not run.scaling:
        return
    out.print("\n[bold]Scaling model: extrapolated GB/s, in brackets where a run lies with 95 %[/bold]")
    counts = sorted({prediction.ranks for model in run.scaling for prediction in model.predictions})
    if counts:
        heads = "".join(f"{f'{count} MPI ranks':>{_CELL}}" for count in counts)
        out.print(f"[bold]{'':<{_NAME}}{heads}[/bold]", no_wrap=True)
    refusals: dict[str, list[str]] = {}
    for model in run.scaling:
        name = f"{model.method}, {model.operation}"
        cells = {p.ranks: f"{rate(p.median)} ({rate(p.low)}..{rate(p.high)})" for p in model.predictions}
        if cells:
            text = "".join(f"{cells.get(count, 'refused'):>{_CELL}}" for count in counts)
            first = f"{name}\n{'':<{_NAME}}" if len(name) > _NAME else f"{name:<{_NAME}}"
            out.print(escape(f"{first}{text}"), no_wrap=True)
        if model.refusal:
            why = f"{model.refusal}: {model.hint}" if model.hint else model.refusal
            refusals.setdefault(why, []).append(name)
    for why, names in refusals.items():
        out.print(f"[dim]no further for {escape('; '.join(names))}: {escape(why)}[/dim]")


def _print_troubles(run: ParallelRun, out: Console) -> None:
    for method, why in run.unavailable.items():
        out.print(f"unavailable here: {escape(method)}: {escape(why)}")
    troubles: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for row in run.rows:
        outcome: str = "not measured" if row.outcome == "measured" and not row.samples else row.outcome
        if outcome not in ("measured", "skipped"):
            place = (outcome, mpi_ranks(row.ranks), row.message)
            troubles.setdefault(place, {}).setdefault(named(row), []).append(row.operation)
    for (outcome, ranks, message), names in troubles.items():
        colour = "default" if outcome == "not measured" else "red"
        listed = [f"{name}, {' and '.join(operations)}" for name, operations in names.items()]
        if len(listed) > MOST_NAMES:
            listed = [*listed[:MOST_NAMES], f"and {len(listed) - MOST_NAMES} more"]
        out.print(f"[{colour}]{outcome}[/{colour}]: {ranks}, {escape('; '.join(listed))}: {escape(message)}")


def _print_hints(run: ParallelRun, out: Console) -> None:
    """Rows whose hints fared alike share a line."""
    fates: dict[str, dict[str, list[str]]] = {}
    for row in run.rows:
        if row.hints_asked and row.statistics:
            places = fates.setdefault(named(row), {}).setdefault(what_became(row), [])
            places.append(f"{row.operation} on {mpi_ranks(row.ranks)}")
    lines: dict[str, list[str]] = {}
    for name, found in fates.items():
        for fate, places in found.items():
            where = f" ({', '.join(dict.fromkeys(places))})" if len(found) > 1 else ""
            lines.setdefault(fate, []).append(f"{name}{where}")
    for fate, names in lines.items():
        out.print(escape(f"hints of {'; '.join(names)}: {fate}"))
    asked = any(row.hints_asked for row in run.rows)
    for row in run.rows if asked or run.settings.vary else []:
        if row.way == "mpiio:collective" and row.tool == BASE and row.operation == "write" and other_names(row):
            more = f"in force without being asked for ({mpi_ranks(row.ranks)}, {row.way})"
            out.print(f"[dim]{more}: {escape(other_names(row))}[/dim]")
            break


def print_list(out: Console) -> None:
    """Methods by pattern, and the ratios with their goals."""
    out.print("[bold]methods[/bold] (* part of the default benchmark)")
    for method in (*DEFAULT, *MORE, *SPECIAL):
        out.print(f" {'*' if method in DEFAULT else ' '}{method:<46} {pattern_of(method)}", no_wrap=True)
    out.print(f"\n[bold]ratios[/bold]: time of the other / time of headrace; {LIMIT}, {ZARR}, {NPY} ...")
    for name, pairs in PAIRS.items():
        pair = pairs[0]
        goal = "-" if pair.goal is None else f"{'>=' if pair.at_least else '<='} {pair.goal:g}"
        # Lines end between what is compared, not within.
        lines = textwrap.wrap(summary(pairs).replace(", ", ",\xa0"), WIDTH - _LIST, break_on_hyphens=False)
        lines = [line.replace("\xa0", " ") for line in lines]
        for head, line in zip((f"  {name:<34}{goal:>8}", *("" for _ in lines[1:])), lines, strict=True):
            out.print(f"{head:<{_LIST}}{escape(line)}", no_wrap=True, overflow="ignore")
