"""Fully static programs are linked with the object of headrace trace --object."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import start
from headrace.trace.check import check
from test_trace_truth import expectations, mismatches
from trace_interposer import WARNINGS
from trace_programs import COUNTS, compiled, traced
from trace_records import read_profile
from trace_runs import FLANG, FLANGS, LONG, STANDARD_INPUT, TRUTH, Build, preloaded, tool


def builds() -> list[Build]:
    """Those of every run; HEADRACE_TEST_LONG adds more."""
    chosen = [Build("gfortran", ("-static", "-O2")), Build(FLANG, ("-static", "-O2"))]
    if LONG:
        versions = [f"gfortran-{version}" for version in range(8, 17)]
        others = ["gfortran", *filter(shutil.which, versions)]
        more = ("-static -O0", "-static -O3 -flto", "-static-pie -O2", "-O2", "-static-libgfortran -O2")
        chosen += [Build(name, tuple(options.split())) for name in others for options in more]
        chosen += [Build(name, tuple(options.split())) for name in FLANGS for options in ("-static -O0", "-O1")]
    return chosen


def run(program: Path, work: Path, profiles: Path | None) -> tuple[int, bytes, bytes, dict[str, bytes]]:
    work.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "HEADRACE_TRACE_DIRECTORY"}
    if profiles:
        profiles.mkdir()
        environment["HEADRACE_TRACE_DIRECTORY"] = str(profiles)
    done = subprocess.run(
        [program], input=STANDARD_INPUT.encode(), capture_output=True, cwd=work, env=environment, timeout=120
    )
    files = {str(path.relative_to(work)): path.read_bytes() for path in work.rglob("*") if path.is_file()}
    return done.returncode, done.stdout, done.stderr, files


def linked(build: Build, source: Path, folder: Path) -> Path:
    """A program with the object in it, from a path with a blank."""
    own = folder / "with blank"
    own.mkdir()
    done = start(own, "trace", "--object", "traced.o")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "@traced.link" in done.stdout
    assert sorted(path.name for path in own.iterdir()) == ["traced.a", "traced.link", "traced.o"]
    options = ["-o", str(folder / "program"), "@with blank/traced.link"]
    command = [tool(build.compiler), *build.options, str(source), *options]
    subprocess.run(command, check=True, cwd=folder, timeout=300)
    return folder / "program"


@pytest.mark.parametrize("build", builds(), ids=str)
def test_counts_of_every_line(build: Build, tmp_path: Path) -> None:
    program = linked(build, TRUTH, tmp_path)
    alone = run(program, tmp_path / "alone", None)
    assert run(program, tmp_path / "traced", tmp_path / "profiles") == alone
    (profile,) = (read_profile(path) for path in (tmp_path / "profiles").iterdir())
    assert mismatches(build, TRUTH, profile.records) == []
    assert profile.note == "" and len(expectations(TRUTH, build)) >= 120
    found = check(str(program))
    assert found.can_trace and found.sentence.startswith("linked with the object of headrace trace --object")


def counted(program: Path) -> list[tuple[int, str, int]]:
    """Line, statement and count of all that headrace trace says of a program."""
    folder = program.with_name(program.name + "-runs")
    folder.mkdir()
    done = start(folder, "trace", "--no-advice", "--json", "t.json", str(program))
    assert done.returncode == 0, done.stderr
    rows = traced(folder / "t.json")["lines"]
    return sorted((row["line"], row["statement"], row["statements"]) for row in rows if row["line"])


@pytest.mark.parametrize("options", ["-static -g", "-g"])
def test_the_table_is_that_of_a_program_without_the_object(options: str, tmp_path: Path) -> None:
    """Without -static the library is loaded too: all is counted once."""
    source = tmp_path / "counts.f90"
    source.write_text(COUNTS)
    program = linked(Build("gfortran", tuple(options.split())), source, tmp_path)
    counts = counted(program)
    assert counts == counted(compiled(tmp_path, "shared", COUNTS))
    assert len(counts) >= 20


# Run times call what is wrapped themselves: random_init and quadruple precision, namelists and flush.
SMALL = """\
program small
   integer :: i = 0
   namelist /settings/ i
   call random_init(.true., .true.)
   read (*, nml=settings)
   if (i == 7) stop 3
end program small
"""


@pytest.mark.parametrize("build", [Build("gfortran", ("-static",)), Build(FLANG, ("-static",))], ids=str)
def test_a_program_of_which_the_run_time_needs_more_than_it_calls(build: Build, tmp_path: Path) -> None:
    source = tmp_path / "small.f90"
    source.write_text(SMALL)
    program = linked(build, source, tmp_path)
    done = subprocess.run([program], input=b"&settings i=7 /\n", capture_output=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 3, done.stderr


def test_what_cannot_be_written(tmp_path: Path) -> None:
    done = start(tmp_path, "trace", "--object", "no/such/folder/traced")
    assert done.returncode == 2 and "no/such/folder" in done.stderr and not list(tmp_path.iterdir())
    done = start(tmp_path, "trace", "--object", "traced", "./model")
    assert done.returncode == 2 and "--object runs no program" in done.stderr and not list(tmp_path.iterdir())


@pytest.mark.parametrize("source", preloaded(), ids=lambda path: path.stem)
def test_the_compiler_has_no_warning(source: Path) -> None:
    options = ("-std=gnu11", *(("-O2",) if LONG else ()), *WARNINGS)
    subprocess.run(
        [tool("gcc"), *options, "-c" if LONG else "-fsyntax-only", str(source), "-o", os.devnull], check=True
    )
