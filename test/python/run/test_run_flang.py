"""Programs of LLVM flang leave the same with and without the library of `headrace run`.

Those of test/run/programs that flang compiles, and random and edge values through every form that is taken over. Every
fourth program here, all of them in every mode with HEADRACE_TEST_LONG=1.
"""

import json
import subprocess
from pathlib import Path

import pytest

from conftest import COMPILERS
from headrace.errors import HeadraceError
from headrace.measure.build import build_program
from headrace.results.run import Compiler
from headrace.run.launch import why_not_taken_over
from run_identity import MODES, SINKS, Allowed, Case, compare, run_once, variables_of
from run_programs import OUTSIDE, SOURCES, Program, programs
from trace_runs import LONG, tool

pytest_plugins = ("run_library",)

# They name what only gfortran has, or what flang 19 does not know, or need its OpenMP library, which is not everywhere.
NOT_COMPILED = {
    "bytes/looked_at",
    "bytes/random_walk",
    "bytes/read_in_many_ways",
    "lists/namelist_output",
    "outside/c_writes_to_the_descriptor",
    "outside/closed_descriptor",
    "state/last_error_of_the_system",
    "state/other_lengths",
    "threads/looked_at_while_others_rewind",
    "units/ftell_and_fseek",
    "units/record_length_limits",
    "units/renamed_and_removed_while_open",
    "units/working_directory_changes",
}
PROGRAMS = [program for program in programs() if program.name not in NOT_COMPILED]
UNORDERED = frozenset({"file shared.txt"})
SHORT = ("default", "every statement checked")


@pytest.fixture(scope="module")
def llvm() -> Compiler:
    """flang, or a skip."""
    for compiler in COMPILERS:
        if compiler.vendor == "llvm":
            return compiler
    pytest.skip("flang is not installed")


def built(compiler: Compiler, path: Path, flags: tuple[str, ...] = (), *more: Path) -> Path:
    """The executable, without the options that are gfortran's own."""
    known = [flag for flag in flags if not flag.startswith(("-f", "-g", "-std", "-W"))]
    objects = [str(one) for one in more]
    return build_program(compiler.model_copy(update={"flags": ["-O1", "-w", *known, *objects]}), [path], path.stem)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C of some programs, which flang does not compile."""
    made = tmp_path_factory.mktemp("outside") / "outside.o"
    subprocess.run([tool("gcc"), "-O1", "-c", str(OUTSIDE), "-o", str(made)], check=True)
    return made


THREADS = """
#include <pthread.h>
void work(int *number);
static void *go(void *number) { work(number); return 0; }
void run_threads(void)
{
    static int numbers[4] = {0, 1, 2, 3};
    pthread_t all[4];
    for (int i = 0; i < 4; ++i) pthread_create(&all[i], 0, go, &numbers[i]);
    for (int i = 0; i < 4; ++i) pthread_join(all[i], 0);
}
"""


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """C that calls `work` on four threads: flang's OpenMP library is not everywhere."""
    made = tmp_path_factory.mktemp("threads") / "threads.o"
    command = [tool("gcc"), "-O1", "-x", "c", "-c", "-", "-o", str(made)]
    subprocess.run(command, input=THREADS, text=True, check=True)
    return made


def statistics_of(folder: Path) -> dict[str, object]:
    [path] = (folder / "statistics").glob("run.*.json")
    found = json.loads(path.read_text())
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("program", PROGRAMS if LONG else PROGRAMS[::4], ids=lambda program: program.name)
def test_it_leaves_the_same(program: Program, llvm: Compiler, outside: Path, run_library: Path, tmp_path: Path) -> None:
    executable = built(llvm, program.path, program.flags, *([outside] if program.needs_c else []))
    said = []
    for case in program.cases:
        run = program.case(executable, case)
        if LONG:
            found = compare(run, tmp_path, run_library, MODES, lambda mode: SINKS)
        else:
            found = compare(run, tmp_path, run_library, SHORT, lambda mode: ("pipe",))
        said += [f"{case}: {one}" if case else one for one in found.differences]
    assert not said, "\n".join([f"{program.path}", *said])


@pytest.mark.parametrize("name", sorted(NOT_COMPILED))
def test_what_is_left_out_does_not_compile(name: str, llvm: Compiler, outside: Path) -> None:
    [program] = [program for program in programs() if program.name == name]
    with pytest.raises(HeadraceError):
        built(llvm, program.path, program.flags, *([outside] if program.needs_c else []))


def test_random_values_are_the_same_in_every_form(llvm: Compiler, run_library: Path, tmp_path: Path) -> None:
    executable = built(llvm, SOURCES / "flang" / "random_values.f90")
    case = Case(executable, (str(100_000 if LONG else 3_000),), seconds=600)
    plain = run_once(case, tmp_path)
    assert plain.status == 0 and not plain.errors and len(plain.files) == 3
    for checks in ("16", "all"):
        variables = variables_of("statistics", tmp_path, run_library) | {"HEADRACE_RUN_CHECK": checks}
        changed = run_once(case, tmp_path, environment=variables)
        assert changed.parts() == plain.parts(), checks
        found = statistics_of(tmp_path)
        sites = found["sites"]
        assert isinstance(sites, list) and found["run_time"] == "LLVM flang"
        taken, left = (sum(site[which] for site in sites) for which in ("taken_over", "left"))
        assert taken > 30 * int(case.arguments[0]) and left < taken / 200
        assert sum(site["different"] for site in sites) == 0
        if checks == "all":
            assert sum(site["checked"] for site in sites) > 0.99 * taken


