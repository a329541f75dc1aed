"""The trace viewer format that Perfetto (ui.perfetto.dev) and chrome://tracing read. Times are in microseconds."""

import json
from pathlib import Path
from typing import Any

from headrace.whole_files import write_whole

Event = dict[str, Any]


def document(events: list[Event], program: str, version: str) -> dict[str, Any]:
    """A whole file."""
    return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": {"program": program, "version": version}}


def write_document(contents: dict[str, Any], path: Path, option: str) -> None:
    """Write the file, whole or not at all. Raises HeadraceError."""
    write_whole(path, json.dumps(contents, separators=(",", ":")) + "\n", option)


def complete(
    name: str, kind: str, process: int, thread: int, begin: float, duration: float, more: dict[str, Any]
) -> Event:
    """Something that lasts."""
    return {
        "name": name,
        "cat": kind,
        "ph": "X",
        "pid": process,
        "tid": thread,
        "ts": round(begin, 3),
        "dur": round(duration, 3),
        "args": more,
    }


def counter(name: str, process: int, time: float, values: dict[str, float]) -> Event:
    """A curve's next value."""
    return {"name": name, "ph": "C", "pid": process, "tid": 0, "ts": round(time, 3), "args": values}


def named(what: str, process: int, thread: int, name: str) -> Event:
    """What a track is called: `what` is process_name or thread_name."""
    return {"name": what, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}
