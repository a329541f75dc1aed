"""Correctness of a compiler's own I/O: small Fortran programs, each in a process and a directory of its own.

Questions and advice stand in the Fortran sources (bench/checks), above the procedure that asks. The answers:

    right    what the standard or a user expects was done, or the problem was reported through iostat=
    wrong    silent corruption, an unreadable file, success reported for lost data, an abort despite iostat=
    refused  the compiler or the run time does not do it, and says so; also asynchronous I/O that is accepted
             but carried out synchronously, which the standard allows
    skipped  could not be asked here, or the timing was too noisy to tell; the detail says why

A crash or a program without end is an answer too, with what the run time said, never an exception.
"""

import fnmatch
import re
import signal
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from headrace.errors import HeadraceError
from headrace.measure.build import CompileError, build_program
from headrace.measure.catalogue import sources_directory
from headrace.measure.scratch import free_bytes, require_directory, scratch_directory
from headrace.nearest import did_you_mean
from headrace.results.run import Check, Compiler

Answer = Literal["right", "wrong", "refused", "skipped"]

LARGE_BYTES = 3 << 30
DISK_LIMIT = 65536  # bytes; a limit on the size of files (setrlimit) stands for the full disk
UMASK = 0o022  # of every check: the user's own could hide what mode a run time asks for
_SEVERITY: tuple[Answer, ...] = ("right", "skipped", "refused", "wrong")
_BLOCK = re.compile(r"^!> Check ([\w-]+): (.+)\n!> Instead: (.+)\n", re.MULTILINE)
_NEEDS_POSIX = ("asynchronous",)


@dataclass(frozen=True)
class Question:
    """One check: what it asks, and what a program does instead when the answer is not right."""

    name: str
    question: str
    instead: str
    program: str  # file in bench/checks, without its ending


@dataclass(frozen=True)
class Reply:
    """What one process, or all processes of one check, answered."""

    answer: Answer
    detail: str


def read_questions() -> tuple[Question, ...]:
    """Every check of the Fortran sources."""
    return tuple(
        Question(name, question.strip(), instead.strip(), path.stem)
        for path in sorted((sources_directory() / "checks").glob("*.f90"))
        for name, question, instead in _BLOCK.findall(path.read_text())
    )


CHECKS = read_questions()


def run_checks(
    compiler: Compiler,
    directory: Path,
    select: list[str] | None = None,
    report: Callable[[str], None] = lambda message: None,
) -> list[Check]:
    """Ask `compiler` every check, or those that `select` names (`*`, `?` allowed), with files in `directory`.

    `report` is told what runs. Raises HeadraceError for an unknown name and for a directory that cannot be
    written to.
    """
    chosen = choose(select)
    require_directory(directory)
    answers: list[Check] = []
    for number, question in enumerate(chosen, 1):
        report(f"check {number} of {len(chosen)}: {question.name}, {compiler.identifier}")
        reply = _ask(compiler, directory, question)
        detail = reply.detail
        if reply.answer in ("wrong", "refused"):
            detail = f"{detail}; instead: {question.instead.rstrip('.')}"
        answers.append(
            Check(
                compiler=compiler.identifier,
                name=question.name,
                question=question.question,
                answer=reply.answer,
                detail=detail + ".",
            )
        )
    return answers


def choose(select: list[str] | None) -> list[Question]:
    """The checks whose names match one of the patterns; all without patterns."""
    if not select:
        return list(CHECKS)
    names = [question.name for question in CHECKS]
    for pattern in select:
        if not fnmatch.filter(names, pattern):
            raise HeadraceError(
                f"no check is called '{pattern}'", did_you_mean(pattern, names, f"known checks: {', '.join(names)}")
            )
    return [question for question in CHECKS if any(fnmatch.fnmatch(question.name, each) for each in select)]


def build_check(compiler: Compiler, program: str) -> Path:
    """The program of some checks, from the cache when nothing has changed. Raises CompileError."""
    folder = sources_directory()
    sources = [folder / "checks" / "answers.f90", folder / "checks" / f"{program}.f90"]
    if program in _NEEDS_POSIX:
        sources.insert(0, folder / "harness" / "posix.f90")
    return build_program(compiler, sources, program)


def _ask(compiler: Compiler, directory: Path, question: Question) -> Reply:
    obstacle = _obstacle(question.name, compiler, directory)
    if obstacle:
        return Reply("skipped", obstacle)
    try:
        executable = build_check(compiler, question.program)
    except CompileError as error:
        return Reply("refused", f"the compiler said: {_one_line(error.output)}")
    replies: dict[str, list[str]] = {}  # what was said, and of which processes
    answers: list[Answer] = []
    for label, numbers in _processes(question.name, directory):
        with scratch_directory(directory) as folder:
            reply = _run_in(folder, executable, question, numbers)
        answers.append(reply.answer)
        replies.setdefault(reply.detail, []).append(label)
    details = [f"{', '.join(labels)}: {said}" if any(labels) else said for said, labels in replies.items()]
    if question.name.startswith("full-disk"):
        details[0] = f"files limited to {DISK_LIMIT:,} bytes in place of a full disk; {details[0]}"
    return Reply(max(answers, key=_SEVERITY.index), "; ".join(details))


