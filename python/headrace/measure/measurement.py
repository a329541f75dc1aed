"""One benchmark run: sizes each variant, then runs all of them in rounds, in random order, until it is sure."""

import math
import os
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure import plan as planning
from headrace.measure.build import FamilyProgram, build_family
from headrace.measure.plan import Variant
from headrace.measure.process import Contents, Report, Request, run_process, run_together
from headrace.measure.progress import Progress
from headrace.measure.provenance import memory
from headrace.measure.results import Compiler, Settings, Skip
from headrace.measure.scratch import free_bytes
from headrace.measure.statistics import describe, relative_width

PILOT_VALUES = 49_152
PILOT_VALUES_BINARY = 786_432  # what text takes 0.2 s for is nothing for records
SLOW_KNOB = "unbuffered"
CONVERGED = 0.10  # width of the interval that needs no further round
ENOUGH = 6  # rounds without which there is no 95 % interval
MOST_ROUNDS = 30
MOST_PASSES = 50


@dataclass
class State:
    """A variant and what is known about it so far."""

    variant: Variant
    program: Path | None = None
    count: int = 0
    passes: int = 1  # of several processes that start together; a lone process counts for itself
    rounds: dict[int, list[Report]] = field(default_factory=dict)
    trouble: Report | None = None
    cost: float = 0.0  # seconds that one round takes

    @property
    def alive(self) -> bool:
        return self.program is not None and self.trouble is None

    def bandwidths(self, operation: str) -> dict[int, float]:
        """Useful MB/s by round."""
        found = {}
        for number, reports in self.rounds.items():
            speed = bandwidth(self.variant, reports, operation)
            if speed > 0:
                found[number] = speed
        return found


def bandwidth(variant: Variant, reports: list[Report], operation: str) -> float:
    """Useful MB/s of one round; with several processes the last one to end stops the clock."""
    if any(not r.passes[operation] for r in reports):
        return 0.0
    if len(reports) == 1:
        report = reports[0]
        return report.payload_bytes * len(report.passes[operation]) / report.seconds(operation) / 1e6
    shared = variant.mechanism.family == planning.PART_FAMILY
    payload = reports[0].payload_bytes if shared else sum(r.payload_bytes for r in reports)
    spans = together(reports, operation)
    return payload * len(spans) / sum(spans) / 1e6


def together(reports: list[Report], operation: str) -> list[float]:
    """Seconds of each pass from the first process that begins to the last one that ends."""
    passes = zip(*(report.passes[operation] for report in reports), strict=False)
    return [max(p["begin"] + p["total"] for p in each) - min(p["begin"] for p in each) for each in passes]


