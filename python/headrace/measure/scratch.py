"""Scratch directories: made below the user's directory, always removed, never mistaken for anybody's data."""

import contextlib
import errno
import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from headrace.errors import HeadraceError

_PREFIX = "headrace-scratch-"


def require_directory(path: Path, option: str = "--dir") -> None:
    """Raise HeadraceError unless `path`, which `option` named, is a directory in which files can be made."""
    if not path.exists():
        raise HeadraceError(f"directory {path} does not exist", f"make it, or name another one with {option}")
    if not path.is_dir():
        raise HeadraceError(f"{path} is not a directory", f"name a directory with {option}")
    try:
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"\0" * 4096)
            file.flush()
    except OSError as error:
        raise HeadraceError(
            f"directory {path} cannot be written: {error.strerror} (errno {error.errno})",
            f"free some space there, or name another directory with {option}"
            if error.errno in (errno.ENOSPC, errno.EDQUOT)
            else f"nothing can be written there: name another directory with {option}",
        ) from error


def require_target(path: Path, option: str) -> None:
    """Raise HeadraceError unless a file `path`, which `option` named, can be written: before it is measured."""
    if path.is_dir():
        raise HeadraceError(f"{option} {path}: is a directory", "name a file in it")
    if not path.exists() or path.is_file():
        require_directory(Path(os.path.realpath(path)).parent, option)
    elif not os.access(path, os.W_OK):
        raise HeadraceError(f"{option} {path}: may not be written", f"choose another place with {option}")


def free_bytes(path: Path) -> int:
    """What this user may still write in `path`."""
    statistics = os.statvfs(path)
    return statistics.f_bavail * statistics.f_frsize


def require_space(path: Path, needed: int) -> None:
    """Raise HeadraceError when `path` has fewer than `needed` bytes free."""
    free = free_bytes(path)
    if free < needed:
        raise HeadraceError(
            f"directory {path} has {free / 1e6:,.0f} MB free, {needed / 1e6:,.0f} MB are needed",
            "free some space there, choose another --dir, or a smaller --size",
        )


@contextlib.contextmanager
def scratch_directory(parent: Path) -> Iterator[Path]:
    """A directory of this process below `parent`, removed with all it holds when the block ends, however it ends."""
    remove_stale(parent)
    try:
        path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{socket.gethostname()}-{os.getpid()}-", dir=parent.resolve()))
    except OSError as error:
        raise HeadraceError(
            f"no scratch directory in {parent}: {error.strerror}", "name another directory with --dir"
        ) from error
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def remove_stale(parent: Path) -> None:
    """Remove what a killed run of this host has left behind."""
    pattern = re.compile(re.escape(f"{_PREFIX}{socket.gethostname()}-") + r"(\d+)-")
    for path in parent.glob(f"{_PREFIX}*"):
        match = pattern.match(path.name)
        if match and not _alive(int(match[1])):
            shutil.rmtree(path, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
