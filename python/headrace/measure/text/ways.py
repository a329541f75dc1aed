"""What is timed: every way to write or read the array of a case, by each tool. Next: ../workers.py."""

import json
from dataclasses import dataclass
from typing import Any

from headrace.measure.cases import Case
from headrace.measure.text.data import Layout
from headrace.results.records import Operation

G0 = '(*(g0,:,","))'
FEW_DIGITS = 5.1e-5  # relative error that E15.5 may have
ONE_BIT = 1e-15  # relative error of a reader that is not correctly rounded


@dataclass(frozen=True)
class Way:
    """One tool writing or reading one form of the array."""

    tool: str  # a key of tools.py, for example "headrace", "gnu", "polars"
    operation: Operation
    name: str  # of the form, for example "shortest"
    how: str  # passed to the worker
    layout: str = ""  # passed to the worker
    source: str = ""  # reads: an input, or what the same tool writes; writes: an input whose bytes they must equal
    content: Layout = "cells"  # writes: how the file is checked
    tolerance: float = 0.0
    in_place: bool = False  # over the pages of the file before, instead of a fresh file
    note: str = ""

    @property
    def key(self) -> str:
        return f"{self.tool}:{self.name}:{self.operation}"


@dataclass(frozen=True)
class Input:
    """A file that is read: headrace writes it before the clock starts, and numpy checks it."""

    name: str
    file: str
    options: dict[str, Any]
    content: Layout
    tolerance: float = 0.0


def edit(case: Case, descriptor: str) -> str:
    return f"({case.columns}{descriptor})"


def inputs(case: Case) -> dict[str, Input]:
    """The files that the ways of a case read, by name."""
    found = [Input("shortest", "shortest.csv", {}, "cells")]
    if case.kind == "real64":
        found.append(Input("es", "es.dat", {"edit": edit(case, "es24.16e3")}, "fixed"))
    if case.kind in ("real64", "real32"):
        found.append(Input("e15", "e15.dat", {"edit": edit(case, "e15.5")}, "fixed", FEW_DIGITS))
    found.append(Input("hex", "hex.csv", {"number": "hex"}, "hex"))
    return {item.name: item for item in found}


def headrace_ways(case: Case, everything: bool) -> list[Way]:
    """Ours: each form, fresh and in place, with all vector instructions and with none."""
    forms = inputs(case)
    ways: list[Way] = []
    for name, item in forms.items():
        if name == "hex" and not everything:
            continue
        options = json.dumps(item.options)
        ways.append(Way("headrace", "write", name, "array", options, name, item.content, item.tolerance))
        ways.append(Way("headrace", "read", name, "array", options, name, tolerance=item.tolerance))
    again = json.dumps({"replace": "in_place"})
    ways += [
        Way("headrace", "write", "shortest in place", "array", again, "shortest", in_place=True),
        Way("headrace", "read", "shortest, new array", "new", "{}", "shortest"),
        Way("portable", "write", "shortest", "array", "{}", "shortest"),
        Way("portable", "read", "shortest", "array", "{}", "shortest"),
    ]
    return ways


def ceiling_ways(case: Case) -> list[Way]:
    """The same bytes without any conversion."""
    return [
        Way("ceiling", "write", "pwrite", "all", "@shortest", "shortest"),
        Way("ceiling", "write", "pwrite, 1 thread", "one", "@shortest", "shortest"),
        Way("ceiling", "write", "pwrite in place", "all", "@shortest", "shortest", in_place=True),
        Way("ceiling", "read", "pread", "all", "", "shortest"),
    ]


def fortran_ways(tool: str, case: Case, everything: bool) -> list[Way]:
    """What a Fortran program does without a library; `tool` is a compiler."""
    real = case.kind in ("real64", "real32")
    ways = [
        Way(tool, "write", "row-wise g0", "rows", G0),
        Way(tool, "read", "list-directed", "list", "", "shortest"),
        Way(tool, "write", "unformatted", "unformatted", content="binary"),
        Way(tool, "read", "unformatted", "unformatted", "", "unformatted"),
    ]
    if case.kind == "real64":
        es = edit(case, "es24.16e3")
        ways += [
            Way(tool, "write", "row-wise es24.16e3", "rows", es, "es", "fixed"),
            Way(tool, "read", "formatted es24.16e3", "rows", es, "es"),
        ]
    if real:
        e15 = edit(case, "e15.5")
        ways.append(Way(tool, "write", "row-wise e15.5", "rows", e15, "e15", "fixed", FEW_DIGITS))
    if real and everything:
        ways.append(Way(tool, "read", "formatted e15.5", "rows", e15, "e15", tolerance=FEW_DIGITS))
    if everything:
        digits = {"real64": 16, "int64": 16}.get(case.kind, 8)
        ways.append(Way(tool, "write", "row-wise hex", "rows", f'(*(z{digits}.{digits},:,","))', content="hex"))
    return ways


def peer_ways(tool: str, case: Case) -> list[Way]:
    """What other libraries do with the same array."""
    real = case.kind in ("real64", "real32")
    if tool == "io_fortran_lib":
        letter = "e" if real else "i"
        return _both(tool, "array", letter)
    if tool == "stdlib":
        return [
            Way(tool, "write", "savetxt", "array", "g0" if real else "i0"),
            Way(tool, "read", "loadtxt", "array", "*", "shortest"),
        ]
    if tool == "csv-fortran":
        return _both(tool, "array", "(es24.16e3)") if case.kind == "real64" else []
    if tool == "numpy":
        digits = {"real64": "%.17g", "real32": "%.9g"}.get(case.kind, "%d")
        return _both(tool, "", digits)
    if tool == "pandas":
        ways = _both(tool, "", "")
        if real:
            note = "pandas' default precision, not exact"
            tolerance = ONE_BIT if case.kind == "real64" else 2e-7
            ways.append(Way("pandas-fast", "read", "csv", "", "", "shortest", tolerance=tolerance, note=note))
        return ways
    return _both(tool, "", "")


def _both(tool: str, how: str, layout: str) -> list[Way]:
    return [
        Way(tool, "write", "csv", how, layout),
        Way(tool, "read", "csv", how, layout, "shortest"),
    ]


def hex_table_ways() -> dict[str, list[Way]]:
    """The IO-Fortran-Library's own benchmark: real32 (n, n) to hexadecimal cells in a csv file, and back."""
    options = json.dumps({"number": "hex"})
    return {
        "headrace": [
            Way("headrace", "write", "hex", "array", options, "hex", "hex"),
            Way("headrace", "read", "hex", "array", options, "hex"),
            Way("headrace", "write", "cells", "cells", "z", "", "hex"),
            Way("headrace", "read", "cells", "cells", "z", "hex"),
        ],
        "io_fortran_lib": [
            Way("io_fortran_lib", "write", "cells", "cells", "z", "", "hex"),
            Way("io_fortran_lib", "read", "cells", "cells", "z", "cells"),
        ],
    }
