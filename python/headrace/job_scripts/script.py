"""What a job script does, in the order in which bash would do it. shell.py fills it, and the rules read it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Loop:
    """A loop around a command."""

    line: int
    words: tuple[str, ...]
    """What `for` goes over; for `while` and others nothing."""
    kind: str
    """"for", "while" or "count"."""


@dataclass(frozen=True)
class Redirect:
    """Where a stream of a command comes from or goes to."""

    line: int
    operator: str
    target: str


@dataclass(frozen=True)
class Document:
    """Text that the script holds for a command: a here-document."""

    line: int
    """Of its first line."""
    text: str


@dataclass(frozen=True)
class Event:
    """One step of a script."""

    line: int
    order: int
    """Steps count up in the order in which bash comes to them."""
    loops: tuple[Loop, ...]
    cwd: str
    """The directory, as far as the script says: "" is where the job started; a variable that is not known stays."""


@dataclass(frozen=True)
class Assignment(Event):
    """NAME=value. For `export NAME` alone the value is None."""

    name: str
    value: str | None
    exported: bool


@dataclass(frozen=True)
class Unset(Event):
    """unset NAME, or export -n NAME."""

    name: str


@dataclass(frozen=True)
class Command(Event):
    """A simple command: its words without quotes, known variables replaced by their values."""

    words: tuple[str, ...]
    variables: dict[str, str]
    """NAME=value in front of it."""
    redirects: tuple[Redirect, ...]
    document: Document | None
    piped: bool
    """Its output goes to another command."""
    reads_pipe: bool
    raw: str
    """As it stands in the script, without what is redirected."""

    @property
    def name(self) -> str:
        """The last part of the path of what is started."""
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


@dataclass(frozen=True)
class Directive:
    """An option for the scheduler in a comment."""

    line: int
    scheduler: str
    """"SBATCH" or "PBS"."""
    option: str
    """--nodes, -N, -l and so on; "" if the line has none."""
    value: str


@dataclass
class Script:
    """A job script, read."""

    path: Path
    lines: list[str]
    directives: list[Directive] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def commands(self) -> Iterator[Command]:
        return (event for event in self.events if isinstance(event, Command))

    @property
    def assignments(self) -> Iterator[Assignment]:
        return (event for event in self.events if isinstance(event, Assignment))

    def option(self, *names: str) -> str | None:
        """The value of the last directive with one of these names."""
        found = [one.value for one in self.directives if one.option in names]
        return found[-1] if found else None
