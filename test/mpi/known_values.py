"""The arrays that spread_arrays.cpp fills, made with numpy, for all scripts of test/mpi."""

import importlib
import sys
from typing import Any, NamedTuple

__all__ = ["GROUPED_MEMBERS", "MEMBERS", "Member", "module", "np", "optional", "values"]


def module(name: str) -> Any:
    """The module of that name. If it is not installed, the script ends here: skipped, exit code 77."""
    try:
        return importlib.import_module(name)
    except ImportError as reason:
        print(f"skipped: {reason} (install it, or choose a Python with -DPython3_EXECUTABLE=...)")
        sys.exit(77)


def optional(name: str) -> Any:
    """The module of that name, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


np = module("numpy")


def values(kind: str, extents: tuple[int, ...], offset: int = 0) -> Any:
    """An array of these extents in Fortran's order, with the dimensions reversed as HDF5 shows them."""
    place = np.arange(int(np.prod(extents)), dtype=np.int64) + offset
    number = place + 0.25
    made: Any
    if kind == "int8":
        made = (place * 7 % 251 - 125).astype(np.int8)
    elif kind == "int16":
        made = (place * 31 % 65521 - 32000).astype(np.int16)
    elif kind == "int32":
        made = (place * 65537 % 2147483647).astype(np.int32)
    elif kind == "int64":
        made = place * 4294967311
    elif kind == "real32":
        made = number.astype(np.float32)
    elif kind == "real64":
        made = number
    elif kind == "complex64":
        made = (number - 1j * place).astype(np.complex64)
    elif kind == "complex128":
        made = number - 3j * number
    elif kind.startswith("logical"):
        made = place % 3 == 1
    else:
        made = np.array([f"t{one}" for one in place], dtype="S7")
    return made.reshape(tuple(reversed(extents)))


class Member(NamedTuple):
    """An array of the files state_*, which formats/states.cpp writes."""

    number: int
    name: str
    kind: str
    extents: tuple[int, ...]
    dimensions: list[str]  # slowest first; "step" stands for a dimension of its own if others have other steps
    steps: list[int]

    def expected(self) -> Any:
        """Its elements, with the steps as the slowest dimension."""
        first = 1000 * self.number
        if not self.steps:
            return values(self.kind, self.extents, first)
        return np.stack([values(self.kind, self.extents, first + 10 * step) for step in self.steps])


MEMBERS = [
    Member(0, "rho", "real64", (6, 5, 4), ["z", "y", "x"], []),
    Member(1, "velocity", "complex128", (6, 5), ["y", "x"], []),
    Member(2, "flags", "logical4", (6, 5), ["y", "x"], []),
    Member(3, "names", "character7", (4,), ["z"], []),
    Member(4, "x", "real64", (6,), ["x"], []),
    Member(5, "t", "int32", (5, 4), ["step", "z", "y"], [10, 20, 30]),
    Member(6, "u", "real32", (6, 5, 4), ["step", "z", "y", "x"], [10, 20, 30]),
    Member(7, "t_gap", "int16", (6, 5), ["step", "y", "x"], [10, 30]),
    Member(8, "t_late", "int64", (5, 4), ["step", "z", "y"], [20, 30]),
    Member(9, "phase", "complex64", (3, 2), ["step", "d2", "d1"], [10, 20, 30]),
    Member(10, "plain", "int16", (3, 2), ["d2", "d1"], []),
    Member(11, "tall", "int8", (4, 2), ["d2", "tall_d1"], []),
]
# If a format has groups, and dimensions of one name with several lengths.
GROUPED_MEMBERS = [
    Member(12, "fields/velocity", "complex128", (6, 5), ["y", "x"], []),
    Member(13, "fields/w", "real32", (6, 5), ["step", "y", "x"], [1, 2]),
    Member(14, "v", "int64", (5, 4), ["step", "z", "y"], [7]),
    Member(15, "wide", "int8", (9, 4), ["z", "wide_x"], []),
]
