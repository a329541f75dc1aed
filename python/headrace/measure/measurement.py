"""Fortran's own statements: each round a fresh process writes and reads. First: engine/campaign.py. Next: sizes.py."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headrace.measure import plan as planning
from headrace.measure.build import FamilyProgram, build_family
from headrace.measure.engine.campaign import Campaign
from headrace.measure.engine.schedule import Target
from headrace.measure.engine.state import State, Unit
from headrace.measure.plan import Variant
from headrace.measure.process import Contents, Report, Request, run_process, run_together
from headrace.measure.progress import Progress
from headrace.measure.provenance import memory
from headrace.measure.scratch import free_bytes
from headrace.measure.sizes import extremes, grown, is_statement, pilot_values, rank_of, seconds_at, value_bytes
from headrace.results.conclusions import PART_FAMILY
from headrace.results.records import Condition, Operation, Outcome, Sample
from headrace.results.run import Compiler, Settings, Skip
from headrace.results.verdicts import ENOUGH

MOST_PASSES = 1000
MOST_TOGETHER = 50  # passes of processes that start each one together
LONGEST = 1.8  # times the shortest time: a sample that lasts longer takes time from others
BUILDING, SIZING = 0.3, 0.5  # shares of the time budget by which these end; what is left out is said
PILOT_LIMIT = 0.1  # share of the time budget that the first small transfer of a way may take


@dataclass(frozen=True, eq=False)
class Statement:
    """What becomes a row: one direction of a variant."""

    variant: Variant
    operation: Operation

    @property
    def key(self) -> str:
        v = self.variant
        return f"{v.name}, {v.directory}, {v.pair.write}/{v.pair.read}{', ceiling' * v.ceiling}: {self.operation}"

    @property
    def condition(self) -> Condition:
        return self.variant.pair.write if self.operation == "write" else self.variant.pair.read


class VariantUnit(Unit[Statement]):
    """A variant: one process writes and reads, or several do."""

    def __init__(self, variant: Variant, program: Path | None = None, count: int = 0) -> None:
        super().__init__([State(Statement(variant, operation)) for operation in variant.operations])
        self.variant, self.program, self.count_of_values = variant, program, count
        self.companion = variant.ceiling
        self.pilot: dict[Operation, float] = {}  # MB/s of the first small transfer
        self.overhead = 0.0  # seconds of that process beside the transfers

    def state(self, operation: Operation) -> State[Statement]:
        return next(state for state in self.states if state.way.operation == operation)

    def take(self, number: int, reports: list[Report]) -> None:
        """One round: what the processes reported becomes samples."""
        for state in self.states:
            sample = sample_of(self.variant, reports, state.way.operation, number)
            if sample is not None:
                state.samples.append(sample)
            self._describe(state, reports)
        wrong = next((report for report in reports if report.outcome == "wrong"), None)
        if wrong is not None:
            self.fail("wrong", wrong.message)

    def _describe(self, state: State[Statement], reports: list[Report]) -> None:
        operation = state.way.operation
        state.payload_bytes = payload_of(self.variant, reports)
        state.file_bytes = reports[0].file_bytes
        state.verified = state.verified and all(report.verified for report in reports)
        for report in reports:
            if operation in report.peak:
                state.needed(report.peak[operation])
            if operation == "read" and state.way.condition == "cold" and report.resident is not None:
                state.cached_share = max(state.cached_share or 0.0, abs(report.resident))


def payload_of(variant: Variant, reports: list[Report]) -> int:
    """Bytes of one pass: of the file that all read a part of, or of a file each."""
    shared = variant.mechanism.family == PART_FAMILY
    return reports[0].payload_bytes if shared else sum(report.payload_bytes for report in reports)


def together(reports: list[Report], operation: str) -> list[float]:
    """Seconds of each pass from the first process that begins to the last one that ends."""
    if len(reports) == 1:
        return [p["total"] for p in reports[0].passes[operation]]
    passes = zip(*(report.passes[operation] for report in reports), strict=False)
    return [max(p["begin"] + p["total"] for p in each) - min(p["begin"] for p in each) for each in passes]


def sample_of(variant: Variant, reports: list[Report], operation: Operation, number: int) -> Sample | None:
    """The mean pass of a round. Of several processes the last to end stops the clock, the slowest tells the rest."""
    samples = [report.sample(operation, number) for report in reports]
    present = [sample for sample in samples if sample is not None]
    spans = together(reports, operation)
    if len(present) < len(reports) or not spans or sum(spans) <= 0:
        return None
    sample = max(present, key=lambda s: s.total)
    if len(reports) > 1:
        sample.total = sum(spans) / len(spans)
        first = [report.passes[operation][0] for report in reports]
        start = min(p["begin"] for p in first)
        ends = [p["begin"] + p["total"] - start for p in first]
        sample.first_done, sample.last_done = min(ends), max(ends)
    return sample


class Measurement(Campaign[Statement]):
    """Measures a plan. `units` holds what has been found, also after an interruption."""

    def __init__(
        self,
        plan: list[Variant],
        settings: Settings,
        scratch: dict[Path, Path],
        progress: Progress,
        limit: float,
        largest: int,
        deadline: float,
        everything_once: bool = True,
    ) -> None:
        self.variants = [VariantUnit(variant) for variant in plan]
        super().__init__(self.variants, settings.rounds, settings.minimum_seconds, settings.seed, everything_once)
        self.settings = settings
        self.scratch = scratch  # directory asked for: scratch directory in it
        self.progress = progress
        self.limit = limit  # seconds that one process may take
        self.largest = largest  # bytes of payload that no transfer exceeds
        self.begun, self.deadline = time.monotonic(), deadline
        self.programs: dict[tuple[str, str, str], FamilyProgram] = {}
        self.said: dict[str, Report] = {}  # the first report of each compiler: its version, the data
        self.skipped: list[Skip] = []
        self.notes: list[str] = []
        first = plan[0].compiler.identifier if plan else ""
        for unit in self.variants:
            unit.rank = rank_of(unit.variant, first)

    def run(self) -> None:
        """Build, size, measure. KeyboardInterrupt passes through; what was found stays."""
        self.build()
        self.size()
        with self.progress.stage("measuring", self.settings.rounds * len(self.units)) as step:
            if not self.measure(self.deadline, step):
                self.notes.append("The time budget ended within a round.")

    def targets(self) -> list[Target]:
        """What the harness and memory cost is nothing that a conclusion needs: a few samples are enough."""
        enough = {
            state.way.key
            for unit in self.variants
            if unit.variant.mechanism.family in ("null", "memory") and unit.count >= ENOUGH
            for state in unit.states
        }
        return [target for target in super().targets() if target.name not in enough]

    def name_of(self, unit: Unit[Statement]) -> str:
        return unit.states[0].way.variant.name

    def _is_over(self, share: float) -> bool:
        """Whether a share of the time has been used; never if everything is to run once."""
        used = time.monotonic() - self.begun
        return not self.once and used > share * (self.deadline - self.begun)

    def build(self) -> None:
        """Compile each family with each compiler (and a knob's flags) once."""
        wanted = {
            (u.variant.compiler.identifier, *u.variant.knob.flags, u.variant.mechanism.family) for u in self.variants
        }
        with self.progress.stage("compiling", len(wanted)) as step:
            for unit in sorted(self.variants, key=lambda unit: unit.rank):
                variant = unit.variant
                key = (variant.compiler.identifier, " ".join(variant.knob.flags), variant.mechanism.family)
                if key not in self.programs:
                    if self._is_over(BUILDING) and not variant.ceiling:
                        unit.fail("skipped", "not compiled: the time budget ended first")
                        continue
                    step(f"{variant.mechanism.family}, {variant.compiler.identifier}")
                    self.programs[key] = build_family(_with_flags(variant), variant.mechanism.family)
                _attach(unit, self.programs[key])

    def size(self) -> None:
        """One short transfer of every variant: the size of its array, and how many passes a sample has."""
        alive = sorted((u for u in self.variants if u.alive), key=lambda u: (not u.companion, u.rank))
        ceiling: dict[tuple[Path, Operation], float] = {}
        with self.progress.stage("finding sizes", len(alive)) as step:
            for unit in alive:
                if self._is_over(SIZING) and not unit.companion:
                    unit.fail("skipped", "not begun: the time budget ended first")
                    continue
                step(unit.variant.name)
                try:
                    self._size_one(unit, ceiling)
                except OSError as error:
                    unit.fail("failed", str(error))
        self._mark_extremes()

    def _mark_extremes(self) -> None:
        """The conclusion is about the fastest and the slowest statement of a compiler: they come first."""
        alike = {
            place: unit.pilot
            for place, unit in enumerate(self.variants)
            if unit.alive and unit.rank in (1, 2) and not unit.companion and is_statement(unit.variant)
        }
        for place in extremes(alike):
            self.variants[place].rank = 0

    def _size_one(self, unit: VariantUnit, ceiling: dict[tuple[Path, Operation], float]) -> None:
        variant = unit.variant
        most = max(3, self.largest // value_bytes(variant) // variant.processes)
        pilot = min(most, pilot_values(variant))
        fixed = variant.mechanism.family in (PART_FAMILY, "null") or self.settings.size_bytes is not None
        if variant.mechanism.family == PART_FAMILY:
            unit.count_of_values = pilot = self._part_count()
            self._prepare_part(unit)
            if not unit.alive:
                return
        elif variant.mechanism.family == "null":
            unit.count_of_values = pilot
        elif self.settings.size_bytes is not None:
            unit.count_of_values = max(3, self.settings.size_bytes // value_bytes(variant))
            pilot = min(pilot, unit.count_of_values)
        if not unit.companion or variant.processes > 1:
            seconds = self._pilot(unit, pilot)
        else:  # the ceiling itself is measured with the size of the others: a small file fits into a cache
            seconds = self._pilot(unit, pilot := unit.count_of_values if fixed else most)
        if seconds is None:
            return
        slowest = max(seconds.values(), default=0.0)
        if not fixed:
            unit.count_of_values = grown(pilot, slowest, self.minimum_seconds, most)
        for state in unit.states:
            operation = state.way.operation
            place = variant.directory, operation
            if unit.companion and variant.processes == 1 and unit.pilot.get(operation):
                ceiling[place] = max(ceiling.get(place, 0.0), unit.pilot[operation])
            limit = 0.0 if variant.mechanism.family in ("null", "memory") else ceiling.get(place, 0.0)
            one = seconds_at(
                unit.count_of_values,
                pilot,
                seconds.get(operation, 0.0),
                value_bytes(variant) * variant.processes,
                limit,
            )
            state.plan_passes(one, self.minimum_seconds, self._most_passes(variant))
            unit.cost += max(one * state.passes, self.minimum_seconds)
        unit.cost += unit.overhead + self._filling(unit)

    def _filling(self, unit: VariantUnit) -> float:
        """Seconds in which the array is filled and compared, from what that took for the ceiling."""
        known = [u.overhead / u.count_of_values for u in self.variants if u.companion and u.overhead]
        return unit.count_of_values * min(known, default=0.0)

    def _pilot(self, unit: VariantUnit, count: int) -> dict[Operation, float] | None:
        """Seconds of one pass of each operation; None if it failed."""
        begun = time.monotonic()
        reports = self._run(unit, count, pilot=True)
        took = time.monotonic() - begun
        bad = next((report for report in reports if report.outcome not in ("measured", "wrong")), None)
        if bad is not None:
            unit.fail(bad.outcome, bad.message)
            return None
        found: dict[Operation, float] = {}
        for operation in ("write", "read"):
            spans = together(reports, operation)
            if spans:
                found[operation] = spans[-1]
                unit.pilot[operation] = payload_of(unit.variant, reports) / max(spans[-1], 1e-7) / 1e6
        unit.overhead = max(0.0, took - sum(found.values()))
        return found

    def _most_passes(self, variant: Variant) -> int:
        return MOST_PASSES if variant.processes == 1 else MOST_TOGETHER

    def measure_once(self, unit: Unit[Statement], number: int) -> float | None:
        """One process, or several together; a first round of the wrong length is run again."""
        assert isinstance(unit, VariantUnit)
        while True:
            begun = time.monotonic()
            reports = self._run(unit, unit.count_of_values)
            bad = next((report for report in reports if report.outcome not in ("measured", "wrong")), None)
            if bad is not None:
                unit.fail(bad.outcome, bad.message)
                return None
            if any([self._replanned(unit, state, reports) for state in unit.states]):
                continue
            self.said.setdefault(unit.variant.compiler.identifier, reports[0])
            unit.take(number, reports)
            return time.monotonic() - begun

    def _replanned(self, unit: VariantUnit, state: State[Statement], reports: list[Report]) -> bool:
        lasted = sum(together(reports, state.way.operation))
        if unit.variant.mechanism.family == "null" or not lasted:
            return False
        return state.replanned(lasted, self.minimum_seconds, self._most_passes(unit.variant), LONGEST)

    def _run(self, unit: VariantUnit, count: int, pilot: bool = False) -> list[Report]:
        variant = unit.variant
        assert unit.program is not None
        passes = {s.way.operation: 1 if pilot else max(1, s.passes) for s in unit.states}
        if variant.mechanism.family == PART_FAMILY:
            requests = [self._part_request(unit, part, passes) for part in range(1, variant.processes + 1)]
        else:
            requests = [self._request(unit, count, passes, i) for i in range(variant.processes)]
        crowd = max(1.0, variant.processes / len(os.sched_getaffinity(0)))  # processes that share a core take turns
        limit = self.limit * crowd
        if pilot and not self.once:
            limit = min(limit, max(1.0, PILOT_LIMIT * (self.deadline - self.begun)))
        return run_together(unit.program, requests, variant.knob.environment, limit)

    def _request(self, unit: VariantUnit, count: int, passes: Mapping[Operation, int], worker: int) -> Request:
        variant = unit.variant
        most = max(passes.values(), default=1)
        together = variant.processes > 1
        return Request(
            mechanism=variant.mechanism.name,
            count=count,
            file=self.scratch[variant.directory] / f"{variant.mechanism.family}-{worker}.dat",
            minimum=1e9,
            write_passes=most if together else passes.get("write", 1),
            read_passes=most if together else passes.get("read", 1),
            seed=self.settings.seed,
            synced=variant.pair.write == "synced",
            cold=variant.pair.read == "cold",
            wait=together,
            contents=contents_of(variant.mechanism.family, variant.mechanism.name),
        )

    def _part_count(self) -> int:
        if self.settings.size_bytes is not None:
            return max(3, self.settings.size_bytes // 8)
        fits = min(free_bytes(d) for d in self.scratch) // 8 > 8 * planning.PART_VALUES
        return planning.PART_VALUES if fits else self.largest // 8

    def _shared_file(self, variant: Variant) -> Path:
        name = f"{variant.mechanism.name}-{variant.compiler.name}-{variant.pair.read}.dat"
        return self.scratch[variant.directory] / name.replace("/", "-")

    def _prepare_part(self, unit: VariantUnit) -> None:
        """The file that several read parts of, once for all of them."""
        why = _impossible(unit)
        if why:
            unit.fail("skipped", why)
            return
        file = self._shared_file(unit.variant)
        if file.exists() or unit.program is None:
            return
        request = Request(
            unit.variant.mechanism.name,
            unit.count_of_values,
            file,
            passes=1,
            seed=self.settings.seed,
            read=False,
            keep=True,
        )
        report = run_process(unit.program, request, {}, self.limit)
        if report.outcome != "measured":
            unit.fail(report.outcome, report.message)

    def _part_request(self, unit: VariantUnit, part: int, passes: Mapping[Operation, int]) -> Request:
        variant = unit.variant
        return Request(
            mechanism=variant.mechanism.name,
            count=unit.count_of_values,
            file=self._shared_file(variant),
            minimum=1e9,
            read_passes=passes["read"],
            seed=self.settings.seed,
            cold=variant.pair.read == "cold",
            write=False,
            keep=True,
            wait=True,
            part=part,
            parts=variant.processes,
        )


def _impossible(unit: VariantUnit) -> str:
    """Readers with dummy arrays hold the whole file each; direct access has whole records for each reader."""
    name, processes, count = unit.variant.mechanism.name, unit.variant.processes, unit.count_of_values
    if name == "direct" and processes * planning.PART_RECORD > max(count, planning.PART_RECORD):
        return f"{processes} readers, but the file has {count // planning.PART_RECORD} direct records"
    if name != "array_dummy":
        return ""
    needed, free = 8 * count * processes, memory("MemAvailable")
    if not free or needed < 0.8 * free:
        return ""
    return f"the dummy arrays need {needed / 1e9:.1f} GB of memory, {free / 1e9:.1f} GB are free"


def contents_of(family: str, name: str = "") -> Contents:
    """What a family's files hold."""
    if family in ("null", "memory"):
        return "none"
    return "text" if family in ("formatted", "derived_type_io") or (family, name) == ("headrace", "text") else "binary"


def _with_flags(variant: Variant) -> Compiler:
    if not variant.knob.flags:
        return variant.compiler
    return variant.compiler.model_copy(update={"flags": [*variant.compiler.flags, *variant.knob.flags]})


def _attach(unit: VariantUnit, program: FamilyProgram) -> None:
    name = unit.variant.mechanism.name
    unit.program = program.executable
    refused: Outcome = "refused"
    if name in program.refused:
        unit.fail(refused, program.refused[name])
    elif program.executable is None:
        unit.fail(refused, program.message.splitlines()[0] if program.message else "")
