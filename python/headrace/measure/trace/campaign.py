"""Every loop in rounds, with and without the tracer one after the other: each a process of its own. Next: run.py."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from headrace.measure.engine.campaign import Campaign
from headrace.measure.engine.schedule import Target
from headrace.measure.engine.state import State, Unit
from headrace.measure.pairs import Pair
from headrace.measure.trace.ways import Way
from headrace.results.records import Sample
from headrace.trace.installed import library_path

MOST_BLOCKS = 100_000


class TraceCampaign(Campaign[Way]):
    """A unit is a loop twice. The ratio of the two is what has to become sure."""

    def __init__(
        self,
        ways: Sequence[tuple[Way, Way]],
        programs: dict[str, Path],
        pairs: Sequence[Pair],
        scratch: Path,
        limit: float,
        rounds: int,
        minimum_seconds: float,
        seed: int,
    ) -> None:
        units = [Unit([State(way) for way in both], rank=rank) for rank, both in enumerate(ways)]
        self.programs, self.pairs = programs, list(pairs)
        self.scratch, self.limit = scratch, limit
        super().__init__(units, rounds, minimum_seconds, seed)

    def targets(self) -> list[Target]:
        """The ratios."""

        def values(pair: Pair) -> list[float]:
            return pair.ratios({key: self.states[key].seconds() for key in pair.keys})

        return [
            Target(pair.name, pair.keys, lambda pair=pair: values(pair), rank)  # type: ignore[misc]
            for rank, pair in enumerate(self.pairs)
            if all(key in self.states and self.states[key].alive for key in pair.keys)
        ]

    def measure_once(self, unit: Unit[Way], number: int) -> None:
        """Both, in random order; the blocks of a sample are those of the program without the tracer."""
        first = unit.states[0]
        if not first.passes:
            first.passes = 1
            found = self._run(first)
            if found:
                first.plan_passes(found[1], self.minimum_seconds, MOST_BLOCKS)
        for state in self.order.sample(unit.states, len(unit.states)):
            state.passes = first.passes
            found = self._run(state)
            if found is None:
                unit.fail(state.outcome, state.message)
                return
            values, seconds, processor = found
            state.payload_bytes = values * state.way.loop.value_bytes
            sample = Sample(round=number, passes=state.passes, total=seconds, user=processor, system=0.0)
            state.samples.append(sample)

    def _run(self, state: State[Way]) -> tuple[int, float, float] | None:
        """Values of a block; wall and processor seconds of one block."""
        way = state.way
        target, profiles = self.scratch / "loop.dat", self.scratch / "profiles"
        shutil.rmtree(profiles, ignore_errors=True)
        profiles.mkdir()
        command = [str(self.programs[way.tool]), way.loop.case, str(state.passes), str(target)]
        try:
            done = subprocess.run(
                command,
                env=traced_environment(profiles) if way.traced else None,
                capture_output=True,
                text=True,
                timeout=self.limit,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            state.fail("timed-out", f"it took longer than {self.limit:g} s")
            return None
        words = done.stdout.split()
        if done.returncode != 0 or len(words) != 3:
            state.fail("failed", done.stderr.strip()[-300:] or f"exit code {done.returncode}")
            return None
        if way.traced and not list(profiles.glob("*.profile")):
            state.fail("failed", "it was not traced: no profile was written")
            return None
        return int(words[0]), float(words[1]) / state.passes, float(words[2]) / state.passes


def traced_environment(profiles: Path) -> dict[str, str]:
    """As headrace trace starts a program."""
    return os.environ | {"LD_PRELOAD": str(library_path()), "HEADRACE_TRACE_DIRECTORY": str(profiles)}
