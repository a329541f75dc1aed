"""One run of the worker program on many MPI ranks: started once, it answers requests. Next: protocol.py."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.parallel.launcher import Launcher, other_mpi_hint, start_hint
from headrace.measure.parallel.protocol import Hello, Reply, Request, read_hello, read_reply
from headrace.measure.workers import LineProcess, WorkerError, how_it_ended
from headrace.results.methods import mpi_ranks

STARTING = 120.0  # seconds
LEAVING = 5.0  # seconds to end after `quit`
SWEEPS = 5  # until no process of a session is left
SHOWN = 6  # lines of a launcher's standard error


class OtherMpiError(WorkerError):
    """The launcher belongs to another MPI: each program that it started takes itself for the only one."""

    def __init__(self, expected: int, hello: Hello) -> None:
        self.mpi = hello.mpi.split(",")[0] or "unknown"
        super().__init__(
            f"the launcher started programs of {mpi_ranks(hello.ranks)}, "
            f"expected were {expected}: it belongs to another MPI than the worker ({self.mpi})"
        )


class ParallelWorker(LineProcess):
    """The worker of one number of MPI ranks and one environment."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path, limit: float, ranks: int) -> None:
        super().__init__(command, environment, folder, limit)
        self.ranks = ranks
        self._last_id = 0
        try:
            self.hello = self._greet()
        except WorkerError:
            self.close()
            raise
        except BaseException:  # Ctrl-C, or a scheduler's SIGTERM: many MPI ranks may be starting
            self.kill()
            self.close()
            raise

    def ask(self, request: Request) -> Reply:
        """Raises WorkerError when the worker ends or takes too long; a reply may still say that it failed."""
        self._last_id += 1
        request.id = self._last_id
        self.send(request.line())
        return read_reply(self.line_that_begins("{", self.limit), request.id)

    def kill(self) -> None:
        kill_session(self.process.pid)

    def close(self) -> None:
        """Ask it to leave; a launcher that is killed at once may leave its MPI ranks behind."""
        if self.process.poll() is None:
            self.send(Request(id=0, method="", operation="quit").line())
            if self.process.stdin is not None:
                with contextlib.suppress(BrokenPipeError):
                    self.process.stdin.close()
            if not _ended(self.process, LEAVING):
                self.process.send_signal(signal.SIGTERM)
                _ended(self.process, LEAVING)
        kill_session(self.process.pid)
        super().close()

    def last_words(self) -> str:
        """The end of what the launcher and the MPI ranks said."""
        _ended(self.process, LEAVING)
        # MPI ranks often say the same.
        lines = list(dict.fromkeys(line for line in self.error_lines() if line.strip("-=*| ")))
        code = self.process.poll()
        ended = "no answer any more" if code is None else how_it_ended(code)
        return f"it ended ({ended}): " + " | ".join(lines[-SHOWN:]) if lines else f"it ended ({ended})"

    def _greet(self) -> Hello:
        hello = read_hello(self.line_that_begins("{", STARTING))
        if hello.ranks != self.ranks:
            raise OtherMpiError(self.ranks, hello)
        return hello


def start_worker(
    launcher: Launcher, ranks: int, program: list[str], environment: dict[str, str], folder: Path, limit: float
) -> ParallelWorker:
    """Raises HeadraceError with the command and the end of what it said."""
    command = launcher.command(ranks, program, environment)
    try:
        return ParallelWorker(command, environment, folder, limit, ranks)
    except OSError as error:
        raise HeadraceError(f"{command[0]} cannot be started: {error.strerror}", launcher.hint()) from error
    except OtherMpiError as error:
        raise HeadraceError(_not_started(ranks, command, error), other_mpi_hint(launcher, error.mpi)) from error
    except WorkerError as error:
        raise HeadraceError(
            _not_started(ranks, command, error),
            start_hint(launcher, str(error), Path(program[0])),
        ) from error


def _not_started(ranks: int, command: list[str], error: WorkerError) -> str:
    return f"no worker on {mpi_ranks(ranks)}\n  command: {' '.join(command)}\n  {error}"


def kill_session(leader: int) -> None:
    """SIGKILL to every process of a session: MPI ranks leave the process group of their launcher."""
    with contextlib.suppress(OSError):
        os.kill(leader, signal.SIGKILL)  # or it starts more meanwhile
    for _ in range(SWEEPS):
        found = [pid for pid in _processes() if _session_of(pid) == leader and pid != leader]
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1


def _ended(process: "subprocess.Popen[str]", seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while process.poll() is None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
