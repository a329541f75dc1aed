"""Joins what the processes of a run left to one trace, and keeps that in one file. First: launch.py."""

import os
import shutil
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headrace.errors import HeadraceError
from headrace.trace.archive import Recorded, read_profiles, write_archive
from headrace.trace.callers.find import find_callers
from headrace.trace.launch import ENDING, Ended
from headrace.trace.merge import Run, merge
from headrace.trace.profile import Profile
from headrace.trace.results import Trace
from headrace.trace.sources import Sources, find_sources, show_sources


@dataclass
class Joined:
    """What came of a run; `trace` is None if no process left a profile, or if there are problems."""

    trace: Trace | None
    file: Path | None
    problems: list[str] = field(default_factory=list)


Advise = Callable[[Trace, Sources], dict[str, Any]]


def join(ended: Ended, save: Path | None, advise: Advise | None = None, with_time_lines: bool = False) -> Joined:
    """Leave the trace in `save`, else in PROGRAM.headrace-trace in the current directory, and remove the profiles.

    `advise` puts advice into the trace, and returns what it was made from, which is kept.

    Whatever goes wrong is in `problems`, and the profiles are kept: the program has done its work.
    """
    killed = ended.signal
    run = Run(
        [os.fsencode(word).decode(errors="replace") for word in ended.command],
        ended.date,
        ended.host,
        ended.wall,
        None if killed else ended.code,
        signal.Signals(killed).name if killed in list(signal.Signals) else f"signal {killed}" if killed else "",
    )
    try:
        joined = Joined(*_join(ended.profiles, run, save, Path(ended.command[0]).name, advise, with_time_lines))
    except (HeadraceError, OSError, KeyboardInterrupt, MemoryError) as error:
        why = error.message if isinstance(error, HeadraceError) else str(error) or type(error).__name__
        kept = f"the profiles are kept: headrace trace show {ended.profiles}"
        return Joined(None, None, [f"the trace was not written: {why}", kept])
    shutil.rmtree(ended.profiles, ignore_errors=True)
    return joined


def _join(
    folder: Path, run: Run, save: Path | None, name: str, advise: Advise | None, with_time_lines: bool
) -> tuple[Trace | None, Path | None]:
    """One trace of all profiles, and the file that keeps it."""
    found = sorted(folder.glob("*.profile"))
    profiles, notes = read_profiles((path.name, path.read_bytes()) for path in found)
    if not profiles:
        return None, None
    recorded = Recorded(run, profiles, {}, [*notes, *_still_running(profiles, run.host)])
    recorded.callers, said = find_callers(profiles)
    recorded.notes += said
    trace = merge(profiles, run, recorded.notes, with_time_lines=with_time_lines, callers=recorded.callers)
    recorded.sources, said = find_sources(trace, Path.cwd())
    recorded.notes += said
    trace.notes += said
    show_sources(trace, recorded.sources)
    if advise:
        recorded.costs = advise(trace, recorded.sources)
    costliest = max(trace.processes, key=lambda process: process.io_seconds)
    if costliest.io_seconds > 0 and costliest.program:
        name = Path(costliest.program).name  # not mpirun
    return trace, write_archive(recorded, folder, save or Path.cwd() / f"{name}{ENDING}")


def _still_running(profiles: Sequence[Profile], host: str) -> list[str]:
    running = [
        f"process {profile.header['process']} ({Path(profile.member('program')).name})"
        for profile in profiles
        if profile.ending == "none"
        and profile.member("host") == host
        and os.path.realpath(f"/proc/{profile.header['process']}/exe") == profile.member("program")
    ]
    return [
        f"still running when the trace was written, so what they did later is missing: {', '.join(running)}"
    ] * bool(running)
