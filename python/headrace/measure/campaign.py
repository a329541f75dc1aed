"""Times ways in rounds, in random order, each tool in a worker process. Next: rounds.py, workers.py."""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic

from headrace.errors import HeadraceError
from headrace.measure.build import first_error
from headrace.measure.cases import Case
from headrace.measure.pairs import Pair
from headrace.measure.results import Outcome
from headrace.measure.rounds import AnyWay, Rounds, State
from headrace.measure.toolbox import Toolbox
from headrace.measure.transfers import TransferSample
from headrace.measure.workers import Answer, Worker, WorkerError

WARM_UP = 1.0  # seconds: a first transfer that takes longer counts
MOST_PASSES = 20
MOST_ROUNDS = 30

Step = Callable[[str], None]


class Campaign(ABC, Generic[AnyWay]):
    """One case. `states` holds what has been found, also after an interruption."""

    def __init__(
        self,
        case: Case,
        ways: Sequence[AnyWay],
        box: Toolbox,
        scratch: Path,
        limit: float,
        rounds: int,
        minimum_seconds: float,
        seed: int,
    ) -> None:
        self.case, self.box, self.scratch, self.limit = case, box, scratch, limit
        self.minimum_seconds = minimum_seconds
        self.states = {way.key: State(way) for way in ways if way.tool in box.tools}
        self.workers: dict[str, Worker] = {}
        self.rounds = Rounds(self.states, rounds)
        self.order = random.Random(seed)

    @abstractmethod
    def prepare(self, step: Step) -> None:
        """Make the values and the files that are read, start the workers."""

    @abstractmethod
    def transfer(self, state: State[AnyWay]) -> Answer:
        """Write or read once, and verify outside the clock; wrong contents fail the state."""

    @property
    def values_file(self) -> Path:
        """Where `prepare` leaves the bytes of the array for the workers."""
        return self.scratch / "values.raw"

    def run(self, pairs: list[Pair], deadline: float, step: Step) -> None:
        """Prepare and measure. KeyboardInterrupt passes through; what was found stays."""
        try:
            self.prepare(step)
            self._measure(pairs, deadline, step)
        finally:
            self.finish()

    def finish(self) -> None:
        """End the workers and empty the scratch directory."""
        for worker in self.workers.values():
            worker.close()
        for path in self.scratch.iterdir():
            path.unlink()

    def start_workers(self, step: Step) -> None:
        """One process a tool, with the values of the case."""
        for key in dict.fromkeys(state.way.tool for state in self.states.values()):
            step(f"{self.case.name}: starting {self.box.tools[key].title}")
            self.try_to_start(key)

    def restart(self, key: str) -> None:
        """After a failure, or a command that took too long."""
        self.workers.pop(key).close()
        self.try_to_start(key)

    def start(self, key: str) -> None:
        """The worker of a tool."""
        self.workers[key] = self.box.start(key, self.case, self.values_file, self.limit)

    def try_to_start(self, key: str) -> None:
        """Where that fails, all ways of the tool fail with its reason."""
        try:
            self.start(key)
        except (WorkerError, HeadraceError) as error:
            output = getattr(error, "output", None)
            self.fail_tool(key, "failed", first_error(output) if output else str(error))

    def fail_tool(self, key: str, outcome: Outcome, message: str) -> None:
        for state in self.states.values():
            if state.way.tool == key and state.outcome == "measured":
                state.fail(outcome, message)

    def _measure(self, pairs: list[Pair], deadline: float, step: Step) -> None:
        for number in range(MOST_ROUNDS):
            pending = self.rounds.pending(number, pairs, deadline - time.monotonic())
            if not pending:
                return
            self.order.shuffle(pending)
            for state in pending:
                if number > 0 and time.monotonic() > deadline:
                    return
                step(f"{self.case.name}, round {number + 1}: {state.way.key}")
                begun = time.monotonic()
                self.measure_once(state, number)
                state.cost = time.monotonic() - begun

    def measure_once(self, state: State[AnyWay], number: int) -> None:
        """The transfers of one way in one round."""
        answers: list[Answer] = []
        try:
            if not state.warm:
                first = self.transfer(state)
                state.warm = True
                answers = [first] if first.wall > WARM_UP and not state.way.in_place else []
            while state.outcome == "measured" and len(answers) < MOST_PASSES:
                if sum(answer.wall for answer in answers) >= self.minimum_seconds:
                    break
                answers.append(self.transfer(state))
        except WorkerError as error:
            state.fail("timed-out" if "stopped after" in str(error) else "failed", str(error))
            self.restart(state.way.tool)
        if answers and state.outcome == "measured":
            state.samples.append(mean_sample(number, answers))


def mean_sample(number: int, answers: list[Answer]) -> TransferSample:
    """What a round keeps of its transfers."""
    count = len(answers)
    return TransferSample(
        round=number,
        passes=count,
        wall=sum(a.wall for a in answers) / count,
        user=sum(a.user for a in answers) / count,
        system=sum(a.system for a in answers) / count,
        peak=max(a.peak for a in answers),
        phases=[sum(parts) / count for parts in zip(*(a.phases for a in answers), strict=True)],
    )
