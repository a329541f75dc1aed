"""headrace trace: every statement is counted where it stands, and the program does not notice."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import start
from headrace.trace.results import Trace, schema
from trace_programs import COUNTS, Run, compiled, lines_of, statements, traced
from validation import validate

WIDTH = 100


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("counts"), "counts", COUNTS)


def test_every_statement_and_its_payload_is_counted_by_line(counts: Path, headrace: Run, tmp_path: Path) -> None:
    done = headrace("trace", "--json", "t.json", str(counts))
    assert (done.returncode, done.stdout) == (0, " done\n")
    trace = traced(tmp_path / "t.json")
    validate(trace, schema)
    Trace.model_validate(trace)
    seen = 0
    for number, text in enumerate(COUNTS.splitlines(), 1):
        match = re.search(r"! (\w+) (\d+) (\d+)$", text)
        if match:
            rows = lines_of(trace, match[1], number)
            assert sum(row["statements"] for row in rows) == int(match[2]), text
            assert sum(row["payload_bytes"] for row in rows) == int(match[3]), text
            assert [row["source"] for row in rows] == [text.strip()]
            seen += 1
    assert seen == 23 and seen == sum(row["statement"] not in ("run time", "not Fortran") for row in trace["lines"])
    files = {file["path"]: file for file in trace["files"]}
    assert {"a.dat", "b.txt", "c.dat", "n.txt", "(standard output)"} == set(files)
    assert files["a.dat"]["bytes_written"] == 50 * 16 + 812
    assert files["b.txt"]["opens"] == 7 and files["c.dat"]["access"] == "direct"
    assert trace["exit_code"] == 0 and trace["signal"] == ""
    internal = [row for row in trace["lines"] if row["internal"]]
    assert sorted(row["statement"] for row in internal) == ["read", "write"]


def test_the_table_has_the_conclusion_first_and_fits_100_columns(counts: Path, headrace: Run, tmp_path: Path) -> None:
    said = headrace("trace", "--lines", "40", str(counts)).stderr.splitlines()
    assert said[0].startswith("headrace trace: ") and "one process, 1 thread with I/O" in said[0]
    assert re.match(r"Fortran I/O takes .* of the run; \d+% of that is counts\.f90:\d+, ", said[1])
    assert not [line for line in said if len(line) > WIDTH]
    table = "\n".join(said)
    assert re.search(r"^counts\.f90:10 +write unf +50 +50 +400 .* a\.dat$", table, re.MULTILINE)
    assert re.search(r"^counts\.f90:27 +write fmt +30 .*\(internal\)$", table, re.MULTILINE)
    assert re.search(r"^counts\.f90:32 +write direct +9 ", table, re.MULTILINE)
    assert re.search(r"^b\.txt +counts\.f90:20 +7 ", table, re.MULTILINE)
    assert "opened at counts.f90:" in table and "unf = unformatted" in table


def test_a_trace_is_shown_again_and_never_overwritten(counts: Path, headrace: Run, tmp_path: Path) -> None:
    first, second = headrace("trace", str(counts)), headrace("trace", "--lines", "3", str(counts))
    names = sorted(path.name for path in tmp_path.iterdir() if "headrace-trace" in path.name)
    assert names == ["counts.2.headrace-trace", "counts.headrace-trace"]
    assert not [path for path in tmp_path.iterdir() if "profiles" in path.name]
    shown = headrace("trace", "show", "counts.headrace-trace")
    assert shown.returncode == 0 and shown.stdout.strip() in first.stderr
    again = headrace("trace", "show", "counts.2.headrace-trace", "--lines", "3")
    assert again.stdout.strip() in second.stderr and "more lines with" in again.stdout
    only = headrace("trace", "show", "counts.headrace-trace", "--file", "*.txt", "--json", "-")
    assert '"schema": "headrace-trace/1"' in only.stdout and "a.dat" not in only.stdout and "b.txt" in only.stdout
    none = headrace("trace", "show", "counts.headrace-trace", "--file", "nothing*")
    assert none.returncode == 2 and "no statement went to a file like 'nothing*'" in none.stderr


def test_table_and_trace_go_where_they_are_asked_to(counts: Path, headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    done = headrace("trace", "--output", "table.txt", "--save", "out/mine", str(counts))
    assert done.returncode == 0 and "counts.f90" not in done.stderr
    assert "counts.f90:10" in (tmp_path / "table.txt").read_text()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.headrace-trace"]


ECHO = """\
program echo
   implicit none
   character(80) :: line, argument
   integer :: i, stat
   do i = 1, command_argument_count()
      call get_command_argument(i, argument)
      print '(a)', trim(argument)
   end do
   do
      read (*, '(a)', iostat=stat) line
      if (stat /= 0) exit
      write (*, '(a)') trim(line)
   end do
   write (0, '(a)') 'the end'
   stop 5
