"""The arrays that spread_arrays.cpp fills, made with numpy, for all scripts of test/mpi."""

import importlib
import sys
from typing import Any

__all__ = ["module", "np", "values"]


def module(name: str) -> Any:
    """The module of that name. Where it is not installed the script ends here: skipped, exit code 77."""
    try:
        return importlib.import_module(name)
    except ImportError as reason:
        print(f"skipped: {reason} (install it, or choose a Python with -DPython3_EXECUTABLE=...)")
        sys.exit(77)


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
