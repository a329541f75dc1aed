"""Which ways run in the next round, as what is known by then and the time that is left say. Next: pairs.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from headrace.measure.pairs import Pair
from headrace.measure.results import Operation, Outcome
from headrace.measure.statistics import describe, relative_width
from headrace.measure.transfers import TransferSample

ENOUGH = 6  # rounds without which there is no 95 % interval
CONVERGED = 0.05  # width of a ratio's interval that needs no further round
SLOWER = 1.5  # times the fastest peer: such a peer cannot become the fastest
CHEAP = 2.0  # seconds that a way may cost where time is short


class _Way(Protocol):
    """What campaign and rounds need to know of a way: which tool does what, and whether over an old file."""

    @property
    def key(self) -> str: ...

    @property
    def tool(self) -> str: ...

    @property
    def operation(self) -> Operation: ...

    @property
    def in_place(self) -> bool: ...


AnyWay = TypeVar("AnyWay", bound=_Way)


@dataclass
class State(Generic[AnyWay]):
    """A way and what is known about it."""

    way: AnyWay
    samples: list[TransferSample] = field(default_factory=list)
    file_bytes: int = 0
    checksum: int | None = None  # of the file it writes, once that has been verified
    warm: bool = False
    cost: float = 0.0  # seconds that one round takes
    peak: int = 0  # bytes of memory, of all transfers: a first one may keep what later ones use again
    outcome: Outcome = "measured"
    message: str = ""

    def seconds(self) -> dict[int, float]:
        return {sample.round: sample.wall for sample in self.samples}

    def fail(self, outcome: Outcome, message: str) -> None:
        self.outcome, self.message = outcome, message


@dataclass
class Rounds:
    """Chooses among the ways of a case."""

    states: Mapping[str, State[Any]]
    least: int  # rounds

    def pending(self, number: int, pairs: list[Pair], left: float) -> list[State[Any]]:
        """The ways of the next round: all; where time is short, those that the ratios need and what costs little."""
        alive = [state for state in self.states.values() if state.outcome == "measured"]
        if number >= self.least:
            return self._unsure(self._deciding(pairs), left)
        share = left / (self.least - number)
        if number == 0 or sum(state.cost for state in alive) < share:
            return alive
        needed = {key for pair in self._deciding(pairs) for key in pair.keys}
        return [state for state in alive if state.way.key in needed or state.cost < CHEAP]

    def _deciding(self, pairs: list[Pair]) -> list[Pair]:
        """Without the pairs of peers that are clearly slower than another peer of the same ratio."""
        medians: dict[Pair, float] = {}
        for pair in pairs:
            if all(key in self.states and self.states[key].outcome == "measured" for key in pair.keys):
                ratios = pair.ratios({key: self.states[key].seconds() for key in pair.keys})
                if ratios:
                    medians[pair] = describe(ratios).median
        best = {pair.name: min(m for p, m in medians.items() if p.name == pair.name) for pair in medians}
        return [pair for pair, median in medians.items() if median <= SLOWER * best[pair.name]]

    def _unsure(self, pairs: list[Pair], left: float) -> list[State[Any]]:
        """The ways of ratios whose interval is still wide, the cheapest first, as the time that is left allows."""
        chosen: dict[str, State[Any]] = {}
        for pair in sorted(pairs, key=lambda pair: sum(self.states[key].cost for key in pair.keys)):
            ratios = pair.ratios({key: self.states[key].seconds() for key in pair.keys})
            if len(ratios) >= ENOUGH and relative_width(describe(ratios)) <= CONVERGED:
                continue
            more = {key: self.states[key] for key in pair.keys if key not in chosen}
            left -= sum(state.cost for state in more.values())
            if left < 0:
                break
            chosen |= more
        return list(chosen.values())
