"""headrace run: starts programs, says what was taken over, and compares runs with and without."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import start
from headrace.errors import HeadraceError
from headrace.run.launch import why_not_taken_over
from headrace.run.saved import add_saved
from headrace.run.statistics import Site, Statistics, collected
from headrace.trace.installed import RUN_LIBRARY, library_path
from headrace.trace.nodes import NAMES, RUN_NAMES, for_all_nodes, names_in
from trace_programs import compiled
from trace_runs import ROOT, tool

WRITES = """\
program writes
   implicit none
   integer :: i
   character(300) :: how
   real(8) :: x
   call get_command_argument(1, how)
   open (10, file='out.txt')
   do i = 1, 300
      write (10, '(es22.14)') 1d0 / i
   end do
   close (10)
   read (*, *, iostat=i) x
   print '(i0)', i
   if (how == 'stop') stop 3
   if (how == 'killed') call kill_us()
   if (how(1:1) == '/') then
      open (11, file=how)
      write (11, *) 1
   end if
   if (how == 'random') then
      call system_clock(i)
      open (12, file='clock.txt')
      write (12, *) i
   end if
contains
   subroutine kill_us()
      interface
         integer(c_int) function c_raise(number) bind(c, name='raise')
            use, intrinsic :: iso_c_binding, only: c_int
            integer(c_int), value :: number
         end function c_raise
      end interface
      i = c_raise(15)
   end subroutine kill_us
end program writes
"""
# In place of the library: does to the program what is asked for.
WRONG = """\
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is_on(void) { const char *value = getenv("HEADRACE_RUN"); return value && !strcmp(value, "1"); }
__attribute__((destructor)) static void end(void)
{
    const char *fault = getenv("FAULT");
    if (!is_on() || !fault || access("out.txt", F_OK)) return;
    if (!strcmp(fault, "cut")) { if (truncate("out.txt", 100)) _exit(99); }
    if (!strcmp(fault, "says")) { if (write(2, "headrace run: x\\n", 16) < 0) _exit(99); }
    if (!strcmp(fault, "code")) _exit(44);
    if (!strcmp(fault, "lost")) unlink("out.txt");
}
"""


@pytest.fixture
def writes(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    program = compiled(tmp_path, "writes", WRITES)
    return program.rename(work / "writes").parent


PARTS = """\
program parts
   implicit none
   character(20) :: line
   integer :: i, k
   open (10, file="out.txt")
   do i = 1, 300
      write (10, "(/, i5)", advance="no") i
      write (10, "(i6)", advance="no") i
   end do
   close (10)
   open (10, file="out.txt", status="old")
   do i = 1, 100
      rewind (10)
      do k = 1, 5
         read (10, "(a)") line
      end do
      backspace (10)
   end do