end program echo
"""


def test_input_output_arguments_and_exit_code_pass_through(tmp_path: Path) -> None:
    program = compiled(tmp_path, "echo", ECHO)
    words = ["--lines", "-h", "--flags", "-O3", "--", "show", "--js", "a b"]
    text = "".join(f"line {i}\n" for i in range(1000))
    plain = subprocess.run([program, *words], input=text, capture_output=True, text=True, timeout=60)
    command = [sys.executable, "-m", "headrace", "trace", "--json", "t.json", "--output", "table", str(program), *words]
    done = subprocess.run(command, cwd=tmp_path, input=text, capture_output=True, text=True, timeout=60)
    assert plain.stdout.startswith("--lines\n-h\n--flags\n-O3\n--\nshow\n--js\na b\nline 0\n")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) and plain.returncode == 5
    assert done.stderr.startswith(plain.stderr)
    trace = traced(tmp_path / "t.json")
    assert trace["command"] == [str(program), *words] and trace["exit_code"] == 5
    assert statements(trace, "read", 10) == 1001 and lines_of(trace, "read", 10)[0]["ends"] == 1
    assert {file["path"] for file in trace["files"]} == {"(standard input)", "(standard output)", "(standard error)"}


THREADS = """\
program threads
   use omp_lib
   implicit none
   integer :: i, unit
   character(8) :: text
   !$omp parallel private(i, unit, text) num_threads(4)
   open (newunit=unit, status='scratch', form='unformatted')
   do i = 1, 250
      write (unit) i
      write (text, '(i0)') i
   end do
   close (unit)
   !$omp end parallel
end program threads
"""


def test_threads_are_counted_together(tmp_path: Path, headrace: Run) -> None:
    program = compiled(tmp_path, "threads", THREADS, "-fopenmp")
    done = headrace("trace", "--json", "t.json", str(program))
    assert done.returncode == 0
    trace = traced(tmp_path / "t.json")
    assert statements(trace, "write", 9) == statements(trace, "write", 10) == 1000
    assert trace["processes"][0]["threads"] == 4 and trace["totals"]["at_once"] == 4


MANY_FILES = """\
program many_files
   implicit none
   integer :: i
   character(12) :: name
   do i = 1, 1700
      write (name, '(a, i0)') 'f', i
      open (10, file=name)
      write (10, *) i
      close (10, status='delete')
   end do
end program many_files
"""


def test_statements_that_go_to_thousands_of_files_are_counted(tmp_path: Path, headrace: Run) -> None:
    done = headrace("trace", "--json", "t.json", str(compiled(tmp_path, "many_files", MANY_FILES)))
    assert done.returncode == 0
    trace = traced(tmp_path / "t.json")
    assert [statements(trace, *at) for at in (("open", 7), ("write", 8), ("close", 9))] == [1700, 1700, 1700]
    assert "not counted" not in done.stderr and len(trace["files"]) == 1700


def test_more_lines_than_a_profile_holds_are_said(tmp_path: Path, headrace: Run) -> None:
    body = "\n".join(f"write (10) {number}" for number in range(4200))
    source = f"program lines\nopen (10, status='scratch', form='unformatted')\n{body}\nend program lines\n"
    done = headrace("trace", "--json", "t.json", str(compiled(tmp_path, "lines", source, "-O0")))
    counted = sum(line["statements"] for line in traced(tmp_path / "t.json")["lines"] if line["statement"] == "write")
    said = re.search(r"note: ([\d,]+) statements were not counted", done.stderr)
    assert said and 0 <= counted + int(said[1].replace(",", "")) - 4200 <= 5  # with those of the run time at the end


PROCESSES = """\
program processes
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   interface
      integer(c_int) function c_fork() bind(c, name='fork')
         import :: c_int
      end function c_fork
      integer(c_int) function c_wait(status) bind(c, name='wait')
         import :: c_int
         integer(c_int) :: status
      end function c_wait
   end interface
   integer(c_int) :: child, status
   integer :: i
   open (10, file='parent.dat', form='unformatted')
   do i = 1, 100
      write (10) i
   end do
   flush (10)
   child = c_fork()
   if (child == 0) then
      open (11, file='child.dat', form='unformatted')
      do i = 1, 300
         write (11) i
      end do
      close (11)
   else
      child = c_wait(status)
   end if
