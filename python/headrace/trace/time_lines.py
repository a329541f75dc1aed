"""When each process was at work at which source line: what intercept/trace/time_line.c counted, on one axis of time."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from headrace.trace.profile import TIME_BINS, Profile
from headrace.trace.results import Process, TimeLine

_WORTH_A_LINE = 1e-3  # seconds, if ticks are nanoseconds or less: below there is no block in the profile either


def time_lines(
    profiles: Sequence[Profile],
    rates: Sequence[float],
    processes: Sequence[Process],
    line_of: Mapping[tuple[int, int], int],
) -> list[TimeLine]:
    """The time lines of all processes, by process and line.

    `line_of` has the line that a record of a process belongs to, by its offset. Processes of several hosts are put
    beside each other by their clocks.
    """
    first = min((process.begun for process in processes), default=0.0)
    made = []
    for number, (profile, rate, process) in enumerate(zip(profiles, rates, processes, strict=True)):
        header = profile.header
        width = rate * 2.0 ** int(header["bin_shift"])
        begins = process.begun - first + (int(header["bin_begins"]) - int(header["ticks_first"])) * rate
        for line, (ticks, payload) in sorted(_of_process(profile, number, line_of).items()):
            bins = np.flatnonzero((ticks > 0) | (payload > 0))
            made.append(
                TimeLine(
                    process=number,
                    line=line,
                    begins=begins,
                    width=width,
                    bins=bins.tolist(),
                    seconds=[float(f"{value:.6g}") for value in ticks[bins] * rate],
                    payload_bytes=payload[bins].tolist(),
                )
            )
    return made


_Bins = tuple[NDArray[np.int64], NDArray[np.int64]]


def _of_process(profile: Profile, number: int, line_of: Mapping[tuple[int, int], int]) -> dict[int, _Bins]:
    """Ticks and bytes of the bins by line. Threads and files of a source line share their bins in the profile."""
    found: dict[int, _Bins] = {}
    added: set[int] = set()
    for offset, record in zip(profile.line_offsets.tolist(), profile.lines, strict=True):
        line = line_of.get((number, offset))
        if line is None:
            continue
        block = int(record["time_line"])
        bins = profile.time_lines.get(block)
        if bins is not None and block not in added:
            added.add(block)
            ticks, payload = found.setdefault(line, _empty())
            ticks[: len(bins)] += bins["ticks"].astype(np.int64)
            payload[: len(bins)] += bins["bytes"].astype(np.int64)
        pending = int(record["pending_ticks"])
        if pending and (line in found or pending * 1e-9 >= _WORTH_A_LINE):
            at = (int(record["pending_since"]) - int(profile.header["bin_begins"])) >> int(profile.header["bin_shift"])
            ticks, payload = found.setdefault(line, _empty())
            at = min(max(at, 0), TIME_BINS - 1)
            ticks[at] += pending
            payload[at] += int(record["pending_bytes"])
    return found


def _empty() -> _Bins:
    return np.zeros(TIME_BINS, np.int64), np.zeros(TIME_BINS, np.int64)
