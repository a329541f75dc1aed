"""Files and directories that appear under their name only when they are complete, and memory for large arrays."""

import contextlib
import ctypes
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace import native
from headrace.containers.zarr.metadata import is_store
from headrace.errors import HeadraceError
from headrace.whole_files import umask

_LONGEST = 4096  # bytes of a path
IN_MEMORY = 1 << 30  # bytes of an array that need no scratch file


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
    with errors_of(path), temporary_beside(real) as temporary:
        mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else 0o666 & ~umask()
        yield temporary
        temporary.chmod(mode)
        temporary.replace(real)


@contextlib.contextmanager
def temporary_beside(real: Path) -> Iterator[Path]:
    """A free name beside a file or directory, which is removed, with all that has it, when the block ends.

    The library gives it, and removes first what killed programs left of the same target, as for the files that it
    writes itself: src/core/temporaries.hpp.
    """
    room = ctypes.create_string_buffer(_LONGEST)
    handle = ctypes.c_int64(0)
    native.call("hr_reserve_temporary", os.fsencode(real), room, ctypes.c_size_t(_LONGEST), ctypes.byref(handle))
    try:
        yield Path(os.fsdecode(room.value))
    finally:
        native.call("hr_release_temporary", ctypes.byref(handle))


@contextlib.contextmanager
def whole_directory(path: Path) -> Iterator[Path]:
    """As whole_file, for a Zarr store; only a Zarr store or an empty directory is replaced."""
    real = Path(os.path.realpath(path))
    if real.exists() and not is_store(real) and not (real.is_dir() and not any(real.iterdir())):
        raise HeadraceError(f"{path}: exists and is not a Zarr store", "choose another name, or remove it")
    aside = real.with_name(real.name + ".headrace-old")  # as mpi/disk/replacement.cpp calls it
    with errors_of(path), temporary_beside(real) as temporary:
        if aside.exists() and not real.exists():  # a killed program had moved it
            aside.rename(real)
        shutil.rmtree(aside, ignore_errors=True)
        temporary.mkdir(0o700)
        yield temporary
        temporary.chmod(0o777 & ~umask())
        if real.exists():
            real.rename(aside)
        try:
            temporary.rename(real)
        except OSError:
            if aside.exists():
                aside.rename(real)
            raise
        shutil.rmtree(aside, ignore_errors=True)


def put(file: Any, block: NDArray[Any]) -> None:
    """All bytes of a contiguous array."""
    view = block.reshape(-1).view(np.uint8).data
    while len(view):
        view = view[file.write(view) :]


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
