"""Runs a command with candidate settings, each time in a fresh copy of the directory. Next: trial.py."""

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from headrace.errors import HeadraceError
from headrace.measure.scratch import free_bytes, remove_tree, require_directory, scratch_directory
from headrace.run.launch import variables as taken_over
from headrace.run.outside import NOT_TRACED, refuse_outside, trace_of
from headrace.settings.job_of_file import is_io
from headrace.settings.tools import ask
from headrace.settings.trials.candidates import Candidate
from headrace.trace.check import Found as Checked
from headrace.trace.check import check
from headrace.trace.installed import LIBRARY, RUN_LIBRARY, library_path
from headrace.trace.nodes import for_all_nodes, names_in
from headrace.trace.results import Trace
from headrace.trace.start import find_program, loadable, preloading, why_not_started
from headrace.undisturbed import undisturbed

LARGEST = 1 << 30  # bytes of the directory that is copied
_OURS = "headrace-scratch-*"
TIMED_OUT = 124  # exit code of a run, as timeout(1) has it
_WORDS = 300  # characters of an error that are shown
_IN_A_COPY = (
    "it runs in a copy of --dir: give the directory that it needs; if it reads from standard input, give it a file: "
    '--try "./model" < input'
)
_NO_WORDS = re.compile(r"#\d+ .*|at \S+:\d+|-+|Error termination. Backtrace:|Backtrace for this error:")
_RULED = re.compile(r"^-{20,}$.*?^-{20,}$", re.MULTILINE | re.DOTALL)  # as Open MPI marks its own words


@dataclass(frozen=True)
class Ran:
    """One run: `seconds` are wall time of the whole command, `io` what all processes spent in I/O."""

    seconds: float
    code: int
    io: float | None = None  # it was not traced
    said: str = ""  # its last words on standard error
    wrote: Mapping[str, str] = field(default_factory=dict)  # digests of files that it made or changed; of first runs

    @property
    def failed(self) -> bool:
        return self.code != 0

    @property
    def hint(self) -> str:
        """What to do if it failed."""
        return "give it a longer --time-budget" if self.code == TIMED_OUT else _IN_A_COPY

    @property
    def ending(self) -> str:
        """How it failed, to stand behind "the command"."""
        words = f": {self.said}" if self.said else ""
        if self.code == TIMED_OUT:
            return f"did not end{words}"
        if self.code < 0:
            return f"was ended by {signal.Signals(-self.code).name}{words}"
        return f"failed with exit code {self.code}{words}"


