"""What a run says about changing a program: from this statement to that, and what it gains. First: changes.py.

A finding stands on valid rows alone. Each gain is one compiler's (or tool's), of one data type, in one directory and
condition, round by round; its interval holds the median of these ratios with 95 %. The largest of several would be one
that noise made larger, and its interval would hold less often. So which findings are told follows from the doublings
that they gain, not from the last digit; and of several gains of a change the run's order says which stands first, among
those that may be half as large as any other. In the worst place that simulations found, several gains just above twice
several others, an interval of 20 rounds misses in 6 % instead of 4 %.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from headrace.results.changes import BINARY, FORTRAN, PARALLEL, STATEMENTS, TEXT, Change
from headrace.results.conclusions import OWN_FAMILY, plain_rows
from headrace.results.files import AnyRun
from headrace.results.methods import mpi_ranks
from headrace.results.parallel import ParallelRow, ParallelRun
from headrace.results.records import Condition, MeasuredRow, Operation, Statistics
from headrace.results.run import Row, Run
from headrace.results.statistics import describe, paired_ratio
from headrace.results.taken_over import TakenOverRun
from headrace.results.trace import TraceRun
from headrace.results.transfers import TransferRow
from headrace.results.verdicts import ENOUGH

MOST = 5  # findings of a run
LEAST = 1.2  # times: what is certainly gained, to be worth a change
ALIKE = 1.05
_PLAIN = ("cached", "warm", "synced", "cold")  # of several conditions the first is told


@dataclass(frozen=True)
class Gain:
    """Speed of the second way / speed of the first, in the rounds that both have."""

    operation: Operation
    who: str  # compiler or tool
    condition: Condition
    where: str  # directory, or case
    ratio: Statistics
    before: MeasuredRow
    after: MeasuredRow

    @property
    def is_certain(self) -> bool:
        """Whether the whole interval is worth a change."""
        return self.ratio.low >= LEAST

    @property
    def direction(self) -> str:
        return "faster" if self.ratio.low > ALIKE else "slower" if self.ratio.high < 1 / ALIKE else "same"


@dataclass(frozen=True)
class Finding:
    """One change, with the code before and after, and its gains: behind the first one the largest come first."""

    advice: str
    before: list[str]  # lines of code
    after: list[str]
    gains: list[Gain]
    files: str = ""  # what happens to the size of the file

    @property
    def first(self) -> Gain:
        return self.gains[0]


@dataclass(frozen=True)
class Findings:
    """At most MOST findings; without any, why there is none."""

    told: list[Finding] = field(default_factory=list)
    why_none: str = ""


@dataclass(frozen=True)
class _Seen:
    """A row with the key that changes name it by, and with what it may be compared with."""

    key: str
    row: MeasuredRow
    who: str
    place: tuple[str, ...]  # equal for rows that may be compared
    condition: Condition
    where: str
    code: str  # the statement, or what stands for {columns} in the code of a change


def findings(run: AnyRun) -> Findings:
    """What to change, as far as valid rows can tell."""
    seen, changes = _of(run)
    pairs = [pair for number, change in enumerate(changes) for pair in _pairs(number, change, seen)]
    valid = [(n, c, b, a) for n, c, b, a in pairs if b.row.verdict == a.row.verdict == "valid"]
    gains: dict[int, list[tuple[Gain, str, str]]] = {}
    for number, change, before, after in valid:
        gain = _gain(before, after)
        if gain is not None:
            gains.setdefault(number, []).append(
                (gain, _code(change.before_code, before), _code(change.after_code, after))
            )
    plain = {number: _in_one_condition(told) for number, told in gains.items()}
    found = [_finding(changes[number], told) for number, told in plain.items() if _certain(told)]
    if found:
        return Findings(_chosen(found))
    return Findings([], _why_none(run, len(pairs), len(valid), sum(map(len, gains.values()))))


def _of(run: AnyRun) -> tuple[list[_Seen], Sequence[Change]]:
    """Rows of the first directory, on the most MPI ranks, and the changes that they can speak for."""
    first = run.directories[0].path if run.directories else ""
    if isinstance(run, Run):
        rows = plain_rows(run)
        here = first if any(row.directory == first for row in rows) else next((r.directory for r in rows), "")
        return [_of_statement(row) for row in rows if row.directory == here], STATEMENTS
    if isinstance(run, ParallelRun):
        most = max((row.ranks for row in run.rows), default=0)
        tops = [row for row in run.rows if row.ranks == most and row.statistics and row.outcome == "measured"]
        return [_of_ranks(row) for row in tops if row.directory == tops[0].directory], PARALLEL
    if isinstance(run, TraceRun | TakenOverRun):
        return [], ()  # neither is a reason to change a program
    compilers = {c.vendor for c in run.compilers} | {c.identifier for c in run.compilers}
    columns = {case.name: str(getattr(case, "columns", "")) for case in run.cases}
    tools = [
        _of_tool(row, row.tool in compilers, columns.get(row.case, ""))
        for row in run.rows
        if row.statistics and row.outcome == "measured"
    ]
    return tools, TEXT if run.command == "bench text" else BINARY


def _of_statement(row: Row) -> _Seen:
    state = row.file_state if row.operation == "write" else ""
    place = (row.operation, row.condition, row.compiler, row.directory, row.data_type, state)
    return _Seen(row.key, row, row.compiler, place, row.condition, row.directory, row.statement)


def _of_tool(row: TransferRow, is_compiler: bool, columns: str) -> _Seen:
    tool = FORTRAN if is_compiler else row.tool
    place = (row.operation, row.condition, row.case, row.file_state if row.operation == "write" else "")
    return _Seen(f"{tool}:{row.way}", row, row.title, place, row.condition, row.case, columns)


def _of_ranks(row: ParallelRow) -> _Seen:
    place = (row.operation, row.condition, row.case, str(row.ranks), row.directory, row.layout, str(row.two_nodes))
    return _Seen(row.method, row, mpi_ranks(row.ranks), place, row.condition, row.directory, "")


def _pairs(number: int, change: Change, seen: Sequence[_Seen]) -> list[tuple[int, Change, _Seen, _Seen]]:
    """Rows before and after the change that may be compared; of several of the same after it the first."""
    found = []
    for before in seen:
        if before.key != change.before or before.row.operation not in change.operations:
            continue
        for after in seen:
            ours = after.who == before.who or FORTRAN not in change.after
            if after.key == change.after and after.place == before.place and ours:
                found.append((number, change, before, after))
                break
    return found


def _gain(before: _Seen, after: _Seen) -> Gain | None:
    """None with fewer rounds than an interval needs."""
    ratios = paired_ratio(after.row.speeds(), before.row.speeds())
    if len(ratios) < ENOUGH:
        return None
    row = before.row
    return Gain(row.operation, before.who, before.condition, before.where, describe(ratios), row, after.row)


def _in_one_condition(told: Sequence[tuple[Gain, str, str]]) -> list[tuple[Gain, str, str]]:
    """For each operation and compiler the condition that most programs see."""
    first: dict[tuple[str, ...], tuple[Gain, str, str]] = {}
    for each in sorted(told, key=lambda each: _PLAIN.index(each[0].condition)):
        case = each[0].before.case if isinstance(each[0].before, TransferRow) else ""
        first.setdefault((each[0].operation, each[0].who, case), each)
    return list(first.values())


def _code(said: str, seen: _Seen) -> str:
    return said.replace("{columns}", seen.code).replace("{statement}", seen.code) if said else seen.code


def _certain(told: Sequence[tuple[Gain, str, str]]) -> bool:
    return any(gain.is_certain for gain, _, _ in told)


def _finding(change: Change, told: list[tuple[Gain, str, str]]) -> Finding:
    gain, before, after = _first(told)
    others = sorted((other for other, _, _ in told if other is not gain), key=lambda other: -other.ratio.median)
    return Finding(change.advice, _lines(before), _lines(after), [gain, *others], _files(gain))


def _first(told: list[tuple[Gain, str, str]]) -> tuple[Gain, str, str]:
    """In the order of the run, which no noise changes, the first certain gain that is not certainly a small one."""
    certain = [each for each in told if each[0].is_certain]
    largest = max(gain.ratio.low for gain, _, _ in certain)
    return next(each for each in certain if 2 * each[0].ratio.high > largest)


def _lines(code: str) -> list[str]:
    """A statement a line; those in a loop are indented."""
    lines, depth = [], 0
    for statement in code.split("; "):
        depth -= statement.startswith("end do")
        lines.append("   " * max(depth, 0) + statement)
        depth += statement.startswith("do ")
    return lines


def _files(gain: Gain) -> str:
    """What the change does to the size of the file, if both are known."""
    sizes = [
        row.file_bytes / row.payload_bytes if row.payload_bytes and row.file_bytes else 0.0
        for row in (gain.before, gain.after)
    ]
    if not all(sizes) or abs(sizes[1] / sizes[0] - 1) < 0.02:
        return "the file keeps its size" if all(sizes) else ""
    return f"the file becomes {sizes[1] / sizes[0]:.2g} times as large"


def _chosen(found: Iterable[Finding]) -> list[Finding]:
    """Those that gain most, each advice once, and each statement once for Fortran's and once for headrace's remedy."""
    told: list[Finding] = []
    for finding in sorted(found, key=lambda each: -math.floor(math.log2(each.first.ratio.median))):
        remedies = {(tuple(other.before), _is_ours(other)) for other in told}
        advised = {other.advice for other in told}
        if finding.advice not in advised and (tuple(finding.before), _is_ours(finding)) not in remedies:
            told.append(finding)
    return told[:MOST]


def _is_ours(finding: Finding) -> bool:
    row = finding.first.after
    return row.family == OWN_FAMILY if isinstance(row, Row) else True


def _why_none(run: AnyRun, pairs: int, valid: int, gains: int) -> str:
    measured = [row for row in run.rows if row.statistics is not None]
    good = sum(row.verdict == "valid" for row in measured)
    if not measured:
        return "No conclusion: nothing was measured."
    if not pairs:
        return (
            f"No conclusion: of the {len(measured)} rows that were measured no two are a statement and what could "
            "replace it. A run without --select, --method or --only has them."
        )
    if not valid or not gains:
        return (
            f"No conclusion: {good} of {len(measured)} rows are valid, and no two of them are a statement and what "
            "could replace it. A larger --time-budget or a quieter machine gives more."
        )
    return (
        f"No conclusion: of {gains} comparisons of a statement with what could replace it, all of valid rows, none is "
        f"certainly {LEAST:g} times faster."
    )
