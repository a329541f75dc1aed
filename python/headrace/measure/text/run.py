"""`headrace bench text`: from options to a results file and tables. Next: tools.py, campaign.py, rows.py."""

import time
from dataclasses import dataclass
from pathlib import Path

from headrace import native
from headrace.errors import HeadraceError
from headrace.measure.cases import Case
from headrace.measure.pairs import Pair
from headrace.measure.progress import Progress
from headrace.measure.provenance import describe_directory, memory, provenance
from headrace.measure.runs import BenchOptions, chosen_compilers, end, memory_directory, until_interrupted
from headrace.measure.scratch import require_directory, require_space, require_target, scratch_directory
from headrace.measure.text import peers, ways
from headrace.measure.text.campaign import TextCampaign
from headrace.measure.text.ratios import ALSO, ALSO_HEX_TABLE, HEX_TABLE, PAIRS
from headrace.measure.text.rows import conclude, make_row
from headrace.measure.text.tools import Wanted, check_names, find_tools
from headrace.measure.text.ways import Input, Way
from headrace.measure.toolbox import Toolbox
from headrace.results.text import TextCase, TextRun, TextSettings

MOST_TEXT = 27  # bytes that a value takes at most in a file
ALL_WORKERS = 200  # bytes that a value takes in the memory of all workers
PEER_CELLS = 75  # bytes that a cell takes in the IO-Fortran-Library
HEX_SHARE = 0.2  # of the time budget


@dataclass(kw_only=True)
class Options(BenchOptions):
    """What the command line asked for; times in seconds."""

    values: int
    hex_table: int
    threads: int
    install_peers: bool
    peer_source: Path | None
    without: list[str]
    everything: bool


def run(options: Options, progress: Progress) -> TextRun:
    """Measure; the result is complete unless Ctrl-C came, and has been saved."""
    begun = time.monotonic()
    check_names(options.without)
    native.library()
    directory = _directory(options)
    used = chosen_compilers(options.compilers, options.flags)
    settings = TextSettings(
        values=options.values,
        hex_table=options.hex_table,
        threads=options.threads,
        rounds=options.rounds,
        minimum_seconds=options.minimum_seconds,
        time_budget=options.time_budget,
        everything=options.everything,
        seed=options.seed,
    )
    found = TextRun(
        provenance=provenance(used), settings=settings, compilers=used, directories=[describe_directory(directory)]
    )
    if options.install_peers:
        with progress.stage("installing", 1) as step:
            names = [name for name in peers.PYTHON_PEERS if name not in options.without]
            step(", ".join(names))
            problem = peers.install_python_peers(names) if names else ""
        found.notes += [f"--peers could not install: {problem}"] if problem else []
    box = find_tools(Wanted(used, options.threads, options.peer_source, frozenset(options.without)))
    with until_interrupted(found), scratch_directory(directory) as scratch:
        _measure(found, box, scratch, options, progress)
    conclude(found, box)
    end(found, begun)
    return found


def _directory(options: Options) -> Path:
    """A memory file system if there is one: text is about the processor, not about a disk."""
    needed = 4 * MOST_TEXT * max(options.values, options.hex_table**2)
    chosen = options.directory
    if chosen is None:
        chosen = memory_directory()
    require_directory(chosen)
    require_space(chosen, needed)
    needed = ALL_WORKERS * options.values + 8 * MOST_TEXT * options.hex_table**2 // 4
    free = memory("MemAvailable")
    if free and free < needed:
        raise HeadraceError(
            f"{needed / 1e9:.1f} GB of memory are needed, {free / 1e9:.1f} GB are free", "choose a smaller --size"
        )
    if options.json and options.json != "-":
        require_target(Path(options.json), "--json")
    return chosen


def _cases(options: Options) -> list[Case]:
    """The first one gives the ratios."""

    def case(name: str, columns: int = 10, **what: str) -> Case:
        return Case(name, rows=max(1, options.values // columns), columns=columns, **what)  # type: ignore[arg-type]

    cases = [case("normal")]
    if options.everything:
        cases += [
            case("3 columns", 3),
            case("1000 columns", 1000),
            case("uniform", distribution="uniform"),
            case("integer-like", distribution="integers"),
            case("random bits", distribution="bits"),
            case("real32", kind="real32"),
            case("int32", kind="int32", distribution="bits"),
            case("int64", kind="int64", distribution="bits"),
        ]
    return cases


def _measure(found: TextRun, box: Toolbox, scratch: Path, options: Options, progress: Progress) -> None:
    cases = _cases(options)
    table = Case("hex table", "real32", options.hex_table, options.hex_table)
    budget = options.time_budget * (1 - HEX_SHARE if options.hex_table else 1) / len(cases)
    for case in cases:
        chosen = _ways(case, box, options)
        pairs = PAIRS + ALSO if case is cases[0] else ()
        _measure_case(found, box, scratch, options, progress, (case, chosen, ways.inputs(case), pairs, budget))
    if options.hex_table:
        groups = ways.hex_table_ways()
        free = memory("MemAvailable")
        if free and free < PEER_CELLS * table.count and "io_fortran_lib" in box.tools:
            del groups["io_fortran_lib"]
            needed = PEER_CELLS * table.count / 1e9
            box.absent[HEX_TABLE[0].name] = f"the peer needs {needed:.0f} GB of memory, {free / 1e9:.0f} GB are free"
        chosen = [way for group in groups.values() for way in group]
        inputs = {name: item for name, item in ways.inputs(table).items() if name == "hex"}
        share = options.time_budget * HEX_SHARE
        _measure_case(
            found, box, scratch, options, progress, (table, chosen, inputs, HEX_TABLE + ALSO_HEX_TABLE, share)
        )


def _ways(case: Case, box: Toolbox, options: Options) -> list[Way]:
    chosen = ways.headrace_ways(case, options.everything) + ways.ceiling_ways(case)
    own = {"headrace", "portable", "ceiling", "pandas-fast"}
    native_keys = {"gnu", "llvm", "intel", "nvidia", "nag", "cray"}
    for key, tool in box.tools.items():
        if key in own or case.kind not in tool.kinds:
            continue
        if key in native_keys or key not in (*(p.name for p in peers.FORTRAN_PEERS), *peers.PYTHON_PEERS):
            chosen += ways.fortran_ways(key, case, options.everything)
        else:
            chosen += ways.peer_ways(key, case)
    return chosen


Task = tuple[Case, list[Way], dict[str, Input], tuple[Pair, ...], float]


def _measure_case(
    found: TextRun, box: Toolbox, scratch: Path, options: Options, progress: Progress, task: Task
) -> None:
    case, chosen, inputs, pairs, budget = task
    campaign = TextCampaign(case, chosen, inputs, box, found.settings, scratch, options.limit)
    with progress.stage("measuring", options.rounds * len(campaign.states)) as step:
        try:
            campaign.run(list(pairs), time.monotonic() + budget, step)
        finally:
            described = TextCase(
                name=case.name,
                title=case.title,
                kind=case.kind,
                rows=case.rows,
                columns=case.columns,
                payload_bytes=case.payload_bytes,
            )
            found.cases.append(described)
            found.rows += [make_row(state, case, box, found.settings) for state in campaign.states.values()]
