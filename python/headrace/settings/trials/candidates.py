"""What can be tried without changing the program: variables, hints, stripes of a new directory."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from headrace.results.advised import Item
from headrace.settings.rules.mpi_io import HINTS_FILE
from headrace.settings.written import romio_hints

CONTROL = "the same again"  # nothing is changed: what a trial finds of it is what it finds of nothing


@dataclass(frozen=True)
class Candidate:
    """One change; `files` are written into the copy of the directory."""

    change: str
    variables: dict[str, str] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    stripes: int | None = None
    takes_over: bool = False  # with the library of `headrace run`


def candidates(items: Sequence[Item]) -> list[Candidate]:
    """Those of the advice that can be set from outside, the largest expected gain first."""
    found: list[Candidate] = []
    for item in items:
        if not (item.variables or item.unset or item.hints or item.start or item.stripes is not None):
            continue
        hints = romio_hints([item])
        files = {HINTS_FILE: hints} if hints else {}
        variables = dict(item.variables) | ({"ROMIO_HINTS": HINTS_FILE} if hints else {})
        found.append(Candidate(item.change, variables, tuple(item.unset), files, item.stripes, bool(item.start)))
    return found
