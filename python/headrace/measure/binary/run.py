"""`headrace bench binary`: from options to a results file and tables. Next: tools.py, campaign.py, rows.py."""

import time
from dataclasses import dataclass
from pathlib import Path

from headrace import native
from headrace.errors import HeadraceError
from headrace.measure.binary import tools, ways
from headrace.measure.binary.campaign import BinaryCampaign
from headrace.measure.binary.ratios import ALL_NAMES, CASE_PAIRS, CASE_RATES, RATE_NAMES, needed_keys
from headrace.measure.binary.rows import conclude, make_row
from headrace.measure.binary.ways import Way
from headrace.measure.cases import Case
from headrace.measure.pairs import Pair
from headrace.measure.progress import Progress
from headrace.measure.provenance import describe_directory, memory, provenance
from headrace.measure.runs import BenchOptions, chosen_compilers, end, memory_directory, until_interrupted
from headrace.measure.scratch import free_bytes, require_directory, require_target, scratch_directory
from headrace.measure.toolbox import Toolbox
from headrace.nearest import did_you_mean
from headrace.results.binary import BinaryCase, BinaryRun, BinarySettings
from headrace.results.run import Compiler

LARGE = 4 << 30  # bytes of the file for inspect
RECORD = 1 << 20  # values of a record of the files that are converted: 8 MiB
INSPECT_RECORDS = 64
SPARE = 64 << 20  # bytes of memory for the programs themselves


@dataclass(kw_only=True)
class Options(BenchOptions):
    """What the command line asked for; times in seconds."""

    values: int
    records: int
    convert_bytes: int
    large: bool
    only: list[str]


@dataclass
class Task:
    """A case, what takes part in it, and what it needs."""

    case: Case
    ways: list[Way]
    box: Toolbox
    share: float  # of the time budget
    file_bytes: int  # in the directory, at most
    memory_bytes: int  # of all processes, at most
    smaller: str  # the option that makes it smaller
    repeats: int = 1


def run(options: Options, progress: Progress) -> BinaryRun:
    """Measure; the result is complete unless Ctrl-C came."""
    begun = time.monotonic()
    native.library()
    _check(options)
    directory = options.directory or memory_directory()
    require_directory(directory)
    if options.json and options.json != "-":
        require_target(Path(options.json), "--json")
    used = chosen_compilers(options.compilers, options.flags)
    tasks = [task for task in _tasks(options, used) if task.ways]
    for task in tasks:
        _require_room(task, directory)
    found = BinaryRun(
        provenance=provenance(used),
        settings=_settings(options),
        compilers=used,
        directories=[describe_directory(directory)],
    )
    with until_interrupted(found), scratch_directory(directory) as scratch:
        for task in tasks:
            _measure(found, task, scratch, options, progress, sum(t.share for t in tasks))
    conclude(found, {name: why for task in tasks for name, why in task.box.absent.items()})
    end(found, begun)
    return found


def names() -> list[str]:
    """What --only takes."""
    also = [pair.name for main, others in CASE_PAIRS.values() for pair in others]
    return list(dict.fromkeys([*ALL_NAMES, *RATE_NAMES, *also]))


def _check(options: Options) -> None:
    for option, number in (("--values", options.values), ("--records", options.records)):
        if number < 1:
            raise HeadraceError(f"{option} {number}: there must be at least 1")
    for name in options.only:
        if name not in names():
            raise HeadraceError(
                f"--only {name}: there is no such ratio", did_you_mean(name, names(), f"known: {', '.join(names())}")
            )


def _settings(options: Options) -> BinarySettings:
    return BinarySettings(
        values=options.values,
        records=options.records,
        convert_bytes=options.convert_bytes,
        inspect_bytes=LARGE if options.large else 0,
        only=options.only,
        rounds=options.rounds,
        minimum_seconds=options.minimum_seconds,
        time_budget=options.time_budget,
        seed=options.seed,
    )


def _tasks(options: Options, used: list[Compiler]) -> list[Task]:
    tasks = [_array_task(options, used), _record_task(options, used), _convert_task(options)]
    if options.large or "inspect_seconds" in options.only:
        tasks.append(_inspect_task(options))
    for task in tasks:
        if options.only:
            needed = needed_keys(task.case.name, options.only)
            task.ways = [way for way in task.ways if way.key in needed]
    return tasks


