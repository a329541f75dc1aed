"""The library of `headrace run` in the processes that are timed: how it gets there, and what it says it did."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from headrace.results.records import Operation
from headrace.trace.installed import LIBRARIES, RUN_LIBRARY, library_path
from headrace.trace.nodes import RUN
from headrace.trace.start import preloading

PROGRAM = "statements.f90"  # whose own statements are not timed
_STATISTICS = f"{RUN}_STATISTICS"


@dataclass
class TakenOver:
    """Statements of a process."""

    taken_over: int = 0
    left: int = 0
    reasons: list[str] = field(default_factory=list)
    why_not_active: str = ""


class Library:
    """Raises HeadraceError if it was not built."""

    def __init__(self) -> None:
        # What a user has chosen for own programs is not what is measured.
        self._ours = {name for name in os.environ if name.startswith((RUN, "HEADRACE_TRACE"))} - {*LIBRARIES.values()}
        self._loaded = preloading(str(library_path(RUN_LIBRARY)), {})

    def loaded(self, statistics: Path | None = None) -> dict[str, str]:
        """The environment of a program with the library."""
        more = {_STATISTICS: str(statistics)} if statistics is not None else {}
        return self._plain(self._loaded) | {RUN: "1"} | more

    def absent(self) -> dict[str, str]:
        """That of the same program without it; what else is preloaded stays."""
        others = self._loaded["LD_PRELOAD"].split(":")[1:]
        return self._plain(self._loaded) | {"LD_PRELOAD": ":".join(others)}

    def _plain(self, environment: dict[str, str]) -> dict[str, str]:
        """Threads that wait use no processor time."""
        return {n: v for n, v in environment.items() if n not in self._ours} | {"OMP_WAIT_POLICY": "passive"}

    def counted(self, folder: Path, operation: Operation) -> TakenOver:
        """Of the statements that are timed: neither those around them, nor the WRITE of what is read."""
        found = TakenOver()
        files = sorted(folder.glob("run.*.json"))
        if not files:
            set_here = sorted(name for name in os.environ if name.startswith("GFORTRAN_"))
            found.why_not_active = "; ".join(["it left no statistics", *(f"{name} is set" for name in set_here)])
        for path in files:
            process = json.loads(path.read_bytes().decode(errors="replace"))
            if not process.get("active", True):
                notes = [process.get("why_not_active", ""), *process.get("notes", [])]
                found.why_not_active = "; ".join(filter(None, notes)) or "no reason is given"
            for site in process.get("sites", []):
                if site["statement"] != operation or Path(site["file"]).name == PROGRAM:
                    continue
                found.taken_over += site["taken_over"]
                found.left += site["left"]
                if site["left"] and site["reason"] and site["reason"] not in found.reasons:
                    found.reasons.append(site["reason"])
        return found
