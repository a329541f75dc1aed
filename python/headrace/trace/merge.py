"""Makes one trace of the profiles of many processes: a row for each source line, kind of statement and place.

Records are merged as columns of numpy: a thousand processes with a hundred lines each take seconds, not minutes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.trace.callers.find import Callers
from headrace.trace.files import FileTable
from headrace.trace.notes import merged_notes, unseen
from headrace.trace.procedures import procedures
from headrace.trace.profile import Profile
from headrace.trace.records import INTERNAL, KINDS, LIBRARY_CALL, NOT_FORTRAN, RUN_TIME, Records
from headrace.trace.results import Calls, Form, Line, Process, Totals, Trace, is_fortran
from headrace.trace.time_lines import time_lines
from headrace.version import VERSION

_FORMS: tuple[tuple[int, Form], ...] = ((1, "formatted"), (2, "list-directed"), (4, "namelist"), (8, "unformatted"))
_TRAITS = (
    *((16, "direct"), (32, "positioned"), (64, "internal"), (128, "non-advancing")),
    *((256, "asynchronous"), (512, "child"), (1024, "collective")),
)
_SUMS = (
    *("statements", "items", "elements", "payload_bytes", "ticks", "nested_ticks", "system_ticks"),
    *("writes", "reads", "seeks", "other_calls", "bytes_written", "bytes_read", "errors", "ends"),
)
_FORMATS_KEPT = 4


@dataclass(frozen=True)
class Run:
    """What is known of a run beside its profiles."""

    command: list[str]
    date: str
    host: str
    wall: float
    exit_code: int | None
    signal: str


def merge(
    profiles: Sequence[Profile],
    run: Run,
    notes: Sequence[str] = (),
    only_files: str = "",
    with_time_lines: bool = False,
    callers: Callers | None = None,
) -> Trace:
    """One trace of all processes; with `only_files` of the statements that went to files of such names (a pattern)."""
    rates = _rates(profiles)
    table = Records(profiles, rates, callers)
    files = FileTable(profiles)
    if only_files:
        table.keep(files.keep(only_files))
    files.charge(table, len(rates))
    lines, line_of = _lines(table, files, profiles)
    processes = _processes(profiles, rates, table, line_of)
    unknown = sum(1 for rate in rates if not rate)
    said = [f"the times of {unknown} processes are not known: they ended too early"] if unknown else []
    return Trace(
        schema="headrace-trace/1",
        tool_version=VERSION,
        command=run.command,
        date=run.date,
        host=run.host,
        wall=run.wall,
        exit_code=run.exit_code,
        signal=run.signal,
        mpi_ranks=len({p.mpi_rank for p in processes if p.mpi_rank is not None}),
        totals=_totals(lines, processes, run.wall),
        processes=processes,
        files=files.files,
        lines=lines,
        time_lines=time_lines(profiles, rates, processes, line_of) if with_time_lines else [],
        procedures=procedures(lines),
        notes=[*notes, *merged_notes(profiles), *said, *(unseen(processes, lines) if not only_files else [])],
    )


def _rates(profiles: Sequence[Profile]) -> list[float]:
    """Seconds in a tick for each; that of another process of the host, or of any, if one ended at once."""
    own = [profile.seconds_per_tick for profile in profiles]
    by_host: dict[bytes, list[float]] = {}
    for profile, rate in zip(profiles, own, strict=True):
        if rate:
            by_host.setdefault(bytes(profile.header["host"]), []).append(rate)
    every = [rate for rates in by_host.values() for rate in rates]

    def nearest(profile: Profile) -> float:
        known = by_host.get(bytes(profile.header["host"]), every)
        return float(np.median(known)) if known else 0.0

    return [rate or nearest(profile) for profile, rate in zip(profiles, own, strict=True)]


def _lines(
    table: Records, files: FileTable, profiles: Sequence[Profile]
) -> tuple[list[Line], dict[tuple[int, int], int]]:
    """Every line, the costliest first; and which line a record of a process belongs to."""
    if not len(table.lines):
        return [], {}
    records = table.lines
    outside = np.isin(records["kind"], (RUN_TIME, NOT_FORTRAN))
    has_source = (table.source > 0) & ~outside
    by_address = ~(has_source | outside | (table.procedure > 0))
    place = np.where(by_address, records["caller"].astype(np.int64), 0)
    key = np.stack(
        [
            np.where(outside, 0, table.source),
            table.name,
            np.where(has_source, 0, table.module),
            np.where(has_source | outside, 0, table.procedure),
            place,
            records["line"].astype(np.int64),
            records["kind"].astype(np.int64),
            (records["traits"] & (INTERNAL | 15)).astype(np.int64),
        ],
        axis=1,
    )
    order = np.lexsort(key.T[::-1])
    changes = np.any(np.diff(key[order], axis=0), axis=1)
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
    ends = np.append(starts[1:], len(order))
    sums = {name: np.add.reduceat(records[name][order], starts) for name in _SUMS}
    seconds = np.add.reduceat((records["ticks"] * table.rate)[order], starts)
    in_system = np.add.reduceat((records["system_ticks"] * table.rate)[order], starts)
    exclusive = np.add.reduceat(table.exclusive[order], starts)
    longest = np.maximum.reduceat((records["longest_ticks"] * table.rate)[order], starts)
    traits = np.bitwise_or.reduceat(records["traits"][order], starts)
    ranks = np.asarray([int(profile.header["mpi_rank"]) for profile in profiles])
    all_ranks = len({rank for rank in ranks.tolist() if rank >= 0})

    made: list[Line] = []
    groups: list[NDArray[Any]] = []
    for number in np.lexsort((starts, -exclusive)):
        members = order[starts[number] : ends[number]]
        first = int(members[0])
        kind = KINDS[min(int(records["kind"][first]), len(KINDS) - 1)]
        rank = _of_ranks(table.exclusive[members], ranks[table.process[members]], all_ranks)
        has_payload = records["statements"][members] > 0
        smallest = records["payload_smallest"][members][has_payload]
        line = Line(
            id=len(made),
            place=_place(table, first, kind),
            file="" if outside[first] else table.texts[table.source[first]],
            line=max(0, int(records["line"][first])),
            procedure="" if outside[first] else table.texts[_costliest(table.procedure, members, table.exclusive)],
            statement=kind,
            form=next((word for bit, word in _FORMS if traits[number] & bit), ""),
            traits=[word for bit, word in _TRAITS if traits[number] & bit],
            internal=bool(traits[number] & INTERNAL),
            name=table.texts[table.name[first]],
            formats=[table.texts[i] for i in dict.fromkeys(table.format[members].tolist()) if i][:_FORMATS_KEPT],
            files=files.of(members, table.exclusive),
            opened_at=files.places(members, table.exclusive) if kind != "open" else [],
            processes=len(np.unique(table.process[members])),
            statements=int(sums["statements"][number]),
            items=int(sums["items"][number]),
            elements=int(sums["elements"][number]),
            payload_bytes=int(sums["payload_bytes"][number]),
            payload_smallest=int(smallest.min()) if len(smallest) and smallest.min() < 1 << 63 else 0,
            payload_largest=int(records["payload_largest"][members].max()),
            seconds=float(seconds[number]),
            seconds_exclusive=float(exclusive[number]),
            seconds_in_system=float(in_system[number]),
            longest_seconds=float(longest[number]),
            largest_of_a_rank=rank[0],
            largest_rank=rank[1],
            imbalance=rank[2],
            calls=Calls(
                write=int(sums["writes"][number]),
                read=int(sums["reads"][number]),
                seek=int(sums["seeks"][number]),
                other=int(sums["other_calls"][number]),
            ),
            bytes_written=int(sums["bytes_written"][number]),
            bytes_read=int(sums["bytes_read"][number]),
            errors=int(sums["errors"][number]),
            ends=int(sums["ends"][number]),
        )
        made.append(line)
        groups.append(members)
    line_of = {
        (int(table.process[member]), int(table.offset[member])): number
        for number, members in enumerate(groups)
        for member in members
    }
    return made, line_of


def _costliest(ids: NDArray[np.int64], members: NDArray[Any], seconds: NDArray[Any]) -> int:
    """A line of an include file stands in several procedures: the one with the most seconds."""
    found = ids[members]
    return int(np.bincount(found, seconds[members] + 1e-12 * (found > 0)).argmax())


def _place(table: Records, record: int, kind: str) -> str:
    """For people: the source file without its folders; if it is not known the procedure, else object and address."""
    if kind == "not Fortran":
        return "(not Fortran)"
    if kind == "run time":
        return "(run time)"
    source = table.texts[table.source[record]]
    if source:
        return f"{PurePath(source).name}:{table.lines['line'][record]}"
    if table.procedure[record]:
        return table.texts[int(table.procedure[record])]
    module = PurePath(table.texts[table.module[record]]).name or "?"
    return f"{module}+{int(table.lines['caller'][record]):#x}"


def _of_ranks(
    seconds: NDArray[Any], ranks: NDArray[Any], all_ranks: int
) -> tuple[float | None, int | None, float | None]:
    """The largest sum of an MPI rank, whose it is, and how often the mean of all ranks it is."""
    known = ranks >= 0
    if not known.any():
        return None, None, None
    distinct, inverse = np.unique(ranks[known], return_inverse=True)
    sums = np.bincount(inverse.reshape(-1), seconds[known])
    largest = float(sums.max())
    mean = float(sums.sum()) / all_ranks
    return largest, int(distinct[sums.argmax()]), largest / mean if mean > 0 else None


def _processes(
    profiles: Sequence[Profile], rates: Sequence[float], table: Records, line_of: dict[tuple[int, int], int]
) -> list[Process]:
    made = []
    fortran = ~np.isin(table.lines["kind"], (NOT_FORTRAN, LIBRARY_CALL)) if len(table.lines) else np.zeros(0, bool)
    io_seconds = np.bincount(table.process[fortran], table.exclusive[fortran], len(profiles))
    pairs = np.unique((table.process[fortran] << 32) | table.thread[fortran])
    threads = np.bincount(pairs >> 32, minlength=len(profiles))
    for number, (profile, rate) in enumerate(zip(profiles, rates, strict=True)):
        header = profile.header
        ended = np.where(np.isin(profile.lines["kind"], (RUN_TIME, NOT_FORTRAN)), 0, profile.lines["last"])
        last = int(profile.line_offsets[int(ended.argmax())]) if len(ended) and ended.max() else 0
        made.append(
            Process(
                program=profile.member("program"),
                host=profile.member("host"),
                process=int(header["process"]),
                parent=int(header["parent"]),
                mpi_rank=int(header["mpi_rank"]) if header["mpi_rank"] >= 0 else None,
                forked=bool(header["forked"]),
                families=profile.member("families").split(),
                threads=int(threads[number]),
                begun=profile.begun,
                seconds=profile.seconds(rate),
                io_seconds=float(io_seconds[number]),
                ending=profile.ending,  # type: ignore[arg-type]
                in_progress=[line_of[number, offset] for offset in profile.in_progress if (number, offset) in line_of],
                last_line=line_of.get((number, last)),
                bytes_read=int(header["bytes_read_by_process"]),
                bytes_written=int(header["bytes_written_by_process"]),
            )
        )
    return made


def _totals(lines: Sequence[Line], processes: Sequence[Process], wall: float) -> Totals:
    fortran = [line for line in lines if is_fortran(line)]
    seconds = sum(line.seconds_exclusive for line in fortran)
    at_once = _at_once([process for process in processes if process.io_seconds > 0])
    return Totals(
        io_seconds=seconds,
        io_seconds_internal=sum(line.seconds_exclusive for line in fortran if line.internal),
        io_seconds_in_system=sum(line.seconds_in_system for line in fortran),
        at_once=at_once,
        share=min(1.0, seconds / (wall * at_once)) if wall > 0 and at_once else None,
        bytes_written=sum(line.bytes_written for line in fortran),
        bytes_read=sum(line.bytes_read for line in fortran),
    )


def _at_once(processes: Sequence[Process]) -> int:
    """The most that ran at the same time, with their threads: programs one after the other are one."""
    moments = sorted(
        moment
        for process in processes
        for moment in ((process.begun, process.threads), (process.begun + process.seconds, -process.threads))
    )
    most = running = 0
    for _, change in moments:
        running += change
        most = max(most, running)
    return most
