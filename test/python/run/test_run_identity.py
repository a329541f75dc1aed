"""Every program of test/run/programs leaves the same with and without the library of `headrace run`.

The same are its files, standard output and error, and its exit status, in every mode of the library. Each program is
compiled with -O0 or -O2 here and run in three of the modes; with both, for every mode and every kind of standard
output, with HEADRACE_TEST_LONG=1. Without the library it must end as its first lines say, and leave something to be
compared.
"""

import os
import subprocess
from pathlib import Path

import pytest

from conftest import RUN_TIME
from headrace.results.run import Compiler
from run_identity import AT_ONCE, MODES, SINKS, Comparison, compare
from run_programs import LEVELS, Program, compiled, programs
from trace_runs import LONG

pytest_plugins = ("run_library",)

PROGRAMS = programs()


def some_modes(number: int) -> list[str]:
    """Of the program with this number: one mode that all have, and two of the others, each in its turn."""
    others = [mode for mode in MODES if mode != AT_ONCE]
    return [AT_ONCE, others[number % len(others)], others[(number + 1 + number // len(others)) % len(others)]]


def builds() -> list[tuple[Program, str]]:
    """Each with one level of optimization, or with both."""
    return [
        (program, level)
        for number, program in enumerate(PROGRAMS)
        for level in (LEVELS if LONG else (LEVELS[number % 2],))
    ]


@pytest.mark.parametrize(("program", "level"), builds(), ids=lambda value: getattr(value, "name", value))
def test_it_leaves_the_same(program: Program, level: str, gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    executable = compiled(program, gnu, level)
    said = []
    for case in program.cases:
        run = program.case(executable, case)
        if LONG:
            found = compare(run, tmp_path, run_library, MODES, lambda mode: SINKS)
        else:
            found = compare(run, tmp_path, run_library, some_modes(PROGRAMS.index(program)))
        said += [f"{case}: {one}" if case else one for one in found.differences]
        said += plain_faults(program, case, found)
    assert not said, "\n".join([f"{program.path}", *said])


def plain_faults(program: Program, case: str, found: Comparison) -> list[str]:
    """What is wrong with the program itself: it would compare less than it seems to."""
    plain = found.plain
    assert plain is not None
    said = [f"{case}: {name} is not reproducible without the library" for name in sorted(found.not_reproducible)]
    if plain.status != program.expected_exit(case):
        said.append(f"{case}: it ended with {plain.status}, not {program.expected_exit(case)}: {plain.errors!r}")
    if bool(plain.errors) and not program.may_say_errors:
        said.append(f"{case}: it says on standard error: {plain.errors!r}")
    if not plain.output and not any(entry.content for entry in plain.files.values()):
        said.append(f"{case}: it leaves nothing to compare")
    return said


def test_programs_load_the_run_time_that_is_named(gnu: Compiler) -> None:
    environment = os.environ | {"LD_TRACE_LOADED_OBJECTS": "1"}
    executable = compiled(PROGRAMS[0], gnu, LEVELS[0])
    said = subprocess.run([executable], env=environment, capture_output=True, text=True, check=True).stdout
    assert f"libgfortran.so.5 => {RUN_TIME}/" in said if RUN_TIME else "libgfortran.so.5 => /" in said, said


def test_there_are_enough_programs() -> None:
    assert len(PROGRAMS) >= 120
