"""What a file loses if it stays open, or keeps bytes in a buffer: from the events of a trace, never from a source."""

from pathlib import PurePath
from typing import Literal

from headrace.trace.results import File, Trace

Way = Literal["append", "rewind", "empty"]

# What does in an open file what another OPEN did; after OPEN with POSITION='APPEND' nothing is needed.
IN_PLACE_OF_OPEN: dict[Way, tuple[str, ...]] = {
    "append": (),
    "rewind": ("rewind (unit)",),
    "empty": ("rewind (unit)", "endfile (unit)", "rewind (unit)"),
}
_AROUND = {"open", "close", "flush", "run time"}


def may_wait(trace: Trace, file: File) -> bool:
    """Whether bytes may stay in a buffer until CLOSE: nothing else uses the file, and the run ended in order."""
    name = PurePath(file.path).name
    others = [one for one in trace.files if one.id != file.id and PurePath(one.path).name == name]
    in_order = all(process.ending == "exit" for process in trace.processes if process.io_seconds > 0)
    return file.kind != "pipe" and file.processes <= 1 and not others and in_order


def reopened(trace: Trace, file: File) -> Way | None:
    """How one OPEN and one CLOSE leave the same bytes as many; None: not known, or they do not."""
    if not may_wait(trace, file) or len(file.opened_at) != 1 or file.closes < file.opens - 1:
        return None  # an OPEN of a connected unit leaves its position
    place = file.opened_at[0]
    at = (place.file, place.line)
    opens = [line for line in trace.lines if line.statement == "open" and (line.file, line.line) == at]
    here = [one for one in trace.files if place in one.opened_at]
    if file.unit is None or not opens or len(here) != max(line.processes for line in opens):
        return None  # several files, or several units, in turn
    if any(line.errors for line in opens):
        return None  # it waits for the file, as for a lock
    moves = {line.statement for line in trace.lines if file.id in line.files} - _AROUND
    if moves not in ({"write"}, {"read"}) or file.status not in ("", "unknown", "old", "replace"):
        return None
    asked = (file.position, moves == {"write"}, file.status == "replace")
    if asked == ("append", True, False) and file.access in ("", "sequential", "stream"):
        return "append"
    if file.access not in ("", "sequential") or file.position not in ("", "asis", "rewind"):
        return None  # REWIND and WRITE leave the end of a stream, and direct records have no beginning
    return "rewind" if file.status != "replace" else "empty" if moves == {"write"} else None
