"""Every way of one case of binary files, each transfer verified. First: ../worker_campaign.py. Next: ways.py."""

import json
from pathlib import Path

import numpy as np

from headrace.measure.binary import forms
from headrace.measure.binary.forms import FORMS, Values
from headrace.measure.binary.tools import part_of
from headrace.measure.binary.ways import Way
from headrace.measure.cases import Case, make_values
from headrace.measure.engine.campaign import Step
from headrace.measure.engine.state import State
from headrace.measure.toolbox import Toolbox
from headrace.measure.worker_campaign import WorkerCampaign
from headrace.measure.workers import Answer


class BinaryCampaign(WorkerCampaign[Way]):
    """One case. The files that are read are made by numpy; what is written is compared with what numpy would make."""

    def __init__(
        self,
        case: Case,
        ways: list[Way],
        box: Toolbox,
        scratch: Path,
        limit: float,
        rounds: int,
        minimum_seconds: float,
        seed: int,
        repeats: int = 1,
    ) -> None:
        super().__init__(case, ways, box, scratch, limit, rounds, minimum_seconds, seed)
        self.seed = seed
        self.repeats = repeats  # of the values in the file: a large file from a small array
        self.values: Values = np.empty((0, 0))

    def prepare(self, step: Step) -> None:
        """The values, the files to read, the workers."""
        step(f"{self.case.name}: the values")
        self.values = make_values(self.case, self.seed)
        if self.repeats > 1:
            self.values = np.broadcast_to(self.values.reshape(-1), (self.repeats, self.values.size))
        ways = [state.way for state in self.states.values()]
        if not all(way.source or way.tool == "inspect" for way in ways):
            self.values.tofile(self.values_file)
        sources = [way.source or way.form for way in ways if way.source or way.operation == "read"]
        for form in dict.fromkeys(sources):
            if form:
                step(f"{self.case.name}: the file of {form}")
                forms.make(self._source(form), FORMS[form], self.values)
        self.start_workers(step)

    def transfer(self, state: State[Way]) -> Answer:
        """Write to a new file, or over the old one; or read. Then verify."""
        way, worker = state.way, self.workers[state.way.tool]
        if way.operation == "read":
            source = self._source(way.form) if way.form else self.values_file
            answer = worker.read(way.how, way.layout, source, 0.0)
            state.file_bytes = source.stat().st_size if way.form else 0
            if answer.differences:
                count = part_of(self.case.count, way.share)
                state.fail("wrong", f"{answer.differences:,} of {count:,} values were read wrongly")
            return self._counted(state, answer)
        target = self._target(way)
        if way.in_place:
            self._prepare_again(target, way)
        else:
            target.unlink(missing_ok=True)
        layout = way.layout
        if way.source:
            layout = json.dumps({"words": json.loads(layout), "source": str(self._source(way.source))})
        answer = worker.write(way.how, layout, target)
        self._verify(state, target)
        if not way.in_place:
            target.unlink(missing_ok=True)
        return self._counted(state, answer)

    def _counted(self, state: State[Way], answer: Answer) -> Answer:
        state.needed(answer.peak)
        return answer

    def _prepare_again(self, target: Path, way: Way) -> None:
        """A file of the same size with wrong bytes in every MiB."""
        if not target.exists():
            forms.make(target, FORMS[way.form], self.values)
        forms.disturb(target)

    def _verify(self, state: State[Way], target: Path) -> None:
        """Every byte of every file."""
        if not target.exists():
            state.fail("wrong", "no file was written")
            return
        state.file_bytes = target.stat().st_size
        found = forms.difference(target, FORMS[state.way.form], self.values)
        if found:
            state.fail("wrong", found)

    def _source(self, form: str) -> Path:
        return self.scratch / f"source-{_plain(form)}{FORMS[form].ending}"

    def _target(self, way: Way) -> Path:
        return self.scratch / f"{'again' if way.in_place else 'new'}-{_plain(way.form)}{FORMS[way.form].ending}"


def _plain(form: str) -> str:
    return form.replace(", ", "-").replace(" ", "-")
