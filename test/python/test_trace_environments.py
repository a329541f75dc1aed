"""headrace trace of programs whose environment is not ours alone: another library is preloaded, or variables are gone."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import start
from trace_programs import COUNTS, compiled, statements, traced
from trace_runs import ROOT, tool

OBSERVER = ROOT / "test" / "intercept" / "observer.c"
DARSHAN = "HEADRACE_TEST_DARSHAN"  # a libdarshan.so that was configured with --without-mpi --with-log-path-by-env=DARSHAN_LOGDIR
LOOP = 1 + COUNTS[: COUNTS.index("write (u) x(i)")].count("\n")
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "tcp,self"}

SPAWNS = """\
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words)
{
    char *none[] = {NULL}, *arguments[] = {words[2], NULL};
    int status = 0;
    pid_t child;
    if (count != 3) return 99;
    if (!strcmp(words[1], "posix_spawn") && posix_spawn(&child, words[2], NULL, NULL, arguments, none)) return 98;
    if (!strcmp(words[1], "posix_spawnp") && posix_spawnp(&child, words[2], NULL, NULL, arguments, NULL)) return 97;
    if (!strcmp(words[1], "vfork") && (child = vfork()) == 0) {
        execve(words[2], arguments, none);
        _exit(96);
    }
    if (!strcmp(words[1], "clearenv")) {
        clearenv();
        execl(words[2], words[2], NULL);
        return 95;
    }
    return waitpid(child, &status, 0) < 0 ? 94 : WEXITSTATUS(status);
}
"""
# Clears its own environment in front of the first I/O statement.
CLEARS = """\
program clears
   implicit none
   interface
      integer function clearenv() bind(c)
      end function clearenv
   end interface
   integer :: i
   if (clearenv() /= 0) error stop 9
   do i = 1, 5
      print *, i
   end do
end program clears
"""
RANKS = """\
program ranks
   use mpi
   implicit none
   integer :: rank, failed
   character(20) :: name
   call MPI_Init(failed)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
   write (name, '(a, i0)') 'out.', rank
   open (12, file=name, form='unformatted')
   write (12) rank
   close (12)
   call MPI_Finalize(failed)
