"""Runs a program without and with a preloaded library, and says what differs: the harness of `headrace run`'s tests.

A program runs twice without the library first: only what is the same both times is compared with what it leaves with
the library. Every run has a fresh copy of a directory under the same name, since programs print and keep paths.
"""

import os
import re
import resource
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# A fatal signal may take this much with it that the run time had written: one batch of text.
BATCH = 8192

# What is set in each way of running; {statistics} and {trace} become fresh directories beside the work directory.
DEFAULT, AT_ONCE, LATER = "default", "from the first statement on", "after 16 statements of a line"
FROM_THE_FIRST = {"HEADRACE_RUN_AFTER": "0"}
SOON = {"HEADRACE_RUN_AFTER": "3"}  # statements of the run time and of ours in turn
MODES: dict[str, dict[str, str]] = {
    DEFAULT: {},
    AT_ONCE: FROM_THE_FIRST,
    LATER: {"HEADRACE_RUN_AFTER": "16"},
    "batches of 300 bytes": SOON | {"HEADRACE_RUN_BATCH": "300"},
    "every statement checked": FROM_THE_FIRST | {"HEADRACE_RUN_CHECK": "all"},
    "strict": SOON | {"HEADRACE_RUN_STRICT": "1"},
    "statistics": FROM_THE_FIRST | {"HEADRACE_RUN_STATISTICS": "{statistics}"},
    "with trace": SOON | {"HEADRACE_TRACE_DIRECTORY": "{trace}"},
}
PIPE, FILE, TOGETHER = "pipe", "file", "together"  # where standard output goes; together: standard error, too
SINKS = (PIPE, FILE, TOGETHER)
SHORT_SINKS = (PIPE, TOGETHER)  # together goes to a file, too


@dataclass(frozen=True)
class Entry:
    """A file, a directory or a link, as a run left it."""

    mode: int
    content: bytes = b""


@dataclass(frozen=True)
class Outcome:
    """What can be seen of a run that has ended."""

    status: int | None  # exit code, or minus the signal; None: it was ended after the time limit
    output: bytes
    errors: bytes
    files: dict[str, Entry]
    temporary: int  # files that are left in TMPDIR

    def parts(self) -> dict[str, object]:
        """Everything by its name, for comparisons."""
        named: dict[str, object] = {"exit status": self.status, "standard output": self.output}
        named |= {"standard error": self.errors, "files in TMPDIR": self.temporary}
        for name, entry in self.files.items():
            named[f"file {name}"] = entry.content
            named[f"mode of {name}"] = oct(entry.mode)
        return named


@dataclass(frozen=True)
class Allowed:
    """What may differ without being wrong, by the names of Outcome.parts()."""

    killed: bool = False  # a fatal signal: what a buffer held is lost, or was written
    unordered: frozenset[str] = frozenset()  # threads: the lines, in any order
    varies: frozenset[str] = frozenset()  # not reproducible without the library, and that is known
    at_once: bool = False  # the same by _exit, or by a fault of the run time: its own buffer, so in strict mode, too


@dataclass
class Comparison:
    """The differences of every way of running, each with its first line."""

    differences: list[str] = field(default_factory=list)
    not_reproducible: set[str] = field(default_factory=set)
    plain: Outcome | None = None  # the first run without the library
    runs: int = 0


@dataclass(frozen=True)
class Case:
    """What is run: an executable, its arguments, and what is in its directory and standard input."""

    executable: Path
    arguments: tuple[str, ...] = ()
    directory: Path | None = None  # is copied
    standard_input: bytes = b""
    allowed: Allowed = Allowed()
    environment: tuple[tuple[str, str], ...] = ()
    seconds: float = 60


