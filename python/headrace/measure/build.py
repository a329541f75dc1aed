"""Compiles Fortran with the user's compiler into a cache keyed by compiler, version, flags and source."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headrace import native
from headrace.errors import HeadraceError
from headrace.measure.catalogue import family_files, harness_files
from headrace.results.run import Compiler

COMPILE_LIMIT = 300  # seconds
OWN_FAMILIES = ("headrace",)  # that are linked with the library of this package


@dataclass
class FamilyProgram:
    """The program of one family: where it is, and what the compiler refused."""

    executable: Path | None
    refused: dict[str, str] = field(default_factory=dict)  # mechanism: the compiler's message
    message: str = ""  # why there is no program at all


class CompileError(HeadraceError):
    """The compiler failed; the message holds its command and what it said."""

    def __init__(self, command: list[str], output: str) -> None:
        self.command = command
        self.output = output.strip()
        super().__init__(f"the compiler failed\n  command: {' '.join(command)}\n{_indent(self.output)}")


def cache_directory() -> Path:
    """HEADRACE_CACHE, else headrace/ in XDG_CACHE_HOME, else ~/.cache/headrace."""
    if os.environ.get("HEADRACE_CACHE"):
        return Path(os.environ["HEADRACE_CACHE"]).absolute()
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]).absolute() / "headrace"
    try:
        return Path.home() / ".cache" / "headrace"
    except RuntimeError as error:
        raise HeadraceError("there is no home directory for the cache", "set HEADRACE_CACHE to a directory") from error


def build_program(
    compiler: Compiler, sources: list[Path], name: str = "program", libraries: list[str] | None = None
) -> Path:
    """Compile and link `sources`, in this order, into one program; from the cache when nothing has changed.

    `libraries` are words for the linker, after the sources; a file among them counts by its time of change.
    Raises CompileError with the command and the compiler's own words.
    """
    texts = [(path.name, path.read_text()) for path in sources]
    return _build(compiler, texts, name, libraries or [])


def require_working(compiler: Compiler) -> None:
    """Raise CompileError unless it compiles and links a program of the harness that does nothing."""
    file = family_files()["null"]
    _build(compiler, [(file.name, file.read_text())], "null", harness=_compiled_harness(compiler))


def build_family(compiler: Compiler, family: str) -> FamilyProgram:
    """The program of a family. What the compiler refuses is cut out and reported, the rest is built."""
    harness = _compiled_harness(compiler)
    libraries: list[str] = []
    if family in OWN_FAMILIES:
        try:
            libraries = own_library()
        except HeadraceError as error:
            return FamilyProgram(None, {}, error.message)
    file = family_files()[family]
    source = file.read_text()
    refused: dict[str, str] = {}
    while True:
        try:
            program = _build(compiler, [(file.name, source)], family, libraries, harness)
            return FamilyProgram(program, refused)
        except CompileError as error:
            culprits = _refused_procedures(error.output, file.name, source)
            dropped = {name: culprits[p] for name, uses in _additions(source) for p in culprits if p in uses}
            if not dropped:
                return FamilyProgram(None, refused, first_error(error.output))
            refused |= dropped
            source = _without(source, set(culprits), set(dropped))
            if not _additions(source):
                return FamilyProgram(None, refused, next(iter(refused.values())))


def own_library() -> list[str]:
    """The words that link headrace's library. Raises HeadraceError that says why there is none."""
    native.library()  # of this version, and it can be loaded
    path = Path(native.library_path())
    if not path.is_file():  # the loader knows where; so does the linker
        return ["-lheadrace_core"]
    return [str(path.resolve()), f"-Wl,-rpath,{path.resolve().parent}"]


def _compiled_harness(compiler: Compiler) -> Path:
    """The folder of what the programs of all families have in common: objects and modules."""
    sources = [(path.name, path.read_text()) for path in harness_files()]
    made_of = (compiler.path, compiler.version_text, compiler.flags, sources)

    def make(work: Path) -> None:
        _write(sources, work)
        last = Path(sources[-1][0]).with_suffix(".o").name
        _run([compiler.path, *compiler.flags, "-c", *(file for file, _ in sources)], work, last)

    return _cached("harness", made_of, make)


