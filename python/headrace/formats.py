"""The library's table of formats: their names, the endings that choose them, and what they can. First: options.py."""

import functools
from collections.abc import Callable

from headrace import native


@functools.cache
def table() -> tuple[native.Format, ...]:
    """All formats, those of headrace_mpi last."""
    found: list[native.Format] = []
    while entry := native.library().hr_format_at(len(found)):
        found.append(entry.contents)
    return tuple(found)


@functools.cache
def endings() -> dict[str, str]:
    """The name of a format by ending: {".csv": "csv", ...}."""
    return {ending: one.name.decode() for one in table() for ending in one.endings.decode().split()}


@functools.cache
def plain_endings() -> dict[bytes, str]:
    """The same for the bytes of a name, of formats that need no headrace_mpi."""
    here = [one for one in table() if not one.is_parallel]
    return {ending: one.name.decode() for one in here for ending in one.endings.split()}


def chosen_by(name: bytes) -> str:
    """The format that the ending of a file's name chooses, without those of headrace_mpi; "" if none."""
    found = native.library().hr_format_of(name)
    return found.contents.name.decode() if found and not found.contents.is_parallel else ""


def _names(which: Callable[[native.Format], int]) -> frozenset[str]:
    return frozenset(one.name.decode() for one in table() if which(one))


@functools.cache
def texts() -> frozenset[str]:
    """Formats of rows of cells."""
    return _names(lambda one: one.is_text)


@functools.cache
def keep_indices() -> frozenset[str]:
    """Formats in which Fortran's x(i, j) is x[i - 1, j - 1] here."""
    return _names(lambda one: one.keeps_indices)


@functools.cache
def take_unsigned() -> frozenset[str]:
    """Formats that have integers without a sign."""
    return _names(lambda one: one.takes_unsigned)
