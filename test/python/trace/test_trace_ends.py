"""headrace trace of programs that end badly, that get signals, and of directories where no profile can be."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import start
from headrace.trace.installed import library_path
from trace_programs import ENDS, FATAL_LINE, INSIDE_LINE, LOOP_LINE, Run, compiled, statements, traced


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("ends"), "ends", ENDS)


def shell_code(code: int) -> int:
    return 128 - code if code < 0 else code


@pytest.mark.parametrize(
    "how", ["stop", "error stop", "_exit", "abort", "segv", "kill", "term", "kill inside", "run time"]
)
def test_counts_survive_every_end(how: str, ends: Path, headrace: Run, tmp_path: Path) -> None:
    plain = subprocess.run([ends, how], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    done = headrace("trace", "--json", "t.json", str(ends), how)
    assert done.returncode == shell_code(plain.returncode), done.stderr
    trace = traced(tmp_path / "t.json")
    assert statements(trace, "write", LOOP_LINE) == 1000
    killed = {"abort": "SIGABRT", "segv": "SIGSEGV", "kill": "SIGKILL", "term": "SIGTERM", "kill inside": "SIGKILL"}
    assert trace["signal"] == killed.get(how, "")
    assert (f"killed by {killed[how]}" if how in killed else f"exit code {plain.returncode}") in done.stderr
    line = {"kill inside": INSIDE_LINE, "run time": FATAL_LINE}.get(how)
    if line:
        assert f"ended inside of ends.f90:{line} " in done.stderr
        assert (ENDS.splitlines()[line - 1].strip()) in done.stderr
    elif how in killed:
        assert f"ended outside of I/O statements, without an orderly exit; the last one was ends.f90:{LOOP_LINE}" in (
            " ".join(done.stderr.split())
        )
    else:
        assert "ended inside" not in done.stderr and "ended outside" not in done.stderr
    assert trace["totals"]["io_seconds"] > 0


SIGNALS = """\
module handlers
   use, intrinsic :: iso_c_binding, only: c_int, c_funptr, c_funloc
   implicit none
   integer, volatile :: seen = 0
   interface
      function c_signal(number, handler) bind(c, name='signal')
         import :: c_int, c_funptr
         integer(c_int), value :: number
         type(c_funptr), value :: handler
         type(c_funptr) :: c_signal
      end function c_signal
      integer(c_int) function c_pause() bind(c, name='pause')
         import :: c_int
      end function c_pause
   end interface
contains
   subroutine note(number) bind(c)
      integer(c_int), value :: number
      seen = 100*seen + number
   end subroutine note
end module handlers
program signals
   use handlers
   implicit none
   type(c_funptr) :: before
   integer(c_int) :: i
   before = c_signal(10_c_int, c_funloc(note))
   before = c_signal(1_c_int, c_funloc(note))
   write (*, '(a)') 'ready'
   flush (6)
   do while (seen < 1001)
      i = c_pause()
   end do
   write (*, '(i0)') seen
   flush (6)
   do
      i = c_pause()
   end do
end program signals
"""


@pytest.fixture(scope="module")
def signals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("signals"), "signals", SIGNALS)


def started_trace(program: Path, folder: Path, **options: bool) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "headrace", "trace", "--json", "t.json", str(program)]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def test_signals_reach_the_program_and_its_trace_is_printed(signals: Path, tmp_path: Path) -> None:
    process = started_trace(signals, tmp_path)
    process.send_signal(signal.SIGUSR1)
    time.sleep(0.1)  # signals that wait have no order
    process.send_signal(signal.SIGHUP)
    assert process.stdout is not None and process.stdout.readline() == "1001\n"
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert "killed by SIGTERM" in errors and "signals.f90:" in errors
    assert traced(tmp_path / "t.json")["signal"] == "SIGTERM"


def test_ctrl_c_ends_the_program_and_prints_the_table(signals: Path, tmp_path: Path) -> None:
    process = started_trace(signals, tmp_path)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of the group
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT
    assert "killed by SIGINT" in errors and "signals.f90:" in errors
    assert not list(tmp_path.glob("*.profiles-*"))


def test_profiles_stay_and_are_shown_if_headrace_itself_is_killed(signals: Path, tmp_path: Path, headrace: Run) -> None:
    process = started_trace(signals, tmp_path)
    process.kill()
    process.wait(timeout=60)
    [folder] = tmp_path.glob("signals.profiles-*")
    shown = headrace("trace", "show", folder.name)
    [profile] = folder.iterdir()
    os.kill(int(profile.name.split(".")[-3]), signal.SIGKILL)  # the program goes on alone
    process.communicate(timeout=60)
    assert shown.returncode == 0 and "signals.f90:" in shown.stdout


def preloaded(program: Path, folder: Path, profiles: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"LD_PRELOAD": str(library_path()), "HEADRACE_TRACE_DIRECTORY": profiles}
    command = [program, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("profiles", ["/nowhere/at/all", "relative", "/dev/null"])
def test_without_a_directory_for_profiles_the_program_runs_as_ever(ends: Path, tmp_path: Path, profiles: str) -> None:
    plain = subprocess.run([ends, "stop"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    written = (tmp_path / "ends.dat").read_bytes()
    done = preloaded(ends, tmp_path, profiles, "stop")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    assert "runs untraced" in done.stderr and done.stderr.count("headrace") == 1
    assert (tmp_path / "ends.dat").read_bytes() == written


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("only root may mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_no_bus_error(ends: Path, small_disk: Path, tmp_path: Path, headrace: Run) -> None:
    plain = subprocess.run([ends, "stop"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    written = (tmp_path / "ends.dat").read_bytes()
    done = headrace("trace", "--save", "disk/t", str(ends), "stop")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    assert "no space for a profile" in done.stderr and "nothing was traced" in done.stderr
    assert (tmp_path / "ends.dat").read_bytes() == written
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    done = headrace("trace", "--save", "disk/t", str(ends), "stop")
    assert done.returncode == 2 and "no directory for profiles can be made there: Read-only" in done.stderr


def test_a_trace_that_cannot_be_written_leaves_the_profiles(ends: Path, tmp_path: Path, headrace: Run) -> None:
    source = f"#!/bin/sh\n{ends} stop\nrm -r place\ntouch place\nexit 6\n"
    (tmp_path / "job.sh").write_text(source)
    (tmp_path / "job.sh").chmod(0o755)
    (tmp_path / "place").mkdir()
    done = headrace("trace", "--save", "place/t", "./job.sh")
    assert done.returncode == 6, done.stderr
    assert "nothing was traced" in done.stderr


def test_profiles_that_were_removed_are_said(ends: Path, tmp_path: Path) -> None:
    done = start(tmp_path, "trace", "sh", "-c", f"{ends} stop; rm -r *.profiles-*; exit 5")
    assert done.returncode == 5
    assert "was removed while the program ran" in done.stderr and not list(tmp_path.glob("*.headrace-trace"))


def test_a_program_without_the_library_is_said(ends: Path, tmp_path: Path) -> None:
    done = start(tmp_path, "trace", "env", "-i", "HEADRACE_TRACE_DIRECTORY=", str(ends), "stop")
    assert done.returncode == 3
    assert "nothing was traced" in done.stderr and not list(tmp_path.glob("*.headrace-trace"))


TERMINAL = """\
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
said = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        part = b""
    if not part:
        break
    said += part
    if part and b"ready" in said:
        os.write(terminal, b"\\x03")
        said = said.replace(b"ready", b"")
