"""Files and directories that appear under their name only when they are complete, and memory for large arrays."""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import HeadraceError

IN_MEMORY = 1 << 30  # bytes of an array that need no scratch file
_ZARR = ("zarr.json", ".zgroup", ".zarray")


def check_target(path: Path) -> None:
    """Refuse what cannot be replaced by a file: a directory, a pipe, a device; or a place that is not there."""
    real = Path(os.path.realpath(path))
    if real.is_dir():
        raise HeadraceError(f"{path}: is a directory", "name a file in it")
    try:
        about = real.stat()
    except FileNotFoundError:
        if not real.parent.is_dir():
            raise HeadraceError(f"{path}: there is no directory {real.parent}", "make it first") from None
        return
    except OSError as error:
        raise _cannot(path, error) from error
    if not stat.S_ISREG(about.st_mode):
        raise HeadraceError(f"{path}: is a pipe or a device; this format needs a file", "name a file")


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary name beside the file; it takes the file's place, and its mode, when the block ends well.

    Symbolic links are followed. HeadraceError is raised for what the system refuses.
    """
    check_target(path)
    real = Path(os.path.realpath(path))
    try:
        mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else 0o666 & ~_umask()
        descriptor, name = tempfile.mkstemp(prefix=f"{real.name[:200]}.headrace-", suffix=".tmp", dir=real.parent)
    except OSError as error:
        raise _cannot(path, error) from error
    os.close(descriptor)
    temporary = Path(name)
    try:
        with errors_of(path):
            yield temporary
            temporary.chmod(mode)
            temporary.replace(real)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_directory(path: Path) -> Iterator[Path]:
    """As whole_file, for a Zarr store; only a Zarr store or an empty directory is replaced."""
    real = Path(os.path.realpath(path))
    if real.exists() and not is_store(real) and not (real.is_dir() and not any(real.iterdir())):
        raise HeadraceError(f"{path}: exists and is no Zarr store", "choose another name, or remove it")
    try:
        temporary = Path(tempfile.mkdtemp(prefix=f"{real.name[:200]}.headrace-", suffix=".tmp", dir=real.parent))
    except OSError as error:
        raise _cannot(path, error) from error
    old = temporary.with_suffix(".old")
    try:
        with errors_of(path):
            yield temporary
            temporary.chmod(0o777 & ~_umask())
            if real.exists():
                real.rename(old)
            try:
                temporary.rename(real)
            except OSError:
                if old.exists():
                    old.rename(real)
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def is_store(path: Path) -> bool:
    """Whether a directory is a Zarr store."""
    return any((path / name).is_file() for name in _ZARR)


@contextlib.contextmanager
def errors_of(path: Path) -> Iterator[None]:
    """What the system or a library refuses while a file is written, as HeadraceError."""
    try:
        yield
    except HeadraceError:
        raise
    except (OSError, RuntimeError, ValueError, TypeError, NotImplementedError) as error:
        raise _cannot(path, error) from error


def _cannot(path: Path, error: Exception) -> HeadraceError:
    text = (getattr(error, "strerror", None) or str(error) or type(error).__name__).splitlines()[-1]
    return HeadraceError(f"{path}: cannot be written: {text}", "what was there before is untouched")


def room_for(shape: tuple[int, ...], dtype: "np.dtype[Any]", beside: Path, in_memory: int = IN_MEMORY) -> NDArray[Any]:
    """A new array; one above `in_memory` bytes lies in a scratch file without a name, in the directory of `beside`."""
    size = int(np.prod(shape, dtype=object)) * dtype.itemsize
    if size <= in_memory:
        return np.empty(shape, dtype)
    with errors_of(beside), tempfile.TemporaryFile(dir=Path(os.path.realpath(beside)).parent) as file:
        os.posix_fallocate(file.fileno(), 0, size)  # a full disk is an error now, not a signal later
        return np.memmap(file, dtype, "r+", 0, shape)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
