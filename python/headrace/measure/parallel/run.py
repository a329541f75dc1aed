"""`headrace bench parallel`: from options to a results file. Next: ways.py, campaign.py, rows.py."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.parallel import hints, presets, rows
from headrace.measure.parallel.campaign import ParallelCampaign, unavailable
from headrace.measure.parallel.launcher import Launcher, default_ranks, find_launcher, require_few, romio_module
from headrace.measure.parallel.methods import Choice, check_choice, choose, require_known
from headrace.measure.parallel.peers import Benchio, Ior, Peer
from headrace.measure.parallel.program import find_worker
from headrace.measure.parallel.protocol import Hello, Layout
from headrace.measure.parallel.ratios import Modules, make_pairs
from headrace.measure.parallel.scaling import MODELLED, add_models
from headrace.measure.parallel.sessions import start_worker
from headrace.measure.parallel.shapes import Extents, Scaling, extents, payload
from headrace.measure.parallel.ways import (
    BASE,
    Environment,
    Task,
    Variant,
    Way,
    base_ways,
    environments,
    ior_ways,
    romio_ways,
    unheard_hints,
    varied_and_checked,
    varied_ways,
)
from headrace.measure.plan import condition_pairs
from headrace.measure.progress import Progress
from headrace.measure.provenance import describe_directory, memory, provenance
from headrace.measure.runs import end, memory_directory, until_interrupted
from headrace.measure.scratch import require_directory, require_space, require_target, scratch_directory
from headrace.results.methods import mpi_ranks
from headrace.results.parallel import ParallelRun, ParallelSettings, Started
from headrace.results.records import Condition


@dataclass
class Options:
    """What the command line asked for; times in seconds, sizes in bytes."""

    ranks: list[int] | None = None
    launcher: str | None = None
    wrapper: str = "mpicxx"
    worker: Path | None = None
    scaling: Scaling = "strong"
    layout: Layout = "block"
    choice: Choice = field(default_factory=Choice)
    size: int = 64 << 20
    directories: list[Path] = field(default_factory=list)
    hints: str = ""
    vary: list[str] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    ior: Path | None = None
    benchio: Path | None = None
    preset: str = ""
    quick: bool = False
    rounds: int = 3
    minimum_seconds: float = 0.05
    time_budget: float = 300.0
    limit: float = 120.0
    seed: int = 1
    json: str | None = None
    report: Path | None = None
    trace: Path | None = None


@dataclass
class Bench:
    """What is known before anything is measured."""

    options: Options
    launcher: Launcher
    program: Path
    hello: Hello
    ranks: list[int]
    methods: list[str]
    variants: list[Variant]
    workers: dict[str, Environment]
    peers: dict[str, Peer]
    modules: Modules
    most_ranks: int

    def extents(self, ranks: int) -> Extents:
        return _extents(self.options, ranks, self.most_ranks)


def _extents(options: Options, ranks: int, most_ranks: int) -> Extents:
    preset = presets.PRESETS.get(options.preset)
    if preset is not None and preset.local is not None:
        x, y, z = preset.local
        return x, y, z * ranks
    return extents(options.size, ranks, most_ranks, options.scaling)


def run(options: Options, progress: Progress) -> ParallelRun:
    """Measure; the result is complete unless Ctrl-C came."""
    begun = time.monotonic()
    directories = list(dict.fromkeys(options.directories)) or [_default_directory()]
    for directory in directories:
        require_directory(directory)
    json = options.json if options.json != "-" else None
    for option, target in (("--json", json), ("--report", options.report), ("--trace", options.trace)):
        if target:
            require_target(Path(target), option)
    bench, started = _prepare(options, directories, progress)
    for directory in directories:
        _require_memory(bench, directory)
    found = ParallelRun(
        provenance=provenance([]),
        settings=_settings(bench),
        workers=[started],
        directories=[describe_directory(directory) for directory in directories],
        notes=bench.launcher.added(max(bench.ranks)),
    )
    found.provenance.mpi = bench.hello.mpi
    unheard = unheard_hints(bench.methods, options.hints, bench.variants)
    if unheard:
        progress.warn(unheard)
        found.notes.append(f"{unheard}.")
    with until_interrupted(found, "The run was interrupted: what had been measured by then is shown."):
        try:
            _measure_all(found, bench, directories, progress)
        except KeyboardInterrupt:
            rows.say_interrupted(found)
            raise
    _conclude(found, bench)
    said = "The scaling model was interrupted: what had been fitted by then is shown."
    with until_interrupted(found, said), progress.stage("scaling model", 2 * len(MODELLED)) as step:
        add_models(found, step)
    end(found, begun)
    return found


def _default_directory() -> Path:
    """A memory file system on one node: the subject is the software. Several nodes share the current directory."""
    return Path.cwd() if _has_several_nodes() else memory_directory()


def _has_several_nodes() -> bool:
    """Of the scheduler's job, whatever the first worker used."""
    if any(os.environ.get(name, "1") != "1" for name in ("SLURM_JOB_NUM_NODES", "SLURM_NNODES")):
        return True
    listed = os.environ.get("PBS_NODEFILE", "")
    return bool(listed) and Path(listed).is_file() and len(set(Path(listed).read_text().split())) > 1


