"""What was converted, for people and as JSON. First: ../commands/convert.py."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.convert import Result
from headrace.convert.request import Request

if TYPE_CHECKING:
    from headrace.convert.variable import Variable


def print_result(request: Request, result: Result, called: str = "") -> None:
    """One sentence, and a table of the arrays; `called` is what B is called where its name says nothing."""
    for note in request.notes:
        print(f"note: {note}")
    source = str(request.files[0]) if len(request.files) == 1 else f"{len(request.files)} files"
    print(f"{_what(result)} of {source} now in {called or request.target} ({bytes_of(request.target):,} bytes).")
    if result.variables:
        _print_table(result.variables)


def _what(result: Result) -> str:
    if result.records is not None:
        return f"{result.records:,} record{'' if result.records == 1 else 's'}"
    count = len(result.variables)
    return f"{count:,} array{'' if count == 1 else 's'}"


def _print_table(variables: "list[Variable]") -> None:
    # Here, because a conversion of records takes less than loading them.
    from rich.markup import escape
    from rich.table import Table

    from headrace.reporters.console import console

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("array", "kind", "shape, the first dimension fastest"):
        table.add_column(name)
    table.add_column("bytes", justify="right", no_wrap=True)
    for variable in variables:
        shape = ", ".join(map(str, variable.shape[::-1])) or "a single value"
        table.add_row(escape(variable.name), variable.kind.name, shape, f"{variable.bytes:,}")
    console().print(table)


def as_json(request: Request, result: Result) -> dict[str, Any]:
    """For json.dumps; shapes with the first dimension fastest."""
    return {
        "from": [str(file) for file in request.files],
        "to": str(request.target),
        "bytes": bytes_of(request.target),
        "records": result.records,
        "arrays": [
            {"name": v.name, "kind": v.kind.name, "shape": v.shape[::-1], "bytes": v.bytes} for v in result.variables
        ],
        "notes": request.notes,
        "seconds": round(result.seconds, 3),
    }


def bytes_of(path: Path) -> int:
    """Of a file, or of all files of a directory."""
    if not path.is_dir():
        return path.stat().st_size
    return sum((Path(folder) / name).stat().st_size for folder, _, names in os.walk(path) for name in names)
