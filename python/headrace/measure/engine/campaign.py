"""The rounds of every benchmark: units in random order, interleaved, until figures are sure or the time is up.

A benchmark says what a unit is and how it is measured once; this file says when. Next: ../measurement.py for processes
that live for one sample, ../worker_campaign.py for tools that live for the whole case.
"""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic

from headrace.measure.engine.schedule import Schedule, Target, row_target
from headrace.measure.engine.state import AnyWay, State, Unit

Step = Callable[[str], None]


class Campaign(ABC, Generic[AnyWay]):
    """`states` holds what has been found, also after an interruption."""

    def __init__(
        self, units: Sequence[Unit[AnyWay]], rounds: int, minimum_seconds: float, seed: int, once: bool = True
    ) -> None:
        self.units = list(units)
        self.states: dict[str, State[AnyWay]] = {s.way.key: s for unit in self.units for s in unit.states}
        self.minimum_seconds = minimum_seconds
        self.schedule = Schedule(self.units, rounds, self.targets, once)
        self.once = once
        self.order = random.Random(seed)

    @abstractmethod
    def measure_once(self, unit: Unit[AnyWay], number: int) -> float | None:
        """The transfers of one unit in one round; what goes wrong fails its states.

        Returns the seconds that another round will take if that is not what this one took.
        """

    def targets(self) -> list[Target]:
        """The figures that are to become sure: each row for itself."""
        return [
            row_target(state, unit.rank)
            for unit in self.units
            if not unit.companion
            for state in unit.states
            if state.alive
        ]

    def name_of(self, unit: Unit[AnyWay]) -> str:
        """For the progress."""
        return unit.states[0].way.key

    def measure(self, deadline: float, step: Step) -> bool:
        """False if the time was up before every unit of a round had run."""
        number = 0
        while pending := self.schedule.pending(number, deadline - time.monotonic()):
            self.order.shuffle(pending)
            for unit in pending:
                if (number > 0 or not self.once) and time.monotonic() > deadline:
                    return False
                step(f"round {number + 1}: {self.name_of(unit)}")
                begun = time.monotonic()
                unit.rounds += 1
                again = self.measure_once(unit, number)
                cost = time.monotonic() - begun if again is None else again
                unit.cost = min(unit.cost, cost) if unit.cost and unit.count > 1 else cost
            number += 1
        return True
