"""Every case in rounds, without and with the library one after the other: each a process of its own. Next: run.py."""

import contextlib
import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headrace.measure.engine.campaign import Campaign
from headrace.measure.engine.schedule import Target
from headrace.measure.engine.state import State, Unit
from headrace.measure.pairs import Pair
from headrace.measure.run.library import Library, TakenOver
from headrace.measure.run.ways import Way
from headrace.results.records import Sample

MOST_BLOCKS = 100_000


@dataclass
class _Found:
    """What a process said and left."""

    statements: int
    seconds: float  # of a block
    processor: float
    contents: str  # of memory, of the file, and of standard output
    counted: TakenOver = field(default_factory=TakenOver)


class RunCampaign(Campaign[Way]):
    """A unit is a case twice. The ratio of the two is what has to become sure."""

    def __init__(
        self,
        ways: Sequence[tuple[Way, Way]],
        programs: dict[tuple[str, bool], Path],
        pairs: Sequence[Pair],
        library: Library,
        scratch: Path,
        limit: float,
        rounds: int,
        minimum_seconds: float,
        seed: int,
    ) -> None:
        units = [Unit([State(way) for way in pair], rank=rank) for rank, pair in enumerate(ways)]
        self.programs, self.pairs, self.library = programs, list(pairs), library
        self.scratch, self.limit = scratch, limit
        self.counted: dict[str, TakenOver] = {}  # by the key of a way with the library
        super().__init__(units, rounds, minimum_seconds, seed)

    def targets(self) -> list[Target]:
        """The ratios, of processor times."""

        def values(pair: Pair) -> list[float]:
            used = {key: {s.round: s.user for s in self.states[key].samples if s.user > 0} for key in pair.keys}
            return pair.ratios(used)

        return [
            Target(pair.name, pair.keys, lambda pair=pair: values(pair), rank)  # type: ignore[misc]
            for rank, pair in enumerate(self.pairs)
            if all(key in self.states and self.states[key].alive for key in pair.keys)
        ]

    def measure_once(self, unit: Unit[Way], number: int) -> None:
        """Both, in random order; the blocks of a sample are those that the program without the library needs."""
        plain, fast = unit.states
        if not plain.passes and not self._prepare(unit):
            return
        found: dict[str, _Found] = {}
        for state in self.order.sample(unit.states, len(unit.states)):
            result = self._run(state)
            if result is None:
                unit.fail(state.outcome, state.message)
                return
            found[state.way.key] = result
            sample = Sample(round=number, passes=state.passes, total=result.seconds, user=result.processor, system=0.0)
            state.samples.append(sample)
        if found[plain.way.key].contents != found[fast.way.key].contents:
            unit.fail("wrong", "with the library the program read or wrote something else")

    def _prepare(self, unit: Unit[Way]) -> bool:
        """One block without tells how many a sample needs; one with it, what is taken over."""
        plain, fast = unit.states
        plain.passes = fast.passes = 1
        first = self._run(plain)
        second = self._run(fast, with_statistics=True) if first else None
        if first is None or second is None:
            bad = plain if first is None else fast
            unit.fail(bad.outcome, bad.message)
            return False
        if second.counted.why_not_active:
            unit.fail("failed", f"the library is not active: {second.counted.why_not_active}")
            return False
        self.counted[fast.way.key] = second.counted
        plain.plan_passes(first.processor, self.minimum_seconds, MOST_BLOCKS)
        for state in unit.states:
            state.passes = plain.passes
            state.payload_bytes = first.statements * state.way.case.value_bytes
        return True

    def _run(self, state: State[Way], with_statistics: bool = False) -> _Found | None:
        """One process; None if it failed, and then the state says why."""
        way = state.way
        target, output = self.scratch / "cases.txt", self.scratch / "output.txt"
        target.unlink(missing_ok=True)
        command = [str(self.programs[way.tool, way.case.has_threads]), way.name, str(state.passes), str(target)]
        folder = self.scratch / "statistics" if with_statistics else None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        environment = self.library.loaded(folder) if way.is_with_library else self.library.absent()
        with contextlib.ExitStack() as stack:
            to_file = stack.enter_context(output.open("wb")) if way.case.output == "file" else subprocess.PIPE
            try:
                done = subprocess.run(
                    command,
                    env=environment,
                    stdout=to_file,
                    stderr=subprocess.PIPE,
                    timeout=self.limit,
                    stdin=subprocess.DEVNULL,
                )
            except subprocess.TimeoutExpired:
                state.fail("timed-out", f"it took longer than {self.limit:g} s")
                return None
        self.scratch.stat()  # if somebody has removed it, the run is over
        said = done.stderr.decode(errors="replace")
        words = said.split()
        if done.returncode != 0 or len(words) != 4:
            state.fail("failed", said.strip()[-300:] or f"exit code {done.returncode}")
            return None
        written = output.read_bytes() if way.case.output == "file" else done.stdout
        left = hashlib.sha256(written)
        with contextlib.suppress(FileNotFoundError):
            left.update(target.read_bytes())
        return _Found(
            statements=int(words[0]),
            seconds=float(words[1]) / state.passes,
            processor=float(words[2]) / state.passes,
            contents=words[3] + left.hexdigest(),
            counted=self.library.counted(folder, way.operation) if folder is not None else TakenOver(),
        )
