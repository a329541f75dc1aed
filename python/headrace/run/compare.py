"""What a run left, and whether another one left the same: files, standard output and error, exit code."""

import hashlib
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

OUTPUT, ERRORS, ENDING = "(standard output)", "(standard error)", "(exit code)"
# Addresses of a backtrace, and the number of a process.
_ADDRESS = re.compile(rb"0x[0-9a-fA-F]+")
_PIECE = 1 << 20
_SHOWN = 100


@dataclass
class Left:
    """What a run left, and where: texts and files by name, with a fingerprint of each."""

    folder: Path
    output: Path
    errors: Path
    code: int
    seconds: float  # of processor time
    fingerprints: dict[str, str] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        return {OUTPUT: self.output, ERRORS: self.errors}.get(name, self.folder / name)

    def look(self) -> None:
        """Take the fingerprints."""
        self.fingerprints = {
            OUTPUT: _content(self.output),
            ERRORS: _text(self.errors.read_bytes()),
            ENDING: str(self.code),
        }
        for root, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                path = Path(root) / name
                self.fingerprints[str(path.relative_to(self.folder))] = _fingerprint(path)


def differing(one: Left, other: Left, leaving_out: Iterable[str] = ()) -> list[str]:
    """Names of what is not the same."""
    names = {*one.fingerprints, *other.fingerprints} - set(leaving_out)
    return sorted(name for name in names if one.fingerprints.get(name) != other.fingerprints.get(name))


def first_difference(one: Left, other: Left, name: str) -> str:
    """Where and how it begins."""
    if name == ENDING:
        return f"{one.code} without, {other.code} with"
    if name not in other.fingerprints:
        return "is not there with headrace run"
    if name not in one.fingerprints:
        return "is there only with headrace run"
    before, after = one.path(name), other.path(name)
    if not before.is_file() or not after.is_file() or before.is_symlink() or after.is_symlink():
        return "another kind of file, or another target"
    offset = _first_differing_byte(before, after)
    if offset is None:
        return "another mode"
    number, line = _line_at(before, offset)
    sizes = f"{before.stat().st_size:,} and {after.stat().st_size:,} bytes"
    return f"line {number} ({sizes}):\n    without: {line}\n    with:    {_line_at(after, offset)[1]}"


def _fingerprint(path: Path) -> str:
    status = path.lstat()
    mode = f"{status.st_mode:o}"
    if stat.S_ISLNK(status.st_mode):
        return f"{mode} {path.readlink()}"
    return f"{mode} {_content(path)}" if stat.S_ISREG(status.st_mode) else mode


def _content(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return found.hexdigest()


def _text(data: bytes) -> str:
    return hashlib.sha256(_ADDRESS.sub(b"0x", data)).hexdigest()


def _first_differing_byte(one: Path, other: Path) -> int | None:
    offset = 0
    with one.open("rb") as first, other.open("rb") as second:
        while True:
            a, b = first.read(_PIECE), second.read(_PIECE)
            if a != b:
                same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
                return offset + same
            if not a:
                return None
            offset += len(a)


def _line_at(path: Path, offset: int) -> tuple[int, str]:
    """The number and the text of the line that has a byte."""
    number, done, line = 0, 0, b""
    with path.open("rb") as file:
        for line in file:
            number += 1
            done += len(line)
            if done > offset:
                break
        else:
            return number, "(the end)"
    text = line.rstrip(b"\n").decode(errors="replace")
    return number, text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