def _prepare(options: Options, directories: list[Path], progress: Progress) -> tuple[Bench, Started]:
    """Find or build everything, and start a worker once to hear what it can do."""
    variants = varied_and_checked(options.hints, options.vary)
    if options.worker is None:  # names that it cannot have: a build takes minutes
        check_choice(options.choice)
    peers: dict[str, Peer] = {}
    if options.ior is not None:
        peers["ior"] = Ior(options.ior)
    if options.benchio is not None:
        peers["benchio"] = Benchio(options.benchio)
    launcher = find_launcher(options.launcher, options.wrapper)
    ranks = options.ranks or default_ranks(launcher)
    require_few(ranks, launcher)
    largest = max(payload(_extents(options, count, max(ranks))) for count in ranks)
    for directory in directories:
        require_space(directory, 2 * largest)  # one file at a time, twice while it is replaced
    with progress.stage("preparing", 0) as step:
        program = find_worker(options.worker, options.wrapper, step)
        step(f"starting a worker: {program}")
        worker = start_worker(launcher, min(ranks), [str(program)], {}, directories[0], options.limit)
    hello, command = worker.hello, launcher.command(min(ranks), [str(program)])
    worker.close()
    if not options.preset:
        require_known(options.choice.methods, [method.name for method in hello.methods])
    workers = {environment.key: environment for environment in environments(variants)}
    modules = Modules(romio=None if hello.mpi_io == "ompio" else BASE)
    if hello.mpi_io == "ompio":
        romio = romio_module(options.wrapper)
        modules = Modules(BASE, romio, romio or "")
        if romio is not None:
            workers[romio] = Environment(romio, romio, {"OMPI_MCA_io": romio})
    methods = choose(options.choice, [method.name for method in hello.methods])
    bench = Bench(options, launcher, program, hello, ranks, methods, variants, workers, peers, modules, max(ranks))
    return bench, _started(BASE, min(ranks), command, {}, hello)


def _started(tool: str, ranks: int, command: list[str], environment: dict[str, str], hello: Hello) -> Started:
    return Started(
        tool=tool,
        ranks=ranks,
        command=command,
        environment=environment,
        mpi=hello.mpi,
        mpi_io=hello.mpi_io,
        mpi_standard=hello.mpi_standard,
        compiler=hello.compiler,
        fortran=hello.fortran,
        nodes=hello.nodes,
        hosts=sorted(set(hello.hosts)),
        clock_offset=hello.clock_offset,
        formats_absent={name: why for name, why in hello.formats.items() if why},
    )


def _settings(bench: Bench) -> ParallelSettings:
    options, choice = bench.options, bench.options.choice
    return ParallelSettings(
        ranks=bench.ranks,
        scaling=options.scaling,
        layout=options.layout,
        bytes_a_rank=options.size,
        preset=options.preset,
        quick=options.quick,
        patterns=list(choice.patterns),
        backends=list(choice.backends),
        calls=choice.calls,
        methods=bench.methods,
        hints=options.hints,
        vary=options.vary,
        conditions=options.conditions,
        rounds=options.rounds,
        minimum_seconds=options.minimum_seconds,
        time_budget=options.time_budget,
        limit=options.limit,
        seed=options.seed,
        launcher=bench.launcher.name,
        wrapper=options.wrapper,
    )


