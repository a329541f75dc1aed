"""Every way of one case of text in rounds, each transfer verified. First: ../worker_campaign.py. Next: ways.py."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError
from headrace.measure.cases import Case, make_values
from headrace.measure.engine.campaign import Step
from headrace.measure.engine.state import State
from headrace.measure.text import data
from headrace.measure.text.data import Layout
from headrace.measure.text.ways import Input, Way
from headrace.measure.toolbox import Toolbox
from headrace.measure.worker_campaign import WorkerCampaign
from headrace.measure.workers import Answer, WorkerError
from headrace.results.text import TextSettings

CHECKED_ROWS = 50_000  # of every input by numpy, which takes its time


class TextCampaign(WorkerCampaign[Way]):
    """One case; the files that are read are written by headrace, and checked."""

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
        super().__init__(case, ways, box, scratch, limit, settings.rounds, settings.minimum_seconds, settings.seed)
        self.seed = settings.seed
        self.inputs = {name: item for name, item in inputs.items() if any(w.source == name for w in ways)}
        self.values: NDArray[Any] = np.empty((0, 0))

    def prepare(self, step: Step) -> None:
        """The values, the workers, the files to read."""
        step(f"{self.case.name}: the values")
        self.values = make_values(self.case, self.seed)
        self.values.tofile(self.values_file)
        self.start_workers(step)
        for item in self.inputs.values():
            step(f"{self.case.name}: the file {item.file}")
            self._make_input(item)
        for state in self.states.values():
            if state.way.operation == "read" and state.way.source not in self.inputs:
                self._keep_output(state)

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
        """As headrace reads the whole file; as numpy does if headrace cannot."""
        if content == "binary":
            return 0  # its reader compares
        reader = self.workers.get("headrace")
        if content == "fixed" or reader is None:
            return data.wrong_values(path, self.values, content, tolerance)
        options = json.dumps({"number": "hex"} if content == "hex" else {})
        try:
            return reader.read("array", options, path, tolerance).differences
        except WorkerError:
            self.restart("headrace")
            return data.wrong_values(path, self.values, content, tolerance)

    def _keep_output(self, reader: State[Way]) -> None:
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
            self.restart(reader.way.tool)

    def _source(self, way: Way) -> Path:
        if way.source in self.inputs:
            return self.scratch / self.inputs[way.source].file
        return self.scratch / f"{way.tool}-{way.source}.csv".replace(" ", "-")

    def _target(self, way: Way) -> Path:
        return self.scratch / f"{'again' if way.in_place else 'new'}-{way.tool}.csv".replace(" ", "-")

    def transfer(self, state: State[Way]) -> Answer:
        """Write to a new file, or over the old one; or read. Then verify."""
        way, worker = state.way, self.workers[state.way.tool]
        if way.operation == "read":
            source = self._source(way)
            answer = worker.read(way.how, way.layout, source, way.tolerance)
            state.needed(answer.peak)
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
        state.needed(answer.peak)
        self._verify(state, target)
        if not way.in_place:
            target.unlink(missing_ok=True)
        return answer

    def _verify(self, state: State[Way], target: Path) -> None:
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