def _build(
    compiler: Compiler,
    sources: list[tuple[str, str]],
    name: str,
    libraries: Sequence[str] = (),
    harness: Path | None = None,
) -> Path:
    linked = [(word, Path(word).stat().st_mtime_ns if Path(word).is_file() else 0) for word in libraries]
    parts = [harness.name] if harness is not None else []
    made_of = (compiler.path, compiler.version_text, compiler.flags, sources, *([linked] if linked else []), *parts)

    def make(work: Path) -> None:
        _write(sources, work)
        objects = _copy_compiled(harness, work) if harness is not None else []
        files = [*(file for file, _ in sources), *objects, *libraries]
        _run([compiler.path, *compiler.flags, *files, "-o", name], work, name)

    return _cached(name, made_of, make) / name


def _copy_compiled(folder: Path, work: Path) -> list[str]:
    """Modules are found beside the source by every compiler, whatever it calls the option for another place."""
    compiled = [path for path in sorted(folder.iterdir()) if path.suffix != ".f90"]
    for path in compiled:
        shutil.copy(path, work)
    return [path.name for path in compiled if path.suffix == ".o"]


def _write(sources: list[tuple[str, str]], folder: Path) -> None:
    for file, text in sources:
        (folder / file).write_text(text)


def _cached(name: str, made_of: object, make: Callable[[Path], None]) -> Path:
    """The folder of the cache that `make` fills, unless it is there."""
    key = hashlib.sha256(repr(made_of).encode())
    target = cache_directory() / f"{name}-{key.hexdigest()[:20]}"
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".building-", dir=target.parent))
    except OSError as error:
        raise HeadraceError(
            f"the cache {target.parent} cannot be written: {error.strerror}",
            "set HEADRACE_CACHE to a directory that you may write",
        ) from error
    try:
        make(work)
        try:
            work.rename(target)
        except OSError:
            if not target.is_dir():  # otherwise another process was faster, which is as good
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def _run(command: list[str], folder: Path, product: str) -> None:
    """One call of the compiler, which leaves `product`. Raises CompileError."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=COMPILE_LIMIT, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise CompileError(command, str(error)) from error
    except subprocess.TimeoutExpired as error:
        raise CompileError(command, f"no end within {COMPILE_LIMIT} s") from error
    if done.returncode != 0 or not (folder / product).is_file():
        raise CompileError(command, done.stderr + done.stdout or f"exit code {done.returncode}, no message")


_PROCEDURE = re.compile(r"^subroutine (\w+)\(.*?^end subroutine \1[^\n]*\n", re.MULTILINE | re.DOTALL)
_ADDITION = re.compile(r'^[ ]*call add_\w+\("(\w+)"((?:[^\n]*&\n)*[^\n]*)\n', re.MULTILINE)


def _additions(source: str) -> list[tuple[str, set[str]]]:
    """Every mechanism that the source adds, with the procedures that it is made of."""
    return [(match[1], set(re.findall(r"\w+", match[2]))) for match in _ADDITION.finditer(source)]


def _refused_procedures(output: str, file: str, source: str) -> dict[str, str]:
    """Procedures that hold an error line, each with the compiler's first message about it."""
    sections = {
        match[1]: (source.count("\n", 0, match.start()) + 1, source.count("\n", 0, match.end()))
        for match in _PROCEDURE.finditer(source)
    }
    places = list(re.finditer(rf"{re.escape(file)}\s*[:(,]\s*(?:line )?(\d+)", output))
    found: dict[str, str] = {}
    for index, place in enumerate(places):
        end = places[index + 1].start() if index + 1 < len(places) else len(output)
        text = output[place.start() : end]
        if "warning" in text.lower() and "error" not in text.lower():
            continue
        for name, (first, last) in sections.items():
            if first <= int(place[1]) <= last:
                found.setdefault(name, first_error(text))
    return found


def _without(source: str, procedures: set[str], mechanisms: set[str]) -> str:
    source = _PROCEDURE.sub(lambda match: "" if match[1] in procedures else match[0], source)
    return _ADDITION.sub(lambda match: "" if match[1] in mechanisms else match[0], source)


def first_error(text: str) -> str:
    """The first thing that a compiler complains about, without the lines that only count or name a file."""
    messages = [m.strip() for m in re.findall(r"error[^\n:]*:\s*(.+)", text, re.IGNORECASE)]
    telling = [m for m in messages if not re.match(r"(Could not parse|Semantic errors in|aborting)", m)]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next(iter(telling or messages or lines), "no message")[:300]


def _indent(text: str) -> str:
    lines = text.splitlines()
    shown = lines if len(lines) <= 30 else [*lines[:30], f"... ({len(lines) - 30} more lines)"]
    return "\n".join("  | " + line for line in shown)