end program processes
"""


def test_forks_shells_and_several_programs_are_one_trace(counts: Path, tmp_path: Path, headrace: Run) -> None:
    program = compiled(tmp_path, "processes", PROCESSES)
    script = tmp_path / "job.sh"
    script.write_text(f"#!/bin/sh\n{program}\n{counts} | cat\nexec {counts} >/dev/null\n")
    script.chmod(0o755)
    done = headrace("trace", "--json", "t.json", "./job.sh")
    assert (done.returncode, done.stdout) == (0, " done\n")
    trace = traced(tmp_path / "t.json")
    assert statements(trace, "write", 17) == 100 and statements(trace, "write", 24) == 300
    assert statements(trace, "write", 10) == 2 * 50
    programs = [Path(process["program"]).name for process in trace["processes"] if process["io_seconds"] > 0]
    assert sorted(programs) == ["counts", "counts", "processes", "processes"]
    assert sum(process["forked"] for process in trace["processes"]) >= 1


def test_exec_from_fortran_is_two_profiles(tmp_path: Path, counts: Path, headrace: Run) -> None:
    source = f"""\
program starter
   implicit none
   write (*, '(a)') 'first'
   call execute_command_line('{counts}')
end program starter
"""
    done = headrace("trace", "--json", "t.json", str(compiled(tmp_path, "starter", source)))
    assert done.stdout == "first\n done\n"
    assert statements(traced(tmp_path / "t.json"), "write", 10) == 50


def test_fortran_in_a_library_that_python_loads(tmp_path: Path) -> None:
    source = """\
subroutine save_numbers(n) bind(c)
   use, intrinsic :: iso_c_binding, only: c_int
   integer(c_int), value :: n
   integer :: i
   open (10, file='numbers.dat', form='unformatted')
   do i = 1, n
      write (10) i
   end do
   close (10)
end subroutine save_numbers
"""
    compiled(tmp_path, "libnumbers.so", source, "-shared", "-fPIC")
    code = "import ctypes; ctypes.CDLL('./libnumbers.so').save_numbers(12345)"
    done = start(tmp_path, "trace", "--json", "t.json", sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr
    assert statements(traced(tmp_path / "t.json"), "write", 7) == 12345


def test_what_the_user_preloads_stays(counts: Path, tmp_path: Path) -> None:
    (tmp_path / "mark.c").write_text(
        '#include <stdio.h>\n__attribute__((constructor)) static void f(void) { fputs("mine\\n", stderr); }\n'
    )
    subprocess.run(["cc", "-shared", "-fPIC", "mark.c", "-o", "mark.so"], cwd=tmp_path, check=True)
    command = [sys.executable, "-m", "headrace", "trace", "--json", "t.json", str(counts)]
    environment = os.environ | {"LD_PRELOAD": str(tmp_path / "mark.so")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr.count("mine\n") >= 2  # in headrace, and in the program
    assert statements(traced(tmp_path / "t.json"), "write", 10) == 50


C_STDIO = """
program stdio
  use iso_c_binding
  interface
    function c_open(name, mode) bind(c, name='fopen') result(file)
      import
      character(kind=c_char) :: name(*), mode(*)
      type(c_ptr) :: file
    end function
    function c_write(data, bytes, count, file) bind(c, name='fwrite') result(written)
      import
      real(8) :: data(*)
      integer(c_size_t), value :: bytes, count
      type(c_ptr), value :: file
      integer(c_size_t) :: written
    end function
  end interface
  real(8) :: data(100000) = 1
  integer(c_size_t) :: written
  integer :: i
  type(c_ptr) :: file
  file = c_open('c.dat' // c_null_char, 'w' // c_null_char)
  do i = 1, 20
    written = c_write(data, 8_c_size_t, 100000_c_size_t, file)
  end do
  open (10, file='c.txt')
  write (10, *) written
end program
"""


def test_bytes_of_c_stdio_are_said(tmp_path: Path, headrace: Run) -> None:
    """Its calls are not seen, but the kernel counts what the process writes."""
    program = compiled(tmp_path, "stdio", C_STDIO)
    done = headrace("trace", "--json", "t.json", str(program))
    assert done.returncode == 0 and "16 MB more were written by calls that are not traced" in done.stderr
    assert (tmp_path / "c.dat").stat().st_size == 16_000_000
