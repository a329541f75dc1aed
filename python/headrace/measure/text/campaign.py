"""Times every way of one case in rounds, in random order, and verifies each transfer. Next: rounds.py, workers.py."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError
from headrace.measure.build import first_error
from headrace.measure.results import Outcome
from headrace.measure.text import data
from headrace.measure.text.data import Case, Layout
from headrace.measure.text.ratios import Pair
from headrace.measure.text.results import TextSample, TextSettings
from headrace.measure.text.rounds import Rounds, State
from headrace.measure.text.tools import Toolbox
from headrace.measure.text.ways import Input, Way
from headrace.measure.text.workers import Answer, Worker, WorkerError

WARM_UP = 1.0  # seconds: a first transfer that takes longer counts
MOST_PASSES = 20
CHECKED_ROWS = 50_000  # of every input by numpy, which takes its time
MOST_ROUNDS = 30


class Campaign:
    """One case. `states` holds what has been found, also after an interruption."""

    def __init__(
        self,
        case: Case,
        ways: list[Way],
        inputs: dict[str, Input],
        box: Toolbox,
        settings: TextSettings,
        scratch: Path,
        limit: float,
    ) -> None:
        self.case, self.box, self.settings, self.scratch, self.limit = case, box, settings, scratch, limit
        self.inputs = {name: item for name, item in inputs.items() if any(w.source == name for w in ways)}
        self.states = {way.key: State(way) for way in ways if way.tool in box.tools}
        self.workers: dict[str, Worker] = {}
        self.values: NDArray[Any] = np.empty((0, 0))
        self.rounds = Rounds(self.states, settings.rounds)
        self.order = random.Random(settings.seed)

    def run(self, pairs: list[Pair], deadline: float, step: Callable[[str], None]) -> None:
        """Prepare and measure. KeyboardInterrupt passes through; what was found stays."""
        try:
            self._prepare(step)
            self._measure(pairs, deadline, step)
        finally:
            for worker in self.workers.values():
                worker.close()
            for path in self.scratch.iterdir():
                path.unlink()

    def _prepare(self, step: Callable[[str], None]) -> None:
        step(f"{self.case.name}: the values")
        self.values = data.make_values(self.case, self.settings.seed)
        file = self.scratch / "values.raw"
        self.values.tofile(file)
        for key in dict.fromkeys(state.way.tool for state in self.states.values()):
            step(f"{self.case.name}: starting {self.box.tools[key].title}")
            self._start(key, file)
        for item in self.inputs.values():
            step(f"{self.case.name}: the file {item.file}")
            self._make_input(item)
        for state in self.states.values():
            if state.way.operation == "read" and state.way.source not in self.inputs:
                self._keep_output(state)

    def _start(self, key: str, file: Path) -> None:
        try:
            self.workers[key] = self.box.start(key, self.case, file, self.limit)
        except (WorkerError, HeadraceError) as error:
            output = getattr(error, "output", None)
            self._fail_tool(key, "failed", first_error(output) if output else str(error))

    def _fail_tool(self, key: str, outcome: Outcome, message: str) -> None:
        for state in self.states.values():
            if state.way.tool == key and state.outcome == "measured":
                state.fail(outcome, message)

    def _make_input(self, item: Input) -> None:
        """Written by headrace; numpy checks its beginning, headrace reads all of it back."""
        maker = next(s for s in self.states.values() if s.way.tool == "headrace" and s.way.operation == "write")
        worker = self.workers.get("headrace")
        if worker is None:
            raise HeadraceError(f"the files to read cannot be written: {maker.message}")
        path = self.scratch / item.file
        options = json.dumps(item.options)
        try:
            worker.write("array", options, path)
            wrong = data.wrong_values(path, self.values[:CHECKED_ROWS], item.content, item.tolerance)
            wrong = wrong or worker.read("array", options, path, item.tolerance).differences
        except WorkerError as error:
            raise HeadraceError(f"headrace cannot write and read {item.file}: {error}") from error
        if wrong:
            raise HeadraceError(f"headrace wrote {wrong:,} of {self.case.count:,} values wrongly to {item.file}")

    def _wrong_values(self, path: Path, content: Layout, tolerance: float) -> int:
        """As headrace reads the whole file; as numpy does where headrace cannot."""
        if content == "binary":
            return 0  # its reader compares
        if content == "fixed":
            return data.wrong_values(path, self.values, content, tolerance)
        options = json.dumps({"number": "hex"} if content == "hex" else {})
        try:
            return self.workers["headrace"].read("array", options, path, tolerance).differences
        except WorkerError:
            self._restart("headrace")
            return data.wrong_values(path, self.values, content, tolerance)

    def _keep_output(self, reader: State) -> None:
        """What a tool reads in its own dialect it has written itself."""
        writer = self.states.get(f"{reader.way.tool}:{reader.way.source}:write")
        if writer is None or writer.outcome != "measured":
            reader.fail("skipped", "there is no file to read")
            return
        try:
            worker = self.workers[reader.way.tool]
            worker.write(writer.way.how, writer.way.layout, self._source(reader.way))
        except WorkerError as error:
            reader.fail("failed", str(error))
            self._restart(reader.way.tool)

    def _restart(self, key: str) -> None:
        self.workers.pop(key).close()
        self._start(key, self.scratch / "values.raw")

    def _source(self, way: Way) -> Path:
        if way.source in self.inputs:
            return self.scratch / self.inputs[way.source].file
        return self.scratch / f"{way.tool}-{way.source}.csv".replace(" ", "-")

    def _target(self, way: Way) -> Path:
        return self.scratch / f"{'again' if way.in_place else 'new'}-{way.tool}.csv".replace(" ", "-")

    def _measure(self, pairs: list[Pair], deadline: float, step: Callable[[str], None]) -> None:
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
                self._round(state, number)
                state.cost = time.monotonic() - begun

    def _round(self, state: State, number: int) -> None:
        answers: list[Answer] = []
        try:
            if not state.warm:
                first = self._transfer(state)
                state.warm = True
                answers = [first] if first.wall > WARM_UP and not state.way.in_place else []
            while state.outcome == "measured" and len(answers) < MOST_PASSES:
                if sum(answer.wall for answer in answers) >= self.settings.minimum_seconds:
                    break
                answers.append(self._transfer(state))
        except WorkerError as error:
            state.fail("timed-out" if "stopped after" in str(error) else "failed", str(error))
            self._restart(state.way.tool)
        if answers and state.outcome == "measured":
            state.samples.append(_mean(number, answers))

    def _transfer(self, state: State) -> Answer:
        way, worker = state.way, self.workers[state.way.tool]
        if way.operation == "read":
            source = self._source(way)
            answer = worker.read(way.how, way.layout, source, way.tolerance)
            state.peak = max(state.peak, answer.peak)
            state.file_bytes = source.stat().st_size
            if answer.differences:
                state.fail("wrong", f"{answer.differences:,} of {self.case.count:,} values were read wrongly")
            return answer
        target = self._target(way)
        if not way.in_place:
            target.unlink(missing_ok=True)
        layout = way.layout
        if layout.startswith("@"):
            layout = str(self.scratch / self.inputs[layout[1:]].file)
        answer = worker.write(way.how, layout, target)
        state.peak = max(state.peak, answer.peak)
        self._verify(state, target)
        if not way.in_place:
            target.unlink(missing_ok=True)
        return answer

    def _verify(self, state: State, target: Path) -> None:
        """The first file value by value, or byte by byte with one that is right; later ones by their checksum."""
        way = state.way
        state.file_bytes = target.stat().st_size
        found = data.checksum(target)
        if state.checksum is not None:
            if found != state.checksum:
                state.fail("wrong", "the same array gave another file than before")
            return
        state.checksum = found
        if way.source:
            place = data.first_difference(self.scratch / self.inputs[way.source].file, target)
            if place is not None:
                state.fail("wrong", f"byte {place + 1:,} differs from that of {self.inputs[way.source].file}")
            return
        wrong = self._wrong_values(target, way.content, way.tolerance)
        if wrong:
            state.fail("wrong", f"{wrong:,} of {self.case.count:,} values were written wrongly")


def _mean(number: int, answers: list[Answer]) -> TextSample:
    count = len(answers)
    return TextSample(
        round=number,
        passes=count,
        wall=sum(a.wall for a in answers) / count,
        user=sum(a.user for a in answers) / count,
        system=sum(a.system for a in answers) / count,
        peak=max(a.peak for a in answers),
        phases=[sum(parts) / count for parts in zip(*(a.phases for a in answers), strict=True)],
    )