class Measurement:
    """Measures a plan. `states` holds what has been found, also after an interruption."""

    def __init__(
        self,
        plan: list[Variant],
        settings: Settings,
        scratch: dict[Path, Path],
        progress: Progress,
        limit: float,
        largest: int,
    ) -> None:
        self.states = [State(variant) for variant in plan]
        self.settings = settings
        self.scratch = scratch  # directory asked for: scratch directory in it
        self.progress = progress
        self.limit = limit  # seconds that one process may take
        self.largest = largest  # bytes of payload that no transfer exceeds
        self.deadline = time.monotonic() + (settings.time_budget or 1e9)
        self.programs: dict[tuple[str, str, str], FamilyProgram] = {}
        self.skipped: list[Skip] = []
        self.notes: list[str] = []

    def run(self) -> None:
        """Build, size, measure. KeyboardInterrupt passes through; what was found stays."""
        self.build()
        self.size()
        self.measure()

    def build(self) -> None:
        """Compile each family with each compiler (and a knob's flags) once."""
        wanted = {
            (s.variant.compiler.identifier, *s.variant.knob.flags, s.variant.mechanism.family): s.variant
            for s in self.states
        }
        with self.progress.stage("compiling", len(wanted)) as step:
            for state in self.states:
                variant = state.variant
                key = (variant.compiler.identifier, " ".join(variant.knob.flags), variant.mechanism.family)
                if key not in self.programs:
                    step(f"{variant.mechanism.family}, {variant.compiler.identifier}")
                    self.programs[key] = build_family(_with_flags(variant), variant.mechanism.family)
                _attach(state, self.programs[key])

    def size(self) -> None:
        """Scale every variant up until its slower operation lasts the minimum time."""
        alive = [s for s in self.states if s.alive]
        with self.progress.stage("finding sizes", len(alive)) as step:
            for state in alive:
                step(state.variant.name)
                try:
                    self._size_one(state)
                except OSError as error:
                    state.trouble = Report(outcome="failed", message=str(error))

    def _size_one(self, state: State) -> None:
        variant = state.variant
        if variant.mechanism.family == planning.PART_FAMILY:
            state.count = self._part_count()
            state.trouble = _impossible(state)
            if state.alive:
                self._make_shared_file(state)
                self._count_passes(state)
            return
        if variant.mechanism.family == "null":
            state.count = PILOT_VALUES
            return
        if self.settings.size_bytes is not None:
            state.count = max(3, self.settings.size_bytes // _value_bytes(variant))
            self._count_passes(state)
            return
        count, most = _pilot(variant), max(3, self.largest // _value_bytes(variant) // variant.processes)
        while True:
            count = min(count, most)
            begun = time.monotonic()
            assert state.program is not None
            report = run_process(
                state.program, self._request(state, count, minimum=0.0), variant.knob.environment, self.limit
            )
            state.cost = time.monotonic() - begun
            if report.outcome not in ("measured", "wrong"):
                state.trouble = report
                return
            state.count = count
            slowest = max((report.seconds(op) for op in ("write", "read")), default=0.0)
            if slowest >= self.settings.minimum_seconds or count == most or slowest == 0:
                self._count_passes(state)
                return
            grow = 1.15 * self.settings.minimum_seconds / slowest
            count = int(count * min(grow, 16 if slowest < 0.01 else 4)) + 3

    def _count_passes(self, state: State) -> None:
        """Several processes start each pass together, so how many are needed is found out beforehand."""
        if state.variant.processes == 1 and state.variant.mechanism.family != planning.PART_FAMILY:
            return
        reports = self._run(state)
        if any(r.outcome not in ("measured", "wrong") for r in reports):
            state.trouble = next(r for r in reports if r.outcome not in ("measured", "wrong"))
            return
        shortest = min(sum(together(reports, operation)) for operation in state.variant.operations)
        state.passes = max(1, min(MOST_PASSES, math.ceil(1.1 * self.settings.minimum_seconds / max(shortest, 1e-6))))

    def measure(self) -> None:
        """Rounds in random order: all variants at first, then those whose interval is still wide."""
        order = random.Random(self.settings.seed)
        least = self.settings.rounds
        number = 0
        with self.progress.stage("measuring", least * len(self.states)) as step:
            while number < MOST_ROUNDS:
                pending = [s for s in self.states if s.alive and (number < least or self._wide(s))]
                if not [s for s in pending if not s.variant.ceiling]:
                    break
                if number >= least and time.monotonic() + sum(s.cost for s in pending) > self.deadline:
                    break
                order.shuffle(pending)
                for state in pending:
                    step(f"round {number + 1}: {state.variant.name}")
                    if number > 0 and time.monotonic() > self.deadline:
                        self.notes.append(f"The time budget ended in round {number + 1} of at least {least}.")
                        return
                    self._run_once(state, number)
                number += 1

    def _wide(self, state: State) -> bool:
        if state.variant.ceiling:
            return True  # the others are compared with it round by round
        if state.variant.mechanism.family in ("null", "memory"):
            return False
        for operation in state.variant.operations:
            speeds = list(state.bandwidths(operation).values())
            if len(speeds) < ENOUGH or relative_width(describe(speeds)) > CONVERGED:
                return True
        return False

    def _run_once(self, state: State, number: int) -> None:
        begun = time.monotonic()
        reports = self._run(state)
        state.cost = time.monotonic() - begun
        bad = [r for r in reports if r.outcome != "measured"]
        if bad and bad[0].outcome != "wrong":
            state.trouble = bad[0]
        else:
            state.rounds[number] = reports

    def _run(self, state: State) -> list[Report]:
        variant = state.variant
        assert state.program is not None
        if variant.mechanism.family == planning.PART_FAMILY:
            requests = [self._part_request(state, part) for part in range(1, variant.processes + 1)]
        else:
            requests = [self._request(state, state.count, worker=i) for i in range(variant.processes)]
        crowd = max(1.0, variant.processes / len(os.sched_getaffinity(0)))  # processes that share a core take turns
        return run_together(state.program, requests, variant.knob.environment, self.limit * crowd)

    def _request(self, state: State, count: int, minimum: float | None = None, worker: int = 0) -> Request:
        variant = state.variant
        return Request(
            mechanism=variant.mechanism.name,
            count=count,
            file=self.scratch[variant.directory] / f"{variant.mechanism.family}-{worker}.dat",
            minimum=self._least(variant) if minimum is None else minimum,
            passes=1 if minimum == 0.0 else state.passes if variant.processes > 1 else 1000,
            seed=self.settings.seed,
            synced=variant.pair.write == "synced",
            cold=variant.pair.read == "cold",
            wait=variant.processes > 1,
            contents=contents_of(variant.mechanism.family),
        )

    def _least(self, variant: Variant) -> float:
        """Seconds after which passes end; those of several processes end by their number alone."""
        return 1e9 if variant.processes > 1 else self.settings.minimum_seconds

    def _part_count(self) -> int:
        if self.settings.size_bytes is not None:
            return max(3, self.settings.size_bytes // 8)
        fits = min(free_bytes(d) for d in self.scratch) // 8 > 8 * planning.PART_VALUES
        return planning.PART_VALUES if fits else self.largest // 8

    def _shared_file(self, variant: Variant) -> Path:
        name = f"{variant.mechanism.name}-{variant.compiler.name}-{variant.pair.read}.dat"
        return self.scratch[variant.directory] / name

    def _make_shared_file(self, state: State) -> None:
        file = self._shared_file(state.variant)
        if file.exists() or state.program is None:
            return
        request = Request(
            state.variant.mechanism.name,
            state.count,
            file,
            passes=1,
            seed=self.settings.seed,
            read=False,
            keep=True,
        )
        report = run_process(state.program, request, {}, self.limit)
        if report.outcome != "measured":
            state.trouble = report

    def _part_request(self, state: State, part: int) -> Request:
        variant = state.variant
        return Request(
            mechanism=variant.mechanism.name,
            count=state.count,
            file=self._shared_file(variant),
            minimum=1e9,
            passes=state.passes,
            seed=self.settings.seed,
            cold=variant.pair.read == "cold",
            write=False,
            keep=True,
            wait=True,
            part=part,
            parts=variant.processes,
        )


def largest_payload(directories: list[Path], wanted: int) -> int:
    """Bytes of payload that fit: a quarter of the free space, an eighth of the free memory (flang 19 needs 3 times)."""
    free = min(free_bytes(path) for path in directories)
    largest = min(wanted, free // 4, (memory("MemAvailable") or wanted * 8) // 8)
    if largest < min(wanted, 1_000_000):
        raise HeadraceError(
            f"only {largest / 1e6:.2f} MB a transfer would fit (free space {free / 1e6:,.0f} MB, "
            f"free memory {memory('MemAvailable') / 1e6:,.0f} MB)",
            "free some space or choose another --dir",
        )
    return largest


def _impossible(state: State) -> Report | None:
    """Readers with dummy arrays hold the whole file each; direct access has whole records for each reader."""
    name, processes = state.variant.mechanism.name, state.variant.processes
    if name == "direct" and processes * planning.PART_RECORD > max(state.count, planning.PART_RECORD):
        records = state.count // planning.PART_RECORD
        return Report(outcome="skipped", message=f"{processes} readers, but the file has {records} direct records")
    if name != "array_dummy":
        return None
    needed, free = 8 * state.count * state.variant.processes, memory("MemAvailable")
    if not free or needed < 0.8 * free:
        return None
    message = f"the dummy arrays need {needed / 1e9:.1f} GB of memory, {free / 1e9:.1f} GB are free"
    return Report(outcome="skipped", message=message)


def contents_of(family: str) -> Contents:
    """What a family's files hold."""
    if family in ("null", "memory"):
        return "none"
    return "text" if family in ("formatted", "derived_type_io") else "binary"


def _pilot(variant: Variant) -> int:
    slow = variant.knob.name == SLOW_KNOB or "seek" in variant.mechanism.name
    text = variant.mechanism.family in ("formatted", "derived_type_io")
    return PILOT_VALUES if slow or text else PILOT_VALUES_BINARY


def _value_bytes(variant: Variant) -> int:
    return 4 if variant.mechanism.shape == "integer" else 8


def _with_flags(variant: Variant) -> Compiler:
    if not variant.knob.flags:
        return variant.compiler
    return variant.compiler.model_copy(update={"flags": [*variant.compiler.flags, *variant.knob.flags]})


def _attach(state: State, program: FamilyProgram) -> None:
    name = state.variant.mechanism.name
    state.program = program.executable
    if name in program.refused:
        state.program = None
        state.trouble = Report(outcome="refused", message=program.refused[name])
    elif program.executable is None:
        state.trouble = Report(outcome="refused", message=program.message.splitlines()[0] if program.message else "")
