"""Tables of a run for the terminal: at most 100 columns, the conclusion first."""

from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from headrace.measure.plan import condition_pairs
from headrace.reporters.console import WIDTH, number
from headrace.reporters.mechanism_tables import interval_cell, median_cell, print_mechanisms
from headrace.results.conclusions import (
    PART_FAMILY,
    REFERENCE_FAMILIES,
    PublishedRatio,
    conclude,
    plain_rows,
    published_ratios,
)
from headrace.results.records import Operation
from headrace.results.run import CostModel, Row, Run
from headrace.results.statistics import ratio_of


@dataclass(frozen=True)
class _How:
    statements: bool  # beside the names of mechanisms
    expanded: bool  # a line for each of several rows that are equal


def print_run(run: Run, out: Console, statements: bool = True, expanded: bool = False) -> None:
    """Everything that a run found."""
    print_conclusions(run, out)
    for directory in run.directories:
        for conditions in _condition_pairs(run):
            for compiler in run.compilers:
                _print_mechanisms(run, out, directory.path, compiler.identifier, conditions, _How(statements, expanded))
    _print_side_by_side(run, out)
    _print_references(run, out)
    _print_readers(run, out)
    _print_knobs(run, out)
    _print_troubles(run, out)
    _print_published(run, out)
    print_cost_models(run, out)
    print_checks(run, out)
    for skip in run.skipped:
        out.print(f"skipped: {escape(skip.what)}: {escape(skip.why)}")
    for note in run.notes:
        out.print(escape(note))


def print_conclusions(run: Run, out: Console) -> None:
    """The sentence that a user came for."""
    for sentence in conclude(run):
        out.print(f"[bold]{escape(sentence)}[/bold]")


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), width=WIDTH)


def _condition_pairs(run: Run) -> list[tuple[str, str]]:
    return [
        (pair.write if "write" in pair.operations else "-", pair.read if "read" in pair.operations else "-")
        for pair in condition_pairs(run.settings.conditions)
    ]


def _print_mechanisms(
    run: Run, out: Console, directory: str, compiler: str, conditions: tuple[str, str], how: "_How"
) -> None:
    pairs: dict[str, dict[Operation, Row]] = {}
    for row in run.rows:
        plain = row.knob == "default" and row.processes == 1 and row.family not in (*REFERENCE_FAMILIES, PART_FAMILY)
        if plain and row.directory == directory and row.compiler == compiler and row.condition in conditions:
            pairs.setdefault(row.key, {})[row.operation] = row
    title = f"{compiler}, {directory}, write {conditions[0]}, read {conditions[1]}"
    print_mechanisms(title, pairs, out, how.statements, how.expanded)


def _speed(row: Row | None) -> str:
    if row is None:
        return "-"
    if row.statistics is None:
        return row.outcome
    s = row.statistics
    text = f"{number(s.median)} [dim]{number(s.low)}..{number(s.high)}[/dim]"
    return text if row.outcome == "measured" else f"[red]{row.outcome}[/red] [dim]{number(s.median)}[/dim]"


def _print_references(run: Run, out: Console) -> None:
    for row in run.rows:
        if row.family == "null" and row.message and row.operation == "write":
            out.print(f"null mechanism: {escape(row.message)}")
    for row in run.rows:
        if row.statistics and row.family == "memory":
            what = "memcpy" if row.mechanism == "copy" else "first touch of new memory"
            _print_ceiling(out, what, row)
        elif row.statistics and row.family == "c_library" and row.processes > 1:
            _print_ceiling(out, f"{row.processes} processes, 1 MiB blocks, a file each", row)
        elif row.statistics and row.key == "c_library:system_1m" and row.condition == "synced":
            _print_ceiling(out, "1 MiB blocks and fsync", row)


def _print_ceiling(out: Console, what: str, row: Row) -> None:
    where = "" if row.family == "memory" else f" in {row.directory}, {row.condition}"
    out.print(f"ceiling: {row.operation}, {what}{escape(where)}: {_speed(row)} MB/s ({row.verdict})")


