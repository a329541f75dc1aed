"""One worker process: started once, it answers commands one at a time, with the times of each."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

from headrace.measure.process import end

STARTING = 300.0  # seconds


class WorkerError(Exception):
    """The process ended, or took too long; the message says what it left on standard error."""


@dataclass
class Answer:
    """What one transfer cost. Seconds and bytes."""

    wall: float
    user: float
    system: float
    peak: int  # resident memory that was added, at its highest
    differences: int  # values that were read wrongly
    phases: list[float] = field(default_factory=list)


class LineProcess:
    """A process that answers lines on its standard input with lines on its standard output."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path, limit: float) -> None:
        self.limit = limit
        if not folder.is_dir():
            raise WorkerError(f"{folder} is gone: somebody removed it during the run")
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - lives as long as the process
        # A session of its own: Ctrl-C reaches the command line alone, which then ends its children.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            errors="replace",
            cwd=folder,
            env=os.environ | environment,
            start_new_session=True,
        )

    def close(self) -> None:
        """End the process, whatever it does."""
        end(self.process)
        self.errors.close()

    def kill(self) -> None:
        """Called from another thread when an answer takes too long."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # what it said is told when its answer is read

    def line_that_begins(self, word: str, limit: float) -> str:
        """The next line that begins with `word`; peers print lines of their own. Raises WorkerError."""
        assert self.process.stdout is not None
        late = threading.Event()

        def kill() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(limit, kill)
        timer.daemon = True
        timer.start()
        try:
            for line in self.process.stdout:
                if line.startswith(word):
                    return line.strip()
        finally:
            timer.cancel()
        raise WorkerError(f"stopped after {limit:.0f} s" if late.is_set() else self.last_words())

    def last_words(self) -> str:
        """Why the process ended."""
        code = self.process.wait()
        lines = self.error_lines()
        if any(line.startswith("Traceback") for line in lines):
            return lines[-1][:300]
        telling = [line for line in lines if not re.match(r"(Error termination|Backtrace|#\d+|at \S+:\d+$)", line)]
        return (telling[0] if telling else how_it_ended(code))[:300]

    def error_lines(self) -> list[str]:
        """What it left on standard error, without empty lines."""
        self.errors.seek(0)
        return [line.strip() for line in self.errors.read().splitlines() if line.strip()]


def how_it_ended(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


class Worker(LineProcess):
    """A process that speaks the lines of bench/harness/worker.f90."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path, limit: float) -> None:
        super().__init__(command, environment, folder, limit)
        try:
            self.version = self._line_after("ready ", STARTING)
        except WorkerError:
            self.close()
            raise

    def write(self, how: str, layout: str, file: Path) -> Answer:
        return self._ask("write", how, layout, file, 0.0)

    def read(self, how: str, layout: str, file: Path, tolerance: float) -> Answer:
        return self._ask("read", how, layout, file, tolerance)

    def _ask(self, verb: str, how: str, layout: str, file: Path, tolerance: float) -> Answer:
        self.send(f"{verb}\t{how}\t{layout}\t{file}\t{tolerance:.9g}")
        found = dict(re.findall(r"(\w+)=\s*(\S+)", self._line_after("done ", self.limit)))
        phases = [float(word) for word in re.findall(r"[^,\s]+", found.get("phases", ""))]
        return Answer(
            wall=float(found["wall"]),
            user=float(found["user"]),
            system=float(found["system"]),
            peak=int(found["peak"]),
            differences=int(found["differences"]),
            phases=phases,
        )

    def _line_after(self, word: str, limit: float) -> str:
        """The rest of the next line that begins with `word`."""
        line = self.line_that_begins(word, limit)
        return re.sub(r",\s+", ",", line.removeprefix(word.strip()).strip())