def _array_task(options: Options, used: list[Compiler]) -> Task:
    columns = 10 if options.values >= 10 else 1
    case = Case("array", rows=max(1, options.values // columns), columns=columns)
    box = tools.array_tools(used)
    chosen = ways.array_ways()
    for compiler in used:
        key = tools.fortran_key(compiler, used)
        chosen += ways.fortran_ways(key, key == "gnu")
    size = case.payload_bytes
    held = (2 * len(box.tools) + 3) * size  # two arrays a worker
    return Task(case, chosen, box, 0.5, 9 * size, held, "--values")


def _record_task(options: Options, used: list[Compiler]) -> Task:
    case = Case("records", "int64", max(1, options.records), 1, "bits")
    size = case.payload_bytes
    return Task(case, ways.record_ways(), tools.record_tools(used), 0.25, 3 * size, 4 * size, "--records")


def _convert_task(options: Options) -> Task:
    values = max(1, options.convert_bytes // 8)
    columns = min(values, RECORD)
    case = Case("convert", "int64", values // columns, columns, "bits")
    size = case.payload_bytes
    return Task(case, ways.convert_ways(), tools.command_tools(), 0.25, 3 * size, size, "--convert-size")


def _inspect_task(options: Options) -> Task:
    case = Case("inspect", rows=1, columns=LARGE // 8 // INSPECT_RECORDS)
    size = INSPECT_RECORDS * case.payload_bytes
    box, chosen = tools.command_tools(), ways.inspect_ways()
    return Task(case, chosen, box, 0.1, size, 2 * case.payload_bytes, "no --large", INSPECT_RECORDS)


def _require_room(task: Task, directory: Path) -> None:
    """Space in the directory, and memory: on a memory file system the files are memory too."""
    hint = f"choose a smaller {task.smaller}" if task.smaller.startswith("--") else "leave out --large"
    free = free_bytes(directory)
    if free < task.file_bytes:
        raise HeadraceError(
            f"directory {directory} has {free / 1e6:,.0f} MB free, the case '{task.case.name}' needs "
            f"{task.file_bytes / 1e6:,.0f} MB",
            f"{hint}, --quick, or another --dir",
        )
    is_memory = describe_directory(directory).file_system in ("tmpfs", "ramfs")
    needed = task.memory_bytes + SPARE * len(task.box.tools) + (task.file_bytes if is_memory else 0)
    available = memory("MemAvailable")
    if available and available < needed:
        raise HeadraceError(
            f"the case '{task.case.name}' needs {needed / 1e9:.1f} GB of memory"
            f"{', files included' if is_memory else ''}; {available / 1e9:.1f} GB are free",
            f"{hint}, or --quick",
        )


def _measure(found: BinaryRun, task: Task, scratch: Path, options: Options, progress: Progress, shares: float) -> None:
    case = task.case
    main, also = CASE_PAIRS[case.name]
    # A figure has no peer: beside itself it takes part until it has its six rounds.
    figures = [Pair(rate.name, rate.meaning, (rate.key,), (rate.key,)) for rate in CASE_RATES.get(case.name, ())]
    # Further rounds are for the ratios that were agreed; others have theirs when they are asked for.
    wanted = [pair for pair in also if pair.name in options.only]
    pairs = [pair for pair in (*main, *figures) if not options.only or pair.name in options.only] + wanted
    campaign = BinaryCampaign(
        case,
        task.ways,
        task.box,
        scratch,
        options.limit,
        options.rounds,
        options.minimum_seconds,
        options.seed,
        task.repeats,
    )
    budget = options.time_budget * task.share / shares
    with progress.stage("measuring", options.rounds * len(campaign.states)) as step:
        try:
            campaign.run(pairs, time.monotonic() + budget, step)
        finally:
            count = case.count * task.repeats
            size = case.payload_bytes * task.repeats
            found.cases.append(BinaryCase(name=case.name, title=case.title, payload_bytes=size, values=count))
            found.rows += [
                make_row(state, case, count, task.box, options.minimum_seconds) for state in campaign.states.values()
            ]