end program parts
"""


def test_parts_of_records_and_lines_between_rewinds_are_taken_over(tmp_path: Path) -> None:
    compiled(tmp_path, "parts", PARTS)
    done = start(tmp_path, "run", "--stats", "--json", "s.json", "./parts")
    left = {site["line"]: site["left"] for site in json.loads((tmp_path / "s.json").read_text())["sites"]}
    assert done.returncode == 0 and left[7] <= 1 and left[8] <= 1 and left[15] <= 20, left


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    (tmp_path / "wrong.c").write_text(WRONG)
    built = tmp_path / "libheadrace_run.so"
    subprocess.run([tool("cc"), "-shared", "-fPIC", tmp_path / "wrong.c", "-o", built], check=True)
    return str(built)


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("write (11, '(5es15.7)') x", 20000),
        ("write (11, '(5es15.7)', iostat=i) x", 20000),
        ("read (10, *) x", 20000),
        ("read (10, '(a)') line", 1),
        ("write (11, '(5es15.7)') (f(i), i=1, 100)", 100),
        ("write (11, '( 1P, 5 e15.7 )') x(1:9)", 9),
        ("write (11, '(2es15.7)') x(1:100)", 0),
        ("write (11, '(5es15.7,i3)') x(1:5), i", 0),
        ("write (11, '(1x,5es15.7)') x(1:100)", 0),
        ("write (11, '(i8,(5es15.7))') 7, x", 0),
        ("write (11, *) (f(i), i=1, 500)", 0),
        ("read (12, *) x(1:10)", 0),
        ("write (line, '(5es15.7)') x(1:5)", 0),
    ],
)
def test_one_statement_may_be_all_that_a_program_does(statement: str, values: int, tmp_path: Path) -> None:
    source = f"""
    real :: x(20000)
    character(80) :: line
    x = 1.5
    open (10, file='long.txt'); open (11, file='x.txt'); open (12, file='short.txt'); write (11, *) 'begin'
    {statement}
    contains
    real function f(i); integer, intent(in) :: i; f = i; end function
    end
    """
    (tmp_path / "long.txt").write_text("1.5\n" * 20000)
    (tmp_path / "short.txt").write_text("1.5\n" * 20)
    compiled(tmp_path, "once", source)
    assert start(tmp_path, "run", "--json", "s.json", "./once").returncode == 0
    sites = json.loads((tmp_path / "s.json").read_text())["sites"]
    [found] = [site for site in sites if site["line"] == 6]
    assert (found["taken_over"], found["left"], found["values"]) == (int(values > 0), int(values == 0), values)


def test_a_line_with_long_lists_is_taken_over_the_second_time(tmp_path: Path) -> None:
    source = """
    real :: x(3)
    open (11, file='x.txt'); write (11, *) 'begin'
    do k = 1, 10
    write (11, '(i8,(3f9.3))') k, (f(i), i=1, 300)
    write (11, '(i8,3f9.3)') k, x
    end do
    contains
    real function f(i); integer, intent(in) :: i; f = i; end function
    end
    """
    compiled(tmp_path, "twice", source)
    assert start(tmp_path, "run", "--json", "s.json", "./twice").returncode == 0
    sites = {site["line"]: site for site in json.loads((tmp_path / "s.json").read_text())["sites"]}
    assert [(sites[line]["taken_over"], sites[line]["left"]) for line in (5, 6)] == [(9, 1), (0, 10)]


def test_the_program_takes_the_place_of_headrace(writes: Path) -> None:
    words = [sys.executable, "-m", "headrace", "run", "sh", "-c", "echo $$; exec ./writes stop"]
    process = subprocess.Popen(words, cwd=writes, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, _ = process.communicate(b"1.5\n", timeout=60)
    assert (process.returncode, output.split()) == (3, [str(process.pid).encode(), b"0"])
    assert (writes / "out.txt").read_text().count("\n") == 300


def test_a_signal_stays_a_signal(writes: Path) -> None:
    assert start(writes, "run", "./writes", "killed").returncode == -15
    assert start(writes, "run", "--stats", "./writes", "killed").returncode == 128 + 15


def test_the_statistics_name_lines_and_counts(writes: Path) -> None:
    done = start(writes, "run", "--stats", "--json", "stats.json", "./writes", "stop")
    assert done.returncode == 3 and "writes.f90:9" in done.stderr, done.stderr
    found = json.loads((writes / "stats.json").read_text())
    [site] = [site for site in found["sites"] if site["line"] == 9]
    assert (site["taken_over"], site["left"], site["values"], site["bytes"]) == (284, 16, 284, 284 * 23)
    assert site["reason"] == "the first of each line (HEADRACE_RUN_AFTER)"
    assert found["exit_code"] == 3 and len(found["processes"]) == 1
    assert sorted(path.name for path in writes.iterdir()) == ["out.txt", "stats.json", "writes"]


def test_records_of_direct_access_are_taken_over_behind_the_first(tmp_path: Path) -> None:
    source = """
    double precision :: x(3)
    open (10, file='x', access='direct', recl=24)
    do k = 1, 300
    write (10, rec=k) k, k / 3d0
    end do
    do k = 1, 300
    read (10, rec=1 + mod(7 * k, 300)) i, x(:2)
    end do
    end
    """
    compiled(tmp_path, "direct", source)
    done = start(tmp_path, "run", "--stats", "--json", "s.json", "./direct")
    assert done.returncode == 0 and "write     direct" in done.stderr, done.stderr
    sites = {site["line"]: site for site in json.loads((tmp_path / "s.json").read_text())["sites"]}
    assert {sites[line]["form"] for line in (5, 8)} == {"unformatted direct"}
    assert sites[8]["taken_over"] == 300 and 250 <= sites[5]["taken_over"] <= 268


@pytest.mark.parametrize(("lines", "times", "left"), [(100, 20, 4), (1100, 1, 16), (150, 8, 16)])
def test_a_program_that_comes_back_to_its_lines_leaves_fewer(lines: int, times: int, left: int, tmp_path: Path) -> None:
    """What is left of a line that comes later, behind so many lines that came so many times."""
    write = "write (10, '(i0)') i\n"
    source = f"integer :: i\nopen (10, file='out.txt')\ndo i = 1, {times}\n{write * lines}end do\n"
    compiled(tmp_path, "lines", f"{source}do i = 1, 30\n{write}end do\nend\n", "-O0")
    assert start(tmp_path, "run", "--json", "s.json", "./lines").returncode == 0
    sites = {site["line"]: site for site in json.loads((tmp_path / "s.json").read_text())["sites"]}
    last = sites[lines + 6]
    assert (last["left"], last["taken_over"]) == (left, 30 - left)
    assert (tmp_path / "out.txt").read_text().count("\n") == lines * times + 30


def test_the_statistics_load_no_numpy(writes: Path) -> None:
    code = "import sys\nfrom headrace.cli import main\nmain(sys.argv[1:])\nprint('numpy' in sys.modules)\n"
    command = [sys.executable, "-c", code, "run", "--stats", "./writes"]
    done = subprocess.run(command, cwd=writes, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert "headrace run: one process" in done.stderr and done.stdout.endswith("False\n"), done


def test_a_run_time_that_is_linked_in_is_taken_over(tmp_path: Path) -> None:
    compiled(tmp_path, "static", WRITES, "-static-libgfortran")
    done = start(tmp_path, "run", "--stats", "--json", "stats.json", "./static")
    found = json.loads((tmp_path / "stats.json").read_text())
    assert done.returncode == 0 and [site["taken_over"] for site in found["sites"] if site["line"] == 9] == [284]


@pytest.mark.parametrize(
    ("flags", "line", "reason"),
    [
        (("-ffpe-trap=inexact",), 5, "a rounding mode is set, or a trap for inexact results or underflow"),
        ((), 6, "its OPEN asks for what is not handled"),
        ((), 7, "a namelist, or a word of the statement that is not handled"),
    ],
)
def test_what_is_left_has_its_reason(flags: tuple[str, ...], line: int, reason: str, tmp_path: Path) -> None:
    compiled(
        tmp_path,
        "left",
        "integer :: i = 1\nnamelist /numbers/ i\nopen (10, file='a.txt')\nopen (11, file='b.txt', decimal='comma')\n"
        "write (10, *) 1\nwrite (11, *) 1\nwrite (10, nml=numbers)\nend\n",
        *flags,
    )
    done = start(tmp_path, "run", "--stats", "--json", "stats.json", "./left")
    assert done.returncode == 0 and reason.split()[0] in done.stderr, done.stderr
    found = json.loads((tmp_path / "stats.json").read_text())
    assert [(site["left"], site["reason"]) for site in found["sites"] if site["line"] == line] == [(1, reason)]


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (("(t5,i4)", "yes"), "T in a record of several statements"),
        (("(t9,i4,t5,i4)", "yes"), "T to the left in the format"),
        (("(3x,/,i4)", "no"), "X before the end of a record with ADVANCE='NO'"),
    ],
)
def test_what_a_format_asks_for_has_its_reason(parts: tuple[str, str], reason: str, tmp_path: Path) -> None:
    form, advance = parts
    begins = "write (10, '(a)', advance='no') 'abc'" if form == "(t5,i4)" else "write (10, '(a)') 'abc'"
    compiled(
        tmp_path,
        "left",
        f"integer :: i\nopen (10, file='a.txt')\ndo i = 1, 50\n{begins}\n"
        f"write (10, '{form}', advance='{advance}') i, i\nwrite (10, '(a)') 'end'\nend do\nend\n",
    )
    done = start(tmp_path, "run", "--stats", "--json", "stats.json", "./left", HEADRACE_RUN_AFTER="0")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "stats.json").read_text())
    assert [site["reason"] for site in found["sites"] if site["line"] == 5] == [reason], found["sites"]


def test_sites_of_processes_are_added_and_damaged_files_are_said(tmp_path: Path) -> None:
    site = {"file": "/x/a.f90", "line": 3, "statement": "write", "form": "formatted", "format": "(i0)"}
    for number in (1, 2):
        content = {"program": "/x/p", "pid": number, "sites": [site | {"taken_over": 5, "left": 1, "values": 7}]}
        (tmp_path / f"run.host.{number}.json").write_text(json.dumps(content))
    (tmp_path / "run.host.3.json").write_text('{"program": "/x/p", "sites": [')
    (tmp_path / "run.host.4.json").write_text('{"program": "/bin/sh", "sites": []}')
    found = collected(tmp_path)
    assert [(one.taken_over, one.left, one.values) for one in found.sites] == [(10, 2, 14)]
    assert len(found.processes) == 2 and len(found.notes) == 1 and "run.host.3.json" in found.notes[0]


def test_seconds_saved_are_between_bounds() -> None:
    site = Site(
        file="a.f90", line=1, statement="write", form="formatted", format="(es22.14)", taken_over=10**7, left=0,
        values=10**7,
    )  # fmt: skip
    statistics = Statistics(processes=[], sites=[site])
    add_saved(statistics, 1.0, ROOT / "doc" / "results" / "bench.json", lambda said: None)
    saved = statistics.saved
    assert saved is not None and 3 < saved.run_time_alone < 15 and "bench.json" in saved.known_from
    assert (saved.at_least, saved.at_most) == (saved.run_time_alone - 1.0, saved.run_time_alone)


def test_statements_of_characters_alone_are_in_the_seconds() -> None:
    counts = {"taken_over": 10**7, "left": 0, "values": 10**7}
    forms = {"formatted": "(a)", "internal formatted": "(1x,a12,'text')"}
    sites = [Site(file="a.f90", line=1, statement="write", form=form, format=forms[form], **counts) for form in forms]
    statistics = Statistics(processes=[], sites=sites)
    add_saved(statistics, 1.0, ROOT / "doc" / "results" / "bench.json", lambda said: None)
    assert statistics.saved is not None and statistics.saved.without_costs == 0
    assert 1 < statistics.saved.run_time_alone < 6  # 2e7 statements of 100 ns and more


def test_verify_finds_the_same(writes: Path) -> None:
    done = start(writes, "run", "--verify", "--json", "v.json", "./writes", "random")
    assert done.returncode == 0, (done.stdout, done.stderr)
    found = json.loads((writes / "v.json").read_text())
    assert found["different"] == [] and found["not_reproducible"] == ["clock.txt"]
    assert {"out.txt", "(standard output)", "(exit code)"} <= set(found["same"])
    assert found["statistics"]["sites"][0]["checked"] == 300
    assert not (writes / "out.txt").exists()


@pytest.mark.parametrize(
    ("fault", "name"),
    [("cut", "out.txt"), ("lost", "out.txt"), ("says", "(standard error)"), ("code", "(exit code)")],
)
def test_verify_finds_what_differs(fault: str, name: str, writes: Path, wrong: str) -> None:
    done = start(writes, "run", "--verify", "./writes", HEADRACE_RUN_LIBRARY=wrong, FAULT=fault)
    assert done.returncode == 1 and f"  {name}, as usual: " in done.stdout, (done.stdout, done.stderr)


def test_verify_refuses_a_program_that_writes_elsewhere(writes: Path, tmp_path: Path) -> None:
    done = start(writes, "run", "--verify", "./writes", str(tmp_path / "elsewhere"))
    assert done.returncode == 2 and f"outside of its directory: {tmp_path / 'elsewhere'}" in done.stderr


def test_verify_refuses_a_large_directory(writes: Path) -> None:
    with (writes / "large").open("wb") as file:
        file.truncate(3 << 20)
    done = start(writes, "run", "--verify", "--verify-limit", "2", "./writes")
    assert done.returncode == 2 and "more than 2 MiB" in done.stderr and "--verify-limit" in done.stderr


def test_the_variables_are_those_of_sh(writes: Path, tmp_path: Path) -> None:
    odd = tmp_path / "it's here"
    odd.mkdir()
    library = odd / RUN_LIBRARY
    library.symlink_to(library_path(RUN_LIBRARY))
    said = start(writes, "run", "--env", "--strict", LD_PRELOAD="", TMPDIR=str(tmp_path)).stdout
    script = (
        f'eval {shlex.quote(said)}; eval {shlex.quote(said)}; env; echo 1 | ./writes; exec env -i "$(command -v env)"'
    )
    done = subprocess.run(
        [tool("dash"), "-euc", script], cwd=writes, env=os.environ | {"LD_PRELOAD": "libm.so.6"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"LD_PRELOAD={library_path(RUN_LIBRARY)}:libm.so.6\n" in done.stdout
    assert "HEADRACE_RUN=1\n" in done.stdout and "HEADRACE_RUN_STRICT=1\n" in done.stdout
    words = start(writes, "run", "--env", LD_PRELOAD="", TMPDIR=str(tmp_path), HEADRACE_RUN_LIBRARY=str(library)).stdout
    shown = subprocess.run(
        ["sh", "-c", f'LD_PRELOAD=; {words} printf %s "$LD_PRELOAD"'], capture_output=True, text=True
    )
    assert Path(shown.stdout).resolve() == library_path(RUN_LIBRARY), shown


@pytest.mark.parametrize("how", ["env -i", "sh", "left out"])
def test_programs_that_are_started_have_it(how: str, writes: Path) -> None:
    words = {"env -i": ["env", "-i", "./writes"], "sh": ["sh", "-c", "LD_PRELOAD= ./writes; exit 5"]}
    words["left out"] = ["sh", "-c", "HEADRACE_RUN= LD_PRELOAD= ./writes; exit 5"]
    done = start(writes, "run", "--json", "s.json", *words[how])
    found = json.loads((writes / "s.json").read_text())
    assert done.returncode == (0 if how == "env -i" else 5)
    assert sum(site["taken_over"] for site in found["sites"] if site["line"] == 9) == (0 if how == "left out" else 284)


def test_the_names_in_c_are_those_here() -> None:
    source = (ROOT / "intercept" / "environment.c").read_text()
    listed = re.search(r"our_names\[variable_count\] = \{(.*?)\}", source, re.DOTALL)
    assert listed and set(re.findall(r'"(\w+)"', listed[1])) == {*NAMES[2:], *RUN_NAMES}


def test_launchers_hand_only_what_is_there_on() -> None:
    environment = {"LD_PRELOAD": "/r.so", "ASAN_OPTIONS": "x", "HEADRACE_RUN": "1"}
    program = Path(tool("mpirun.openmpi"))
    told = for_all_nodes(program, [program.name, "./p"], environment, names_in(environment))
    assert " ".join(told[1:]) == "-x LD_PRELOAD -x ASAN_OPTIONS -x HEADRACE_RUN ./p"


@pytest.mark.parametrize("first", ["trace", "run"])
def test_a_trace_and_a_run_are_one(first: str, writes: Path) -> None:
    trace = [sys.executable, "-m", "headrace", "trace", "--no-advice", "--json", "t.json"]
    run = [sys.executable, "-m", "headrace", "run"]
    words = [*trace[3:], *run, "./writes"] if first == "trace" else [*run[3:], *trace, "./writes"]
    assert start(writes, *words).returncode == 0
    found = json.loads((writes / "t.json").read_text())
    assert sum(row["statements"] for row in found["lines"] if row["line"] == 9) == 300


def test_a_file_that_is_named_without_its_path_is_told_what_to_name(tmp_path: Path) -> None:
    for name, mode, words in (
        ("model", 0o755, "for a program in this directory: ./model"),
        ("model.f90", 0o644, "cannot be executed: if it is a source file, name the program made of it"),
    ):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(mode)
        done = start(tmp_path, "run", name)
        assert done.returncode == 127 and words in done.stderr, done.stderr


def test_a_trace_counts_what_is_given_back_once(tmp_path: Path) -> None:
    source = """
    integer :: i, n, stat
    character(4) :: word
    open (11, file='numbers.txt')
    do i = 1, 40
      write (11, '(i3,/)', advance='no') i
      write (11, '(i4)') i
      write (word, '(i3)', iostat=stat) i
      if (mod(i, 8) == 0) write (word, '(2i4)', iostat=stat) i, i
    end do
    rewind (11)
    do i = 1, 90
      read (11, *, iostat=stat) n, n
      if (stat /= 0) exit
    end do
    end
    """
    compiled(tmp_path, "given_back", source)
    counts = []
    for words in ([], ["run"]):
        trace = ["trace", "--no-advice", "--json", f"t{len(words)}.json", "--save", f"t{len(words)}"]
        inside = [sys.executable, "-m", "headrace"] if words else []
        assert start(tmp_path, *words, *inside, *trace, "./given_back").returncode == 0
        lines = [one for one in json.loads((tmp_path / f"t{len(words)}.json").read_text())["lines"] if one["line"]]
        counts.append({one["line"]: (one["statements"], one["items"], one["payload_bytes"]) for one in lines})
    assert len(counts[0]) >= 6 and counts[0] == counts[1]


def test_what_cannot_be_taken_over_runs_and_says_why(tmp_path: Path) -> None:
    assert why_not_taken_over(str(compiled(tmp_path, "static", WRITES, "-static-libgfortran"))) == ""
    assert "fully static" in why_not_taken_over(str(compiled(tmp_path, "whole", WRITES, "-static")))
    assert why_not_taken_over(str(compiled(tmp_path, "shared", WRITES))) == ""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["./nothing"], 127, "headrace: ./nothing: no such file"),
        (["./text"], 126, "cannot be started: neither a program of this machine nor a script"),
        (["."], 126, "a directory, not a program"),
        ([], 2, "a program is missing"),
        (["--env", "./text"], 2, "--env runs no program"),
        (["./source.f90"], 126, "it is not a program: if it is a source file"),
        (
            ["--json", "/nowhere/s.json", "./text"],
            2,
            "/nowhere/s.json: cannot be written: there is no directory /nowhere",
        ),
        (["--json", ".", "./text"], 2, ".: cannot be written"),
        (["--lines", "3", "./text"], 2, "--lines is given without --stats"),
        (["--stats", "--verify-limit", "3", "./text"], 2, "--verify-limit is given without --verify"),
        (["--verify", "--results", "text", "./text"], 2, "--results is given without --stats or --json"),
        (["--stats", "--results", "none.json", "./text"], 2, "none.json: no such file"),
    ],
)
def test_errors_are_clear(words: list[str], code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program\n")
    (tmp_path / "text").chmod(0o755)
    (tmp_path / "source.f90").write_text("end\n")
    done = start(tmp_path, "run", *words)
    assert done.returncode == code and said in done.stderr, done.stderr


@pytest.mark.parametrize("wrong", ["300", "-1", "abc", "1.5"])
def test_a_wrong_number_of_first_statements_is_refused(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADRACE_RUN_AFTER", wrong)
    done = start(tmp_path, "run", "true")
    assert done.returncode == 2 and f"HEADRACE_RUN_AFTER is '{wrong}'" in done.stderr


def test_a_trace_that_could_not_be_written_is_refused_before_the_run(tmp_path: Path) -> None:
    for option in ("--output", "--json", "--html", "--perfetto"):
        done = start(tmp_path, "trace", option, "/nowhere/file", "sh", "-c", "touch ran")
        assert done.returncode == 2 and "there is no directory /nowhere" in done.stderr and option in done.stderr
    assert not (tmp_path / "ran").exists()
    assert "did you mean `headrace trace show`?" in start(tmp_path, "trace", "shwo", "x.headrace-trace").stderr


def test_a_library_that_was_not_built_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_RUN_LIBRARY", "/nowhere/libheadrace_run.so")
    with pytest.raises(HeadraceError, match="no such file"):
        library_path(RUN_LIBRARY)
