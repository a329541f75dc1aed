"""The planted file system: hands calls on to a folder, and delays, fails, shortens or reorders them by its settings.

    python -m filesystems.server FOLDER MOUNT_POINT SETTINGS

mfusepy and not pyfuse3: pyfuse3 3.5 gives no calls for locks, and a cost per lock is one of those that are planted.
The kernel hands over each write(2) of up to 1 MiB by itself, since its write-back cache is off. What was called and
what it cost is the value of the attribute `user.planted` of the mount point.
"""

import contextlib
import errno
import fcntl
import json
import os
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mfusepy

from filesystems.held import HeldWrites
from filesystems.settings import ATTRIBUTE, Call, Settings, of_text

_HIDDEN = ".fuse_hidden"
_STAT = ("mode", "ino", "nlink", "uid", "gid", "size", "blocks", "atime_ns", "mtime_ns", "ctime_ns")
_FLOCK = struct.Struct("hhqqi4x")  # struct flock of Linux on 64 bits


class Toll:
    """Counts calls, lets them wait, and fails those that are to fail."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.calls: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self._counting = threading.Lock()
        self._server = threading.Lock()

    def take(self, call: Call) -> None:
        """Raises OSError if a fault is due."""
        with self._counting:
            self.calls[call] += 1
            number = self.calls[call]
            due = next((fault for fault in self.settings.faults if fault.call == call and number > fault.after), None)
            if due is not None and due.times and number > due.after + due.times:
                due = None
            if due is not None:
                self.failed[call] += 1
        cost = self.settings.costs.get(call, 0.0)
        if cost and self.settings.one_at_a_time:
            with self._server:
                time.sleep(cost)
        elif cost:
            time.sleep(cost)
        if due is not None:
            raise OSError(due.number, f"planted: {due.name}")

    def report(self) -> str:
        """As JSON: how many calls, the seconds that were planted, and how many failed."""
        with self._counting:
            seconds = {call: count * self.settings.costs.get(call, 0.0) for call, count in self.calls.items()}  # type: ignore[call-overload]
            return json.dumps({"calls": self.calls, "seconds": seconds, "failed": self.failed})


class Planted(mfusepy.Operations):  # type: ignore[misc]
    """Paths are those below the mount point; `fi.fh` is a descriptor of the folder's file."""

    use_ns = True
    flag_nopath = flag_nullpath_ok = True

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = str(folder)
        self.settings = settings
        self.toll = Toll(settings)
        self.held = HeldWrites(settings.held)
        self._locks: dict[tuple[int, int], int] = {}  # inode and owner: a descriptor that holds the locks
        self._room = threading.Lock()

    def _at(self, path: str) -> str:
        return self.folder + path

    def init_with_config(self, connection: Any, config: Any) -> None:
        """A removed file that is open keeps a name, `.fuse_hidden...` (as `.nfs...`): fstat(2) of it needs one."""
        config.use_ino = config.nullpath_ok = 1
        config.entry_timeout = config.attr_timeout = 1.0

    def destroy(self, path: str) -> None:
        self.held.bring_all()

    # Names

    def getattr(self, path: str | None, fi: Any = None) -> dict[str, Any]:
        if fi is None:
            assert path is not None
            self.toll.take("lookup")
        found = os.fstat(fi.fh) if fi is not None else os.lstat(self._at(path or "/"))
        known = {f"st_{name.removesuffix('_ns')}": getattr(found, f"st_{name}") for name in _STAT}
        return known | {"st_size": self.held.size(found)}

    def access(self, path: str, mode: int) -> int:
        if not os.access(self._at(path), mode, effective_ids=True):
            raise OSError(errno.EACCES, "")
        return 0

    def opendir(self, path: str) -> int:
        return os.open(self._at(path), os.O_RDONLY | os.O_DIRECTORY)

    def readdir(self, path: str | None, handle: int) -> Iterator[tuple[str, dict[str, int], int]]:
        """With the number of each file: an entry without one counts as removed."""
        for name in (".", "..", *os.listdir(handle)):
            with contextlib.suppress(FileNotFoundError):
                found = os.stat(name, dir_fd=handle, follow_symlinks=False)
                yield name, {"st_ino": found.st_ino, "st_mode": found.st_mode}, 0

    def releasedir(self, path: str | None, handle: int) -> int:
        os.close(handle)
        return 0

    def fsyncdir(self, path: str | None, data_only: int, handle: int) -> int:
        self.toll.take("fsync")
        os.fsync(handle)
        return 0

    def mkdir(self, path: str, mode: int) -> int:
        self.toll.take("create")
        os.mkdir(self._at(path), mode)
        return 0

    def rmdir(self, path: str) -> int:
        self.toll.take("remove")
        os.rmdir(self._at(path))
        return 0

    def unlink(self, path: str) -> int:
        if not path.rpartition("/")[2].startswith(_HIDDEN):
            self.toll.take("remove")
        os.unlink(self._at(path))
        return 0

    def rename(self, old: str, new: str, flags: int = 0) -> int:
        """No RENAME_EXCHANGE or RENAME_NOREPLACE, as on many FUSE and network file systems."""
        if not old.rpartition("/")[2].startswith(_HIDDEN) and not new.rpartition("/")[2].startswith(_HIDDEN):
            self.toll.take("rename")  # and not that of a removed file which is open
        if flags:
            raise OSError(errno.EINVAL, "")
        os.rename(self._at(old), self._at(new))
        return 0

    def link(self, target: str, source: str) -> int:
        os.link(self._at(source), self._at(target))
        return 0

    def symlink(self, target: str, source: str) -> int:
        os.symlink(source, self._at(target))
        return 0

    def readlink(self, path: str) -> str:
        return os.readlink(self._at(path))

    def chmod(self, path: str | None, mode: int, fi: Any = None) -> int:
        os.chmod(self._at(path) if path is not None else fi.fh, mode)
        return 0

    def chown(self, path: str | None, owner: int, group: int, fi: Any = None) -> int:
        if path is None:
            os.fchown(fi.fh, owner, group)
        else:
            os.chown(self._at(path), owner, group, follow_symlinks=False)
        return 0

    def utimens(self, path: str | None, times: tuple[int, int] | None = None, fi: Any = None) -> int:
        nanoseconds = times or (time.time_ns(), time.time_ns())
        if path is None:
            os.utime(fi.fh, ns=nanoseconds)
        else:
            os.utime(self._at(path), ns=nanoseconds, follow_symlinks=False)
        return 0

    def statfs(self, path: str) -> dict[str, int]:
        found = os.statvfs(self._at(path))
        names = ("bsize", "frsize", "blocks", "bfree", "bavail", "files", "ffree", "favail", "namemax")
        known = {f"f_{name}": getattr(found, f"f_{name}") for name in names}
        if self.settings.room_bytes is not None:
            left = max(0, self.settings.room_bytes - self._used()) // found.f_frsize
            known |= {"f_blocks": self.settings.room_bytes // found.f_frsize, "f_bfree": left, "f_bavail": left}
        return known

    def getxattr(self, path: str, name: bytes | str, position: int = 0) -> bytes:
        name = os.fsdecode(name)
        if path == "/" and name == ATTRIBUTE:
            return self.toll.report().encode()
        return os.getxattr(self._at(path), name, follow_symlinks=False)

    # Files

    def create(self, path: str, mode: int, fi: Any) -> int:
        self.toll.take("create")
        fi.fh = os.open(self._at(path), self._flags(fi.flags) | os.O_CREAT, mode)
        return 0

    def open(self, path: str, fi: Any) -> int:
        self.toll.take("open")
        fi.fh = os.open(self._at(path), self._flags(fi.flags))
        if fi.flags & os.O_TRUNC:
            self.held.forget(fi.fh)
        return 0

    @staticmethod
    def _flags(flags: int) -> int:
        """Offsets come from the kernel, and so do memory pages: no O_APPEND, no O_DIRECT."""
        flags &= ~(os.O_APPEND | os.O_DIRECT)
        return flags & ~os.O_ACCMODE | os.O_RDWR if flags & os.O_ACCMODE == os.O_WRONLY else flags

    def read(self, path: str | None, size: int, offset: int, fi: Any) -> bytes:
        self.toll.take("read")
        self.held.bring(fi.fh)
        return os.pread(fi.fh, size, offset)

    def write(self, path: str | None, data: bytes, offset: int, fi: Any) -> int:
        if len(data) < self.settings.small_bytes:
            self.toll.take("small_write")
        self.toll.take("write")
        if self.settings.short_write is not None:
            data = data[: self.settings.short_write]
        if self.settings.room_bytes is None:
            return self._put(fi.fh, data, offset)
        with self._room:
            inside = max(0, min(len(data), os.fstat(fi.fh).st_size - offset))  # overwrites what has its room
            fitting = inside + max(0, self.settings.room_bytes - self._used())
            if fitting <= 0:
                self.toll.failed["write"] += 1
                raise OSError(errno.ENOSPC, "")
            return self._put(fi.fh, data[:fitting], offset)

    def _put(self, descriptor: int, data: bytes, offset: int) -> int:
        if self.settings.held:
            self.held.keep(descriptor, data, offset)
            return len(data)
        return os.pwrite(descriptor, data, offset)

    def _used(self) -> int:
        sizes = (os.lstat(Path(folder) / name).st_size for folder, _, names in os.walk(self.folder) for name in names)
        return sum(sizes)

    def truncate(self, path: str | None, length: int, fi: Any = None) -> int:
        descriptor = fi.fh if fi is not None else os.open(self._at(path or ""), os.O_RDWR)
        try:
            self.held.bring(descriptor)
            if self.settings.room_bytes is not None:
                more = length - os.fstat(descriptor).st_size
                if more > max(0, self.settings.room_bytes - self._used()):
                    raise OSError(errno.ENOSPC, "")
            os.ftruncate(descriptor, length)
        finally:
            if fi is None:
                os.close(descriptor)
        return 0

    def fsync(self, path: str | None, data_only: int, fi: Any) -> int:
        self.toll.take("fsync")
        self.held.bring(fi.fh)
        os.fsync(fi.fh)
        return 0

    def flush(self, path: str | None, fi: Any) -> int:
        """close(2) of the program: its error is what the program sees."""
        if self.settings.held_until == "close":
            self.held.bring(fi.fh)
        self.toll.take("close")
        return 0

    def release(self, path: str | None, fi: Any) -> int:
        os.close(fi.fh)
        return 0

    # Locks: POSIX locks belong to an owner, which the kernel names; each owner gets a descriptor of its own.

    def lock(self, path: str | None, fi: Any, command: int, found: Any) -> int:
        wanted = found.contents
        if command != fcntl.F_GETLK and wanted.l_type != fcntl.F_UNLCK:
            self.toll.take("lock")
        key = (os.fstat(fi.fh).st_ino, fi.lock_owner)
        if wanted.l_type == fcntl.F_UNLCK and key not in self._locks:
            return 0  # each close(2) asks for it
        if key not in self._locks:
            self._locks[key] = os.open(f"/proc/self/fd/{fi.fh}", os.O_RDWR)
        ofd = {fcntl.F_GETLK: 36, fcntl.F_SETLK: 37, fcntl.F_SETLKW: 38}[command]  # F_OFD_...: fcntl.h of Linux
        packed = _FLOCK.pack(wanted.l_type, wanted.l_whence, wanted.l_start, wanted.l_len, 0)
        answer = _FLOCK.unpack(fcntl.fcntl(self._locks[key], ofd, packed))
        if command == fcntl.F_GETLK:
            wanted.l_type, wanted.l_whence, wanted.l_start, wanted.l_len, wanted.l_pid = answer
        elif wanted.l_type == fcntl.F_UNLCK and wanted.l_start == 0 and wanted.l_len == 0:
            os.close(self._locks.pop(key))
        return 0

    def flock(self, path: str | None, fi: Any, operation: int) -> int:
        if operation & ~fcntl.LOCK_NB != fcntl.LOCK_UN:
            self.toll.take("lock")
        fcntl.flock(fi.fh, operation)
        return 0


class Mount(mfusepy.FUSE):  # type: ignore[misc]
    """With the calls in which mfusepy 3.1 expects a path, or leaves out the open file or the flags."""

    @staticmethod
    def _name(path: bytes | None) -> str | None:
        return None if path is None else os.fsdecode(path)

    @staticmethod
    def _open(file: Any) -> Any:
        return file.contents if file else None

    def chmod_fuse_3(self, path: bytes | None, mode: int, file: Any) -> int:
        return int(self.operations.chmod(self._name(path), mode, self._open(file)))

    def chown_fuse_3(self, path: bytes | None, owner: int, group: int, file: Any) -> int:
        numbers = (-1 if number == 0xFFFFFFFF else number for number in (owner, group))
        return int(self.operations.chown(self._name(path), *numbers, self._open(file)))

    def truncate_fuse_3(self, path: bytes | None, length: int, file: Any) -> int:
        return int(self.operations.truncate(self._name(path), length, self._open(file)))

    def utimens_fuse_3(self, path: bytes | None, times: Any, file: Any) -> int:
        pair = (times.contents.actime, times.contents.modtime) if times else ()
        found = tuple(one.tv_sec * 10**9 + one.tv_nsec for one in pair)
        return int(self.operations.utimens(self._name(path), found or None, self._open(file)))

    def rename_fuse_3(self, old: bytes, new: bytes, flags: int) -> int:
        return int(self.operations.rename(os.fsdecode(old), os.fsdecode(new), flags))

    def flock(self, path: bytes | None, file: Any, operation: int) -> int:
        return int(self.operations.flock(self._name(path), file.contents, operation))


def main(arguments: list[str]) -> None:
    folder, mount_point, text = arguments
    os.umask(0)
    options: dict[str, Any] = {"allow_other": True, "fsname": "headrace-planted", "subtype": "planted"}
    options["max_threads"] = 64  # calls that wait must not keep others waiting
    Mount(Planted(Path(folder), of_text(text)), mount_point, raw_fi=True, foreground=True, **options)


if __name__ == "__main__":
    main(sys.argv[1:])
