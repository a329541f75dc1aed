"""`headrace run` does no harm to programs with threads, several run times, unloaded libraries and little memory.

Nor to those that longjmp out of an I/O list, or filter system calls. Each program of test/run/harm leaves the same
files, output, errors and exit status with and without the library.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import RUN_TIME
from headrace.results.run import Compiler
from run_identity import Allowed, Case, compare
from run_programs import SOURCES
from trace_runs import LONG, ROOT, tool

pytest_plugins = ("run_library",)

HARM = ROOT / "test" / "run" / "harm"
# Of gfortran 15: they have a call and a type in arrays of their own. No file, since linters know no UNSIGNED.
UNSIGNED = """\
program unsigned_integers
   implicit none
   unsigned :: one = 4294967295u, many(4) = [1u, 4000000000u, 3u, 7u], other, others(4)
   unsigned(1) :: small(3) = [255u_1, 1u_1, 128u_1]
   unsigned(8) :: large = 18446744073709551615u_8
   integer :: i, j, signed(3) = [1, -2, 3], number
   real(8) :: x = 1.5d0
   character(60) :: text
   open (10, file="unsigned.txt")
   do i = 1, 60
      write (10, *) i, one, x
      write (10, "(i0,1x,i20,3i12)") i, large, signed
      write (10, *) many
      write (10, "(4i12)") many
      write (10, "(g0,1x,g0,z10,o12,b33)") one, x, one, one, one
      write (10, *) x, one, many, signed, small
      write (10, "(3(i0,','))") (many(j), j=1, 3)
      write (10, "(3i4)") small
      write (10, "(i3)") one
      write (10, "(3i8)") signed
      write (text, "(i12)") one
      write (10, "(a)") text
      write (text, *, iostat=number) many
      write (10, *) text, number
   end do
   rewind (10)
   do i = 1, 60
      read (10, *) number, other, x
      print *, number, other, x
      read (10, *) number, large, signed
      print *, number, large, signed
      read (10, *) others
      print *, others
      read (10, "(4i12)") others
      print "(4i12)", others
      do j = 1, 7
         read (10, "(a)") text
      end do
      read (text, "(i12)", iostat=number) other
      print *, other, number
      read (10, "(a)") text
   end do
   close (10)
   open (11, file="unsigned.bin", form="unformatted")
   do i = 1, 60
      write (11) i, one, many, x
      write (11) small, large, (many(j), j=1, 4)
   end do
   rewind (11)
   do i = 1, 60
      read (11) number, other, others, x
      print *, number, other, others, x
      read (11) small, large, (others(j), j=1, 4)
      print *, small, large, others
   end do
end program unsigned_integers
"""
assert SOURCES.is_dir()
MODES = ("default", "statistics")


def made(folder: Path, gnu: Compiler, *sources: str, flags: tuple[str, ...] = ()) -> Path:
    """An executable of these files of test/run/harm."""
    objects = []
    for source in sources:
        target = folder / f"{source}.o"
        compiler = gnu.path if source.endswith(".f90") else tool("gcc")
        extra = ["-J", str(folder), *flags] if source.endswith(".f90") else []
        subprocess.run([compiler, "-O1", *extra, "-c", str(HARM / source), "-o", str(target)], check=True)
        objects.append(str(target))
    program = folder / "program"
    subprocess.run([gnu.path, *flags, *objects, "-o", str(program), "-lpthread"], check=True)
    return program


def library(folder: Path, gnu: Compiler, name: str, run_time: Path | None = None) -> Path:
    """A shared library of unloaded.f90 that writes to NAME.txt, linked with gfortran's run time or with this one."""
    target = folder / f"lib{name}.so"
    source = HARM / "unloaded.f90"
    command = [gnu.path, "-cpp", f'-DNAME="{name}.txt"', "-O1", "-fPIC", "-ffree-line-length-none"]
    command += ["-J", str(folder)]
    if run_time is None:
        subprocess.run([*command, "-shared", str(source), "-o", str(target)], check=True)
        return target
    subprocess.run([*command, "-c", str(source), "-o", str(folder / f"{name}.o")], check=True)
    linked = [str(folder / f"{name}.o"), "-o", str(target), str(run_time), f"-Wl,-rpath,{run_time.parent}"]
    subprocess.run([tool("gcc"), "-shared", *linked], check=True)
    return target


