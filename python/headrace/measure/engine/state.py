"""A way to be measured and what is known about it, and ways that are measured together. Next: schedule.py."""

import math
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from headrace.results.records import Operation, Outcome, Sample
from headrace.results.verdicts import LASTED

MOST_PASSES = 1000
MARGIN = 1.15  # passes are planned to last so many times the least: the next transfer may be faster


class _Way(Protocol):
    """What the engine needs to know of a way: its name, and what it does."""

    @property
    def key(self) -> str: ...

    @property
    def operation(self) -> Operation: ...


AnyWay = TypeVar("AnyWay", bound=_Way)


@dataclass(eq=False)
class State(Generic[AnyWay]):
    """A way and what is known about it. It becomes a row of the results."""

    way: AnyWay
    samples: list[Sample] = field(default_factory=list)
    passes: int = 0  # transfers of a sample; 0 until one that is no sample has told
    payload_bytes: int = 0
    file_bytes: int = 0
    checksum: int | None = None  # of the file it writes, once that has been verified
    verified: bool = True
    cached_share: float | None = None  # of the pages of a cold read, at most
    peak: int | None = None  # bytes of memory, of all transfers: a first one may keep what later ones use again
    outcome: Outcome = "measured"
    message: str = ""
    resized: int = 0

    @property
    def alive(self) -> bool:
        return self.outcome == "measured"

    def seconds(self) -> dict[int, float]:
        return {sample.round: sample.total for sample in self.samples}

    def speeds(self) -> dict[int, float]:
        """MB/s by round."""
        return {n: self.payload_bytes / seconds / 1e6 for n, seconds in self.seconds().items() if seconds > 0}

    def needed(self, peak: int) -> None:
        """Remember the memory of a transfer."""
        self.peak = max(self.peak or 0, peak)

    def fail(self, outcome: Outcome, message: str) -> None:
        self.outcome, self.message = outcome, message

    def plan_passes(self, seconds: float, least: float, most: int = MOST_PASSES) -> None:
        """Fix the number of transfers of every sample from the seconds of one."""
        self.passes = max(1, min(most, math.ceil(MARGIN * least / max(seconds, 1e-7))))

    def replanned(self, lasted: float, least: float, most: int = MOST_PASSES, longest: float = math.inf) -> bool:
        """Whether a first sample was much too short or long: then it is none, and tells how many passes one needs."""
        fits = lasted >= LASTED * least or self.passes >= most
        if self.samples or self.resized >= 2 or (fits and (lasted <= longest * least or self.passes == 1)):
            return False
        self.resized += 1
        self.plan_passes(lasted / max(self.passes, 1), least, most)
        return True


@dataclass(eq=False)
class Unit(Generic[AnyWay]):
    """Ways that one round measures one after the other: a write and the read of what it wrote, or one way alone."""

    states: list[State[AnyWay]]
    rank: int = 0  # those of a lower one come first if time is short
    companion: bool = False  # others are compared with it round by round
    cost: float = 0.0  # seconds that one round takes
    rounds: int = 0  # in which it ran, whatever came of it

    @property
    def alive(self) -> bool:
        return any(state.alive for state in self.states)

    @property
    def count(self) -> int:
        """Samples that each of its ways has."""
        return min((len(state.samples) for state in self.states if state.alive), default=0)

    def fail(self, outcome: Outcome, message: str) -> None:
        for state in self.states:
            state.fail(outcome, message)