def run_once(case: Case, folder: Path, sink: str = PIPE, environment: dict[str, str] | None = None) -> Outcome:
    """Run the program in folder/work, which is made anew."""
    work, temporary = folder / "work", folder / "temporary"
    for made in (work, temporary):
        shutil.rmtree(made, ignore_errors=True)
    if case.directory is None:
        work.mkdir(parents=True)
    else:
        shutil.copytree(case.directory, work, symlinks=True)
    temporary.mkdir(parents=True)
    (folder / "input").write_bytes(case.standard_input)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("HEADRACE_", "GFORTRAN_"))}
    clean.pop("LD_PRELOAD", None)
    variables = clean | {"TMPDIR": str(temporary), **dict(case.environment), **(environment or {})}
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))  # an image of memory is never the same
    command = [str(case.executable), *case.arguments]
    with (folder / "input").open("rb") as given:
        status, output, errors = _ended(command, work, variables, given.fileno(), folder, sink, case.seconds)
    masked = mask(errors), mask(output) if sink == TOGETHER else output
    return Outcome(status, masked[1], masked[0], snapshot(work), len(list(temporary.iterdir())))


def _ended(
    command: list[str], work: Path, variables: dict[str, str], given: int, folder: Path, sink: str, seconds: float
) -> tuple[int | None, bytes, bytes]:
    """The exit status, standard output and standard error of a process."""
    kept = None if sink == PIPE else (folder / "output").open("wb")
    into = subprocess.PIPE if kept is None else kept.fileno()
    errors_into = subprocess.STDOUT if sink == TOGETHER else subprocess.PIPE
    process = subprocess.Popen(
        command, cwd=work, env=variables, stdin=given, stdout=into, stderr=errors_into, start_new_session=True
    )
    status: int | None
    try:
        output, errors = process.communicate(timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)  # the session that was made for it, with its children
        output, errors = process.communicate()
        status = None
    if kept is not None:
        kept.close()
        output = (folder / "output").read_bytes()
    return status, output or b"", errors or b""


def snapshot(folder: Path) -> dict[str, Entry]:
    """All that is in a directory."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = b""
        if stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        elif stat.S_ISLNK(status.st_mode):
            content = os.fsencode(path.readlink())
        found[str(path.relative_to(folder))] = Entry(status.st_mode, content)
    return found


_FRAME = re.compile(rb"^(#\d+) +0x[0-9a-f]+ in (.*)\n(?:\tat (.*)\n)?", re.MULTILINE)


def mask(text: bytes) -> bytes:
    """Without the addresses, which are never the same. Every frame of a backtrace counts, those of libraries, too."""

    def frame(match: re.Match[bytes]) -> bytes:
        return match[1] + b" in " + match[2] + (b" at " + match[3] if match[3] else b"") + b"\n"

    text = _FRAME.sub(frame, text)
    return re.sub(rb"0x[0-9a-f]{6,}", b"0x...", text)


def compare(
    case: Case,
    folder: Path,
    library: Path | None,
    modes: Iterable[str] = tuple(MODES),
    sinks: Callable[[str], Sequence[str]] = lambda mode: SHORT_SINKS if mode == AT_ONCE else (PIPE,),
) -> Comparison:
    """Run a case without the library, and with it in every mode; sinks(mode) says where standard output goes then."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [(mode, sink) for mode in modes for sink in sinks(mode)]
    result = Comparison()
    plain: dict[str, tuple[Outcome, set[str]]] = {}
    for sink in dict.fromkeys(sink for _, sink in chosen):
        first = run_once(case, folder, sink)
        if first.status is None:  # it would never end with the library either
            return Comparison([], {"exit status"}, first, result.runs + 1)
        # Other bytes in memory that nobody set: what shows them is no text of the program.
        second = run_once(case, folder, sink, {"MALLOC_PERTURB_": "85"})
        result.runs += 2
        unstable = _unstable(first, second, case.allowed)
        plain[sink] = first, unstable
        result.not_reproducible |= unstable
        result.plain = result.plain or first
    for mode, sink in chosen:
        first, unstable = plain[sink]
        changed = run_once(case, folder, sink, variables_of(mode, folder, library))
        result.runs += 1
        said = differences(first, changed, unstable, case.allowed, strict=mode == "strict")
        result.differences += [f"{mode}, standard output {_sink_words(sink)}: {one}" for one in said]
    return result


