"""The library's table of MPI-IO's hints: which library looks up which, and what values mean something."""

import functools
from ctypes import byref
from dataclasses import dataclass

from headrace import native

LIBRARIES = ("ompio", "romio", "cray", "headrace", "pnetcdf")


@dataclass(frozen=True)
class Hint:
    """One hint; `least` and `most` are None for a word."""

    name: str
    words: tuple[str, ...]  # that it may be; empty: anything
    least: int | None
    most: int | None
    takers: frozenset[str]  # of LIBRARIES

    def means(self, value: str) -> bool:
        """Whether a library that looks it up can make sense of the value."""
        if self.least is None or self.most is None:
            return not self.words or value in self.words
        digits = value.removeprefix("-")
        return digits.isascii() and digits.isdigit() and self.least <= int(value) <= self.most


@functools.cache
def table() -> dict[str, Hint]:
    """All that are known, by name."""
    found: dict[str, Hint] = {}
    entry = native.Hint()
    number = 0
    while native.library().hr_hint_at(number, byref(entry)):
        name = entry.name.decode()
        least, most = (entry.least, entry.most) if entry.most != 0 else (None, None)
        takers = frozenset(who for who in LIBRARIES if getattr(entry, who))
        found[name] = Hint(name, tuple(entry.words.decode().split()), least, most, takers)
        number += 1
    return found


def takes(library: str, name: str, value: str) -> bool:
    """Whether a library (of LIBRARIES) looks up the hint, and can make sense of the value."""
    known = table().get(name)
    return known is not None and library in known.takers and known.means(value)
