"""`headrace run --verify`: the program without (twice) and with (twice), each in a fresh copy of the directory.

All runs have the same path, so that its name in their output is the same. The first run is traced: which files the
program writes is known from it.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.run.compare import Left, differing, first_difference
from headrace.run.launch import processor_seconds, variables
from headrace.run.outside import NOT_TRACED, refuse_outside, trace_of
from headrace.run.statistics import Statistics, collected
from headrace.trace.installed import LIBRARY, RUN_LIBRARY, library_path
from headrace.trace.nodes import for_all_nodes, names_in
from headrace.trace.start import find_program, loadable, preloading

LIMIT = 1 << 30  # bytes of the directory that is copied
_INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Say = Callable[[str], None]


@dataclass
class Difference:
    """Something that is not the same with headrace run."""

    name: str
    mode: str
    how: str


@dataclass
class Verified:
    """What came of it."""

    same: list[str] = field(default_factory=list)
    not_reproducible: list[str] = field(default_factory=list)
    different: list[Difference] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)  # processor time, by mode
    statistics: Statistics | None = None  # of the run in which every statement was checked
    notes: list[str] = field(default_factory=list)
    code: int = 0


def verify(command: Sequence[str], strict: bool, limit: int, standard_input: Path, say: Say) -> Verified:
    """Run and compare. Raises HeadraceError if it cannot be compared, CannotStartError if there is no program."""
    source = Path.cwd()
    find_program(command[0])
    _refuse_large(source, limit)
    with tempfile.TemporaryDirectory(prefix="headrace-verify-") as folder:
        place = Path(folder).resolve()
        if place.is_relative_to(source.resolve()):
            raise HeadraceError(f"{place} is in the directory that is copied", "set TMPDIR to a directory elsewhere")
        runs = _Runs(source, place, list(command), standard_input)
        return _verify(runs, strict, say)


def _verify(runs: "_Runs", strict: bool, say: Say) -> Verified:
    found = Verified()
    say("1 of 4: without headrace run, traced")
    first = runs.traced()
    found.notes += runs.outside_is_refused()
    say("2 of 4: without headrace run")
    second = runs.plain()
    found.not_reproducible = differing(first, second)
    found.seconds["without"] = second.seconds
    found.code = second.code
    runs.forget(second)
    changed: set[str] = set(found.not_reproducible)
    for number, (mode, all_checked) in enumerate((("every statement checked", True), ("as usual", False)), 3):
        say(f"{number} of 4: with headrace run, {mode}")
        run = runs.with_library(strict, all_checked)
        for name in differing(first, run, found.not_reproducible):
            found.different.append(Difference(name, mode, first_difference(first, run, name)))
            changed.add(name)
        if all_checked:
            found.statistics = runs.statistics()
        found.seconds["with" + ", every statement checked" * all_checked] = run.seconds
        runs.forget(run)
    found.same = sorted(set(first.fingerprints) - changed)
    return found


class _Runs:
    """One run after the other, all at the same path."""

    def __init__(self, source: Path, place: Path, command: list[str], standard_input: Path) -> None:
        self._source, self._place, self._command, self._input = source, place, command, standard_input
        self._work, self._profiles, self._statistics = place / "work", place / "profiles", place / "statistics"
        self._temporary = place / "temporary"
        self._count = 0

    def traced(self) -> Left:
        self._profiles.mkdir()
        variables = {"HEADRACE_TRACE_DIRECTORY": str(self._profiles), "HEADRACE_TRACE_LAUNCHER": str(os.getpid())}
        return self._run(LIBRARY, variables)

    def plain(self) -> Left:
        return self._run("", {})

    def with_library(self, strict: bool, check_all: bool) -> Left:
        shutil.rmtree(self._statistics, ignore_errors=True)
        self._statistics.mkdir()
        return self._run(RUN_LIBRARY, variables(strict, self._statistics, check_all))

    def statistics(self) -> Statistics:
        return collected(self._statistics)

    def forget(self, left: Left) -> None:
        shutil.rmtree(left.folder, ignore_errors=True)

    def _run(self, library: str, chosen: dict[str, str]) -> Left:
        self._count += 1
        shutil.copytree(self._source, self._work, symlinks=True)
        shutil.rmtree(self._temporary, ignore_errors=True)
        self._temporary.mkdir()
        output, errors = self._place / f"output-{self._count}", self._place / f"errors-{self._count}"
        before = processor_seconds()
        if library:
            with loadable(library_path(library)) as path:
                code = self._start(preloading(path, chosen), output, errors)
        else:
            code = self._start(dict(os.environ), output, errors)
        seconds = processor_seconds() - before
        kept = self._place / f"run-{self._count}"
        self._work.rename(kept)
        left = Left(kept, output, errors, code, seconds)
        left.look()
        return left

    def _start(self, environment: dict[str, str], output: Path, errors: Path) -> int:
        environment |= {"TMPDIR": str(self._temporary), "PWD": str(self._work)}
        program = find_program(self._command[0])
        words = for_all_nodes(program, self._command, environment, names_in(environment))
        with self._input.open("rb") as stdin, output.open("wb") as stdout, errors.open("wb") as stderr:
            try:
                done = subprocess.run(
                    words, cwd=self._work, env=environment, stdin=stdin, stdout=stdout, stderr=stderr, check=False
                )
            except OSError as error:
                raise HeadraceError(
                    f"{self._command[0]}: cannot be started in a copy of the directory: {error.strerror or error}",
                    "name the program by its whole path if it is not in this directory",
                ) from error
        if -done.returncode in _INTERRUPTIONS:
            raise KeyboardInterrupt
        return done.returncode

    def outside_is_refused(self) -> list[str]:
        """What the trace could not see. Raises HeadraceError if the program wrote outside of its directory."""
        trace = trace_of(self._profiles, self._command)
        if trace is None:
            return [NOT_TRACED]
        refuse_outside(trace, (self._work, self._temporary))
        return []


def _refuse_large(folder: Path, limit: int) -> None:
    """Four copies, one after the other; two of them at the same time."""
    total = 0
    for root, _, files in os.walk(folder):
        for name in files:
            total += (Path(root) / name).lstat().st_size
        if total > limit:
            raise HeadraceError(
                f"{folder}: more than {limit / (1 << 20):,.0f} MiB, and --verify copies the directory",
                "run it in a smaller directory, or allow more: --verify-limit MIB",
            )
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if 3 * total > free:
        raise HeadraceError(
            f"{tempfile.gettempdir()}: {free / (1 << 20):,.0f} MiB are free, and copies of {folder} need three times "
            f"{total / (1 << 20):,.0f} MiB",
            "set TMPDIR to a larger disk",
        )