def _run_in(folder: Path, executable: Path, question: Question, numbers: list[int]) -> Reply:
    """Make the file that the program reads, run it, and look at what it wrote."""
    if question.name in _INPUTS:
        try:
            _INPUTS[question.name](folder / "input.dat")
        except OSError as error:
            return Reply("skipped", f"the file to read could not be made: {error.strerror}")
    limit = 900 if question.name == "large-record" else 120
    reply = run_program([str(executable), question.name, *map(str, numbers)], folder, limit)
    verify = _VERIFY.get(question.name)
    return verify(reply, folder) if verify else reply


def run_program(command: list[str], folder: Path, limit: float) -> Reply:
    """Run one check program in `folder`; whatever its end, there is an answer. `limit` in seconds."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            timeout=limit,
            stdin=subprocess.DEVNULL,
            umask=UMASK,
            start_new_session=True,  # Ctrl-C is handled here, so that nothing is left behind
        )
    except subprocess.TimeoutExpired as error:
        steps = _steps((error.stdout or b"").decode(errors="replace"))
        return Reply("wrong", f"no end within {limit:g} s{steps}")
    except OSError as error:
        return Reply("wrong", f"the program could not be run: {error.strerror}")
    output = done.stdout.decode(errors="replace")
    said = _one_line(done.stderr.decode(errors="replace"))
    found = re.search(r"^check name=\S+ answer=(right|wrong|refused|skipped) detail=(.*)$", output, re.MULTILINE)
    if found and done.returncode == 0:
        return Reply(next(each for each in _SEVERITY if each == found[1]), _one_line(found[2]))
    if done.returncode == -signal.SIGKILL:
        return Reply("skipped", f"the system killed the program{_steps(output)}; was memory short?")
    end = f"exit code {done.returncode}"
    if done.returncode < 0:
        end = f"abort with signal {-done.returncode} ({signal.strsignal(-done.returncode) or 'unknown'})"
    elif done.returncode == 0:
        end = "end without an answer"
    return Reply("wrong", f"{end}{_steps(output)}; the run time said: {said or 'nothing'}")


def _steps(output: str) -> str:
    steps = re.findall(r"^step (.*)$", output, re.MULTILINE)
    return f" after the step '{_one_line(steps[-1])}'" if steps else ""


def _one_line(text: str) -> str:
    text = " ".join(re.sub(r"/\S*/(?=[\w-]+\.f90)", "", text).split())
    return text if len(text) <= 400 else text[:400] + " ..."


# --- what a check needs ---


def _obstacle(name: str, compiler: Compiler, directory: Path) -> str:
    """Why a check cannot be asked here; empty when it can."""
    if name != "large-record":
        return ""
    disk = free_bytes(directory)
    memory = available_memory()
    # the array and a file that may be in memory; other run times than gfortran's buffer the record, twice
    needed = LARGE_BYTES * (2 if compiler.vendor == "gnu" else 4)
    if disk < LARGE_BYTES + (64 << 20):
        return f"needs {LARGE_BYTES:,} bytes of disk, {disk:,} are free"
    if memory is not None and memory < needed:
        return f"needs {needed:,} bytes of memory, {memory:,} are available"
    return ""


def available_memory() -> int | None:
    """MemAvailable in bytes; None if the system does not say."""
    try:
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _processes(name: str, directory: Path) -> list[tuple[str, list[int]]]:
    """A label and the arguments of each process of a check."""
    if name.startswith("full-disk"):
        # two amounts, within one buffer of gfortran and many; without and with FLUSH before CLOSE
        return [
            (f"{count:,} values{' and FLUSH' if flush else ''}", [DISK_LIMIT, count, flush])
            for flush in (0, 1)
            for count in (12_000, 40_000)
        ]
    if name == "asynchronous-write":
        return [("", [max(1, min(200_000_000, free_bytes(directory) // 4) // 8)])]
    return [("", [])]


# --- files that a check reads ---

_VALUES = struct.pack("=12i", *range(1, 13))
_LAST = struct.pack("=3i", 4, 99, 4)


def _subrecords(path: Path, longest: int = 2147483639) -> None:
    """A record of `longest` + 41 bytes in two subrecords, as gfortran and Intel write it; a sparse file.

    A negative first marker says that another subrecord follows, a negative end marker that one came before.
    """
    with path.open("wb") as file:
        file.write(struct.pack("=i", -longest) + _VALUES)
        file.seek(4 + longest)
        file.write(struct.pack("=ii", longest, 41) + bytes(41) + struct.pack("=i", -41) + _LAST)


def _small_subrecords(path: Path) -> None:
    markers = ((-16, 16), (-16, -16), (16, -16))
    pieces = [
        struct.pack("=i", first) + _VALUES[16 * k : 16 * k + 16] + struct.pack("=i", last)
        for k, (first, last) in enumerate(markers)
    ]
    path.write_bytes(b"".join(pieces) + _LAST)


def _wide_markers(path: Path) -> None:
    path.write_bytes(struct.pack("=q", 48) + _VALUES + struct.pack("=q", 48) + struct.pack("=qiq", 4, 99, 4))


def _other_endian(path: Path) -> None:
    order = ">" if sys.byteorder == "little" else "<"
    path.write_bytes(struct.pack(f"{order}17i", 48, *range(1, 13), 48, 4, 99, 4))


def _truncated_record(path: Path) -> None:
    path.write_bytes(struct.pack("=i", 48) + _VALUES[:20])


def _marker_mismatch(path: Path) -> None:
    path.write_bytes(struct.pack("=i", 48) + _VALUES + struct.pack("=i", 40) + _LAST)


_INPUTS: dict[str, Callable[[Path], None]] = {
    "subrecords": _subrecords,
    "small-subrecords": _small_subrecords,
    "wide-markers": _wide_markers,
    "other-endian": _other_endian,
    "truncated-record": _truncated_record,
    "marker-mismatch": _marker_mismatch,
}


# --- a second look at what was written ---


def walk_records(path: Path) -> tuple[list[int], str]:
    """Lengths of the records of an unformatted sequential file, subrecords joined, and what is wrong with it.

    Reads the 4-byte signed markers only, as gfortran and Intel define them.
    """
    lengths: list[int] = []
    size = path.stat().st_size
    position, length, continues = 0, 0, False
    with path.open("rb") as file:
        while position < size:
            first = _marker(file.read(4))
            end = position + 4 + abs(first) if first is not None else size
            if first is None or end + 4 > size:
                return (
                    lengths,
                    f"marker {first} at byte {position:,} reaches beyond the file's {size:,} bytes",
                )
            file.seek(end)
            last = _marker(file.read(4))
            if last != (-abs(first) if continues else abs(first)):
                return (
                    lengths,
                    f"marker {first:,} at byte {position:,} has the end marker {last:,} at byte {end:,}",
                )
            length += abs(first)
            continues = first < 0
            if not continues:
                lengths.append(length)
                length = 0
            position = end + 4
    return lengths, "the last record lacks its last subrecord" if continues else ""


def _marker(data: bytes) -> int | None:
    return int(struct.unpack("=i", data)[0]) if len(data) == 4 else None


def _expect_records(expected: list[int]) -> Callable[[Reply, Path], Reply]:
    def verify(reply: Reply, folder: Path) -> Reply:
        files = list(folder.glob("*.dat"))
        if not files or reply.answer == "skipped":
            return reply
        lengths, trouble = walk_records(files[0])
        if not trouble and lengths == expected:
            return Reply(reply.answer, f"{reply.detail}; an independent reader finds the same records")
        found = trouble or f"records of {lengths} bytes for {expected}"
        return Reply("wrong", f"{reply.detail}; an independent reader finds: {found}")

    return verify


def _expect_mode(reply: Reply, folder: Path) -> Reply:
    file = folder / "mode.txt"
    if not file.exists():
        return reply
    mode, expected = stat.S_IMODE(file.stat().st_mode), 0o666 & ~UMASK
    detail = f"mode {mode:04o} under umask {UMASK:04o}, expected {expected:04o}"
    return Reply("right" if mode == expected else "wrong", detail)


def _expect_direct(reply: Reply, folder: Path) -> Reply:
    data = (folder / "direct.dat").read_bytes() if (folder / "direct.dat").exists() else b""
    if data == struct.pack("=12d", *(float(record) for record in (1, 2, 3) for _ in range(4))):
        return reply
    return Reply("wrong", f"{reply.detail}; the bytes of the file are not the 12 values one after the other")


_VERIFY: dict[str, Callable[[Reply, Path], Reply]] = {
    "large-record": _expect_records([4, LARGE_BYTES, 4]),
    "zero-length-record": _expect_records([4, 0, 4]),
    "partial-record": _expect_records([40, 4]),
    "rewrite-truncates": _expect_records([4]),
    "file-mode": _expect_mode,
    "direct-recl": _expect_direct,
}
