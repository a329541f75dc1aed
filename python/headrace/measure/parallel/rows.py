"""Turns what a campaign found into rows with verdicts, and rows into ratios. Next: ratios.py."""

from collections.abc import Iterable, Mapping
from statistics import median

from headrace.measure.engine.state import State
from headrace.measure.pairs import Pair, find_ratios, why_absent
from headrace.measure.parallel.campaign import ParallelCampaign
from headrace.measure.parallel.hints import unknown_hints
from headrace.measure.parallel.methods import NULL, backend_of, pattern_of
from headrace.measure.parallel.protocol import Reply
from headrace.measure.parallel.ratios import ALL_NAMES
from headrace.measure.parallel.shapes import payload
from headrace.measure.parallel.ways import BASE, Way
from headrace.measure.toolbox import fields_of
from headrace.results.methods import LIMIT, mpi_ranks
from headrace.results.parallel import PHASES, Counts, Group, ParallelRow, ParallelRun
from headrace.results.records import INTERRUPTED, NOT_REACHED
from headrace.results.statistics import describe, paired_ratio
from headrace.results.verdicts import ENOUGH, doubt

NOTHING_COLLECTED = (
    "0 collective calls in a row of headrace named collective: the blocks of the MPI ranks lie one behind the other "
    "in the file, or hints switch collective buffering off. Then headrace makes independent calls."
)
BEYOND = 1.25  # times the raw limit: no transfer of the same bytes can be so much faster
GOAL_BYTES = 512 << 20  # of an array: the least that the goals are for
MANY = 1000  # independent operations of one transfer that deserve a remark
SMALL = 1 << 16  # bytes of an operation below which many of them are slow


def make_rows(campaign: ParallelCampaign) -> list[ParallelRow]:
    """One a way; the fraction of the raw limit is taken round by round."""
    rows = [_row(campaign, state) for state in campaign.states.values()]
    limits = {row.operation: row for row in rows if row.tool == BASE and row.way == LIMIT}
    for row in rows:
        if row.operation in limits and row.outcome == "measured" and row.method != NULL:
            _compare(row, limits[row.operation])
        if row.tool in campaign.peers and row.verdict == "valid":
            row.verdict = "unverified"  # nobody has read what they wrote
        if row.condition == "cold" and row.residency not in ("", "cold") and row.verdict:
            row.verdict = "unknown"
    return rows


def _compare(row: ParallelRow, limit: ParallelRow) -> None:
    """The cache is suspected if the interval of the ratios says so: one slow round of the limit proves nothing."""
    ratios = paired_ratio(limit.seconds(), row.seconds())
    if not ratios:
        return
    row.limit_fraction = describe(ratios).median
    above = doubt(ratios, BEYOND)
    if above == "cache-suspect":
        row.verdict = above
    elif above is not None and row.verdict in ("valid", "noisy"):
        row.verdict, row.limit_is_noisy = above, limit.verdict != "valid"


def _row(campaign: ParallelCampaign, state: State[Way]) -> ParallelRow:
    way, task = state.way, campaign.task
    environment = campaign.environments.get(way.tool)
    replies = campaign.replies.get(way.key, {})
    row = ParallelRow(
        **fields_of(state, campaign.box.tools[way.tool]),
        case=task.name,
        payload_bytes=payload(task.extents),
        file_bytes=state.file_bytes,
        values=payload(task.extents) // 8,
        ranks=task.ranks,
        directory=str(task.directory),
        condition=task.condition(way),
        method=way.method,
        pattern=pattern_of(way.method) if way.tool not in campaign.peers else "",
        backend=backend_of(way.method) if way.tool not in campaign.peers else way.tool,
        environment=environment.variables if environment else {},
        extents=task.extents,
        layout=task.layout,
        hints_asked=way.hints,
        two_nodes=way.two_nodes,
    )
    row.conclude(state.peak, task.minimum_seconds)
    if replies and state.samples:
        _add_details(row, replies)
    return row