print(said.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_ctrl_c_of_a_terminal_reaches_the_program_once(tmp_path: Path) -> None:
    (tmp_path / "terminal.py").write_text(TERMINAL)
    script = tmp_path / "job.sh"
    script.write_text("#!/bin/sh\ntrap 'echo got it' INT\necho ready\nsleep 0.6\nsleep 0.4\nexit 4\n")
    script.chmod(0o755)
    command = [sys.executable, "terminal.py", sys.executable, "-m", "headrace", "trace", "./job.sh"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout.count("got it") == 1, done.stdout
    assert done.stdout.split()[-1] == "4"


COUNTING = """
import os, signal, sys, time
seen = []
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
if "alone" in sys.argv:
    os.setpgid(0, 0)
print("ready", flush=True)
sys.stdin.readline()
time.sleep(0.3)
print(len(seen), flush=True)
"""


@pytest.mark.parametrize("target", ["group", "headrace", "alone"])
def test_a_signal_arrives_once(target: str, tmp_path: Path) -> None:
    """Sent to the process group, as batch systems do; to headrace alone; to it if the program has left the group."""
    (tmp_path / "counting.py").write_text(COUNTING)
    command = [sys.executable, "-m", "headrace", "trace", sys.executable, "counting.py", target]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for _ in range(2):  # what was sent before must not be taken for the next
        os.killpg(process.pid, signal.SIGUSR1) if target == "group" else process.send_signal(signal.SIGUSR1)
        time.sleep(0.3)
    said, _ = process.communicate("now\n", timeout=60)
    assert said == "2\n" and process.returncode == 0


def test_without_its_library_it_says_why(ends: Path, tmp_path: Path, headrace: Run) -> None:
    done = headrace("trace", str(ends), "stop", HEADRACE_TRACE_LIBRARY="/no/such/library.so")
    assert done.returncode == 2 and "/no/such/library.so: no such file" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_library_with_a_blank_in_its_name_is_loaded(ends: Path, tmp_path: Path, headrace: Run) -> None:
    folder = tmp_path / "my lib:raries"
    folder.mkdir()
    (folder / "libheadrace_trace.so").write_bytes(library_path().read_bytes())
    library = str(folder / "libheadrace_trace.so")
    done = headrace("trace", "--json", "t.json", str(ends), "stop", HEADRACE_TRACE_LIBRARY=library)
    assert done.returncode == 3 and "ERROR: ld.so" not in done.stderr
    assert statements(traced(tmp_path / "t.json"), "write", LOOP_LINE) == 1000


def test_words_that_are_no_text_are_passed_on(tmp_path: Path, ends: Path) -> None:
    odd = b"\xff\xe9"
    command = [sys.executable, "-m", "headrace", "trace", "--json", "t.json", str(ends), odd]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert traced(tmp_path / "t.json")["command"][1] == odd.decode(errors="replace")


def test_programs_that_do_not_start_have_the_codes_of_shells(tmp_path: Path, headrace: Run) -> None:
    (tmp_path / "plain").write_text("no program\n")
    done = headrace("trace", "./plain")
    assert done.returncode == 126 and "no permission to execute it" in done.stderr
    (tmp_path / "plain").chmod(0o755)
    done = headrace("trace", "./plain")
    assert done.returncode == 126 and "neither a program of this machine nor a script" in done.stderr
    assert headrace("trace", "./nothing").returncode == 127
    assert headrace("trace", ".").returncode == 126
    for words in ([], ["--check"], ["--lines", "0", "x"], ["--linse", "3", "x"], [""], ["--save"]):
        assert headrace("trace", *words).returncode == 2, words
    assert not [path for path in tmp_path.iterdir() if path.name != "plain"]


def test_an_ignored_ctrl_c_stays_ignored(tmp_path: Path) -> None:
    """As for a job in the background of a script."""
    shows = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    command = f"trap '' INT; exec {sys.executable} -m headrace trace {sys.executable} -c '{shows}'"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr
