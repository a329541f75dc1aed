"""What a traced program wrote outside of its directory: runs beside each other would change each other's files."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.trace.archive import read_profiles
from headrace.trace.merge import Run, merge
from headrace.trace.results import Trace

NOT_TRACED = "the program could not be traced, so it is not known whether it writes outside of its directory"
_READ_ONLY = ("read",)


def trace_of(folder: Path, command: Sequence[str], wall: float = 0.0) -> Trace | None:
    """The trace of the profiles in a folder; None if there are none."""
    found = sorted(folder.glob("*.profile"))
    profiles, _ = read_profiles((path.name, path.read_bytes()) for path in found)
    if not profiles:
        return None
    run = Run(list(command), time.strftime("%Y-%m-%d"), os.uname().nodename, wall, 0, "")
    return merge(profiles, run, [])


def refuse_outside(trace: Trace, allowed: Sequence[Path]) -> None:
    """Raises HeadraceError if files elsewhere were written; those below /dev and /proc are no files."""
    places = (*allowed, Path("/dev"), Path("/proc"))
    outside = sorted(
        {
            path
            for file in trace.files
            if file.path.startswith("/") and file.kind in ("regular", "unknown")
            if file.bytes_written or (file.action and file.action not in _READ_ONLY)
            if not _is_inside(path := os.path.realpath(file.path), places)
        }
    )
    if not outside:
        return
    more = f" and {len(outside) - 1} more" if len(outside) > 1 else ""
    raise HeadraceError(
        f"the program writes outside of its directory: {outside[0]}{more}",
        "runs beside each other would change each other's files: let it write below the directory that it runs in",
    )


def _is_inside(path: str, places: Sequence[Path]) -> bool:
    return any(Path(path).is_relative_to(place) for place in places)
