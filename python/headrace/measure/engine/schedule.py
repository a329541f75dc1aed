"""What the next round measures: figures that are not sure yet, those that a conclusion needs first. Next: campaign.py.

The rule is fixed beforehand, and test_schedule.py simulates it: every figure gets ENOUGH samples, more until its 95 %
interval is no wider than 10 % of the median, and at most MOST_ROUNDS. What does not fit into the time that is left is
not begun: fewer figures that are valid beat many that are not. The choice looks at costs and intervals, never at which
figure is fast.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headrace.measure.engine.state import State, Unit
from headrace.results.verdicts import ENOUGH, settled

MOST_ROUNDS = 30
UNKNOWN = 1.25  # times its estimate, for the cost of what has not run yet
COMPANIONS = 1 / 3  # of the time that is left, for what others are compared with


@dataclass(frozen=True)
class Target:
    """A figure that must become sure: a row's speed, or a ratio of several rows. `values` are those of its rounds."""

    name: str
    keys: tuple[str, ...]  # of states
    values: Callable[[], Sequence[float]]
    rank: int = 0


def row_target(state: State[Any], rank: int) -> Target:
    """The speed of one row."""
    return Target(state.way.key, (state.way.key,), lambda: [1 / t for t in state.seconds().values() if t > 0], rank)


@dataclass
class Schedule:
    """Chooses among the units of a campaign."""

    units: Sequence[Unit[Any]]
    least: int  # rounds that were asked for
    targets: Callable[[], Sequence[Target]]
    everything_once: bool = True  # the first round leaves nothing out
    _of: Mapping[str, Unit[Any]] = field(init=False)

    def __post_init__(self) -> None:
        self._of = {state.way.key: unit for unit in self.units for state in unit.states}

    def pending(self, number: int, left: float) -> list[Unit[Any]]:
        """The units of the next round, within `left` seconds."""
        alive = [unit for unit in self.units if unit.alive]
        if number == 0 and self.everything_once:
            return alive
        companions = self._companions([unit for unit in alive if unit.companion], left)
        for_others = left - sum(self._lacks(unit) for unit in companions)
        chosen = self._unsure(for_others) or self._one_more(left)
        if any(unit.count < ENOUGH for unit in chosen):
            chosen += companions
        return chosen

    def _lacks(self, unit: Unit[Any]) -> float:
        """Seconds for all the samples that it lacks; one more if it has enough and is not sure."""
        cost = unit.cost if unit.count else UNKNOWN * unit.cost
        return cost * max(1, ENOUGH - unit.count)

    def _companions(self, units: list[Unit[Any]], left: float) -> list[Unit[Any]]:
        """What others are compared with: one at least, more as far as a third of the time lasts."""
        found: list[Unit[Any]] = []
        share = left * COMPANIONS
        for unit in sorted(units, key=lambda unit: unit.rank):
            share -= self._lacks(unit)
            if share >= 0 or not found:
                found.append(unit)
        return found

    def _unsure(self, left: float) -> list[Unit[Any]]:
        """Those of targets that are not sure, as far as the time lasts for all the samples that they lack."""
        chosen: dict[int, Unit[Any]] = {}
        for _, units in sorted(self._open(), key=lambda item: item[0]):
            more = [unit for unit in units if id(unit) not in chosen]
            cost = sum(self._lacks(unit) for unit in more)
            if cost <= left:
                left -= cost
                chosen |= {id(unit): unit for unit in more}
        return list(chosen.values())

    def _one_more(self, left: float) -> list[Unit[Any]]:
        """If the time lasts for no figure that is sure: a sample more of as many as it lasts for."""
        chosen: dict[int, Unit[Any]] = {}
        for _, units in sorted(self._open(), key=lambda item: item[0]):
            more = [unit for unit in units if id(unit) not in chosen]
            cost = sum(unit.cost for unit in more)
            if cost <= left:
                left -= cost
                chosen |= {id(unit): unit for unit in more}
        return list(chosen.values())

    def _open(self) -> list[tuple[tuple[int, float], list[Unit[Any]]]]:
        """The units of each target that is not sure; what was begun comes first, then what costs little."""
        found = []
        for target in self.targets():
            units = list({id(self._of[key]): self._of[key] for key in target.keys}.values())
            states = [state for unit in units for state in unit.states if state.way.key in target.keys]
            if not all(state.alive for state in states) or settled(target.values(), self.least):
                continue
            if any(unit.rounds >= max(MOST_ROUNDS, self.least) for unit in units):
                continue
            lacking = sum(self._lacks(unit) for unit in units)
            found.append(((target.rank, lacking), units))
        return found