def _add_details(row: ParallelRow, replies: Mapping[int, Reply]) -> None:
    """Medians over the rounds, and one transfer in full."""
    found = list(replies.values())
    typical = sorted(found, key=lambda reply: reply.seconds)[len(found) // 2]
    row.first_done = median(reply.first_done for reply in found)
    row.last_done = median(reply.last_done for reply in found)
    row.phases = {phase: median(reply.phases.get(phase, 0.0) for reply in found) for phase in PHASES}
    row.rank_times = typical.ranks
    row.memory_a_rank = [max(values) for values in zip(*(r.peak_memory for r in found), strict=False)]
    row.hints_in_force, row.hints_ignored = typical.hints_in_force, typical.hints_ignored
    row.hints_unknown = unknown_hints(row.hints_asked, row.hints_in_force, row.hints_ignored)
    row.counts = typical.counts if typical.ranks else None
    row.writers, row.redistributed, row.residency = typical.writers, typical.redistributed, typical.residency


def make_group(campaign: ParallelCampaign, rows: list[ParallelRow], pairs: tuple[list[Pair], list[Pair]]) -> Group:
    """The ratios of a campaign, and why those that are not there are absent."""
    task = campaign.task
    main, also = pairs
    group = Group(
        case=task.name,
        ranks=task.ranks,
        nodes=max((session.hello.nodes for session in campaign.sessions.values()), default=1),
        directory=str(task.directory),
        write_condition=task.write_condition,
        read_condition=task.read_condition,
        extents=task.extents,
        payload_bytes=payload(task.extents),
        intervals=find_ratios(main, rows),
        also=find_ratios(also, rows),
    )
    tools = {name: "" for name in ("ior", "benchio") if name not in campaign.peers}
    group.absent = {name: _why(name, main, rows, tools) for name in ALL_NAMES if name not in group.intervals}
    group.intervals = {name: group.intervals[name] for name in ALL_NAMES if name in group.intervals}
    for ratio in group.intervals.values():
        ratio.too_small = ratio.goal is not None and group.payload_bytes < GOAL_BYTES
    return group


def _why(name: str, pairs: list[Pair], rows: list[ParallelRow], tools: Mapping[str, str]) -> str:
    for tool in ("ior", "benchio"):
        if name.endswith(f"vs_{tool}") and tool in tools:
            return f"no {tool} was given (--{tool} PROGRAM)"
    if not any(pair.name == name for pair in pairs):
        return f"no worker has {'OMPIO' if 'ompio' in name else 'ROMIO'} here"
    known = {row.key for row in rows}
    if not any(set(pair.keys) <= known for pair in pairs if pair.name == name):
        return "its methods were not chosen"
    reason = why_absent(name, pairs, rows, tools).replace(": skipped: ", " is unavailable: ")
    return reason if len(reason) <= 300 else f"{reason[:297]}..."


def say_interrupted(run: ParallelRun) -> None:
    """The user ended the run, not its time budget."""
    for row in run.rows:
        row.message = row.message.replace(NOT_REACHED, INTERRUPTED)
    for group in run.groups:
        group.absent = {name: why.replace(NOT_REACHED, INTERRUPTED) for name, why in group.absent.items()}


def few_rounds(rows: Iterable[ParallelRow], least: int, budget: float) -> str:
    """How many rows have too few rounds for an interval, and what gives more; `least` and `budget` were asked for."""
    counts = [row.statistics.n for row in rows if row.statistics and row.outcome == "measured"]
    few = sum(count < ENOUGH for count in counts)
    if not few:
        return ""
    rest = "row rests" if len(counts) == 1 else "rows rest" if few > 1 else "rows rests"
    too_few = f"on fewer than {ENOUGH} rounds"
    also = f", and --rounds {ENOUGH} asks for them in every row" if least < ENOUGH else ""
    return (
        f"{few} of {len(counts)} {rest} {too_few}, too few for an interval: a larger --time-budget "
        f"(here {budget:g} s) gives more{also}."
    )


def remarks(rows: Iterable[ParallelRow]) -> list[str]:
    """What a reader should know of the calls of MPI-IO, and of blocks that went to other MPI ranks first."""
    said: list[str] = []
    for row in rows:
        if row.redistributed and row.operation == "write":
            said.append(
                f"{row.way}: the blocks of {mpi_ranks(row.ranks)} form no regular chunk grid and are exchanged before "
                "they are written, which takes time: compare with 2, 4 or 8 MPI ranks"
            )
        if row.counts is None or row.tool != BASE:
            continue
        text = remark(row.way, row.operation, row.counts)
        if text:
            said.append(text)
    return list(dict.fromkeys(said))


def calls_nothing_collective(row: ParallelRow) -> bool:
    """Whether headrace, asked for the collective pattern, made independent calls of MPI-IO alone."""
    c = row.counts
    if c is None or not row.method.startswith("headrace:") or row.pattern != "shared_collective":
        return False
    return c.collective_writes + c.collective_reads == 0 < c.independent_writes + c.independent_reads


def remark(way: str, operation: str, counts: Counts) -> str:
    """Many independent operations beside few collective ones; "" if there is nothing to say."""
    independent = counts.independent_writes + counts.independent_reads
    collective = counts.collective_writes + counts.collective_reads
    if independent < MANY or independent <= 10 * collective:
        return ""
    size = counts.bytes_independent // independent
    note = f" of {size:,} bytes" if size else ""
    if size >= SMALL:
        return ""
    return (
        f"{way} ({operation}) makes {independent:,} independent calls of MPI-IO{note} and {collective:,} collective "
        "ones: small independent calls are slow on parallel file systems; is the library called collectively?"
    )
