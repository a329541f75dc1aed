"""The seconds of each line are those that the program measures around the same statements."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import start
from trace_programs import traced
from trace_runs import FLANG, ROOT, Build, compiled

SOURCE = ROOT / "test" / "intercept" / "two_clocks.f90"
TOLERANCE = 0.03
# A statement: those that run inside of its I/O list.
INSIDE = {"outer": ("inner", "inner_internal"), "parent": ("child",)}
# Both clocks run over the same interval, so load changes both alike, unless the process is put aside between the two.
# That is rare, and not the same in every run; a wrong count of time is.
RUNS = 4


@dataclass(frozen=True)
class Clocks:
    """The seconds of each name, with and without the statements inside."""

    program: dict[str, float]
    whole: dict[str, float]
    exclusive: dict[str, float]

    def differences(self) -> dict[str, float]:
        """Those of trace to those of the program, as a part of the latter; exclusive ones have 'own' in the name."""
        found = {name: self.whole[name] / seconds - 1 for name, seconds in self.program.items()}
        for name, seconds in self.program.items():
            own = seconds - sum(self.program[inside] for inside in INSIDE.get(name, ()))
            # Of the statement's whole: its own part may be small, and the error of a clock is that of the whole.
            found[f"own {name}"] = (self.exclusive[name] - own) / seconds
        outermost = set(self.program) - {inside for names in INSIDE.values() for inside in names}
        found["sum"] = sum(self.exclusive.values()) / sum(self.program[name] for name in outermost) - 1
        return found


def measured(program: Path, directory: Path) -> Clocks:
    """One run, by both clocks."""
    directory.mkdir()
    done = start(directory, "trace", "--json", "t.json", "--output", "table", str(program))
    assert done.returncode == 0, done.stderr
    by_program = {name: float(seconds) for name, seconds in (line.split() for line in done.stdout.splitlines())}
    rows = traced(directory / "t.json")["lines"]
    whole, exclusive = {}, {}
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
        if name := re.search(r"! time (\w+)$", text):
            here = [row for row in rows if row["line"] == number and Path(row["file"]).name == SOURCE.name]
            assert here, f"{text.strip()} is not in the trace"
            whole[name[1]] = sum(row["seconds"] for row in here)
            exclusive[name[1]] = sum(row["seconds_exclusive"] for row in here)
    assert set(whole) == set(by_program) and len(whole) == 11
    return Clocks(by_program, whole, exclusive)


@pytest.mark.parametrize("build", [Build("gfortran", ("-O2",)), Build(FLANG, ("-O2",))], ids=str)
def test_seconds_of_every_line_are_those_of_the_program(build: Build, tmp_path: Path) -> None:
    program = compiled(build, SOURCE, tmp_path / "build" / "two_clocks")
    closest: dict[str, float] = {}
    for number in range(RUNS):
        for name, difference in measured(program, tmp_path / f"run{number}").differences().items():
            closest[name] = min(closest.get(name, difference), difference, key=abs)
        if max(map(abs, closest.values())) <= TOLERANCE:
            return
    assert {name: f"{part:+.2%}" for name, part in closest.items() if abs(part) > TOLERANCE} == {}


def test_time_that_is_counted_twice_would_be_seen() -> None:
    """The comparison itself: the program's clocks are known, and trace counts the nested seconds in both lines."""
    program = {"outer": 3.0, "inner": 1.0, "inner_internal": 1.0, "parent": 1.1, "child": 1.0}
    right = Clocks(program, program, program | {"outer": 1.0, "parent": 0.1})
    assert max(map(abs, right.differences().values())) < 1e-12
    twice = Clocks(program, program, program).differences()
    assert twice["own outer"] > TOLERANCE and twice["own parent"] > TOLERANCE and twice["sum"] > TOLERANCE
