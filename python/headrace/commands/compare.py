"""`headrace compare A.json B.json`."""

import argparse
import json
from typing import TYPE_CHECKING

from headrace.commands.arguments import file

if TYPE_CHECKING:
    from rich.table import Table

    from headrace.measure.comparison import Difference


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "compare",
        help="compare two results files: what is different, what is noise",
        description="Compare two results files row by row. The ratio is B / A of the useful bandwidth: above 1, B is "
        "faster. Its interval is a bootstrap of the medians (with fewer than 6 rounds: from both intervals). Where it "
        "includes 1, or the change is under 2 %, the row is noise.",
        epilog="example: headrace compare before.json after.json",
    )
    parser.add_argument("a", type=file, metavar="A.json")
    parser.add_argument("b", type=file, metavar="B.json")
    parser.add_argument("--all", action="store_true", help="show also the rows that are noise")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run, needs=("headrace.measure.comparison",))


def run(arguments: argparse.Namespace) -> int:
    """Print the differences."""
    from rich.markup import escape

    from headrace.measure.comparison import compare, settings_that_differ
    from headrace.measure.results import load
    from headrace.reporters.console import console

    a, b = load(arguments.a), load(arguments.b)
    rows = compare(a, b)
    if arguments.json:
        print(json.dumps([vars(row) for row in rows], indent=1))
        return 0
    out = console()
    for line in settings_that_differ(a, b):
        out.print(f"note: {escape(line)}")
    different = [row for row in rows if row.judgement != "noise"]
    out.print(
        f"[bold]{len(rows)} rows are in both files: {len(different)} differ, {len(rows) - len(different)} are noise."
        "[/bold]"
    )
    shown = rows if arguments.all else different
    if shown:
        out.print(_table(shown, arguments.a.name, arguments.b.name))
    return 0


def _table(rows: list["Difference"], left: str, right: str) -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), width=100)
    table.add_column("mechanism, compiler, directory", ratio=1)
    for name in (f"A {left[-16:]}", f"B {right[-16:]}", "B/A", "interval", "judgement"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        colour = {"faster": "green", "slower": "red"}.get(row.judgement, "dim")
        table.add_row(
            escape(row.what),
            f"{row.a:.4g}",
            f"{row.b:.4g}",
            f"{row.ratio:.3f}",
            f"{row.low:.2f}..{row.high:.2f}",
            f"[{colour}]{row.judgement}[/{colour}]",
        )
    return table