def _print_side_by_side(run: Run, out: Console) -> None:
    """Useful MB/s, write/read, one column for each compiler and directory."""
    columns = [(c.identifier, d.path) for d in run.directories for c in run.compilers]
    if not 2 <= len(columns) <= 4:
        return
    pair = _condition_pairs(run)[0]
    speeds: dict[str, dict[tuple[str, str], dict[str, str]]] = {}
    for row in plain_rows(run):
        if row.condition in pair:
            cell = speeds.setdefault(row.key, {}).setdefault((row.compiler, row.directory), {})
            cell[row.operation] = number(row.median)
    shared = {key: cells for key, cells in speeds.items() if len(cells) > 1}
    if not shared:
        return
    out.print(f"\n[bold]Side by side: useful MB/s, {pair[0]} write / {pair[1]} read[/bold]")
    for part in (0, 1):
        out.print("[bold]" + " " * 36 + "".join(f"{escape(c[part][-15:]):>16}" for c in columns) + "[/bold]")
    for key, cells in shared.items():
        texts = [f"{cells[c].get('write', '-')}/{cells[c].get('read', '-')}" if c in cells else "-" for c in columns]
        out.print(f"[cyan]{key:<36}[/cyan]" + "".join(f"{text:>16}" for text in texts), no_wrap=True)


def _print_readers(run: Run, out: Console) -> None:
    rows = [r for r in run.rows if r.family == PART_FAMILY and r.statistics]
    if not rows:
        return
    counts = sorted({r.processes for r in rows})
    out.print(
        "\n[bold]Part of a file: k processes, each reads its slice of one file; seconds until the last one ends[/bold]"
    )
    out.print("[bold]" + "".join(f"{f'k={count}':>10}" for count in counts) + "  statement[/bold]")
    lines: dict[tuple[str, ...], dict[int, str]] = {}
    for row in rows:
        place: tuple[str, ...] = (row.mechanism, row.compiler, row.directory, row.knob, row.condition)
        seconds = row.payload_bytes / row.median / 1e6
        lines.setdefault(place, {})[row.processes] = f"{seconds:.3f}" + (" " if row.verdict == "valid" else "*")
    for names, values in lines.items():
        out.print(
            "".join(f"{values.get(count, '-'):>10}" for count in counts) + "  " + escape(", ".join(names)),
            no_wrap=True,
        )
    out.print("[dim]* not valid: too few rounds, or an interval wider than 10 %[/dim]")


def _print_knobs(run: Run, out: Console) -> None:
    rows = [r for r in run.rows if r.knob != "default" and r.statistics and r.family != PART_FAMILY]
    if not rows:
        return
    out.print("\n[bold]Run-time knobs: speed against the same statement with the run time as it comes[/bold]")
    out.print(f"[bold]{'MB/s':>8}{'interval':>13}{'default':>8}{'ratio':>8} knob, statement[/bold]")
    plain = {
        (r.compiler, r.directory, r.key, r.operation, r.condition): r
        for r in run.rows
        if r.knob == "default" and r.processes == 1
    }
    for row in rows:
        base = plain.get((row.compiler, row.directory, row.key, row.operation, row.condition))
        reference = base.median if base else 0.0
        ratio = f"{ratio_of(row, base):.3g}" if base and reference else "-"
        where = f"{row.knob} {row.operation} {row.key} {row.compiler}"
        mark = " " if row.verdict == "valid" else "*"
        out.print(
            f"{median_cell(row):>8}{interval_cell(row):>13}{number(reference):>8}{ratio:>8}{mark}{escape(where)}",
            no_wrap=True,
        )


def _print_troubles(run: Run, out: Console) -> None:
    rows = [r for r in run.rows if r.outcome not in ("measured", "skipped")]
    _print_skipped([r for r in run.rows if r.outcome == "skipped"], out)
    if not rows:
        return
    out.print("[bold]What a compiler or its run time refused, got wrong or did not finish[/bold]")
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        line = (row.outcome, row.key, row.compiler, row.message)
        if line not in seen:
            seen.add(line)
            knob = "" if row.knob == "default" else f" ({row.knob})"
            out.print(f"  [red]{row.outcome}[/red] {row.key}{knob}, {row.compiler}: {escape(row.message)}")


