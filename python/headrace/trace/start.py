"""Starts a program with a library in it: what `headrace trace` and `headrace run` share. Next: nodes.py.

The program must not notice: it has our standard input, output and error, our process group, and the signals that we
get. No numpy here: its threads would take the signals that are waited for.
"""

import contextlib
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.trace.check import check, hint_of_mode
from headrace.trace.installed import LIBRARIES

NOT_FOUND, NOT_STARTED = 127, 126  # as of shells, env, timeout and nohup
KILLED = 128  # and the number of the signal, as of shells
FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
_BY_KERNEL = 0x80  # si_code of Ctrl-C: the whole process group has it already


class CannotStartError(HeadraceError):
    """The program did not start; `code` is the exit code that shells give then."""

    def __init__(self, message: str, hint: str, code: int) -> None:
        super().__init__(message, hint)
        self.code = code


def find_program(name: str) -> Path:
    """The file of a program that a shell would start. Raises CannotStartError."""
    found = shutil.which(name)
    if found:
        return Path(found)
    path = Path(name) if "/" in name or name in (".", "..") else None
    if path is not None and path.is_dir():
        raise CannotStartError(f"{name}: a directory, not a program", "", NOT_STARTED)
    if path is not None and path.exists():
        raise CannotStartError(f"{name}: no permission to execute it", hint_of_mode(path, name), NOT_STARTED)
    where = "no such file" if path is not None else "no program of this name is in PATH"
    hint = _hint_of_file(name) if path is None and Path(name).is_file() else ""
    raise CannotStartError(f"{name}: {where}", hint, NOT_FOUND)


def _hint_of_file(name: str) -> str:
    """For a file of this directory that was named without its path."""
    if os.access(name, os.X_OK):
        return f"for a program in this directory: ./{name}"
    return f"the file {name} in this directory cannot be executed: if it is a source file, name the program made of it"


@contextlib.contextmanager
def loadable(library: Path) -> Iterator[str]:
    """A name of the library that the loader takes: blanks and colons would end it."""
    if not any(mark in str(library) for mark in " :"):
        yield str(library)
        return
    with tempfile.TemporaryDirectory(prefix="headrace-library-") as folder:
        link = Path(folder) / library.name
        if any(mark in folder for mark in " :"):
            raise HeadraceError(
                f"{library}: the loader cannot load a library whose name has a blank or a colon",
                "set TMPDIR to a directory whose name has neither",
            )
        link.symlink_to(library)
        yield str(link)


def preloading(library: str, variables: dict[str, str]) -> dict[str, str]:
    """Our environment and `variables`, with the library in front of others that are preloaded, and no other of ours."""
    others = [word for word in re.split("[ :]+", os.environ.get("LD_PRELOAD", "")) if word]
    kept = [word for word in others if Path(word).name not in LIBRARIES]
    address = os.environ.get("ASAN_OPTIONS", "")
    option = "verify_asan_link_order"
    if option not in address:
        address = f"{option}=0" + f":{address}" * bool(address)
    # AddressSanitizer refuses to start behind another library; its own order is right as it is.
    return os.environ | {"ASAN_OPTIONS": address, "LD_PRELOAD": ":".join((library, *kept))} | variables


def without_preloading(environment: dict[str, str]) -> None:
    """For a program whose loader would complain: what is preloaded becomes what the user preloads."""
    environment["LD_PRELOAD"] = os.environ.get("LD_PRELOAD", "")


def is_for_another_processor(program: Path) -> bool:
    """32-bit, or for an emulator."""
    kinds = []
    for path in (Path(sys.executable), program):
        with contextlib.suppress(OSError), path.open("rb") as file:
            header = file.read(20)
            if header.startswith(b"\x7fELF"):
                kinds.append((header[4], header[18:]))
    return len(set(kinds)) == 2


def run_to_end(program: Path, command: Sequence[str], environment: dict[str, str]) -> int:
    """Start it, hand on signals until it ends, return its status."""
    sys.stdout.flush()
    sys.stderr.flush()
    chld = signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would leave no status
    awaited = {*FORWARDED, signal.SIGCHLD}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    witness = _Witness()
    try:
        try:
            child = os.posix_spawn(
                program, list(command), environment, setsigmask=mask, setsigdef=(signal.SIGPIPE, signal.SIGXFSZ)
            )
        except OSError as error:
            raise CannotStartError(
                f"{command[0]}: cannot be started: {why_not_started(error, program)}", "", NOT_STARTED
            ) from error
        while True:
            came = signal.sigwaitinfo(awaited)
            if came.si_signo != signal.SIGCHLD:
                sent_to_all = witness.had(came.si_signo) and _is_in_our_group(child)
                if came.si_code != _BY_KERNEL and not sent_to_all:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(child, came.si_signo)
                continue
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
    finally:
        witness.close()
        while signal.sigtimedwait(FORWARDED, 0):  # meant for the program, which has ended
            pass
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGCHLD, chld)


def _is_in_our_group(child: int) -> bool:
    try:
        return os.getpgid(child) == os.getpgrp()
    except OSError:
        return False


class _Witness:
    """A process beside the program that gets what our process group, or all processes of a job, are sent.

    A signal that reached it too has reached the program already: handed on by us it would come twice. It is a cat that
    reads a pipe of ours, with the signals blocked, so that they stay pending and can be seen. Not a copy of headrace:
    who kills that by name means the program.
    """

    _PATIENCE = 0.01  # seconds: a signal reaches the processes of a group one after the other

    def __init__(self) -> None:
        self._process, self._pipe = 0, -1
        self._start()

    def _start(self) -> None:
        cat = shutil.which("cat")
        if cat is None:
            return
        reads, self._pipe = os.pipe()
        nothing = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)]
        try:
            self._process = os.posix_spawn(
                cat,
                ["cat"],
                {"PATH": os.defpath},  # what the user preloads is meant for the program
                file_actions=[(os.POSIX_SPAWN_DUP2, reads, 0), *nothing],
                setsigmask=FORWARDED,
            )
        except OSError:
            self.close()
        finally:
            os.close(reads)

    def had(self, number: int) -> bool:
        """Whether it got this signal since the last question."""
        time.sleep(self._PATIENCE)
        try:
            status = Path(f"/proc/{self._process}/status").read_text()
        except OSError:
            return False
        pending = next((line.split()[1] for line in status.splitlines() if line.startswith("ShdPnd:")), "0")
        if not int(pending, 16) >> (number - 1) & 1:
            return False
        self.close()  # nobody can take a pending signal from it
        self._start()
        return True

    def close(self) -> None:
        """End it."""
        if self._pipe >= 0:
            os.close(self._pipe)
        if self._process:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._process, 0)
        self._process, self._pipe = 0, -1


def why_not_started(error: OSError, program: Path) -> str:
    """What exec found wrong, in words."""
    if error.errno == 8:  # ENOEXEC
        if is_for_another_processor(program):
            return check(str(program)).sentence
        return "neither a program of this machine nor a script that begins with #!"
    if error.errno == 2:
        return f"the loader or the interpreter that {program} names is not there"
    return error.strerror or str(error)
