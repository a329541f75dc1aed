"""The answer of `headrace inspect` for the terminal: at most 100 columns, the verdict first."""

import math
from typing import Any

from rich.console import Console
from rich.markup import escape

from headrace.inspect.findings import Hypothesis, Item, Report, Run

_WORDS = {
    "empty": "an empty file",
    "raw": "raw bytes (stream access)",
    "direct": "direct access",
    "direct-word-recl": "direct access, record length mistaken (words for bytes)",
    "zero-length-records": "records without data",
    "intel-segmented": "unformatted sequential, Intel's SEGMENTED records",
    "record4-subrecords": "unformatted sequential, 4-byte markers, subrecords",
    "record4-pgi-high-bit": "unformatted sequential, 4-byte markers, PGI's high bit for long records",
    "record4-flang-unsigned": "unformatted sequential, LLVM flang's unsigned 4-byte markers",
    "text": "text",
    "text-list-directed": "text, list-directed",
    "text-formatted": "text in a Fortran format",
    "text-delimited": "text with delimiters",
}
_DETAILS = {
    "byte_order": "{} endian",
    "records": "{:,} records",
    "pieces": "in {:,} pieces",
    "empty_records": "{:,} without data",
    "record_length": "RECL {:,} bytes",
    "right_record_length": "meant were {:,} bytes",
    "format": "format {}",
    "delimiter": "delimiter {}",
    "columns": "{:,} columns",
    "rows": "{:,} rows",
    "header_lines": "{:,} header lines",
    "text_lines": "{:,} lines of text first",
    "container": "{}",
    "dtype": "dtype {}",
    "shape": "shape {}",
    "validated": "{}",
}
_MOST_ARRAYS = 30  # that are listed
_MOST_ROWS = 14  # records whose contents are shown
_HEADS = {
    "library": "Python, with a library that knows the format",
    "fortran": "Fortran",
    "python": "Python",
    "convert": "to other formats",
}


def words_for(name: str) -> str:
    """A format in words."""
    if name.startswith("record") and name not in _WORDS:
        return f"unformatted sequential, {name[6]}-byte markers"
    return _WORDS.get(name, name)


def print_report(report: Report, out: Console) -> None:
    """Everything that was found."""
    best = report.verdict
    if report.known:
        out.print(f"[bold]{escape(report.known.title)}[/bold]")
        out.print(f"  {escape('; '.join(report.known.facts))}", no_wrap=True, overflow="ellipsis")
    if report.tie:
        names = list(dict.fromkeys(_label(one) for one in _tied(report)))
        out.print(f"[bold yellow]A tie: {escape(' or '.join(names))}. The bytes do not tell which.[/bold yellow]")
    else:
        out.print(f"[bold]{escape(_label(best))}: {100 * best.confidence:.1f} % sure[/bold]")
    details = _details(best)
    if details and not (report.tie and not _reading(report)):
        out.print(f"  {escape(details)}")
    if best.detail.get("damage_words"):
        out.print(f"[red]damaged: {escape(best.detail['damage_words'])}[/red]")
    out.print(f"  {escape(report.file)}: {report.size:,} bytes")
    if report.leftover:
        out.print(f"[red]{escape(report.leftover)}[/red]", soft_wrap=True)
    _print_arrays(report, out)
    if report.hypotheses[1:] or best.explained:  # a directory is nothing else
        _print_hypotheses(report, out)
    if not report.tie or _reading(report):
        _print_lengths(best, out)
        _print_contents(best, out)
    for note in report.notes:
        out.print(escape(note))
    for name, snippet in report.snippets.items():
        out.print(f"\n[bold]{_HEADS[name]}[/bold]")
        out.print(escape(snippet), soft_wrap=True)


def _print_arrays(report: Report, out: Console) -> None:
    """Names, kinds and shapes; what is too long is cut, so that a line stays one."""
    if not report.arrays:
        return
    shown = report.arrays[:_MOST_ARRAYS]
    name = min(max([len("array"), *(len(one.name) for one in shown)]), 48)
    kind = max([len("kind"), *(len(one.kind) for one in shown)])
    out.print(f"\n[bold]{'array':<{name}}  {'kind':<{kind}}  shape, the first dimension fastest[/bold]")
    for one in shown:
        shape = ", ".join(map(str, one.shape)) or ("-" if one.kind in ("list", "table") else "a single value")
        line = f"{one.name:<{name}}  {one.kind:<{kind}}  {shape}"
        out.print(escape(line), no_wrap=True, overflow="ellipsis")
    if len(report.arrays) > len(shown):
        out.print(f"[dim]... {len(report.arrays) - len(shown):,} more: --json names all[/dim]")


