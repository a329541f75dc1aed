"""Runs a situation: traces the program, asks for advice, and tries it."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filesystems.advised.situations import Situation

PROGRAMS = Path(__file__).resolve().parent / "programs"
ROOT = PROGRAMS.parents[3]
TRACES = 3  # of a program
_LIMIT = 300  # seconds for one command


@dataclass
class Row:
    """What came of a situation. Gains are factors of the time in I/O."""

    name: str
    truth: str
    where: str
    right: str  # the advice that would be; "": none
    first: str = ""  # the advice that came first; "": none
    others: list[str] = field(default_factory=list)
    predicted: float | None = None
    predicted_low: float | None = None
    predicted_high: float | None = None
    known: str = ""
    tried: str = ""  # the outcome of --try, for the first advice
    how: str = ""  # set from outside, or a changed program
    measured: float | None = None
    measured_low: float | None = None
    measured_high: float | None = None
    rounds: int = 0
    problem: str = ""

    @property
    def is_right(self) -> bool:
        return not self.problem and self.first == self.right

    @property
    def is_within_two(self) -> bool:
        return bool(self.predicted and self.measured and 0.5 <= self.predicted / self.measured <= 2)


def run(situation: Situation, folder: Path) -> Row:
    """In a new folder below `folder`, which is on the file system."""
    row = Row(situation.name, situation.truth, situation.where, situation.advice)
    own = folder / situation.name.replace(" ", "_").replace(",", "")
    own.mkdir()
    try:
        trace_and_advise(situation, own, row, TRACES)
        _try(situation, own, row)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        row.problem = str(error)
    return row


def trace_and_advise(situation: Situation, own: Path, row: Row, traces: int = 1) -> None:
    """Traces the program, and asks for advice about the trace with the least time in I/O. Raises RuntimeError."""
    work = own / "work"
    work.mkdir()
    compiled(situation, situation.macros, work / "program")
    variables = environment(situation, own)
    found = [_traced(situation, own, variables, number) for number in range(traces)]
    trace = min(found)[1]  # others are at work, too: they only slow down
    advised = headrace(work, variables, "advise", "--dir", ".", "--from", str(trace), "--json", "-")
    _first(row, advised["items"])


def _traced(situation: Situation, own: Path, variables: dict[str, str], number: int) -> tuple[float, Path]:
    """Seconds in I/O, and the trace; what the program wrote is removed."""
    trace, said = own / f"t{number}.headrace-trace", own / f"t{number}.json"
    options = ("--save", str(trace), "--json", str(said), "--no-advice", "--output", str(own / f"out{number}"))
    headrace(own / "work", variables, "trace", *options, *situation.start, "./program")
    for path in (own / "work").iterdir():
        if path.name != "program":
            path.unlink()
    lines = json.loads(said.read_text())["lines"]
    others = ("run time", "not Fortran")
    return sum(line["seconds_exclusive"] for line in lines if line["statement"] not in others), trace


def _try(situation: Situation, own: Path, row: Row) -> None:
    """The advice by its setting, or by the changed program."""
    work = own / "work"
    options = ["--dir", ".", "--time-budget", f"{situation.budget:g}", "--quiet", "--json", "-"]
    if situation.changed and row.first == situation.advice:
        compiled(situation, situation.changed, work / "changed")
        options += ["--changed", f"{situation.advice}=./changed"]
    command = " ".join((*situation.start, "./program"))
    tried = headrace(work, environment(situation, own), "advise", "--try", command, *options)
    _tried(row, tried["items"], bool(situation.changed))


def compiled(situation: Situation, macros: tuple[str, ...], program: Path) -> None:
    """Raises RuntimeError with what the compiler says."""
    own = ["-fallow-argument-mismatch"] if "mpif90" in situation.compiler else []
    source = PROGRAMS / f"{situation.program}.F90"
    defined = [f"-D{macro}" for macro in macros]
    words = [*situation.compiler, "-g", "-O1", *own, *defined, str(source), "-o", str(program)]
    with tempfile.TemporaryDirectory() as folder:  # h5fc leaves an object file
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()[-500:]}")


def environment(situation: Situation, own: Path) -> dict[str, str]:
    """That of the user: without variables of the run time but those of the situation."""
    found = {name: value for name, value in os.environ.items() if not name.startswith(("GFORTRAN_", "HDF5_", "ROMIO_"))}
    found |= {"HEADRACE_CACHE": str(ROOT / "build" / "test-cache"), "NO_COLOR": "1", **situation.variables}
    found |= {f"OMPI_MCA_{layer}_if_include": "lo" for layer in ("oob_tcp", "btl_tcp")}  # Open MPI leaves it out
    found |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if situation.temporary:
        (own / "temporary").mkdir(exist_ok=True)
        found["TMPDIR"] = str(own / "temporary")
    return found


def headrace(folder: Path, variables: dict[str, str], *words: str) -> dict[str, Any]:
    """The JSON that it prints, if it was asked for. Raises RuntimeError if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "headrace", *words],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=_LIMIT,
    )
    if done.returncode != 0:
        raise RuntimeError(f"headrace {' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()[-500:]}")
    return dict(json.loads(done.stdout)) if "-" in words else {}


def _first(row: Row, items: list[dict[str, Any]]) -> None:
    names = [item["change"] for item in items]
    row.first, row.others = (names[0], names[1:]) if names else ("", [])
    gain = items[0]["gain"] if items else None
    if gain:
        row.predicted, row.predicted_low, row.predicted_high = gain["factor"], gain["low"], gain["high"]
        row.known = gain["known"]


def _tried(row: Row, items: list[dict[str, Any]], is_changed: bool) -> None:
    """What the trial found of the advice that came first."""
    tried = next((item["tried"] for item in items if item["change"] == row.first and item["tried"]), None)
    if tried is None:
        row.tried = "not tried" if row.first else ""
        return
    row.how = "the changed program" if is_changed else "the setting"
    row.tried, row.rounds = tried["outcome"], tried["rounds"]
    row.measured, row.measured_low, row.measured_high = tried["factor"], tried["low"], tried["high"]
