"""The main job of `headrace bench`: from options to what was found."""

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure import checks
from headrace.measure.build import require_working
from headrace.measure.measurement import Measurement
from headrace.measure.microruns import fit_cost_models
from headrace.measure.plan import Wishes, make_plan
from headrace.measure.progress import Progress
from headrace.measure.provenance import Watch, describe_directory, memory, provenance
from headrace.measure.rows import make_rows
from headrace.measure.runs import chosen_compilers, end, until_interrupted
from headrace.measure.scratch import require_directory, require_space, require_target, scratch_directory
from headrace.measure.sizes import largest_payload
from headrace.model.evaluate import score
from headrace.results.records import INTERRUPTED, NOT_REACHED, Condition
from headrace.results.run import Compiler, Run, Settings, Skip

LARGEST_DEFAULT = 128 * 2**20  # bytes of payload a transfer; past the caches, small enough for two compilers' rounds
LARGEST_ALL = 2**30
MODEL_SECONDS = 8.0  # a compiler
MODEL_SHARE = 0.2  # of the time budget, at most: verdicts come first


@dataclass
class Options:
    """What the command line asked for; times in seconds."""

    compilers: list[str]
    flags: list[str] | None
    directories: list[Path]
    select: list[str]
    conditions: list[Condition]
    size_bytes: int | None
    readers: list[int]
    everything: bool
    check: bool
    rounds: int
    minimum_seconds: float
    time_budget: float
    limit: float
    seed: int
    json: Path | None  # what will be written, looked at beforehand
    report: Path | None
    model: bool


def check_names() -> list[tuple[str, str]]:
    """Name and question of every correctness check."""
    return [(check.name, check.question) for check in checks.CHECKS]


def run(options: Options, progress: Progress) -> Run:
    """Measure or check; what was found is complete unless Ctrl-C came."""
    begun, watch = time.monotonic(), Watch()
    used = _compilers(options)
    for directory in options.directories:
        require_directory(directory)
    for option, target in (("--json", options.json), ("--report", options.report)):
        if target is not None:
            require_target(target, option)
    found = Run(
        provenance=provenance(used),
        settings=_settings(options),
        compilers=used,
        directories=[describe_directory(directory) for directory in options.directories],
    )
    with until_interrupted(found):
        if options.check:
            _check(found, options, progress)
        else:
            _measure(found, options, progress, begun + options.time_budget)
    end(found, begun)
    found.notes += filter(None, [watch.why_noisy(sum(row.verdict == "noisy" for row in found.rows))])
    return found


def _compilers(options: Options) -> list[Compiler]:
    used = chosen_compilers(options.compilers, options.flags)
    if not used:
        raise HeadraceError(
            "no Fortran compiler was found on the PATH",
            "load a compiler module, install gfortran, or name one with --fc",
        )
    seen: dict[str, int] = {}
    for compiler in used:  # the same version twice, for example gfortran and mpifort, must stay apart
        seen[compiler.identifier] = seen.get(compiler.identifier, 0) + 1
        if seen[compiler.identifier] > 1:
            compiler.identifier += f" ({compiler.name})"
    return used


def _settings(options: Options) -> Settings:
    return Settings(
        select=options.select,
        size_bytes=options.size_bytes,
        minimum_seconds=options.minimum_seconds,
        rounds=options.rounds,
        time_budget=options.time_budget,
        conditions=options.conditions or ["cached", "warm"],
        readers=options.readers,
        seed=options.seed,
    )


def _check(found: Run, options: Options, progress: Progress) -> None:
    for compiler in found.compilers:
        with progress.stage(f"checking {compiler.identifier}", len(checks.CHECKS)) as step:
            found.checks += checks.run_checks(compiler, options.directories[0], options.select or None, step)


def _measure(found: Run, options: Options, progress: Progress, deadline: float) -> None:
    for compiler in found.compilers:  # one that cannot compile at all is an error; a statement that it refuses is a row
        require_working(compiler)
    cores = found.provenance.cores
    plan = make_plan(
        Wishes(
            compilers=found.compilers,
            directories=options.directories,
            select=options.select,
            conditions=options.conditions,
            everything=options.everything,
            readers=options.readers,
            processes=sorted({n for n in (2, 4, cores) if 1 < n <= cores}) if not options.select else [],
        )
    )
    found.knobs = list({variant.knob.name: variant.knob for variant in plan}.values())
    wanted = options.size_bytes or (LARGEST_ALL if options.everything else LARGEST_DEFAULT)
    largest = largest_payload(options.directories, wanted)
    if options.size_bytes:
        _require_memory(options.size_bytes)
        for directory in options.directories:  # text takes up to 25 bytes for 8
            require_space(directory, 4 * options.size_bytes)
        largest = options.size_bytes
    with_model = _has_time_for_models(found, options)
    if with_model:
        deadline -= MODEL_SECONDS * len(found.compilers)
    with contextlib.ExitStack() as stack:
        scratch = {d: stack.enter_context(scratch_directory(d)) for d in options.directories}
        once = bool(options.select)  # what was named is measured at least once
        measurement = Measurement(plan, found.settings, scratch, progress, options.limit, largest, deadline, once)
        why = INTERRUPTED
        try:
            measurement.run()
            why = NOT_REACHED
            if with_model:
                _fit_models(found, scratch[options.directories[0]], progress)
        finally:
            found.rows = make_rows(measurement.variants, options.minimum_seconds, why)
            found.skipped += measurement.skipped
            found.notes += measurement.notes
            _complete_provenance(found, measurement)
    if found.cost_models:
        found.cost_models = score(found.cost_models, found.rows)


def _has_time_for_models(found: Run, options: Options) -> bool:
    """Not if the time budget is short, and not for a selection, which has nothing to test a model on."""
    needed = MODEL_SECONDS * len(found.compilers)
    if not options.model or options.select:
        if options.model:
            found.skipped.append(
                Skip(what="cost model", why="it is tested on the default mechanisms; leave out --select for one")
            )
        return False
    if needed > MODEL_SHARE * options.time_budget:
        why = f"it takes {needed:.0f} s; a --time-budget of {needed / MODEL_SHARE:.0f} s or more leaves room for it"
        found.skipped.append(Skip(what="cost model", why=why))
        return False
    return True


def _require_memory(size: int) -> None:
    """A run time may hold an array three times (flang 19 does)."""
    free = memory("MemAvailable")
    if free and 3 * size > free:
        raise HeadraceError(
            f"--size {size / 1e6:,.0f} MB needs up to {3 * size / 1e6:,.0f} MB of memory, "
            f"{free / 1e6:,.0f} MB are free",
            "choose a smaller --size",
        )


def _fit_models(found: Run, scratch: Path, progress: Progress) -> None:
    with progress.stage("cost model", 1) as step:
        for compiler in found.compilers:
            try:
                found.cost_models += fit_cost_models(compiler, scratch, step, MODEL_SECONDS)
            except HeadraceError as error:  # a table without a model is better than no table
                found.skipped.append(Skip(what=f"cost model of {compiler.identifier}", why=error.message))


def _complete_provenance(found: Run, measurement: Measurement) -> None:
    for name, report in measurement.said.items():
        found.settings.payload_distribution = report.distribution
        for compiler in found.compilers:
            if compiler.identifier == name:
                compiler.compiler_version = report.compiler_version
                compiler.compiler_options = report.compiler_options
    found.skipped.append(Skip(what="MPI patterns", why="headrace bench measures serial I/O; no MPI is needed for it"))