def _tied(report: Report) -> list[Hypothesis]:
    return report.hypotheses[: len(report.tied)]


def _reading(report: Report) -> bool:
    return set(report.tied) <= {"raw", "direct"}


def _label(one: Hypothesis) -> str:
    words = words_for(one.format)
    order = one.detail.get("byte_order")
    marked = one.format.startswith(("record", "zero", "intel"))
    return f"{words}, {order} endian" if order and marked else words


def _details(best: Hypothesis) -> str:
    marked = best.format.startswith(("record", "zero", "intel"))
    parts = []
    for key, form in _DETAILS.items():
        value: Any = best.detail.get(key)
        if value is None or (key == "byte_order" and marked):
            continue
        text = form.format(value)
        parts.append(text.removesuffix("s") if value == 1 and form.endswith("s") else text)
    return "; ".join(parts)


def _print_hypotheses(report: Report, out: Console) -> None:
    out.print(f"\n[bold]{'hypothesis':<26}{'sure %':>7}{'bytes that fit':>17}  does not fit[/bold]")
    for one in report.hypotheses[:10]:
        order = f", {one.detail['byte_order']}" if one.format == "intel-segmented" else ""
        if one.format == "zero-length-records":
            order = f" {one.detail['marker_bytes']} {one.detail['byte_order']}"
        why = one.why if one.fails_at is not None else "-"
        line = f"{one.format + order:<26}{100 * one.confidence:>7.1f}{one.explained:>17,}  {why}"
        out.print(escape(line), no_wrap=True, overflow="ellipsis")


def _print_lengths(best: Hypothesis, out: Console) -> None:
    if not best.runs or best.format == "raw":
        return
    out.print("\n[bold]records[/bold]")
    for run in best.runs[:8]:
        text = str(run)
        out.print(f"  {escape(text if len(text) < 96 else text[:92] + ' ...')}", no_wrap=True)
    if len(best.runs) > 8 or not best.runs_complete:
        out.print("  ... and others: the lengths do not repeat")
    if best.distinct > 1:
        counts = ", ".join(f"{length:,} B x {count:,}" for length, count in best.histogram[:6])
        more = "" if best.distinct <= 6 else f", and {best.distinct - 6:,} lengths more"
        out.print(f"  [dim]lengths: {escape(counts)}{more}[/dim]")


def _print_contents(best: Hypothesis, out: Console) -> None:
    runs = [run for run in best.runs if any(slot.items for slot in run.slots)]
    if not runs:
        return
    out.print(f"\n[bold]{'probable contents':<36}{'sure %':>7}  values, of those examined[/bold]")
    left = _MOST_ROWS
    for run in runs[:6]:
        left = _print_run(run, left, out)
    hidden = sum(len(run.lengths) for run in runs) - _MOST_ROWS
    if left <= 0 and hidden > 0:
        out.print(f"    [dim]... {hidden:,} records more[/dim]")


def _print_run(run: Run, left: int, out: Console) -> int:
    """Prints at most `left` records; how many may still be printed."""
    if run.times > 1 and left > 0:
        out.print(f"  [dim]{run.times:,} times:[/dim]")
    for slot in run.slots[: max(0, left)]:
        left -= 1
        if not slot.items:
            out.print("    [dim]a record without data[/dim]")
        for index, item in enumerate(slot.items):
            sure = f"{100 * slot.confidence:.0f}" if index == 0 else ""
            name = f"    {item}" if index == 0 else f"    + {item}"
            out.print(escape(f"{name[:35]:<36}{sure:>7}  {_values(item)}"), no_wrap=True, overflow="ellipsis")
    return left


def _values(item: Item) -> str:
    if item.type == "character":
        return repr(item.text)
    if not item.first:
        return ""
    first = ", ".join(_number(v) for v in item.first[: min(3, item.count)])
    text = first + (" ..." if item.count > 3 else "")
    if item.smallest is not None and item.largest is not None and item.examined > 1:
        text += f"; {_number(item.smallest)} to {_number(item.largest)}"
    if item.not_a_number:
        text += f"; {item.not_a_number:,} NaN or Inf"
    return text + (f"; {item.note}" if item.note else "")


def _number(value: float) -> str:
    if math.isfinite(value) and value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.5g}"
