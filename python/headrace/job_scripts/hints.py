"""Hints for MPI-IO as scripts write them: MPICH_MPIIO_HINTS, PNETCDF_HINTS and files for ROMIO_HINTS."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


class KnownHint(Protocol):
    """A row of the library's table of hints."""

    @property
    def name(self) -> str: ...
    @property
    def words(self) -> tuple[str, ...]:
        """That its value may be; empty: anything."""

    @property
    def least(self) -> int | None: ...
    @property
    def most(self) -> int | None: ...
    @property
    def takers(self) -> frozenset[str]:
        """Who looks it up: ompio, romio, cray, headrace, pnetcdf."""

    def means(self, value: str) -> bool:
        """Whether a taker can make sense of the value."""


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


@dataclass(frozen=True)
class Hint:
    """One hint of a script."""

    line: int
    name: str
    value: str


@dataclass(frozen=True)
class Malformed:
    """A part that its reader drops."""

    line: int
    text: str
    expected: str


def of_cray(text: str, line: int) -> Iterator[Hint | Malformed]:
    """pattern:name=value:name=value,pattern:name=value."""
    for part in text.split(","):
        pattern, colon, rest = part.strip().partition(":")
        if not part.strip():
            continue
        if not colon or "=" in pattern:
            yield Malformed(line, part.strip(), f"*:{part.strip()}, since a pattern of file names comes first")
            continue
        pieces: list[str] = []
        for piece in rest.split(":"):  # cb_config_list=*:1 has a colon of its own
            if "=" in piece or not pieces:
                pieces.append(piece)
            else:
                pieces[-1] += f":{piece}"
        for piece in pieces:
            name, equals, value = piece.partition("=")
            if equals:
                yield Hint(line, name.strip(), value.strip())
            else:
                yield Malformed(line, piece, "name=value")


def of_pnetcdf(text: str, line: int) -> Iterator[Hint | Malformed]:
    """name=value;name=value."""
    for part in text.split(";"):
        name, equals, value = part.strip().partition("=")
        if equals:
            yield Hint(line, name.strip(), value.strip())
        elif part.strip():
            yield Malformed(line, part.strip(), "name=value;name=value")


def of_file(text: str, first: int = 1) -> Iterator[Hint | Malformed]:
    """A file for ROMIO_HINTS: a name and a value on a line, with blanks between."""
    for line, content in enumerate(text.splitlines(), first):
        words = content.split()
        if not words or content.startswith("#"):
            continue
        if len(words) == 2 and words[1] != "=" and not words[0].endswith("="):
            yield Hint(line, words[0], words[1])
            continue
        match = re.fullmatch(r"\s*(\w+)\s*[=:]\s*(\S+)\s*", content)
        better = f"{match.group(1)} {match.group(2)}" if match else "a name, a blank, a value without blanks"
        yield Malformed(line, content.strip(), better)