end program ranks
"""


@pytest.fixture(scope="module")
def observer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("observer") / "libobserver.so"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run([tool("gcc"), "-O1", *warnings, "-shared", "-fPIC", str(OBSERVER), "-o", str(built)], check=True)
    return built


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    return compiled(tmp_path, "counts", COUNTS)


def reports(folder: Path, program: str) -> list[str]:
    """What the observer said of each process of a program."""
    return sorted(path.read_text() for path in folder.glob(f"{program}.*"))


def fresh(folder: Path) -> Path:
    """An empty directory: a program that finds its files there already does something else."""
    folder.mkdir()
    return folder


def script(path: Path, *lines: str) -> str:
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("by", ["the user", "env", "a script"])
def test_another_preloaded_library_reports_what_it_does_without_a_trace(
    by: str, counts: Path, observer: Path, tmp_path: Path
) -> None:
    seen, outside = tmp_path / "reports", {"OBSERVER_REPORTS": str(tmp_path / "reports")}
    seen.mkdir()
    words = [str(counts)]
    if by == "the user":
        outside["LD_PRELOAD"] = str(observer)
    elif by == "env":
        words = ["env", f"LD_PRELOAD={observer}", *words]
    else:
        words = [script(tmp_path / "job.sh", f"export LD_PRELOAD={observer}", f"{counts}")]
    plain = subprocess.run(
        words, cwd=fresh(tmp_path / "plain"), env=os.environ | outside, capture_output=True, text=True
    )
    alone = reports(seen, "counts")
    assert len(alone) == 1 and " opens 0 " not in alone[0]
    for path in seen.iterdir():
        path.unlink()
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", *words, **outside)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout), done.stderr
    assert statements(traced(tmp_path / "t.json"), "write", LOOP) == 50
    assert reports(seen, "counts") == alone
    assert not reports(seen, "cat"), "a process of headrace's own is none of the observer's business"


@pytest.mark.parametrize("how", ["-x with a value", "-x", "-genv"])
def test_another_library_that_a_launcher_preloads(how: str, observer: Path, tmp_path: Path) -> None:
    mpi = "mpich" if how == "-genv" else "openmpi"
    launcher, compiler = tool(f"mpirun.{mpi}"), tool(f"mpifort.{mpi}")
    (tmp_path / "ranks.f90").write_text(RANKS)
    subprocess.run([compiler, "ranks.f90", "-o", "ranks"], cwd=tmp_path, check=True)
    seen = tmp_path / "reports"
    seen.mkdir()
    hands = {
        "-x with a value": ["-x", f"LD_PRELOAD={observer}"],
        "-x": ["-x", "LD_PRELOAD"],
        "-genv": ["-genv", "LD_PRELOAD", str(observer)],
    }
    words = [launcher, *hands[how], "-n", "2", "./ranks"]
    if how == "-x":
        words = [script(tmp_path / "job.sh", f"export LD_PRELOAD={observer}", " ".join(words))]
    environment = AS_ROOT | {"OBSERVER_REPORTS": str(seen)}
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", *words, **environment)
    assert done.returncode == 0, done.stderr
    assert traced(tmp_path / "t.json")["mpi_ranks"] == 2
    assert [line.split()[-1] for line in reports(seen, "ranks")] == ["1", "1"]


@pytest.mark.parametrize("how", ["env -i", "LD_PRELOAD=", "posix_spawn", "posix_spawnp", "vfork", "clearenv"])
def test_a_program_that_gets_no_variables_is_traced(how: str, counts: Path, tmp_path: Path) -> None:
    if how == "env -i":
        words = ["env", "-i", str(counts)]
    elif how == "LD_PRELOAD=":
        words = ["sh", "-c", f"unset HEADRACE_TRACE_LAUNCHER; LD_PRELOAD= {counts}; exit 3"]
    else:
        (tmp_path / "spawns.c").write_text(SPAWNS)
        subprocess.run([tool("gcc"), "spawns.c", "-o", "spawns"], cwd=tmp_path, check=True)
        words = ["./spawns", how, str(counts)]
    plain = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", *words)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout), done.stderr
    assert statements(traced(tmp_path / "t.json"), "write", LOOP) == 50


def test_a_program_that_clears_its_own_environment_is_traced(tmp_path: Path) -> None:
    program = compiled(tmp_path, "clears", CLEARS)
    plain = subprocess.run([program], capture_output=True, text=True)
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", str(program))
    assert (done.returncode, done.stdout) == (0, plain.stdout), done.stderr
    assert "untraced" not in done.stderr
    assert statements(traced(tmp_path / "t.json"), "write", 1 + CLEARS[: CLEARS.index("print")].count("\n")) == 5


def test_a_program_can_be_left_out(counts: Path, tmp_path: Path) -> None:
    """An empty HEADRACE_TRACE_DIRECTORY says so; the variables are then as the script made them."""
    leaves_out = f"HEADRACE_TRACE_DIRECTORY= LD_PRELOAD= {counts}; {counts}"
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", "sh", "-c", leaves_out)
    assert done.returncode == 0 and "untraced" not in done.stderr, done.stderr
    assert statements(traced(tmp_path / "t.json"), "write", LOOP) == 50


def test_nothing_but_what_is_missing_is_added(tmp_path: Path) -> None:
    shows = ["env", "-i", "ONLY=this", "ASAN_OPTIONS=color=never", "env"]
    done = start(tmp_path, "trace", "--no-advice", *shows)
    variables = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert variables.pop("ONLY") == "this"
    assert variables.pop("ASAN_OPTIONS") == "verify_asan_link_order=0:color=never"
    assert set(variables) == {"LD_PRELOAD", "HEADRACE_TRACE_DIRECTORY", "HEADRACE_TRACE_LAUNCHER"}


def with_darshan(counts: Path, tmp_path: Path) -> None:
    """The real one."""
    logs = tmp_path / "logs"
    logs.mkdir()
    variables = {"LD_PRELOAD": os.environ[DARSHAN], "DARSHAN_ENABLE_NONMPI": "1", "DARSHAN_LOGDIR": str(logs)}

    def totals() -> Iterator[tuple[str, str]]:
        [log] = logs.glob("*_counts_*")
        parser = os.environ.get("HEADRACE_TEST_DARSHAN_PARSER") or tool("darshan-parser")
        said = subprocess.run([parser, "--total", str(log)], capture_output=True, text=True, check=True).stdout
        yield from re.findall(r"^total_((?:POSIX|STDIO)_(?:OPENS|READS|WRITES|SEEKS|BYTES\w+)): (\S+)$", said, re.M)

    plain = subprocess.run(
        [counts], cwd=fresh(tmp_path / "plain"), env=os.environ | variables, capture_output=True, text=True
    )
    alone = list(totals())
    for log in logs.iterdir():
        log.unlink()
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", str(counts), **variables)
    assert (done.returncode, done.stdout) == (0, plain.stdout), done.stderr
    assert list(totals()) == alone
    assert len(alone) > 5
    assert statements(traced(tmp_path / "t.json"), "write", LOOP) == 50


if DARSHAN in os.environ:
    test_darshan = with_darshan