@dataclass
class Copies:
    """Copies of a directory below itself, so that they are on the same file system; removed after each run."""

    source: Path
    command: list[str]
    scratch: Path
    limit: float  # seconds that one run may take
    measured: Callable[[Path], float | None] | None = None  # what the command itself measured, in the copy
    notes: list[str] = field(default_factory=list)
    _is_traced: bool = False
    _wrote: dict[str, dict[str, str]] = field(default_factory=dict)  # by candidate, of its first run

    def traced(self) -> tuple[Ran, Trace | None]:
        """The first run. Raises HeadraceError if the program writes elsewhere: then copies would not be enough."""
        try:
            library_path(LIBRARY)
        except HeadraceError as error:
            self.notes.append(f"not traced: {error.message}")
            return self.run(Candidate("")), None
        self._is_traced = True
        ran, trace = self._run_traced(Candidate(""))
        if trace is None:
            self._is_traced = False
            if not self.has_run_time:
                self.notes.append(NOT_TRACED)
            return ran, None
        refuse_outside(trace, (self.scratch, Path(tempfile.gettempdir())))
        return ran, trace

    @property
    def has_run_time(self) -> bool:
        """Whether the program of the command has the run time of Fortran in it, and can be traced."""
        return bool(self._checked().run_time)

    @property
    def why_not_traced(self) -> str:
        """A sentence about the program, if what it does cannot be seen."""
        found = self._checked()
        return "" if found.can_trace else found.sentence

    def _checked(self) -> Checked:
        return check(_located(self.source, self.command[0]))

    def run(self, candidate: Candidate) -> Ran:
        """One run with the settings of a candidate; traced if the first was."""
        if self._is_traced:
            return self._run_traced(candidate)[0]
        if not candidate.takes_over:
            return self._run(candidate, _changed(dict(os.environ), candidate), _own_names(candidate))
        with loadable(library_path(RUN_LIBRARY)) as path:
            environment = _changed(preloading(path, taken_over(strict=False)), candidate)
            return self._run(candidate, environment, (*names_in(environment), *_own_names(candidate)))

    def _run_traced(self, candidate: Candidate) -> tuple[Ran, Trace | None]:
        profiles = self.scratch / "profiles"
        profiles.mkdir()
        chosen = {"HEADRACE_TRACE_DIRECTORY": str(profiles), "HEADRACE_TRACE_LAUNCHER": str(os.getpid())}
        if candidate.takes_over:
            chosen |= taken_over(strict=False)
        try:
            with loadable(library_path(RUN_LIBRARY if candidate.takes_over else LIBRARY)) as path:
                environment = _changed(preloading(path, chosen), candidate)
                ran = self._run(candidate, environment, (*names_in(environment), *_own_names(candidate)))
            trace = trace_of(profiles, self.command, ran.seconds)
        finally:
            shutil.rmtree(profiles, ignore_errors=True)
        return (ran if trace is None else replace(ran, io=io_seconds(trace))), trace

    def _run(self, candidate: Candidate, environment: dict[str, str], names: tuple[str, ...]) -> Ran:
        work = self.scratch / "work"
        work.mkdir()
        try:
            if candidate.stripes is not None:  # only on a folder of our own, before its files exist
                answer = ask(["lfs", "setstripe", "-c", str(candidate.stripes), str(work)])
                if answer.problem:
                    return Ran(0.0, 1, said=answer.problem)
            _copy_all(self.source, work)
            for name, text in candidate.files.items():
                (work / name).write_text(text)
            whole = environment | self._whole_names(candidate, work)
            ran = self._start(work, whole, names, list(candidate.command) or self.command)
            if candidate.change not in self._wrote:
                self._wrote[candidate.change] = self._written(work, candidate)
            return replace(ran, wrote=self._wrote[candidate.change])
        finally:
            remove_tree(work)

    def _written(self, work: Path, candidate: Candidate) -> dict[str, str]:
        """What a run made or changed in its copy: the digests by name."""
        found = {}
        for path in sorted(work.rglob("*")):
            name = str(path.relative_to(work))
            if path.is_symlink() or not path.is_file() or name in candidate.files:
                continue
            digest, before = _digest(path), self.source / name
            if not before.is_file() or _digest(before) != digest:
                found[name] = digest
        return found

    def _whole_names(self, candidate: Candidate, work: Path) -> dict[str, str]:
        """Variables that name a file of the candidate."""
        return {name: str(work / value) for name, value in candidate.variables.items() if value in candidate.files}

    def _start(self, work: Path, environment: dict[str, str], names: tuple[str, ...], command: list[str]) -> Ran:
        environment |= {"PWD": str(work)}
        program = find_program(command[0]) if "/" not in command[0] else Path(command[0])
        is_bare = environment.setdefault("LD_PRELOAD", "") == ""
        words = for_all_nodes(program, command, environment, names) if names else command
        if is_bare:
            del environment["LD_PRELOAD"]
        output, errors = self.scratch / "output", self.scratch / "errors"
        with output.open("wb") as stdout, errors.open("wb") as stderr, _input() as stdin:
            begun = time.perf_counter()
            process: subprocess.Popen[bytes] | None = None
            try:
                with undisturbed():  # a program that nobody knows of would go on
                    process = subprocess.Popen(
                        words,
                        cwd=work,
                        env=environment,
                        stdin=stdin,
                        stdout=stdout,
                        stderr=stderr,
                        start_new_session=True,
                    )
                code = _await(process, self.limit)
            except OSError as error:
                raise HeadraceError(
                    f"--try {command[0]}: cannot be started: {why_not_started(error, program)}",
                    "it is started in a copy of --dir: a program elsewhere is named by its whole path",
                ) from error
            finally:
                if process is not None:
                    _end(process)
            seconds = time.perf_counter() - begun
        said = _last_words(errors) if code else ""
        if code == TIMED_OUT:
            said = f"{self.limit:.3g} s, all of --time-budget, were over"
        if self.measured and not code:
            own = self.measured(work)
            return Ran(own or 0.0, 0 if own else 1, said="" if own else "it measured nothing")
        return Ran(seconds, code, said=said)


def _copy_all(source: Path, target: Path) -> None:
    """Raises HeadraceError if something cannot be copied."""
    try:
        shutil.copytree(
            source,
            target,
            symlinks=True,
            ignore=shutil.ignore_patterns(_OURS),
            copy_function=_copy,
            dirs_exist_ok=True,
        )
    except (shutil.Error, OSError) as error:
        first = error.args[0][0] if isinstance(error, shutil.Error) else (error.filename, "", error.strerror)
        why = re.sub(r"^\[Errno \d+\] (.*?)(: '.*)?$", r"\1", str(first[2]))
        raise HeadraceError(
            f"{first[0]}: cannot be copied: {why}",
            "each run of --try is in a copy of --dir: name a directory that holds what the program needs, and no more",
        ) from error


def _copy(source: str, target: str) -> None:
    """A file or a pipe; what other processes listen on, and devices, are nothing in a copy."""
    mode = Path(source).stat().st_mode
    if stat.S_ISFIFO(mode):
        os.mkfifo(target, stat.S_IMODE(mode))
    elif stat.S_ISREG(mode):
        shutil.copy2(source, target)


