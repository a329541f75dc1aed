"""What really lies on disk after a process has written: its word is not taken for it. Used by process.py."""

import ctypes
import errno
import os
import platform
from pathlib import Path

# Bytes of a value that text takes at least: a digit and what separates it from the next.
LEAST_TEXT = 2
_CACHESTAT = 451 if platform.machine() in ("x86_64", "aarch64", "ppc64le", "s390x", "riscv64") else None


def size_on_disk(file: Path) -> int:
    """Bytes of a file and of the .meta file beside it; 0 if there is none."""
    return sum(path.stat().st_size for path in (file, file.with_name(file.name + ".meta")) if path.exists())


def doubt(file: Path, least: int) -> str:
    """Why `file`, which should hold at least `least` bytes, is not what was said to be written; empty if it is."""
    try:
        found, folder = file.stat(), file.parent.stat()
    except OSError as error:
        return f"no file was written: {error.strerror}"
    if found.st_dev != folder.st_dev:
        return f"the file lies on another file system than {file.parent}"
    size = size_on_disk(file)
    if size < least:
        return f"the file holds {size:,} bytes, the array needs {least:,} at least"
    return ""


def dirty_bytes(file: Path) -> int:
    """Bytes of `file` that no fsync has brought to the device; -1 if the kernel (before Linux 6.5) does not tell."""
    if _CACHESTAT is None:
        return -1
    whole, counts = (ctypes.c_uint64 * 2)(0, 0), (ctypes.c_uint64 * 5)()
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError:
        return -1
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        done = libc.syscall(_CACHESTAT, descriptor, ctypes.byref(whole), ctypes.byref(counts), 0)
        if done != 0:
            return -1 if ctypes.get_errno() != errno.EBADF else 0
    finally:
        os.close(descriptor)
    return int(counts[1]) * os.sysconf("SC_PAGE_SIZE")
