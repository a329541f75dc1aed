"""What can be tried: variables, hints, stripes of a new directory, and programs that the user has changed already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headrace.errors import HeadraceError
from headrace.nearest import did_you_mean
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
    command: tuple[str, ...] = ()  # in place of the user's


def candidates(items: Sequence[Item], changed: Mapping[str, Sequence[str]] | None = None) -> list[Candidate]:
    """Those of the advice that can be set from outside, or are in `changed`: by name, the command with the change.

    The largest expected gain comes first. Raises HeadraceError if `changed` names what is not advised.
    """
    changed = changed or {}
    names = [item.change for item in items]
    for name in changed:
        if name not in names:
            raise HeadraceError(
                f"--changed {name}: that was not advised for this command",
                did_you_mean(name, names, f"advised is {', '.join(names) or 'nothing'}"),
            )
    found: list[Candidate] = []
    for item in items:
        if item.change in changed:
            found.append(Candidate(item.change, command=tuple(changed[item.change])))
            continue
        if not (item.variables or item.unset or item.hints or item.start or item.stripes is not None):
            continue
        hints = romio_hints([item])
        files = {HINTS_FILE: hints} if hints else {}
        variables = dict(item.variables) | ({"ROMIO_HINTS": HINTS_FILE} if hints else {})
        found.append(Candidate(item.change, variables, tuple(item.unset), files, item.stripes, bool(item.start)))
    return found