def _digest(path: Path) -> str:
    """The empty text if it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return ""
    return digest.hexdigest()


def io_seconds(trace: Trace) -> float:
    """What all processes spent in statements and in calls of I/O libraries."""
    return sum(line.seconds_exclusive for line in trace.lines if is_io(line))


def _own_names(candidate: Candidate) -> tuple[str, ...]:
    """Variables for all nodes; Open MPI hands its own on by itself."""
    return tuple(name for name in candidate.variables if not name.startswith("OMPI_MCA_"))


def _changed(environment: dict[str, str], candidate: Candidate) -> dict[str, str]:
    for name in candidate.unset:
        environment.pop(name, None)
    return environment | candidate.variables


def _await(process: "subprocess.Popen[bytes]", limit: float) -> int:
    """Its exit code."""
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return TIMED_OUT


def _end(process: "subprocess.Popen[bytes]") -> None:
    """With all that it started: after the limit, or if we end."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _input() -> "contextlib.AbstractContextManager[int | IO[bytes]]":
    """The file behind our standard input, from its beginning for each run; of a terminal or a pipe nothing."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode):
            return Path(f"/proc/self/fd/{sys.stdin.fileno()}").open("rb")
    return contextlib.nullcontext(subprocess.DEVNULL)


def _last_words(errors: Path) -> str:
    """The end of what was said, without a backtrace; what mpirun says between rules only if nobody else speaks."""
    text = errors.read_text(errors="replace")
    for said in (_RULED.sub("", text), text):
        lines = [line.strip() for line in said.splitlines()]
        kept = " ".join(line for line in lines if line and not _NO_WORDS.fullmatch(line))
        if kept:
            break
    text = re.sub(r"\s+", " ", kept)
    return text if len(text) <= _WORDS else f"... {text[-_WORDS:].partition(' ')[2]}"


def words_of(text: str, option: str = "--try") -> list[str]:
    """The command of an option, as a shell splits it."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise HeadraceError(f"{option} '{text}': {error}", "close the quotes") from error


def changed_words(given: Sequence[str]) -> dict[str, list[str]]:
    """Of --changed NAME=COMMAND: the words of each command, by the name of the advice. Raises HeadraceError."""
    found: dict[str, list[str]] = {}
    for text in given:
        name, _, command = text.partition("=")
        words = words_of(command, "--changed")
        if not name or not words:
            raise HeadraceError(
                f"--changed '{text}': expected NAME=COMMAND",
                'the name of the advice and the changed program, for example --changed flush-less="./changed"',
            )
        if name in found:
            raise HeadraceError(f"--changed {name}: given twice", "try one changed program for each advice")
        found[name] = words
    return found


@contextlib.contextmanager
def copies(
    source: Path, command: list[str], limit: float, measured: Callable[[Path], float | None] | None = None
) -> Iterator[Copies]:
    """Raises HeadraceError if the command or the directory cannot be tried."""
    if not command:
        raise HeadraceError("--try: there is no command", 'for example --try "mpirun -n 8 ./model"')
    require_program(source, command, "--try")
    require_directory(source)
    _refuse_large(source)
    with scratch_directory(source) as scratch:
        yield Copies(source, command, scratch, limit, measured)


def require_program(source: Path, command: list[str], option: str) -> None:
    """Raises HeadraceError if the program of a command is not there, or cannot be started."""
    if "/" in command[0]:
        try:
            (source / command[0]).stat()
        except FileNotFoundError as error:
            raise HeadraceError(
                f"{option} {command[0]}: there is no such program in {source}", "it is started in a copy of --dir"
            ) from error
        except OSError as error:
            raise HeadraceError(
                f"{option} {command[0]}: {error.strerror}", "it is started in a copy of --dir"
            ) from error
    find_program(_located(source, command[0]))


def _located(source: Path, name: str) -> str:
    """The program that a name in a copy of `source` means: a word without / is on the PATH."""
    return str(source / name) if "/" in name and source != Path() else name


def _refuse_large(folder: Path) -> None:
    total = 0
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(_OURS.rstrip("*"))]
        for name in files:
            with contextlib.suppress(OSError):  # others are at work here, too
                total += (Path(root) / name).lstat().st_size
        if total > LARGEST:
            raise HeadraceError(
                f"{folder}: more than {LARGEST >> 20:,} MiB, and each run of --try is in a fresh copy of it",
                "name a directory with --dir that holds what the program needs, and no results",
            )
    free = free_bytes(folder)
    if 2 * total > free:
        raise HeadraceError(
            f"{folder}: {free / 1e6:,.0f} MB are free, and a copy of it with what the program writes needs more",
            "free some space there",
        )
