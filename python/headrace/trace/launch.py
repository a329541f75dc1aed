"""Starts a program with the library of intercept/ in it, waits for it, and joins what its processes left.

The program must not notice: it has our standard input, output and error, our process group, and the signals that we
get.
"""

import contextlib
import os
import shutil
import signal
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import headrace
from headrace.errors import HeadraceError
from headrace.installing import how_to_reinstall
from headrace.trace.archive import ENDING, Recorded, now_and_here, read_profiles, write_archive
from headrace.trace.merge import Run, merge
from headrace.trace.profile import Profile
from headrace.trace.results import Trace
from headrace.trace.sources import find_sources, show_sources

LIBRARY = "libheadrace_trace.so"
NOT_FOUND, NOT_STARTED = 127, 126  # as of shells, env, timeout and nohup
KILLED = 128  # and the number of the signal, as of shells
FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_BY_KERNEL = 0x80  # si_code of Ctrl-C: the whole process group has it already


class CannotStartError(HeadraceError):
    """The program did not start; `code` is the exit code that shells give then."""

    def __init__(self, message: str, hint: str, code: int) -> None:
        super().__init__(message, hint)
        self.code = code


@dataclass
class Launched:
    """What came of a run; `trace` is None if no process left a profile."""

    code: int
    trace: Trace | None
    file: Path | None
    problems: list[str]


def library_path() -> Path:
    """The library that is loaded into programs. Raises HeadraceError that says why there is none."""
    named = os.environ.get("HEADRACE_TRACE_LIBRARY")
    if named:
        if not Path(named).is_file():
            raise HeadraceError(
                f"{named}: no such file", f"HEADRACE_TRACE_LIBRARY names it: unset it, or name a {LIBRARY}"
            )
        return Path(named).resolve()
    for folder in headrace.__path__:  # an editable install has two
        if (Path(folder) / LIBRARY).is_file():
            return (Path(folder) / LIBRARY).resolve()
    multiarch = sysconfig.get_config_var("MULTIARCH") or "lib"
    for root in dict.fromkeys((sys.prefix, "/usr/local", "/usr")):
        for lib in ("lib", "lib64", f"lib/{multiarch}"):
            installed = Path(root) / lib / "headrace" / LIBRARY
            if installed.is_file():
                return installed
    raise HeadraceError(
        f"{LIBRARY} is not there: it could not be built when this package was installed",
        "it needs Linux on a 64-bit little-endian processor (x86-64, aarch64) and a C compiler: install one and run "
        f"`{how_to_reinstall()}`",
    )


def launch(command: Sequence[str], save: Path | None) -> Launched:
    """Run a program to its end and leave its trace in `save`, else in PROGRAM.headrace-trace in the current directory.

    Raises CannotStartError, or HeadraceError if there is no library or no place for profiles. Whatever goes wrong
    after the start is in `problems`: the exit code stays that of the program.
    """
    program = _find(command[0])
    library = library_path()
    folder = save.parent if save else Path.cwd()
    try:
        profiles = Path(tempfile.mkdtemp(prefix=f"{program.name}.profiles-", dir=folder)).resolve()
    except OSError as error:
        raise HeadraceError(
            f"{folder}: no directory for profiles can be made there: {error.strerror}",
            f"name a place with --save DIRECTORY/NAME{ENDING}",
        ) from error
    date, host = now_and_here()
    begun = time.monotonic()
    try:
        with _loadable(library) as path:
            status = _run(program, command, _environment(path, profiles))
    except BaseException:
        shutil.rmtree(profiles, ignore_errors=True)
        raise
    wall = time.monotonic() - begun
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    code = KILLED + killed if killed else os.waitstatus_to_exitcode(status)
    run = Run(list(command), date, host, wall, None if killed else code, signal.Signals(killed).name if killed else "")
    try:
        trace, file = _join(profiles, run, save, Path(command[0]).name)
    except (HeadraceError, OSError, KeyboardInterrupt, MemoryError) as error:
        why = error.message if isinstance(error, HeadraceError) else repr(error)
        kept = f"the profiles are kept: headrace trace show {profiles}"
        return Launched(code, None, None, [f"the trace was not written: {why}", kept])
    shutil.rmtree(profiles, ignore_errors=True)
    return Launched(code, trace, file, [])


