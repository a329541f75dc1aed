"""The texts of source lines, if the source can still be found."""

from collections.abc import Iterator
from pathlib import Path

from headrace.trace.results import File, Line, Place, Trace

LINES_KEPT = 200  # the costliest; OPEN statements beside
CONTEXT = 12  # lines above one of these: the loops that it stands in
BELOW = 6  # their ends
_LARGEST = 64 << 20  # bytes of a source file

Sources = dict[str, dict[int, str]]  # by file and line


def find_sources(trace: Trace, folder: Path) -> tuple[Sources, list[str]]:
    """The texts of the costliest lines and of the OPEN statements of files, and what must be said of them.

    Compilers note the name that they were given, often relative to a folder that nobody knows any more: looked for from
    `folder`, then beside the programs and above them.
    """
    programs = [Path(name) for name in dict.fromkeys(process.program for process in trace.processes) if name]
    above = [parent for program in programs for parent in list(program.parents)[:3]]
    wanted: dict[str, set[int]] = {}
    for file, line in _places(trace):
        if file and line:
            wanted.setdefault(file, set()).add(line)
    sources: Sources = {}
    notes = []
    newest = max((_changed(program) for program in programs), default=0.0)
    for file, lines in wanted.items():
        path = _find(file, [folder, *above])
        if path is None:
            continue
        texts = path.read_text(errors="replace").splitlines()
        with_context = {near for line in lines for near in range(max(1, line - CONTEXT), line + BELOW)}
        sources[file] = {line: texts[line - 1].strip() for line in sorted(with_context) if line <= len(texts)}
        if newest and _changed(path) > newest:
            notes.append(f"{path} is newer than the program: the source lines shown may not be those that ran")
    return sources, notes


def show_sources(trace: Trace, sources: Sources) -> None:
    """Put the texts into the trace."""
    for line in trace.lines:
        line.source = sources.get(line.file, {}).get(line.line, "")
    for place in _opens([*trace.lines], [*trace.files]):
        place.source = sources.get(place.file, {}).get(place.line, "")


def _places(trace: Trace) -> Iterator[tuple[str, int]]:
    for line in trace.lines[:LINES_KEPT]:
        yield line.file, line.line
    for place in _opens(trace.lines[:LINES_KEPT], trace.files[:LINES_KEPT]):
        yield place.file, place.line


def _opens(lines: list[Line], files: list[File]) -> Iterator[Place]:
    for line in lines:
        yield from line.opened_at
    for file in files:
        yield from file.opened_at


def _find(name: str, folders: list[Path]) -> Path | None:
    """A file that can be read and is small enough to be a source."""
    names = [Path(name)] if Path(name).is_absolute() else []
    names += [folder / name for folder in folders] + [folder / Path(name).name for folder in folders]
    for path in names:
        try:
            if path.is_file() and path.stat().st_size <= _LARGEST:
                path.open("rb").close()
                return path
        except OSError:
            continue
    return None


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
