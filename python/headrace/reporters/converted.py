"""The arrays that were converted, as a table. First: ../commands/convert.py."""

from rich.markup import escape
from rich.table import Table

from headrace.containers.variable import Variable
from headrace.reporters.console import console


def print_variables(variables: list[Variable]) -> None:
    """A line for each array."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("array", "kind", "shape, the first dimension fastest"):
        table.add_column(name)
    table.add_column("bytes", justify="right", no_wrap=True)
    for variable in variables:
        shape = ", ".join(map(str, variable.shape[::-1])) or "a single value"
        table.add_row(escape(variable.name), variable.kind.name, shape, f"{variable.bytes:,}")
    console().print(table)
