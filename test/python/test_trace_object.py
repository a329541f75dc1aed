"""Fully static programs are linked with the object of headrace trace --object."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import start
from headrace.trace.check import check
from test_trace_truth import expectations, mismatches
from trace_programs import COUNTS, compiled, statements, traced
from trace_records import read_profile
from trace_runs import FLANG, FLANGS, LONG, STANDARD_INPUT, TRUTH, Build, tool


def builds() -> list[Build]:
    """Those of every run; HEADRACE_TEST_LONG adds more."""
    chosen = [Build("gfortran", ("-static", "-O2")), Build(FLANG, ("-static", "-O2"))]
    if LONG:
        others = [
            "gfortran",
            *(f"gfortran-{version}" for version in range(8, 17) if shutil.which(f"gfortran-{version}")),
        ]
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
    command = [
        tool(build.compiler),
        *build.options,
        str(source),
        "-o",
        str(folder / "program"),
        "@with blank/traced.link",
    ]
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


def test_the_table_of_a_static_program(tmp_path: Path) -> None:
    source = tmp_path / "counts.f90"
    source.write_text(COUNTS)
    program = linked(Build("gfortran", ("-static", "-g")), source, tmp_path)
    done = start(tmp_path, "trace", "--no-advice", "--json", "static.json", str(program))
    assert done.returncode == 0, done.stderr
    other = compiled(tmp_path, "shared", COUNTS)
    assert start(tmp_path, "trace", "--no-advice", "--json", "shared.json", str(other)).returncode == 0
    counts = [sorted(statements(traced(tmp_path / f"{name}.json"), LOOP)) for name in ("static", "shared")]
    assert counts[0] == counts[1]


LOOP = 1 + COUNTS[: COUNTS.index("write (u) x(i)")].count("\n")


def test_a_program_with_the_object_is_counted_once_if_the_library_is_loaded_too(tmp_path: Path) -> None:
    source = tmp_path / "counts.f90"
    source.write_text(COUNTS)
    program = linked(Build("gfortran", ("-g",)), source, tmp_path)
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", str(program))
    assert done.returncode == 0, done.stderr
    other = compiled(tmp_path, "other", COUNTS)
    assert start(tmp_path, "trace", "--no-advice", "--json", "o.json", str(other)).returncode == 0
    assert statements(traced(tmp_path / "t.json"), LOOP) == statements(traced(tmp_path / "o.json"), LOOP)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    done = start(tmp_path, "trace", "--object", "no/such/folder/traced")
    assert done.returncode == 2 and "no/such/folder" in done.stderr and not list(tmp_path.iterdir())
    done = start(tmp_path, "trace", "--object", "traced", "./model")
    assert done.returncode == 2 and "--object runs nothing" in done.stderr and not list(tmp_path.iterdir())
