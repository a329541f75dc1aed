"""Scratch directories: made below the user's directory, always removed, never mistaken for anybody's data."""

import contextlib
import errno
import fcntl
import itertools
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.undisturbed import undisturbed

_PREFIX = "headrace-scratch-"
DAY = 86400.0  # seconds


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
    """A directory of this process below `parent`, removed with all it holds when the block ends, however it ends.

    Its lock says that it is in use: to a run in another container too, which cannot see this process.
    """
    remove_stale(parent)
    made: tuple[Path, int] | None = None
    try:
        with undisturbed():
            made = _make_locked(parent)
        yield made[0]
    finally:
        if made is not None:
            _remove_locked(*made)


def _remove_locked(path: Path, lock: int) -> None:
    """All of it, also if Ctrl-C comes now: what is half removed would stay."""
    held = undisturbed()
    try:
        held.__enter__()
    finally:
        remove_tree(path)
        os.close(lock)
        held.__exit__()


def remove_tree(path: Path) -> None:
    """Also directories that a program has closed to its owner."""
    shutil.rmtree(path, ignore_errors=True)
    if not path.exists():
        return
    waiting = [path]
    while waiting:
        folder = waiting.pop()
        with contextlib.suppress(OSError):
            folder.chmod(0o700)
            waiting += [below for below in folder.iterdir() if below.is_dir() and not below.is_symlink()]
    shutil.rmtree(path, ignore_errors=True)


def _make_locked(parent: Path) -> tuple[Path, int]:
    while True:
        try:
            path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{_here()}-{os.getpid()}-", dir=parent.resolve()))
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # taken for stale before it could be opened
            continue
        except OSError as error:
            raise HeadraceError(
                f"no scratch directory in {parent}: {error.strerror}", "name another directory with --dir"
            ) from error
        if _take(lock) is not False and _is_still(path, lock):  # None: a file system without locks
            return path, lock
        os.close(lock)  # another run takes it for stale, and removes it


def _take(lock: int) -> bool | None:
    """Whether this process has the lock now; None if the file system has no locks."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_still(path: Path, lock: int) -> bool:
    """Whether `path` leads to the directory that `lock` has opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(lock))
    except OSError:
        return False


def _here() -> str:
    """This host, its boot and its PID namespace: what a process number means something in."""
    boot = namespace = "0"
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip().replace("-", "")[:12]
    with contextlib.suppress(OSError):
        namespace = "".join(filter(str.isdigit, str(Path("/proc/self/ns/pid").readlink())))
    return f"{socket.gethostname()}-{boot}-{namespace}"


def remove_stale(parent: Path) -> None:
    """Remove what a killed run of this host has left behind."""
    pattern = re.compile(re.escape(f"{_PREFIX}{socket.gethostname()}-") + r"([0-9a-f]+)-(\d+)-(\d+)-\w+")
    boot, namespace = _here().rsplit("-", 2)[1:]
    for path in parent.glob(f"{_PREFIX}*"):
        match = pattern.fullmatch(path.name)
        if match and match[1] == boot:
            visible = match[2] == namespace
            _remove_unused(path, int(match[3]) if visible else None)
        elif match and _age(path) > DAY:  # the host was started anew, or has a namesake
            _remove_unused(path, None)


def _remove_unused(path: Path, process: int | None) -> None:
    """Remove it if nobody holds its lock; without locks, if `process` of this namespace has ended.

    The lock is held until the directory is gone: a run that has just made it sees that, and makes another one.
    """
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        taken = _take(lock)
        unused = taken if taken is not None else process is not None and not _alive(process)
        if unused and _is_still(path, lock):
            shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(lock)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def unused_name(folder: Path, stem: str, ending: str) -> Path:
    """A file STEM.ENDING in `folder` that this process alone has made, empty; STEM-2 and so on if that exists."""
    for number in itertools.count(1):
        path = folder / f"{stem}{f'-{number}' if number > 1 else ''}{ending}"
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError:
            continue
        return path
    raise AssertionError
