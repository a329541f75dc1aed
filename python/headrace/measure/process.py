"""Runs the program of a family once, or several at a time, and reads what it prints."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from headrace.measure.on_disk import LEAST_TEXT, dirty_bytes, doubt, size_on_disk
from headrace.results.records import Outcome, Sample

Contents = Literal["none", "binary", "text"]

REFUSED = 4  # exit code of the harness procedure `refuse`


@dataclass
class Request:
    """What one process is asked to do; the names are the arguments of the harness."""

    mechanism: str
    count: int
    file: Path
    minimum: float = 0.0
    passes: int = 1000
    write_passes: int = 0  # 0: as many as `passes`
    read_passes: int = 0
    seed: int = 1
    synced: bool = False
    cold: bool = False
    write: bool = True
    read: bool = True
    keep: bool = False
    wait: bool = False
    part: int = 1
    parts: int = 1
    contents: Contents = "none"  # of the file, for the look at what was written; not an argument of the harness

    def arguments(self) -> list[str]:
        words = {True: "yes", False: "no"}
        # the file is looked at after the process has ended, and then removed here
        given = {k: v for k, v in vars(self).items() if k != "contents"} | {"keep": True}
        return [f"{k}={words[v] if isinstance(v, bool) else v}" for k, v in given.items()]


@dataclass
class Report:
    """What one process did."""

    outcome: Outcome = "measured"
    message: str = ""
    passes: dict[str, list[dict[str, float]]] = field(default_factory=lambda: {"write": [], "read": []})
    file_bytes: int = 0
    payload_bytes: int = 0
    values: int = 0
    peak: dict[str, int] = field(default_factory=dict)
    resident: float | None = None
    verified: bool = False
    compiler_version: str = ""
    compiler_options: str = ""
    distribution: str = ""

    def seconds(self, operation: str) -> float:
        """Sum of the clock over all passes."""
        return sum(p["total"] for p in self.passes[operation])

    def sample(self, operation: str, round_number: int) -> Sample | None:
        """The mean pass of an operation, or None when it did not run."""
        runs = self.passes[operation]
        if not runs:
            return None
        mean = {key: sum(p[key] for p in runs) / len(runs) for key in runs[0]}
        return Sample(
            round=round_number,
            passes=len(runs),
            total=mean["total"],
            open=mean["open"],
            transfer=mean["transfer"],
            close=mean["close"],
            sync=mean["sync"],
            user=mean["user"],
            system=mean["system"],
            system_calls=mean["calls"],
            page_faults=mean.get("faults", -1),
        )


def run_process(executable: Path, request: Request, environment: dict[str, str], limit: float) -> Report:
    """Run one process to its end, or kill it after `limit` seconds."""
    return run_together(executable, [request], environment, limit)[0]


def run_together(executable: Path, requests: list[Request], environment: dict[str, str], limit: float) -> list[Report]:
    """Run one process for each request; those that `wait` start each pass at the same moment."""
    children: list[_Child] = []
    try:
        for request in requests:
            children.append(_Child(executable, request, environment))
        deadline = time.monotonic() + limit
        if requests[0].wait:
            for operation in ("write", "read"):
                if getattr(requests[0], operation):
                    for _ in range(getattr(requests[0], f"{operation}_passes") or requests[0].passes):
                        _start_together(children, deadline)
        reports = [child.finish(deadline) for child in children]
        for request, report in zip(requests, reports, strict=True):
            _look(request, report)
        return reports
    except FileNotFoundError as error:
        folder = requests[0].file.parent
        gone = f"{folder} is gone: somebody removed it during the run" if not folder.exists() else str(error)
        return [Report(outcome="failed", message=gone) for _ in requests]
    finally:
        for child in children:
            child.kill()
        for request in requests:
            if not request.keep:
                request.file.unlink(missing_ok=True)
                request.file.with_name(request.file.name + ".meta").unlink(missing_ok=True)


def _look(request: Request, report: Report) -> None:
    """Compare the bytes on disk, and where they lie, with the payload. What the same statements read back may lie."""
    if report.outcome != "measured" or not request.write or request.contents == "none" or not report.passes["write"]:
        return
    least = report.payload_bytes if request.contents == "binary" else LEAST_TEXT * report.values
    report.message = doubt(request.file, least)
    if report.message:
        report.outcome = "wrong"
        return
    report.file_bytes = size_on_disk(request.file)
    left = dirty_bytes(request.file) if request.synced else 0
    if left > 0:
        report.outcome, report.message = "wrong", f"{left:,} bytes were not on the device after fsync: it did nothing"


class _Child:
    def __init__(self, executable: Path, request: Request, environment: dict[str, str]) -> None:
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - lives as long as the process
        self.early: list[str] = []
        # A session of its own: Ctrl-C reaches the command line alone, which then ends its children.
        self.process = subprocess.Popen(
            [str(executable), *request.arguments()],
            stdin=subprocess.PIPE if request.wait else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            errors="replace",
            cwd=request.file.parent,
            env=os.environ | {"HEADRACE_O_DIRECT": str(getattr(os, "O_DIRECT", 0))} | environment,
            start_new_session=True,
        )

    def ready(self) -> bool:
        """Read up to the line that says the process waits; False when it has ended instead."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("ready "):
                return True
            self.early.append(line)
        return False

    def go(self, moment: float) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{moment:.6f}\n")
            self.process.stdin.flush()

    def finish(self, deadline: float) -> Report:
        try:
            output, _ = self.process.communicate(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.kill()
            return Report(outcome="timed-out", message="stopped: the time limit of one transfer was reached")
        self.errors.seek(0)
        return _read_report("".join(self.early) + output, self.errors.read(), self.process.returncode)

    def kill(self) -> None:
        end(self.process)
        self.errors.close()


def end(process: "subprocess.Popen[str]") -> None:
    """End a process of a session of its own, whatever it does, and close its pipes."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for stream in (process.stdout, process.stdin):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _start_together(children: list[_Child], deadline: float) -> None:
    """A reader that hangs before it is ready is killed at the deadline."""
    watch = _kill_at(children, deadline)
    try:
        waiting = [child for child in children if child.ready()]
    finally:
        watch.cancel()
    moment = time.monotonic() + 0.002 + 0.0005 * len(waiting)
    for child in waiting:
        child.go(moment)


def _kill_at(children: list[_Child], deadline: float) -> threading.Timer:
    """A started timer that kills `children` at `deadline`."""

    def kill() -> None:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.process.pid, signal.SIGKILL)

    timer = threading.Timer(max(0.1, deadline - time.monotonic()), kill)
    timer.daemon = True
    timer.start()
    return timer


def _read_report(output: str, errors: str, code: int) -> Report:
    report = Report()
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("compiler", "payload"):
            _read_text(report, rest)
        elif word in ("write", "read"):
            report.passes[word].append({k: float(v) for k, v in _pairs(rest).items()})
        elif word == "memory":
            fields = _pairs(rest)
            report.peak[fields["operation"]] = int(fields["peak"])
        elif word == "file":
            fields = _pairs(rest)
            report.file_bytes = int(fields["bytes"])
            report.values = int(fields["values"])
            report.payload_bytes = int(fields["payload"])
        elif word == "cold":
            report.resident = float(_pairs(rest)["resident"])
        elif word == "verify":
            _read_verification(report, rest)
    if code == REFUSED:
        report.outcome, report.message = "refused", _tidy(errors).removeprefix("refused: ")
    elif code != 0:
        report.outcome = "failed"
        ended = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        report.message = _tidy(errors) or ended
    return report


def _read_text(report: Report, rest: str) -> None:
    key, _, value = rest.partition("=")
    if key == "version":
        report.compiler_version = value.strip()
    elif key == "options":
        report.compiler_options = value.strip()
    elif key == "distribution":
        report.distribution = value.strip()


def _read_verification(report: Report, rest: str) -> None:
    report.verified = True
    if rest.startswith("result=different"):
        fields = _pairs(rest)
        report.outcome = "wrong"
        report.message = (
            f"value {fields.get('position')} read back as {fields.get('found')}, written as {fields.get('expected')}"
        )


def _pairs(text: str) -> dict[str, str]:
    return dict(re.findall(r"(\w+)=\s*(\S+)", text))


def _tidy(errors: str) -> str:
    """The run time's message without backtrace, on one line."""
    lines: list[str] = []
    for line in errors.splitlines():
        if re.match(r"\s*(Error termination|Backtrace for|#\d+)", line):
            break
        if re.match(r"\s*((Fortran )?ERROR STOP|IEEE arithmetic|Note: The foll)", line):
            continue
        if line.strip():
            lines.append(line.strip())
    return " | ".join(lines)[:400]
