"""The table of the mechanisms of one compiler and directory: two lines each, rows that are equal folded into one."""

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.markup import escape

from headrace.reporters.console import WIDTH, compact, number
from headrace.results.records import Operation
from headrace.results.run import Row
from headrace.results.verdicts import ENOUGH

HEADS = ("write", "interval", "read", "interval", "MB", "B/val", "calls", "memory", "ceiling %")
_WIDTHS = (7, 14, 7, 14, 6, 7, 10, 10, 10)  # with at least one blank before each
_SHORT = {"cache-suspect": "cache?", "too-short": "short", "unverified": "unver."}
_TOUCHED = 0.10  # share of the time that is worth a word
_SAME_SPACE = 0.02  # bytes a value: files of equal rows are as large

Rows = Mapping[Operation, Row]


def print_mechanisms(title: str, pairs: Mapping[str, Rows], out: Console, statements: bool, expanded: bool) -> None:
    """The slowest first. Without `expanded` rows that are equal share the lines of one of them."""
    measured = {key: rows for key, rows in pairs.items() if any(row.statistics for row in rows.values())}
    if not measured:
        return
    out.print(f"\n[bold]{escape(title)}[/bold]")
    out.print(f"[bold]{line(*HEADS, 'verdict')}[/bold]")
    for group in [[key] for key in measured] if expanded else families(measured):
        _print_group(group, measured, out, statements)
    out.print("[dim]write, read: useful MB/s; MB: payload; calls: that read or write; memory: added at the peak[/dim]")


def families(pairs: Mapping[str, Rows]) -> list[list[str]]:
    """Keys of equal rows together, the slowest first: valid, of one data type and size of file, intervals that overlap.

    All of a group are equal to its first one.
    """
    groups: list[list[str]] = []
    for key in sorted(pairs, key=lambda key: _order(pairs[key])):
        home = next((group for group in groups if _equal(pairs[group[0]], pairs[key])), None)
        if home is not None:
            home.append(key)
        else:
            groups.append([key])
    return groups


def line(*cells: str) -> str:
    """The cells in their columns, parted by a blank at least, and the verdict behind them."""
    text = "".join(f" {cell}".rjust(width) for cell, width in zip(cells, _WIDTHS, strict=False))
    return f"{text} {cells[-1]}"


def median_cell(row: Row | None) -> str:
    if row is None or row.statistics is None:
        return "-" if row is None else row.outcome
    return number(row.median) if row.outcome == "measured" else row.outcome


def interval_cell(row: Row | None) -> str:
    """With fewer samples than an interval needs there is none."""
    if row is None or row.statistics is None:
        return ""
    if row.statistics.n < ENOUGH:
        return "-"
    return f"{number(row.statistics.low)}..{number(row.statistics.high)}"


def _print_group(group: list[str], pairs: Mapping[str, Rows], out: Console, statements: bool) -> None:
    key, rows = group[0], pairs[group[0]]
    write, read = rows.get("write"), rows.get("read")
    label = (write or rows["read"]).statement if statements else ""
    out.print(f"[cyan]{key}[/cyan]  [dim]{escape(label[: WIDTH - len(key) - 2])}[/dim]", no_wrap=True)
    verdicts = _verdicts(write, read)
    text = line(
        median_cell(write),
        interval_cell(write),
        median_cell(read),
        interval_cell(read),
        number(max(row.payload_bytes for row in rows.values()) / 1e6),
        _bytes_per_value(write or read),
        f"{_calls(write)}/{_calls(read)}",
        f"{_memory(write)}/{_memory(read)}",
        f"{_share(write)}/{_share(read)}",
        verdicts,
    )
    out.print(text if verdicts == "valid" else f"[yellow]{text}[/yellow]", no_wrap=True)
    touched = _touched(rows.values())
    if touched:
        out.print(f"[dim]      {touched}[/dim]", no_wrap=True)
    if len(group) > 1:
        out.print(f"[dim]      the intervals of these overlap with it: {', '.join(group[1:])}[/dim]", soft_wrap=False)


def _order(rows: Rows) -> float:
    return (rows.get("write") or rows["read"]).median


def _equal(one: Rows, other: Rows) -> bool:
    return one.keys() == other.keys() and all(_overlap(one[operation], other[operation]) for operation in one)


def _overlap(one: Row, other: Row) -> bool:
    if one.statistics is None or other.statistics is None or {one.verdict, other.verdict} != {"valid"}:
        return False
    if one.data_type != other.data_type or abs(_space(one) - _space(other)) > _SAME_SPACE:
        return False
    return one.statistics.low <= other.statistics.high and other.statistics.low <= one.statistics.high


def _space(row: Row) -> float:
    return row.file_bytes / row.count if row.count else 0.0


def _touched(rows: Iterable[Row]) -> str:
    """What memory that is touched for the first time takes of the time."""
    shares = {row.operation: row.first_touch_share or 0.0 for row in rows}
    told = [f"{share:.0%} of the time of a {operation}" for operation, share in shares.items() if share >= _TOUCHED]
    return f"first touch of new memory, not the statement: {' and '.join(told)}" if told else ""


def _bytes_per_value(row: Row | None) -> str:
    return f"{row.file_bytes / row.count:.2f}" if row and row.count and row.file_bytes else "-"


def _calls(row: Row | None) -> str:
    if row is None or not row.samples:
        return "-"
    calls = sorted(s.system_calls for s in row.samples)[len(row.samples) // 2]
    return "?" if calls < 0 else compact(calls)


def _memory(row: Row | None) -> str:
    if row is None or row.peak_memory_bytes is None:
        return "-"
    return compact(row.peak_memory_bytes)


def _share(row: Row | None) -> str:
    if row is None or row.ceiling_fraction is None:
        return "-"
    share = 100 * row.ceiling_fraction
    return f"{share:.0f}" if share >= 10 else f"{share:.2g}"


def _verdicts(write: Row | None, read: Row | None) -> str:
    words = [row.verdict or row.outcome for row in (write, read) if row is not None]
    if len(set(words)) == 1:
        return words[0]
    return "/".join(_SHORT.get(word, word) for word in words)
