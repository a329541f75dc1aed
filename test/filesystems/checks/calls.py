"""Calls that Fortran's run times, MPI-IO and HDF5 make: which of them does a file system refuse?"""

import ctypes
import errno
import fcntl
import mmap
import os
import struct
from collections.abc import Callable
from pathlib import Path

from filesystems.results import Check

_MEMORY = ctypes.CDLL(None, use_errno=True)
_RENAME_NOREPLACE, _RENAME_EXCHANGE, _AT_FDCWD = 1, 2, -100
_OFD_SETLK = 37
_ONE_BYTE = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 1, 0)  # struct flock


def _direct(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_DIRECT)
    try:
        with mmap.mmap(-1, 4096) as page:
            os.write(descriptor, page)
    finally:
        os.close(descriptor)


def _mapped(file: Path) -> None:
    with file.open("w+b") as opened:
        opened.truncate(8192)
        with mmap.mmap(opened.fileno(), 8192) as pages:
            pages[5000:5003] = b"abc"
            pages.flush()
    assert file.read_bytes()[5000:5003] == b"abc", "what was written to the pages is not in the file"


def _allocated(file: Path) -> None:
    with file.open("wb") as opened:
        _must(_MEMORY.fallocate64(opened.fileno(), 0, ctypes.c_int64(0), ctypes.c_int64(65536)))


def _nameless(file: Path) -> None:
    descriptor = os.open(file.parent, os.O_TMPFILE | os.O_RDWR)
    try:
        # Without a descriptor of a folder Python calls link(2), which does not follow.
        os.link(f"/proc/self/fd/{descriptor}", file, src_dir_fd=descriptor, follow_symlinks=True)
    finally:
        os.close(descriptor)


def _hard_link(file: Path) -> None:
    file.touch()
    os.link(file, file.with_suffix(".other"))


def _renamed(flags: int) -> Callable[[Path], None]:
    def rename(file: Path) -> None:
        other = file.with_suffix(".other")
        file.touch()
        if flags == _RENAME_EXCHANGE:
            other.touch()
        names = (os.fsencode(file), _AT_FDCWD, os.fsencode(other))
        _must(_MEMORY.renameat2(_AT_FDCWD, *names, flags))

    return rename


def _attribute(file: Path) -> None:
    file.touch()
    os.setxattr(file, "user.headrace", b"x")


def _locked(file: Path) -> None:
    with file.open("wb") as opened:
        fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _locked_by_description(file: Path) -> None:
    with file.open("wb") as one, file.open("wb") as other:
        fcntl.fcntl(one, _OFD_SETLK, _ONE_BYTE)
        try:
            fcntl.fcntl(other, _OFD_SETLK, _ONE_BYTE)
        except BlockingIOError:
            return
        raise AssertionError("two hold the same lock")


def _flocked(file: Path) -> None:
    with file.open("wb") as one, file.open("wb") as other:
        fcntl.flock(one, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        raise AssertionError("two hold the same lock")


def _copied(file: Path) -> None:
    file.write_bytes(b"x" * 4096)
    with file.open("rb") as source, file.with_suffix(".other").open("wb") as target:
        os.copy_file_range(source.fileno(), target.fileno(), 4096)


def _hole(file: Path) -> None:
    with file.open("wb") as opened:
        opened.seek(2**20)
        opened.write(b"x")
        opened.flush()
        found = os.lseek(opened.fileno(), 0, os.SEEK_DATA)
    assert found > 0, "holes are not told"


def _removed_while_open(file: Path) -> None:
    with file.open("wb") as opened:
        file.unlink()
        opened.write(b"x")
        opened.flush()
        assert os.fstat(opened.fileno()).st_size == 1
        left = [entry.name for entry in file.parent.iterdir()]
        assert not left, f"`{left[0].split('0')[0]}...` stays until it is closed"


def _synced_folder(file: Path) -> None:
    descriptor = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _linked(file: Path) -> None:
    file.symlink_to("elsewhere")


def _fifo(file: Path) -> None:
    os.mkfifo(file)


CALLS: dict[str, Callable[[Path], None]] = {
    "O_DIRECT": _direct,
    "mmap, shared": _mapped,
    "fallocate": _allocated,
    "O_TMPFILE": _nameless,
    "link": _hard_link,
    "symlink": _linked,
    "mkfifo": _fifo,
    "rename without replacing": _renamed(_RENAME_NOREPLACE),
    "rename, exchanging": _renamed(_RENAME_EXCHANGE),
    "user attributes": _attribute,
    "fcntl locks": _locked,
    "locks of open files (OFD)": _locked_by_description,
    "flock": _flocked,
    "copy_file_range": _copied,
    "SEEK_DATA": _hole,
    "remove while open": _removed_while_open,
    "fsync of a folder": _synced_folder,
}


def calls(folder: Path) -> list[Check]:
    """Each call in an empty folder of its own."""
    found = []
    for number, (name, call) in enumerate(CALLS.items()):
        own = folder / f"call{number}"
        own.mkdir()
        try:
            call(own / "file")
            found.append(Check(f"call: {name}", "works"))
        except OSError as error:
            found.append(Check(f"call: {name}", "refused", errno.errorcode.get(error.errno or 0, str(error))))
        except AssertionError as error:
            found.append(Check(f"call: {name}", "refused", str(error)))
    return found


def _must(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
