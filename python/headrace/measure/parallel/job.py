"""A job of a batch system that measures, with what is asked for checked. Next: job_texts.py."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from headrace.errors import HeadraceError
from headrace.nearest import did_you_mean

CONDITIONS = ("cached", "synced", "warm", "cold")


@dataclass(frozen=True)
class Job:
    """What the script does. `arguments` go to `headrace bench parallel` beside those that the script sets itself."""

    ranks: tuple[int, ...]
    per_node: int = 1  # MPI ranks on a full node
    arguments: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ("cached",)
    directory: str = ""  # on the file system to measure; "": where the job is submitted
    stripes: tuple[int, ...] = ()  # stripe counts, each a directory of its own
    variables: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    srun: tuple[str, ...] = ()
    name: str = "headrace"
    time: str = "00:30:00"
    account: str = ""
    partition: str = ""
    qos: str = ""
    command: tuple[str, ...] = (sys.executable, "-m", "headrace")

    def __post_init__(self) -> None:
        if not self.ranks or min(self.ranks) < 1:
            raise HeadraceError("a job needs numbers of MPI ranks from 1 on", "for example --ranks 128,256")
        if self.per_node < 1:
            raise HeadraceError(f"{self.per_node} MPI ranks on a node: expected 1 or more")
        for condition in self.conditions:
            if condition not in CONDITIONS:
                raise HeadraceError(
                    f'condition "{condition}" is not known',
                    did_you_mean(condition, CONDITIONS, f"choose from {', '.join(CONDITIONS)}"),
                )
        if not self.conditions:
            raise HeadraceError("a job needs at least one condition", "for example --condition synced")
        if not re.fullmatch(r"(\d+-)?\d+(:\d\d){0,2}", self.time):
            raise HeadraceError(f'time "{self.time}" is not what Slurm takes', "write for example 00:30:00")
        for option in ("name", "account", "partition", "qos"):
            if not re.fullmatch(r"[\w.@:/+-]*", getattr(self, option), re.ASCII):
                raise HeadraceError(f'{option} "{getattr(self, option)}" has characters that Slurm does not take')
        for variable in self.variables:
            if not re.fullmatch(r"[A-Za-z_]\w*", variable, re.ASCII):
                raise HeadraceError(f'"{variable}" cannot be the name of an environment variable')
        for member in fields(self):
            for text in _texts(getattr(self, member.name)):
                _require_ascii(member.name, text)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Nodes and MPI ranks of each measurement, the smallest first."""
        return [(-(-count // self.per_node), count) for count in sorted(set(self.ranks))]

    @property
    def nodes(self) -> int:
        return self.sizes[-1][0]

    @property
    def tasks_a_node(self) -> int:
        return min(self.per_node, max(self.ranks))


def _texts(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [*map(str, value), *map(str, value.values())]
    return [str(item) for item in value] if isinstance(value, tuple) else [str(value)]


def _require_ascii(member: str, text: str) -> None:
    """A typographic quote from a web page, or a line break, would break the script where it runs."""
    for place, letter in enumerate(text):
        if not " " <= letter <= "~":
            raise HeadraceError(
                f"{member}: character {place + 1} of {text!a} is U+{ord(letter):04X},"
                " and a job script holds printable ASCII only",
                "name a directory with --dir whose name has only those"
                if member == "directory"
                else "type quotes by hand instead of copying them from a page",
            )