def preload(folder: Path, source: str) -> Path:
    target = folder / f"{source}.so"
    subprocess.run([tool("gcc"), "-O1", "-shared", "-fPIC", str(HARM / source), "-o", str(target), "-ldl"], check=True)
    return target


def check(case: Case, tmp_path: Path, run_library: Path) -> None:
    found = compare(case, tmp_path / "runs", run_library, MODES)
    assert found.plain is not None and found.plain.status == 0, found.plain
    assert not found.differences, "\n".join(found.differences)


def test_threads_that_flush_one_unit_end(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = made(tmp_path, gnu, "flushing_threads.f90", flags=("-fopenmp",))
    allowed = Allowed(unordered=frozenset({"file a.txt"}), varies=frozenset({"file a.txt"}))
    for _ in range(3):
        check(Case(program, allowed=allowed, seconds=20), tmp_path, run_library)


@pytest.mark.parametrize("what", ["file", "unit", "open", "ftell"])
def test_a_look_while_another_thread_waits_ends(what: str, gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = made(tmp_path, gnu, "waiting_threads.f90", flags=("-fopenmp",))
    check(Case(program, (what,), seconds=20), tmp_path, run_library)


def test_a_thread_that_starts_in_a_list_waits_for_its_record(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = made(tmp_path, gnu, "thread_in_a_list.f90", "thread_in_a_list.c", flags=("-frecursive",))
    allowed = Allowed(unordered=frozenset({"file records.txt"}))
    check(Case(program, allowed=allowed, seconds=20), tmp_path, run_library)


def test_the_program_ends_while_threads_write(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = made(tmp_path, gnu, "threads_at_the_end.f90", "threads_at_the_end.c", flags=("-frecursive",))
    environment = os.environ | {"HEADRACE_RUN": "1", "LD_PRELOAD": str(run_library)}
    for _ in range(5):
        # What the threads do while the run time closes its units is nobody's to say: gfortran may report SIGSEGV then.
        done = subprocess.run([program], cwd=tmp_path, env=environment, capture_output=True, timeout=20)
        assert b"bye" in done.stdout


@pytest.mark.parametrize("names", [("aa",), ("aa", "bb")])
def test_unloaded_libraries(names: tuple[str, ...], gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = tmp_path / "loads"
    subprocess.run([tool("gcc"), str(HARM / "loads.c"), "-o", str(program), "-ldl"], check=True)
    libraries = tuple(str(library(tmp_path, gnu, name)) for name in names)
    check(Case(program, libraries, seconds=20), tmp_path, run_library)


def test_two_run_times_with_the_same_unit_number(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    asked = subprocess.run([gnu.path, "-print-file-name=libgfortran.so.5"], capture_output=True, text=True, check=True)
    run_time = Path(RUN_TIME, "libgfortran.so.5") if RUN_TIME else Path(asked.stdout.strip())
    renamed = run_time.read_bytes().replace(b"libgfortran.so.5\0", b"libgfortrax.so.5\0")
    (tmp_path / "two").mkdir()
    other = tmp_path / "two" / "libgfortrax.so.5"
    other.write_bytes(renamed)
    program = tmp_path / "loads"
    subprocess.run([tool("gcc"), str(HARM / "loads.c"), "-o", str(program), "-ldl"], check=True)
    libraries = str(library(tmp_path, gnu, "aa")), str(library(tmp_path, gnu, "bb", other))
    check(Case(program, libraries, environment=(("KEEP", "1"),), seconds=20), tmp_path, run_library)


def test_lists_that_longjmp_leaves(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    check(Case(made(tmp_path, gnu, "thrown.f90", "thrown.c"), seconds=20), tmp_path, run_library)


def test_integers_without_a_sign(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    if int(gnu.version.split(".")[0]) < 15:
        pytest.skip("needs gfortran 15")
    (tmp_path / "unsigned.f90").write_text(UNSIGNED)
    subprocess.run([gnu.path, "-funsigned", "unsigned.f90", "-o", "program"], cwd=tmp_path, check=True)
    found = compare(Case(tmp_path / "program", seconds=20), tmp_path / "runs", run_library)
    assert found.plain is not None and found.plain.status == 0, found.plain
    assert not found.differences, "\n".join(found.differences)


def peak(program: Path, folder: Path, environment: dict[str, str]) -> int:
    """Most memory that the program had, in KiB, as it says itself: what wait4 tells has that of pytest in it."""
    environment = os.environ | environment
    ran = subprocess.run([program, "memory"], cwd=folder, env=environment, capture_output=True, check=True, timeout=60)
    return int(ran.stderr.split()[0])


def test_long_statements_without_a_format_are_not_kept(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = made(tmp_path, gnu, "long_statements.f90")
    check(Case(program, seconds=60), tmp_path, run_library)
    plain = peak(program, tmp_path, {})
    run = peak(program, tmp_path, {"HEADRACE_RUN": "1", "LD_PRELOAD": str(run_library)})
    assert run < plain + 16 * 1024  # one statement has 36 MB


@pytest.mark.parametrize("lines", [1, 40, 5000])
def test_what_waits_goes_when_statements_come_after_a_pause(
    lines: int, gnu: Compiler, run_library: Path, tmp_path: Path
) -> None:
    program = made(tmp_path, gnu, "bursts.f90")
    environment = os.environ | {"HEADRACE_RUN": "1", "LD_PRELOAD": str(run_library)}
    environment |= {"HEADRACE_RUN_STATISTICS": str(tmp_path), "HEADRACE_RUN_AFTER": "0"}
    subprocess.run([program, str(lines)], cwd=tmp_path, env=environment, check=True, timeout=20)
    [saved] = tmp_path.glob("run.*.json")
    # Batches are of 8 KiB and the record that fills them; without the pause one less would do.
    before_the_pause = -(-9 * lines // (8191 + 9))
    assert json.loads(saved.read_text())["hand_overs"] > before_the_pause


def test_filtered_system_calls(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    check(Case(made(tmp_path, gnu, "sandboxed.f90", "sandboxed.c"), seconds=20), tmp_path, run_library)


@pytest.mark.parametrize("first", [5, 8, 10, 11, 12, 14, 18])
def test_records_stay_in_order_without_memory(first: int, gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = made(tmp_path, gnu, "many_units.f90")
    plain, run = tmp_path / "plain", tmp_path / "run"
    refused = {"NO_MEMORY_FROM": str(first), "LD_PRELOAD": f"{preload(tmp_path, 'no_memory.c')}:{run_library}"}
    for folder, more in ((plain, {}), (run, refused | {"HEADRACE_RUN": "1"})):
        folder.mkdir()
        done = subprocess.run([program], cwd=folder, env=os.environ | more, capture_output=True, check=True, timeout=20)
        (folder / "output").write_bytes(done.stdout)
    names = sorted(path.name for path in plain.iterdir())
    assert len(names) == 21
    assert [name for name in names if (plain / name).read_bytes() != (run / name).read_bytes()] == []


def test_write_errors_that_gfortran_hides_are_counted(gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    program = made(tmp_path, gnu, "many_units.f90")
    environment = os.environ | {
        "HEADRACE_RUN": "1",
        "HEADRACE_RUN_STATISTICS": str(tmp_path),
        "LD_PRELOAD": f"{run_library}:{preload(tmp_path, 'failing_writes.c')}",
    }
    subprocess.run([program], cwd=tmp_path, env=environment, capture_output=True, check=True, timeout=20)
    [saved] = tmp_path.glob("run.*.json")
    assert json.loads(saved.read_text())["errors_hidden_by_the_run_time"] > 0


if LONG:

    @pytest.mark.timeout(3600)
    def test_thread_sanitizer_finds_no_data_race() -> None:
        script = ROOT / "test" / "run" / "thread_sanitizer.sh"
        environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}  # has cmake
        done = subprocess.run(["sh", str(script)], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
