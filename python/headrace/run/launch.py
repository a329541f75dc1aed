"""Starts a program with the library of `headrace run` in it. Next: statistics.py, verify.py."""

import contextlib
import os
import resource
import shlex
import shutil
import signal
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from headrace.errors import HeadraceError
from headrace.trace.check import check
from headrace.trace.installed import RUN_LIBRARY, library_path
from headrace.trace.nodes import RUN, for_all_nodes, names_in
from headrace.trace.start import (
    KILLED,
    NOT_STARTED,
    CannotStartError,
    find_program,
    is_for_another_processor,
    loadable,
    preloading,
    run_to_end,
    why_not_started,
    without_preloading,
)

STRICT = "HEADRACE_RUN_STRICT"
STATISTICS = "HEADRACE_RUN_STATISTICS"
CHECK = "HEADRACE_RUN_CHECK"
AFTER = "HEADRACE_RUN_AFTER"  # so many statements of a place in the source are the run time's alone
_SHARED_RUN_TIME = "libgfortran.so.5"  # intercept/run/ knows only this one


@dataclass
class Ended:
    """A program that ran: its status as of waitpid, and the processor seconds of it and its children."""

    status: int
    processor_seconds: float

    @property
    def code(self) -> int:
        """What a shell would say."""
        return KILLED + os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else os.WEXITSTATUS(self.status)


def variables(strict: bool, statistics: Path | None = None, check_all: bool = False) -> dict[str, str]:
    """What the library reads, beside LD_PRELOAD."""
    chosen = {RUN: "1"}
    if strict:
        chosen[STRICT] = "1"
    if statistics is not None:
        chosen[STATISTICS] = str(statistics)
    if check_all:
        chosen |= {CHECK: "all", AFTER: "0"}
    return chosen


def replace_by(command: Sequence[str], strict: bool) -> NoReturn:
    """The program takes the place of this process. Raises CannotStartError, or HeadraceError without a library."""
    program, words, environment = _prepared(command, variables(strict))
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, the program must not
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(program, words, environment)
    except OSError as error:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        why = why_not_started(error, program)
        raise CannotStartError(f"{command[0]}: cannot be started: {why}", "", NOT_STARTED) from error


def run_counted(command: Sequence[str], strict: bool, statistics: Path) -> Ended:
    """The program runs to its end, and each of its processes leaves a file in `statistics`."""
    program, words, environment = _prepared(command, variables(strict, statistics))
    before = processor_seconds()
    status = run_to_end(program, words, environment)
    used = processor_seconds() - before
    return Ended(status, used)


def processor_seconds() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _prepared(command: Sequence[str], chosen: dict[str, str]) -> tuple[Path, list[str], dict[str, str]]:
    program = find_program(command[0])
    environment = preloading(_library(), chosen)
    if is_for_another_processor(program):
        without_preloading(environment)
    return program, for_all_nodes(program, command, environment, names_in(environment)), environment


def _library() -> str:
    """Its name for the loader; a link that it may need stays, as the program that needs it outlives us."""
    stack = contextlib.ExitStack()
    name = stack.enter_context(loadable(library_path(RUN_LIBRARY)))
    stack.pop_all()
    return name


def shell_lines(strict: bool) -> str:
    """For a job script: what `headrace run` sets, in the words of sh."""
    library = _library()
    chosen = variables(strict)
    lines = [f"export {name}={shlex.quote(value)}" for name, value in chosen.items()]
    # Evaluated in the script: what is preloaded there, maybe later in it, stays.
    lines.append(
        f'case ":${{LD_PRELOAD:-}}:" in *:{shlex.quote(library)}:*) ;; '
        f"*) export LD_PRELOAD={shlex.quote(library)}${{LD_PRELOAD:+:$LD_PRELOAD}} ;; esac"
    )
    lines.append(
        'case "${ASAN_OPTIONS:-}" in *verify_asan_link_order*) ;; '
        "*) export ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} ;; esac"
    )
    return "\n".join(lines) + "\n"


def why_not_taken_over(name: str) -> str:
    """Why nothing of a program itself can be taken over; empty if it can, or if it only starts others."""
    try:
        found = check(name)
    except HeadraceError as error:
        return error.message
    if not found.can_trace:  # without the advice, which is for a trace
        why = found.sentence.partition("; ")[0].partition(": only its own")[0].partition(": if it is")[0]
        return why.replace("is not traced", "is left alone")
    if found.compiler == "LLVM flang":
        why = f"its run time {found.run_time} is left alone: that of LLVM flang is taken over if it is linked in"
        return "" if found.run_time == "static" else why
    if found.run_time and found.run_time not in (_SHARED_RUN_TIME, "static"):
        return f"its run time {found.run_time} is left alone: only that of gfortran 8 and newer is taken over"
    return ""


@contextlib.contextmanager
def folder_for_statistics(name: str) -> Iterator[Path]:
    """A new directory here, where processes on other nodes see it too; it is removed afterwards."""
    try:
        made = Path(tempfile.mkdtemp(prefix=f"{Path(name).name}.statistics-", dir=Path.cwd())).resolve()
    except OSError as error:
        raise HeadraceError(
            f"{Path.cwd()}: no directory for statistics can be made there: {error.strerror}",
            "run it in a directory that you may write to, or without --stats",
        ) from error
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