def _print_skipped(rows: list[Row], out: Console) -> None:
    """A line for each reason."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        name = row.key if row.knob == "default" else f"{row.key} ({row.knob})"
        reasons.setdefault(row.message, []).append(f"{name}, {row.compiler}")
    for why, names in reasons.items():
        different = list(dict.fromkeys(names))
        more = f" and {len(different) - 3} more" if len(different) > 3 else ""
        out.print(f"not measured: {escape(why)}: {escape('; '.join(different[:3]))}{more}")


def _print_published(run: Run, out: Console) -> None:
    ratios = [r for r in published_ratios(run) if r.measured]
    if not ratios:
        return
    names = [compiler.identifier for compiler in run.compilers]
    sources = list(dict.fromkeys(r.published_source for r in ratios))
    out.print("\n[bold]Beside the published figures: time of the slower form / time of the faster form[/bold]")
    out.print("[bold]" + _published_line("ratio", "", "published", names) + "[/bold]")
    for item in ratios:
        mark = f"{number(item.published) if item.published else '-'} [{chr(97 + sources.index(item.published_source))}]"
        here = [_measured_ratio(item, name) for name in names]
        out.print(escape(_published_line(item.name, item.operation, mark, here)), soft_wrap=True)
        if item.note:
            out.print(f"[dim]  {escape(item.note)}[/dim]")
    out.print("[dim]* from a row that is not valid: too few rounds, or an interval wider than 10 %[/dim]")
    for index, source in enumerate(sources):
        out.print(f"[dim]{escape(f'[{chr(97 + index)}]')} {escape(source)}[/dim]")


def _measured_ratio(item: PublishedRatio, compiler: str) -> str:
    if compiler not in item.measured:
        return "-"
    text = number(item.measured[compiler])
    if compiler in item.intervals:
        text += f" {number(item.intervals[compiler][0])}..{number(item.intervals[compiler][1])}"
    return text + ("*" if compiler in item.doubtful else " ")


def _published_line(name: str, operation: str, published: str, measured: list[str]) -> str:
    return f"{name:<50}{operation:<5}{published:>9}" + "".join(f"{text:>18}" for text in measured)


def print_cost_models(run: Run, out: Console) -> None:
    """Coefficients in nanoseconds, compilers and operations side by side, and the errors of the held-out test."""
    models = run.cost_models
    if not models:
        return
    terms = {term.name: term.meaning for model in models for term in model.terms}
    descriptors = list(dict.fromkeys(name for model in models for name in model.formatted))
    out.print("\n[bold]Cost model: nanoseconds of processor time[/bold]")
    heads = [(f"{model.compiler.split()[0]}", model.operation) for model in models]
    for part in (0, 1):
        out.print("[bold]" + "".join(f"{head[part]:>12}" for head in heads) + "[/bold]")
    for name, meaning in terms.items():
        values = [next((f"{t.nanoseconds:.3g}" for t in model.terms if t.name == name), "-") for model in models]
        line = "".join(f"{value:>12}" for value in values) + f"  {name}"
        out.print(f"{escape(line)}  [dim]{escape(meaning)}[/dim]", no_wrap=True)
    for name in descriptors:
        values = [
            f"{model.formatted[name][0]:.0f} + {model.formatted[name][1]:.0f}" if name in model.formatted else "-"
            for model in models
        ]
        line = "".join(f"{value:>12}" for value in values) + f"  formatted {name}: statement + item"
        out.print(escape(line), no_wrap=True)
    for model in models:
        _print_model_errors(model, out)


def _print_model_errors(model: CostModel, out: Console) -> None:
    if model.median_error is None or model.ninetieth_percentile_error is None:
        if model.note:
            out.print(escape(f"{model.compiler}, {model.operation}: {model.note}"))
        return
    text = (
        f"{model.compiler}, {model.operation}: against the times of the table, held-out test on {model.held_out} "
        "mechanisms that were not in the fit: "
        f"median error {model.median_error:.1%}, 90 % within {model.ninetieth_percentile_error:.1%}"
    )
    if model.gain_median_error is not None:
        text += f"; predicted gain of one form over another: median error {model.gain_median_error:.1%}"
        text += f" over {model.gain_pairs} pairs"
    out.print(escape(text + (f"; {model.note}" if model.note else "")))


def print_checks(run: Run, out: Console) -> None:
    """Right, wrong or refused, check by check."""
    if not run.checks:
        return
    colours = {"right": "green", "wrong": "red", "refused": "yellow", "skipped": "dim"}
    table = _table("[bold]Correctness of the compiler's own I/O[/bold]")
    for name in ("answer", "compiler", "check"):
        table.add_column(name, no_wrap=name == "answer")
    table.add_column("detail", ratio=1)
    for check in run.checks:
        colour = colours[check.answer]
        table.add_row(f"[{colour}]{check.answer}[/{colour}]", check.compiler, check.name, escape(check.detail))
    out.print(table)
