"""headrace trace of programs whose environment is not ours alone: others preload too, or variables are gone."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import start
from headrace.trace.nodes import NAMES, for_all_nodes
from trace_programs import COUNTS, compiled, statements, traced
from trace_runs import ROOT, tool

OBSERVER = ROOT / "test" / "intercept" / "observer.c"
# A libdarshan.so that was configured with --without-mpi --with-log-path-by-env=DARSHAN_LOGDIR
DARSHAN = "HEADRACE_TEST_DARSHAN"
LOOP = 1 + COUNTS[: COUNTS.index("write (u) x(i)")].count("\n")
# What a trace leaves alone, as if it were another machine.
ELSEWHERE = "HEADRACE_TRACE_DIRECTORY="
CLEARED = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
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


def test_open_mpi_in_a_script_hands_all_on_to_other_nodes(tmp_path: Path) -> None:
    """A remote shell that goes nowhere, and clears the environment."""
    launcher = tool("mpirun.openmpi")
    program = compiled(tmp_path, "counts", COUNTS)
    shell = script(tmp_path / "shell", "shift", f'exec env -i {ELSEWHERE} PATH="$PATH" {CLEARED} /bin/sh -c "$*"')
    own = script(
        tmp_path / "own", "mkdir $OMPI_COMM_WORLD_RANK && cd $OMPI_COMM_WORLD_RANK || exit 9", f"exec {program}"
    )
    words = [launcher, "-np", "2", "-H", "elsewhere:2", "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", shell, own]
    job = script(tmp_path / "job.sh", " ".join(words))
    done = start(tmp_path, "trace", "--no-advice", "--json", "t.json", job, **AS_ROOT)
    if "not able to launch" in done.stderr:
        pytest.skip(f"Open MPI does not start a rank through an agent here: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    assert traced(tmp_path / "t.json")["mpi_ranks"] == 2


def test_open_mpi_in_a_script_that_names_variables_itself_still_starts(tmp_path: Path) -> None:
    """It refuses -x beside the other way of naming them."""
    job = script(tmp_path / "job.sh", f"{tool('mpirun.openmpi')} -x FIRST -n 1 sh -c 'echo first=$FIRST'")
    done = start(tmp_path, "trace", "--no-advice", job, **AS_ROOT, FIRST="1")
    assert (done.returncode, done.stdout) == (0, "first=1\n"), done.stderr


OURS = "/opt/trace.so"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("srun -n 2 ./p", "srun -n 2 ./p"),
        ("srun --export=NONE ./p", "srun --export={names} ./p"),
        ("srun --export ALL,A=b ./p", "srun --export ALL,A=b ./p"),
        ("srun --export=A,LD_PRELOAD=/d.so ./p", "srun --export=A,LD_PRELOAD={ours}:/d.so,{others} ./p"),
        (
            "srun --export=ALL,A='1,2',LD_PRELOAD='/d.so:/e.so' ./p",
            "srun --export=ALL,A='1,2',LD_PRELOAD={ours}:/d.so:/e.so ./p",
        ),
        ("mpirun.mpich -genv LD_PRELOAD /d.so ./p", "mpirun.mpich -genv LD_PRELOAD {ours}:/d.so ./p"),
        ("mpirun.mpich -genvlist A,B ./p", "mpirun.mpich -genvlist A,B,{names} ./p"),
        ("mpirun.openmpi -x LD_PRELOAD=/d.so ./p", "mpirun.openmpi {each} -x LD_PRELOAD={ours}:/d.so ./p"),
        ("mpirun.openmpi --mca mca_base_env_list A ./p", "mpirun.openmpi --mca mca_base_env_list A;{listed} ./p"),
    ],
)
def test_what_a_launcher_is_told_is_joined_with_what_the_user_told_it(command: str, expected: str) -> None:
    words = command.split()
    program = Path(words[0] if words[0] == "srun" else tool(words[0]))
    told = for_all_nodes(program, words, {"LD_PRELOAD": OURS})
    assert " ".join(told) == expected.format(
        ours=OURS,
        names=",".join(NAMES),
        others=",".join(NAMES[1:]),
        listed=";".join(NAMES),
        each=" ".join(f"-x {n}" for n in NAMES),
    )


def test_what_slurm_was_told_for_the_job_is_told_for_its_steps() -> None:
    environment = {"LD_PRELOAD": OURS, "SLURM_EXPORT_ENV": "NONE"}
    for_all_nodes(Path("job.sh"), ["./job.sh"], environment)
    assert environment["SLURM_EXPORT_ENV"] == ",".join(NAMES)


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


# Without a libc, so that nothing for 32 bits need be installed: prints its variables.
FOREIGN = """\
static int call(int number, int first, const void *second, int third)
{
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
    return result;
}
__attribute__((used)) void begin(char **stack)
{
    char **variable = stack + (int)(long)stack[0] + 2;
    for (; *variable; ++variable) {
        int length = 0;
        while ((*variable)[length]) ++length;
        call(4, 1, *variable, length);
        call(4, 1, "\\n", 1);
    }
    call(1, 7, 0, 0);
}
__asm__(".globl _start\\n_start: movl %esp, %eax\\n pushl %eax\\n call begin\\n");
"""


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    (tmp_path / "foreign.c").write_text(FOREIGN)
    options = ["-m32", "-static", "-nostdlib", "-ffreestanding", "-fno-pic", "-no-pie", "-fno-stack-protector", "-O1"]
    command = [tool("gcc"), *options, "foreign.c", "-o", "foreign"]
    if subprocess.run(command, cwd=tmp_path, capture_output=True).returncode:
        pytest.skip("the compiler makes no 32-bit programs of x86")
    try:
        subprocess.run([tmp_path / "foreign"], capture_output=True)
    except OSError:
        pytest.skip("this machine runs no 32-bit programs of x86")
    return tmp_path / "foreign"


@pytest.mark.parametrize("by", ["headrace", "sh", "env"])
def test_a_program_for_another_processor_gets_no_library_that_its_loader_would_complain_about(
    by: str, foreign: Path, tmp_path: Path
) -> None:
    words = {"headrace": ["./foreign"], "sh": ["sh", "-c", "./foreign; exit 7"], "env": ["env", "A=b", "./foreign"]}[by]
    done = start(tmp_path, "trace", "--no-advice", *words, LD_PRELOAD="libm.so.6")
    variables = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert (done.returncode, variables.get("LD_PRELOAD")) == (7, "libm.so.6"), done.stderr
    said = "made for another processor (32-bit x86); this machine is x86-64"
    assert (said if by == "headrace" else "./foreign is not traced: it is for another processor") in done.stderr


def test_a_program_that_this_machine_cannot_run_is_called_so(tmp_path: Path) -> None:
    program = tmp_path / "elsewhere"
    header = bytearray(Path("/bin/sh").read_bytes()[:64])
    header[18:20] = (22).to_bytes(2, "little")  # IBM S/390
    program.write_bytes(bytes(header))
    program.chmod(0o755)
    done = start(tmp_path, "trace", str(program))
    assert (done.returncode, "made for another processor" in done.stderr) == (126, True), done.stderr


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