@pytest.mark.parametrize("name", ["lists_that_break", "long_statements", "threads_of_c"])
def test_programs_of_its_own_leave_the_same(
    name: str, llvm: Compiler, threads: Path, run_library: Path, tmp_path: Path
) -> None:
    more = [threads] if name == "threads_of_c" else []
    case = Case(built(llvm, SOURCES / "flang" / f"{name}.f90", (), *more), allowed=Allowed(unordered=UNORDERED))
    found = compare(case, tmp_path, run_library, MODES if LONG else SHORT)
    assert found.plain is not None and found.plain.status == 0 and not found.plain.errors
    assert not found.differences, "\n".join(found.differences)


def test_an_error_reaches_the_program_as_without_it(llvm: Compiler, run_library: Path, tmp_path: Path) -> None:
    executable = built(llvm, SOURCES / "flang" / "file_limit.f90")
    limited = tmp_path / "limited"
    limited.write_text(f"#!/bin/sh\ntrap '' XFSZ\nulimit -f 32\nexec {executable}\n")
    limited.chmod(0o755)
    found = compare(Case(limited), tmp_path, run_library, SHORT, lambda mode: ("pipe",))
    assert found.plain is not None and found.plain.status == 7 and b"too large" in found.plain.output
    assert not found.differences, "\n".join(found.differences)


FORMS = """
program forms
   integer :: i, status
   character(80) :: message
   open (10, file="forms.txt")
   do i = 1, 100
      write (10, "(i8,f12.4)") i, i * 0.5
      write (10, *) "list", i, i * 0.25
      write (10, "(i8)", iostat=status, iomsg=message) i
      write (10, "(i8)", advance="no") i
      write (10, "(g0)") i
      write (10, "(a)") "two" // new_line("a") // "lines"
      write (10, *) (1.0, 2.0)
   end do
   inquire (10, nextrec=i)
   rewind (10)
   do i = 1, 700
      read (10, *)
   end do
   read (10, *, iostat=status)
   print *, status
end program forms
"""


def test_what_is_taken_over_and_what_is_left(llvm: Compiler, run_library: Path, tmp_path: Path) -> None:
    source = tmp_path / "forms.f90"
    source.write_text(FORMS)
    case = Case(built(llvm, source))
    assert why_not_taken_over(str(case.executable)) == ""
    plain = run_once(case, tmp_path)
    changed = run_once(case, tmp_path, environment=variables_of("statistics", tmp_path, run_library))
    assert changed.parts() == plain.parts() and plain.status == 0
    sites = statistics_of(tmp_path)["sites"]
    assert isinstance(sites, list)
    taken = {site["line"]: site["taken_over"] for site in sites}
    assert min(taken[line] for line in (7, 8)) > 90 and not any(taken.get(line) for line in (9, 10, 11, 12, 13))
    reasons = {site["line"]: site["reason"] for site in sites}
    assert "Advance" in reasons[10] and "line feed" in reasons[12] and "type" in reasons[13]


@pytest.mark.parametrize("variable", ["FORT_FMT_RECL", "DEFAULT_UTF8"])
def test_a_variable_that_changes_its_text_leaves_it_alone(
    variable: str, llvm: Compiler, run_library: Path, tmp_path: Path
) -> None:
    executable = built(llvm, SOURCES / "flang" / "random_values.f90")
    case = Case(executable, ("50",), environment=((variable, "60"),))
    plain = run_once(case, tmp_path)
    changed = run_once(case, tmp_path, environment=variables_of("statistics", tmp_path, run_library))
    assert changed.parts() == plain.parts()
    found = statistics_of(tmp_path)
    assert variable in str(found["notes"]) and found["text_handed_over"] == 0


def test_call_flush_is_heeded_at_once(llvm: Compiler, run_library: Path, tmp_path: Path) -> None:
    source = tmp_path / "flushes.f90"
    source.write_text(
        'program flushes\n integer :: i\n open(10, file="flushed.txt")\n do i = 1, 50\n write(10, "(i5)") i\n end do\n'
        ' call flush(10)\n call execute_command_line("cat flushed.txt")\n write(10, "(a)") "more"\nend program\n'
    )
    case = Case(built(llvm, source))
    plain = run_once(case, tmp_path)
    changed = run_once(case, tmp_path, environment=variables_of("default", tmp_path, run_library))
    assert changed.parts() == plain.parts() and plain.output.count(b"\n") == 50


def test_it_is_faster_in_what_it_takes_over(llvm: Compiler, run_library: Path, tmp_path: Path) -> None:
    """Not a measurement: the run time is called less often than once in ten statements."""
    executable = built(llvm, SOURCES / "flang" / "random_values.f90")
    case = Case(executable, ("500",))
    run_once(case, tmp_path, environment=variables_of("statistics", tmp_path, run_library))
    found = statistics_of(tmp_path)
    sites, calls = found["sites"], found["hand_overs"]
    assert isinstance(sites, list) and isinstance(calls, int)
    assert calls < sum(site["taken_over"] for site in sites) / 10
