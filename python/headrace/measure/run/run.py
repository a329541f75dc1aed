"""`headrace bench run`: from options to a results file and a table. Next: ways.py, campaign.py, start_up.py."""

import platform
import time
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.build import build_program, first_error
from headrace.measure.catalogue import sources_directory
from headrace.measure.engine.state import State
from headrace.measure.pairs import find_ratios, why_absent
from headrace.measure.progress import Progress
from headrace.measure.provenance import describe_directory, provenance
from headrace.measure.run.campaign import RunCampaign
from headrace.measure.run.library import Library, TakenOver
from headrace.measure.run.start_up import start_up
from headrace.measure.run.ways import CASES, START_UP, Case, Way, both, figure_name, pairs
from headrace.measure.runs import BenchOptions, chosen_compilers, end, memory_directory, until_interrupted
from headrace.measure.scratch import require_directory, require_space, require_target, scratch_directory
from headrace.measure.toolbox import fortran_key
from headrace.nearest import did_you_mean
from headrace.results.run import Compiler
from headrace.results.taken_over import LIBRARY, TakenOverRow, TakenOverRun, TakenOverSettings

NEEDED = 64 << 20  # bytes of the scratch directory
SOURCES = ("data", "writes", "reads", "others", "threads", "statements")
Programs = dict[tuple[str, bool], Path]  # by compiler, and whether it has threads


@dataclass(kw_only=True)
class Options(BenchOptions):
    """What the command line asked for."""

    only: list[str]


def names() -> list[str]:
    """What --only takes."""
    return [*(case.name for case in CASES), *START_UP]


def run(options: Options, progress: Progress) -> TakenOverRun:
    """Measure; the result is complete unless Ctrl-C came."""
    begun = time.monotonic()
    for name in options.only:
        if name not in names():
            raise HeadraceError(f"--only {name}: there is no such case", did_you_mean(name, names(), "see --list"))
    library = Library()
    directory = options.directory or memory_directory()
    require_directory(directory)
    require_space(directory, NEEDED)
    if options.json and options.json != "-":
        require_target(Path(options.json), "--json")
    used = _gfortran(options)
    found = TakenOverRun(
        provenance=provenance(used),
        settings=TakenOverSettings(
            rounds=options.rounds,
            minimum_seconds=options.minimum_seconds,
            time_budget=options.time_budget,
            seed=options.seed,
            only=options.only,
        ),
        compilers=used,
        directories=[describe_directory(directory)],
    )
    if platform.machine() != "x86_64":
        found.notes.append(f"The goals are for x86-64; this processor is {platform.machine()}.")
    with until_interrupted(found), scratch_directory(directory) as scratch:
        _measure(found, options, library, scratch, begun, progress)
    end(found, begun)
    return found


def _gfortran(options: Options) -> list[Compiler]:
    """The goals are for it: not all of this is taken over of others. Raises HeadraceError if there is none."""
    chosen = chosen_compilers(options.compilers, options.flags)
    used = [compiler for compiler in chosen if compiler.vendor == "gnu"]
    if len(used) < len(chosen) and options.compilers:
        other = next(compiler for compiler in chosen if compiler.vendor != "gnu")
        raise HeadraceError(
            f"--fc {other.name}: {other.identifier}, and the goals are for programs of gfortran: name one of these",
            "--fc gfortran",
        )
    if not used:
        raise HeadraceError("no gfortran was found", "install one, or name it with --fc")
    return used


def _measure(
    found: TakenOverRun, options: Options, library: Library, scratch: Path, begun: float, progress: Progress
) -> None:
    compilers = {fortran_key(c, found.compilers): c for c in found.compilers}
    programs = _built(compilers, found.absent, progress)
    cases = [case for case in CASES if not options.only or case.name in options.only]
    starts = [name for name in START_UP if not options.only or name in options.only]
    wanted = pairs(compilers, cases)
    ways = [both(key, case) for case in cases for key in compilers]
    campaign = RunCampaign(
        ways, programs, wanted, library, scratch, options.limit, options.rounds, options.minimum_seconds, options.seed
    )
    with progress.stage("measuring", options.rounds * len(ways)) as step:
        try:
            campaign.measure(begun + options.time_budget, step)
        finally:
            states = campaign.states.values()
            found.rows = [_row(state, compilers, campaign.counted, options) for state in states]
            found.intervals = find_ratios(wanted, found.rows)
    with progress.stage("starting", len(starts) * len(compilers)) as step:
        for key in compilers:
            for name in starts:
                step(name)
                figure = figure_name(name, key)
                try:
                    found.intervals[figure] = start_up(
                        programs[key, False], START_UP[name], library, scratch, options.rounds
                    )
                except HeadraceError as error:
                    scratch.stat()  # if somebody has removed it, the run is over
                    found.absent[figure] = error.message
    found.ratios = {name: ratio.median for name, ratio in found.intervals.items()}
    for pair in wanted:
        if pair.name not in found.intervals:
            found.absent[pair.name] = why_absent(pair.name, wanted, found.rows, found.absent)


def _built(compilers: dict[str, Compiler], absent: dict[str, str], progress: Progress) -> Programs:
    """Of each compiler the program without OpenMP, and that with it; a compiler that fails is taken out."""
    programs: Programs = {}
    sources = [sources_directory() / "run" / f"{name}.f90" for name in SOURCES]
    with progress.stage("compiling", 2 * len(compilers)) as step:
        for key, compiler in list(compilers.items()):
            try:
                for threads in (False, True):
                    step(compiler.identifier)
                    flags = [*compiler.flags, *["-fopenmp"] * threads]
                    program = build_program(compiler.model_copy(update={"flags": flags}), sources, "run-statements")
                    programs[key, threads] = programs[key + LIBRARY, threads] = program
            except HeadraceError as error:
                absent[key] = first_error(error.message)
                del compilers[key]
    if not compilers:
        raise HeadraceError("; ".join(f"{key}: {why}" for key, why in absent.items()), "is libgomp installed?")
    return programs


def _row(
    state: State[Way], compilers: dict[str, Compiler], counted: dict[str, TakenOver], options: Options
) -> TakenOverRow:
    way, done = state.way, counted.get(state.way.key, TakenOver())
    row = TakenOverRow(
        tool=way.tool,
        title=compilers[way.tool.removesuffix(LIBRARY)].identifier + ", headrace run" * way.is_with_library,
        operation=way.operation,
        case="statements",
        way=way.name,
        note=way.case.title,
        samples=state.samples,
        outcome=state.outcome,
        message=state.message,
        payload_bytes=state.payload_bytes,
        values=_statements(state.payload_bytes, way.case),
        statements_taken_over=done.taken_over,
        statements_left=done.left,
        why_left=done.reasons,
    )
    # What is taken over has as many blocks as the run time alone needs, and ends earlier.
    row.conclude(state.peak, 0.0 if way.is_with_library else options.minimum_seconds)
    return row


def _statements(payload_bytes: int, case: Case) -> int:
    return max(1, payload_bytes // case.value_bytes)