def _sink_words(sink: str) -> str:
    return {PIPE: "into a pipe", FILE: "into a file", TOGETHER: "and error into one file"}[sink]


def variables_of(mode: str, folder: Path, library: Path | None) -> dict[str, str]:
    """The environment of a mode; directories that it names are made."""
    places = {"{statistics}": folder / "statistics", "{trace}": folder / "trace"}
    for place in places.values():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    variables = {"HEADRACE_RUN": "1"}
    if library is not None:
        variables["LD_PRELOAD"] = str(library)
    for name, value in MODES[mode].items():
        variables[name] = str(places.get(value, value))
    return variables


def varies_with_buffer(case: Case, folder: Path) -> set[str]:
    """What is not the same without the library if gfortran's own buffers have other sizes: by Outcome.parts().

    Behind some errors gfortran 12 writes bytes of them that nobody put there.
    """
    runs = [run_once(case, folder)]
    for size in ("300", "600", "3000", "20000", "100000"):
        runs.append(run_once(case, folder, environment={"GFORTRAN_FORMATTED_BUFFER_SIZE": size}))
    return set().union(*(_unstable(runs[0], one, case.allowed) for one in runs[1:]))


def _unstable(first: Outcome, second: Outcome, allowed: Allowed) -> set[str]:
    """What differs between two runs without the library."""
    one, other = first.parts(), second.parts()
    return {
        name for name in one.keys() | other.keys() if name not in allowed.unordered and one.get(name) != other.get(name)
    } | set(allowed.varies)


def differences(
    plain: Outcome, changed: Outcome, unstable: set[str], allowed: Allowed, strict: bool = False
) -> list[str]:
    """What is not as without the library, a sentence each."""
    said = []
    one, other = plain.parts(), changed.parts()
    for name in sorted(one.keys() | other.keys()):
        if name in unstable:
            continue
        expected, found = one.get(name), other.get(name)
        if expected == found:
            continue
        if name not in one or name not in other:
            said.append(f"{name}: {'is new' if name not in one else 'is missing'}")
        elif isinstance(expected, bytes) and isinstance(found, bytes):
            said += _texts(name, expected, found, allowed, strict)
        else:
            said.append(f"{name}: {expected} without, {found} with the library")
    return said


def _texts(name: str, expected: bytes, found: bytes, allowed: Allowed, strict: bool) -> list[str]:
    """The difference of two texts, unless it is allowed."""
    if name in allowed.unordered and sorted(expected.splitlines(True)) == sorted(found.splitlines(True)):
        return []
    if (
        (allowed.killed or allowed.at_once)
        and name != "standard error"
        and (expected.startswith(found) or found.startswith(expected))
    ):
        lost = len(expected) - len(found)
        if lost <= (0 if strict and not allowed.at_once else BATCH):
            return []
        return [f"{name}: {lost} bytes less after a fatal signal, {len(found)} of {len(expected)}"]
    return [f"{name}: {first_difference(expected, found)}"]


def first_difference(expected: bytes, found: bytes) -> str:
    """The first line that is not the same, of texts that differ."""
    ours, theirs = expected.split(b"\n"), found.split(b"\n")
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), 1):
        if one != other:
            return f"line {number}: {_shown(one, other)} without, {_shown(other, one)} with the library"
    lines = f"{len(ours) - 1} lines without, {len(theirs) - 1} with the library"
    return f"{lines}: {len(expected)} and {len(found)} bytes, the same as far as both go"


def _shown(line: bytes, other: bytes) -> str:
    """A line, or the part of a long one where it begins to differ."""
    if len(line) <= 160:
        return repr(line)
    same = next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), min(len(line), len(other)))
    begin = max(0, same - 40)
    return f"{line[begin : begin + 120]!r} (from byte {begin} of {len(line)})"