def _require_memory(bench: Bench, directory: Path) -> None:
    """Each worker's arrays to write and to read, what is copied, and the files if they are in memory."""
    largest = max(payload(bench.extents(ranks)) for ranks in bench.ranks)
    is_memory = describe_directory(directory).file_system in ("tmpfs", "ramfs")
    needed = (2 * len(bench.workers) + 1 + (2 if is_memory else 0)) * largest
    available = memory("MemAvailable")
    if bench.hello.nodes == 1 and not _has_several_nodes() and available and available < needed:
        raise HeadraceError(
            f"arrays of {largest / 1e9:.2f} GB on {mpi_ranks(max(bench.ranks))} need {needed / 1e9:.1f} GB of memory"
            f"{', files included' if is_memory else ''}; {available / 1e9:.1f} GB are free",
            "choose a smaller --size, fewer --ranks, or --quick",
        )


def _tasks(bench: Bench, directories: list[Path]) -> list[Task]:
    options = bench.options
    tasks: list[Task] = []
    for directory in directories:
        for pair in condition_pairs(options.conditions):
            for ranks in bench.ranks:
                tasks.append(
                    Task(
                        name=f"{mpi_ranks(ranks)}, {directory}, {pair.write}/{pair.read}",
                        ranks=ranks,
                        directory=directory,
                        extents=bench.extents(ranks),
                        layout=options.layout,
                        write_condition=pair.write,
                        read_condition=pair.read,
                        rounds=options.rounds,
                        minimum_seconds=options.minimum_seconds,
                        limit=options.limit,
                        seed=options.seed,
                    )
                )
    return tasks


def _ways(bench: Bench, ranks: int) -> list[Way]:
    options = bench.options
    ways = base_ways(bench.methods, options.hints, with_crc=not options.preset)
    chosen = options.preset or options.choice.methods
    varied = any(name == "OMPI_MCA_io" for variant in bench.variants for name, _ in variant.variables)
    if bench.modules.romio is not None and not chosen and not varied:
        ways += romio_ways(bench.methods, bench.modules.romio, bench.modules.romio_label, ranks, options.hints)
    ways += varied_ways(bench.methods, bench.variants, options.hints)
    if "ior" in bench.peers:
        ways += ior_ways(bench.methods)
    for peer in bench.peers.values():
        ways += peer.ways()
    return list({way.key: way for way in ways}.values())


def _measure_all(found: ParallelRun, bench: Bench, directories: list[Path], progress: Progress) -> None:
    """Each task gets its part of the time that is left, by the bytes that it moves."""
    deadline = time.monotonic() + bench.options.time_budget
    tasks = _tasks(bench, directories)
    for index, task in enumerate(tasks):
        left = max(0.0, deadline - time.monotonic())
        share = payload(task.extents) / sum(payload(other.extents) for other in tasks[index:])
        with scratch_directory(task.directory) as scratch:
            _measure(found, bench, task, scratch, progress, left * share)


def _measure(found: ParallelRun, bench: Bench, task: Task, scratch: Path, progress: Progress, budget: float) -> None:
    ways = _ways(bench, task.ranks)
    used = {way.tool for way in ways}
    workers = {key: environment for key, environment in bench.workers.items() if key in used}
    campaign = ParallelCampaign(task, ways, workers, bench.peers, bench.launcher, bench.program, scratch)
    pairs = make_pairs(bench.modules, task.ranks)
    with progress.stage("measuring", len(campaign.states) * (task.rounds + 1)) as step:
        try:
            campaign.run(pairs[0], time.monotonic() + budget, step)
        finally:
            made = rows.make_rows(campaign)
            found.rows += made
            found.groups.append(rows.make_group(campaign, made, pairs))
            for key, session in campaign.sessions.items():
                command = bench.launcher.command(task.ranks, [str(bench.program)], workers[key].variables)
                found.workers.append(_started(key, task.ranks, command, workers[key].variables, session.hello))
                for way in ways:
                    why = unavailable(session, way.method) if way.tool == key else ""
                    if why:
                        found.unavailable[way.method] = why


def _conclude(found: ParallelRun, bench: Bench) -> None:
    """Ratios of the first directory and condition, remarks, published figures."""
    for group in found.groups:
        ranks = str(group.ranks)
        if ranks not in found.intervals:
            found.intervals[ranks] = group.intervals
            found.ratios[ranks] = {name: ratio.median for name, ratio in group.intervals.items()}
            found.absent[ranks] = group.absent
    found.remarks = rows.remarks(found.rows)
    few = rows.few_rounds(found.rows, bench.options.rounds, bench.options.time_budget)
    found.notes += [few] if few else []
    modules = {worker.tool: worker.mpi_io for worker in found.workers}
    found.notes += hints.advice(found.rows, modules, bench.modules.romio_label)
    preset = presets.PRESETS.get(bench.options.preset)
    if preset is not None:
        found.published = preset.beside(found)
