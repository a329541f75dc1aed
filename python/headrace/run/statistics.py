"""What the processes of a run took over: the files that intercept/run/statistics.cpp leaves, summed over processes."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

# Forms of statements, as intercept/run/statistics.cpp names them.
UNFORMATTED_STREAM, UNFORMATTED_DIRECT = "unformatted stream", "unformatted direct"
FLANG = "LLVM flang"  # the run time that a process names


class Site(BaseModel):
    """One statement of the source."""

    model_config = ConfigDict(extra="ignore")

    file: str
    line: int
    statement: str
    form: str
    format: str = ""
    taken_over: int = Field(description="statements that were taken over")
    left: int = Field(description="statements that the run time did itself")
    reason: str = Field(default="", description="why they were left")
    values: int = 0
    bytes: int = Field(default=0, description="of text, or of the file")
    checked: int = Field(default=0, description="statements whose text was compared with the run time's")
    different: int = 0

    @property
    def place(self) -> str:
        return f"{Path(self.file).name}:{self.line}"


class Process(BaseModel):
    """What one process left."""

    model_config = ConfigDict(extra="ignore")

    program: str = ""
    pid: int = 0
    host: str = ""
    run_time: str = ""
    active: bool = True
    why_not_active: str = ""
    text_handed_over: int = 0
    hand_overs: int = 0
    errors_hidden_by_the_run_time: int = 0
    notes: list[str] = []
    sites: list[Site] = []
    strings: dict[str, int] = {}


class Saved(BaseModel):
    """Processor seconds."""

    compiler: str = Field(default="gfortran", description="whose run time that is")
    run_time_alone: float = Field(description="that the run time would need for what was taken over")
    processor_seconds: float = Field(description="that the program used, with all its processes on this machine")
    at_least: float = Field(description="saved if all that the program used was spent on I/O")
    at_most: float = Field(description="saved if what was taken over had cost nothing")
    known_from: str = Field(description="where the costs come from")
    without_costs: int = Field(default=0, description="statements for which nothing is known")


class Statistics(BaseModel):
    """Of a run."""

    headrace_run: int = 1
    command: list[str] = []
    exit_code: int = 0
    processes: list[Process] = Field(description="those in which a Fortran statement ran; sites are in `sites`")
    sites: list[Site] = Field(description="summed over processes, those with most values first")
    errors_hidden_by_the_run_time: int = 0
    strings: dict[str, int] = {}
    saved: Saved | None = None
    notes: list[str] = []
    why_nothing: str = Field(default="", description="why nothing of the program itself could be taken over")

    @property
    def taken_over(self) -> int:
        return sum(site.taken_over for site in self.sites)

    @property
    def left(self) -> int:
        return sum(site.left for site in self.sites)


def collected(folder: Path) -> Statistics:
    """Of all files in a directory; one that is cut or damaged is said in the notes."""
    processes: list[Process] = []
    notes: list[str] = []
    for path in sorted(folder.glob("run.*.json")):
        try:
            found = Process.model_validate(json.loads(path.read_bytes().decode(errors="replace")))
        except (ValueError, ValidationError, OSError):
            notes.append(f"{path.name}: cut off or damaged, so what this process did is missing")
            continue
        if found.sites or not found.active or found.notes:
            processes.append(found)
    sites = _summed(site for process in processes for site in process.sites)
    for process in processes:
        name = Path(process.program).name
        said = [*process.notes, *[f"not active: {process.why_not_active}"] * bool(process.why_not_active)]
        notes += [f"{name}: {one}" for one in said]
        process.sites = []
    strings: dict[str, int] = {}
    for process in processes:
        for what, count in process.strings.items():
            strings[what] = strings.get(what, 0) + count
    hidden = sum(process.errors_hidden_by_the_run_time for process in processes)
    return Statistics(
        processes=processes,
        sites=sites,
        errors_hidden_by_the_run_time=hidden,
        strings=strings,
        notes=list(dict.fromkeys(notes)),
    )


def _summed(sites: Iterable[Site]) -> list[Site]:
    sums: dict[tuple[Any, ...], Site] = {}
    for site in sites:
        known = sums.setdefault((site.file, site.line, site.statement, site.form, site.format), site)
        if known is not site:
            for name in ("taken_over", "left", "values", "bytes", "checked", "different"):
                setattr(known, name, getattr(known, name) + getattr(site, name))
            known.reason = known.reason or site.reason
    return sorted(sums.values(), key=lambda site: (-site.values, -site.taken_over, site.file, site.line))
