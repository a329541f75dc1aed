"""`headrace bench trace`: from options to a results file and a table. Next: ways.py, campaign.py, figures.py."""

import time
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.build import build_program, first_error
from headrace.measure.catalogue import sources_directory
from headrace.measure.engine.state import State
from headrace.measure.pairs import find_ratios, why_absent
from headrace.measure.progress import Progress
from headrace.measure.provenance import describe_directory, provenance
from headrace.measure.runs import BenchOptions, chosen_compilers, end, memory_directory, until_interrupted
from headrace.measure.scratch import require_directory, require_space, require_target, scratch_directory
from headrace.measure.toolbox import fortran_key
from headrace.measure.trace.campaign import TraceCampaign
from headrace.measure.trace.figures import memory_and_profile, shown
from headrace.measure.trace.ways import LOOPS, Way, pairs, plain, traced
from headrace.results.run import Compiler
from headrace.results.trace import TraceRow, TraceRun, TraceSettings
from headrace.trace.installed import library_path

NEEDED = 64 << 20  # bytes of the scratch directory
FIGURES_SHARE = 0.1  # of the time budget


def run(options: BenchOptions, progress: Progress) -> TraceRun:
    """Measure; the result is complete unless Ctrl-C came."""
    begun = time.monotonic()
    library_path()
    directory = options.directory or memory_directory()
    require_directory(directory)
    require_space(directory, NEEDED)
    if options.json and options.json != "-":
        require_target(Path(options.json), "--json")
    used = chosen_compilers(options.compilers, options.flags)
    if not used:
        raise HeadraceError("no Fortran compiler was found", "name one with --fc")
    found = TraceRun(
        provenance=provenance(used),
        settings=TraceSettings(
            rounds=options.rounds,
            minimum_seconds=options.minimum_seconds,
            time_budget=options.time_budget,
            seed=options.seed,
        ),
        compilers=used,
        directories=[describe_directory(directory)],
    )
    with until_interrupted(found), scratch_directory(directory) as scratch:
        _measure(found, options, scratch, begun, progress)
    end(found, begun)
    return found


def _measure(found: TraceRun, options: BenchOptions, scratch: Path, begun: float, progress: Progress) -> None:
    compilers: dict[str, Compiler] = {fortran_key(c, found.compilers): c for c in found.compilers}
    programs: dict[str, Path] = {}
    with progress.stage("compiling", len(compilers)) as step:
        for key, compiler in list(compilers.items()):
            step(compiler.identifier)
            try:
                source = sources_directory() / "trace" / "statements.f90"
                programs[plain(key)] = programs[traced(key)] = build_program(compiler, [source], "trace-statements")
            except HeadraceError as error:
                found.absent[key] = first_error(error.message)
                del compilers[key]
    titles = {key: compiler.identifier for key, compiler in compilers.items()}
    wanted = pairs(compilers)
    ways = [(Way(plain(key), loop, False), Way(traced(key), loop, True)) for loop in LOOPS for key in compilers]
    campaign = TraceCampaign(
        ways, programs, wanted, scratch, options.limit, options.rounds, options.minimum_seconds, options.seed
    )
    with progress.stage("measuring", options.rounds * len(ways)) as step:
        try:
            campaign.measure(begun + options.time_budget * (1 - FIGURES_SHARE), step)
        finally:
            found.rows = [_row(state, titles, options) for state in campaign.states.values()]
            found.intervals = find_ratios([pair for pair in wanted if pair.goal], found.rows)
            found.also = find_ratios([pair for pair in wanted if not pair.goal], found.rows)
    with progress.stage("memory, and showing many profiles", 2) as step:
        try:
            step("memory of 8 threads")
            compiler = next((c for c in compilers.values() if c.vendor == "gnu"), next(iter(compilers.values())))
            found.intervals["memory"], profile = memory_and_profile(compiler, scratch)
            step("1,000 profiles")
            found.intervals["show_1000"] = shown(profile, scratch)
        except (HeadraceError, StopIteration) as error:
            found.absent["memory"] = error.message if isinstance(error, HeadraceError) else "no compiler works"
    found.ratios = {name: ratio.median for name, ratio in found.intervals.items()}
    for pair in wanted:
        if pair.name not in found.intervals and pair.name not in found.also:
            found.absent[pair.name] = why_absent(pair.name, wanted, found.rows, found.absent)


def _row(state: State[Way], titles: dict[str, str], options: BenchOptions) -> TraceRow:
    way = state.way
    title = titles[way.tool.removesuffix("-traced")] + ", traced" * way.traced
    row = TraceRow(
        tool=way.tool,
        title=title,
        operation=way.operation,
        case="statements",
        way=way.name,
        samples=state.samples,
        outcome=state.outcome,
        message=state.message,
        payload_bytes=state.payload_bytes,
        values=max(1, state.payload_bytes // way.loop.value_bytes),
    )
    row.conclude(state.peak, options.minimum_seconds)
    return row