def _find(name: str) -> Path:
    found = shutil.which(name)
    if found:
        return Path(found)
    path = Path(name) if "/" in name or name in (".", "..") else None
    if path is not None and path.is_dir():
        raise CannotStartError(f"{name}: a directory, not a program", "", NOT_STARTED)
    if path is not None and path.exists():
        raise CannotStartError(f"{name}: no permission to execute it", f"chmod +x {name}", NOT_STARTED)
    where = "no such file" if path is not None else "no program of this name is in PATH"
    hint = f"for a program in this directory: ./{name}" if path is None and Path(name).is_file() else ""
    raise CannotStartError(f"{name}: {where}", hint, NOT_FOUND)


@contextlib.contextmanager
def _loadable(library: Path) -> Iterator[str]:
    """A name of the library that the loader takes: blanks and colons would end it."""
    if not any(mark in str(library) for mark in " :"):
        yield str(library)
        return
    with tempfile.TemporaryDirectory(prefix="headrace-trace-") as folder:
        link = Path(folder) / LIBRARY
        if any(mark in folder for mark in " :"):
            raise HeadraceError(
                f"{library}: the loader takes no name with a blank or a colon", "set TMPDIR to one without"
            )
        link.symlink_to(library)
        yield str(link)


def _environment(library: str, profiles: Path) -> dict[str, str]:
    """Ours, with the library in front of others that are preloaded."""
    others = os.environ.get("LD_PRELOAD", "")
    return os.environ | {
        "LD_PRELOAD": f"{library}:{others}" if others else library,
        "HEADRACE_TRACE_DIRECTORY": str(profiles),
        "HEADRACE_TRACE_LAUNCHER": str(os.getpid()),
    }


def _run(program: Path, command: Sequence[str], environment: dict[str, str]) -> int:
    """Start it, hand on signals until it ends, return its status."""
    sys.stdout.flush()
    sys.stderr.flush()
    chld = signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would leave no status
    awaited = {*FORWARDED, signal.SIGCHLD}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    try:
        try:
            child = os.posix_spawn(
                program, list(command), environment, setsigmask=mask, setsigdef=(signal.SIGPIPE, signal.SIGXFSZ)
            )
        except OSError as error:
            raise CannotStartError(
                f"{command[0]}: cannot be started: {_why(error, program)}", "", NOT_STARTED
            ) from error
        while True:
            came = signal.sigwaitinfo(awaited)
            if came.si_signo != signal.SIGCHLD:
                if came.si_code != _BY_KERNEL:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(child, came.si_signo)
                continue
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
    finally:
        while signal.sigtimedwait(FORWARDED, 0):  # meant for the program, which has ended
            pass
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGCHLD, chld)


def _why(error: OSError, program: Path) -> str:
    if error.errno == 8:  # ENOEXEC
        return "neither a program of this machine nor a script that begins with #!"
    if error.errno == 2:
        return f"the loader or the interpreter that {program} names is not there"
    return error.strerror or str(error)


def _join(folder: Path, run: Run, save: Path | None, name: str) -> tuple[Trace | None, Path | None]:
    """One trace of all profiles, and the file that keeps it."""
    found = sorted(folder.glob("*.profile"))
    profiles, notes = read_profiles((path.name, path.read_bytes()) for path in found)
    if not profiles:
        return None, None
    recorded = Recorded(run, profiles, {}, [*notes, *_still_running(profiles, run.host)])
    trace = merge(profiles, run, recorded.notes)
    recorded.sources, said = find_sources(trace, Path.cwd())
    recorded.notes += said
    trace.notes += said
    show_sources(trace, recorded.sources)
    costliest = max(trace.processes, key=lambda process: process.io_seconds)
    if costliest.io_seconds > 0 and costliest.program:
        name = Path(costliest.program).name  # not mpirun
    return trace, write_archive(recorded, save or Path.cwd() / f"{name}{ENDING}")


def _still_running(profiles: Sequence[Profile], host: str) -> list[str]:
    running = [
        f"process {profile.header['process']} ({Path(profile.member('program')).name})"
        for profile in profiles
        if profile.ending == "none"
        and profile.member("host") == host
        and os.path.realpath(f"/proc/{profile.header['process']}/exe") == profile.member("program")
    ]
    return [
        f"still running when the trace was written, so what they did later is missing: {', '.join(running)}"
    ] * bool(running)
