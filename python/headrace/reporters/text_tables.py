"""Tables of `headrace bench text` for the terminal: at most 100 columns, the conclusion first."""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape

from headrace.reporters.console import compact, number
from headrace.reporters.transfer_tables import print_end, print_ratios, print_remarks, print_rows
from headrace.results.conclusions import published_lines
from headrace.results.goals import goals_said
from headrace.results.text import TextRow, TextRun


def print_text_run(run: TextRun, out: Console, written: Iterable[object] = ()) -> None:
    """Everything that a run found, and the files that were written of it."""
    out.print(f"[bold]{escape(conclusion(run))}[/bold]", soft_wrap=False)
    print_ratios(run.intervals, run.also, out)
    _print_memory(run, out)
    for case in run.cases:
        print_rows(f"{case.name}: {case.title}", [row for row in run.rows if row.case == case.name], out)
    _print_published(run, out)
    print_remarks(run.rows, out)
    print_end(run, out, written, f"{run.settings.threads} threads, {{place}}; every file verified")


def conclusion(run: TextRun) -> str:
    """The sentence that a user came for."""
    by_key = {row.key: row for row in run.rows if row.statistics and run.cases and row.case == run.cases[0].name}
    parts = []
    for operation, ratio, peer in (
        ("write", "write_shortest_vs_gfortran", "gfortran's row-wise g0"),
        ("read", "read_vs_gfortran_list", "gfortran's list-directed READ"),
    ):
        ours = by_key.get(f"headrace:shortest:{operation}")
        if ours is None or ours.statistics is None:
            continue
        text = f"{operation}s text at {number(ours.statistics.median)} MB/s of array"
        if ratio in run.intervals:
            text += f", {number(run.intervals[ratio].median)} times {peer}"
        parts.append(text)
    if not parts:
        return "nothing of headrace's was measured"
    return f"headrace {'; '.join((' and '.join(parts), *filter(None, [goals_said(run.intervals.values())])))}."


def _print_memory(run: TextRun, out: Console) -> None:
    """What each tool needs beside the arrays at most; cells hold all texts and have a goal of their own."""
    for what, through_cells in (("goal: headrace 64 MiB", False), ("through cells; goal: a third of the peer's", True)):
        peaks: dict[str, int] = {}
        for row in run.rows:
            left_out = row.tool in ("ceiling", "portable") or "new array" in row.way
            if row.peak_memory_bytes is not None and not left_out and (row.way == "cells") == through_cells:
                peaks[row.title] = max(peaks.get(row.title, 0), row.peak_memory_bytes)
        if peaks:
            words = ", ".join(f"{title} {compact(peak)}" for title, peak in peaks.items())
            out.print(f"memory beside the arrays, at most ({what}): {escape(words)}")


def _print_published(run: TextRun, out: Console) -> None:
    rows = [row for row in run.rows if row.case == "hex table" and row.samples]
    if not rows:
        return
    out.print(f"\n[bold]{'hex table, seconds':<52}{'cast':>8}{'write':>8}{'read':>8}{'cast':>8}{'sum':>8}[/bold]")
    for tool, way in dict.fromkeys((row.tool, row.way) for row in rows):
        times = {row.operation: row for row in rows if (row.tool, row.way) == (tool, way)}
        if set(times) != {"write", "read"}:
            continue
        n = round(times["write"].values ** 0.5)
        _print_phases(
            f"{times['write'].title}, {way}, n = {n:,}, here", [*_phases(times["write"]), *_phases(times["read"])], out
        )
    published: dict[str, list[float]] = {}
    for line in published_lines():
        table = line["source"].startswith("IO-Fortran-Library") and line["data"].startswith("15000x15000")
        if table and line["unit"] == "s":
            published.setdefault(line["compiler"], []).append(float(line["value"]))
    for compiler, seconds in published.items():
        short = compiler.replace("Version ", "").replace("version ", "").partition(" Build")[0]
        if len(seconds) == 4:
            _print_phases(f"published, n = 15,000, {short}"[:51], seconds, out)


def _phases(row: TextRow) -> list[float]:
    """Middle seconds of the two halves of an operation; one half for a way that has no parts."""
    ordered = sorted(row.samples, key=lambda sample: sample.total)
    middle = ordered[len(ordered) // 2]
    if len(middle.phases) == 2:
        return middle.phases
    return [0.0, middle.total] if row.operation == "write" else [middle.total, 0.0]


def _print_phases(name: str, seconds: list[float], out: Console) -> None:
    cells = "".join(f"{number(value) if value else '-':>8}" for value in [*seconds, sum(seconds)])
    out.print(f"{escape(name):<52}{cells}", no_wrap=True)
