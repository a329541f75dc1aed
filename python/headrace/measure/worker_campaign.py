"""Times ways of tools that are worker processes: started once, asked again and again. First: engine/campaign.py."""

import contextlib
import errno
import shutil
from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from headrace.errors import HeadraceError
from headrace.measure.build import first_error
from headrace.measure.cases import Case
from headrace.measure.engine.campaign import Campaign, Step
from headrace.measure.engine.schedule import Target
from headrace.measure.engine.state import State, Unit
from headrace.measure.pairs import Pair, deciding
from headrace.measure.toolbox import Toolbox
from headrace.measure.workers import Answer, Worker, WorkerError
from headrace.results.records import Operation, Outcome, Sample

WARM_UP = 1.0  # seconds: a first transfer that takes longer counts
MOST_PASSES = 20


class _Way(Protocol):
    """What a campaign needs to know of a way of a tool: which tool does what, and whether over an old file."""

    @property
    def key(self) -> str: ...

    @property
    def tool(self) -> str: ...

    @property
    def operation(self) -> Operation: ...

    @property
    def in_place(self) -> bool: ...


ToolWay = TypeVar("ToolWay", bound=_Way)


class WorkerCampaign(Campaign[ToolWay]):
    """One case. `states` holds what has been found, also after an interruption."""

    def __init__(
        self,
        case: Case,
        ways: Sequence[ToolWay],
        box: Toolbox,
        scratch: Path,
        limit: float,
        rounds: int,
        minimum_seconds: float,
        seed: int,
    ) -> None:
        states = [State(way, payload_bytes=case.payload_bytes) for way in ways if way.tool in box.tools]
        super().__init__(self.units_of(list({s.way.key: s for s in states}.values())), rounds, minimum_seconds, seed)
        self.case, self.box, self.scratch, self.limit = case, box, scratch, limit
        self.workers: dict[str, Worker] = {}
        self.pairs: list[Pair] = []

    def units_of(self, states: list[State[ToolWay]]) -> list[Unit[ToolWay]]:
        """Each way by itself."""
        return [Unit([state]) for state in states]

    @abstractmethod
    def prepare(self, step: Step) -> None:
        """Make the values and the files that are read, start the workers."""

    @abstractmethod
    def transfer(self, state: State[ToolWay]) -> Answer:
        """Write or read once, and verify outside the clock; wrong contents fail the state."""

    @property
    def values_file(self) -> Path:
        """Where `prepare` leaves the bytes of the array for the workers."""
        return self.scratch / "values.raw"

    def run(self, pairs: list[Pair], deadline: float, step: Step) -> None:
        """Prepare and measure. KeyboardInterrupt passes through; what was found stays."""
        self.pairs = pairs
        try:
            self.prepare(step)
            self.measure(deadline, lambda text: step(f"{self.case.name}, {text}"))
            if not self.scratch.is_dir():  # what followed has failed: the run is not complete
                raise FileNotFoundError(errno.ENOENT, "somebody removed it during the run", str(self.scratch))
        finally:
            self.finish()

    def targets(self) -> list[Target]:
        """The ratios first, then the rows."""
        found = []
        for pair in deciding(self.pairs, self.states):
            seconds = {key: self.states[key].seconds() for key in pair.keys}
            found.append(Target(pair.name, pair.keys, partial(pair.ratios, seconds)))
        return found + super().targets()

    def finish(self) -> None:
        """End the workers and empty the scratch directory."""
        for worker in self.workers.values():
            worker.close()
        self.empty_scratch()

    def empty_scratch(self) -> None:
        """What is not there need not be removed: somebody may have removed all of it during the run."""
        with contextlib.suppress(FileNotFoundError):
            for path in self.scratch.iterdir():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)

    def start_workers(self, step: Step) -> None:
        """One process a tool, with the values of the case."""
        for key in dict.fromkeys(state.way.tool for state in self.states.values()):
            step(f"{self.case.name}: starting {self.box.tools[key].title}")
            self.try_to_start(key)

    def restart(self, key: str) -> None:
        """After a failure, or a command that took too long."""
        worker = self.workers.pop(key, None)
        if worker is not None:
            worker.close()
        self.try_to_start(key)

    def start(self, key: str) -> None:
        """The worker of a tool."""
        self.workers[key] = self.box.start(key, self.case, self.values_file, self.limit)

    def try_to_start(self, key: str) -> None:
        """If that fails, all ways of the tool fail with its reason."""
        try:
            self.start(key)
        except (WorkerError, HeadraceError) as error:
            output = getattr(error, "output", None)
            self.fail_tool(key, "failed", first_error(output) if output else str(error))

    def fail_tool(self, key: str, outcome: Outcome, message: str) -> None:
        for state in self.states.values():
            if state.way.tool == key and state.alive:
                state.fail(outcome, message)

    def measure_once(self, unit: Unit[ToolWay], number: int) -> None:
        """As many transfers as were planned from the first one, which is no sample unless it is long."""
        (state,) = unit.states
        answers: list[Answer] = []
        try:
            if not state.passes:
                first = self.transfer(state)
                state.plan_passes(first.wall, self.minimum_seconds, MOST_PASSES)
                answers = [first] if first.wall > WARM_UP and not state.way.in_place else []
            while state.alive and len(answers) < state.passes:
                answers.append(self.transfer(state))
                lasted = sum(answer.wall for answer in answers)
                if len(answers) == state.passes and state.replanned(lasted, self.minimum_seconds, MOST_PASSES):
                    answers = []
        except WorkerError as error:
            state.fail("timed-out" if "stopped after" in str(error) else "failed", str(error))
            self.restart(state.way.tool)
        if answers and state.alive:
            state.samples.append(mean_sample(number, answers))


def mean_sample(number: int, answers: list[Answer]) -> Sample:
    """What a round keeps of its transfers."""
    count = len(answers)
    return Sample(
        round=number,
        passes=count,
        total=sum(a.wall for a in answers) / count,
        user=sum(a.user for a in answers) / count,
        system=sum(a.system for a in answers) / count,
        peak=max(a.peak for a in answers),
        phases=[sum(parts) / count for parts in zip(*(a.phases for a in answers), strict=True)],
    )
