"""Writes that wait, and arrive last first: what a file system may do until fsync."""

import os
import threading
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass
class _File:
    descriptor: int  # a copy: the program may have closed its own
    writes: list[tuple[int, bytes]] = field(default_factory=list)  # offset and bytes

    def arrive(self) -> None:
        """Last first, unless two of them overlap: then a reader could not tell which one is the newer."""
        ends = sorted((offset, offset + len(data)) for offset, data in self.writes)
        overlap = any(before[1] > after[0] for before, after in pairwise(ends))
        for offset, data in self.writes if overlap else reversed(self.writes):
            os.pwrite(self.descriptor, data, offset)
        self.writes.clear()


class HeldWrites:
    """Of each file up to `most` writes, by its inode."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._files: dict[int, _File] = {}
        self._access = threading.Lock()

    def keep(self, descriptor: int, data: bytes, offset: int) -> None:
        with self._access:
            inode = os.fstat(descriptor).st_ino
            if inode not in self._files:
                self._files[inode] = _File(os.dup(descriptor))
            self._files[inode].writes.append((offset, data))
            if len(self._files[inode].writes) >= self._most:
                self._files[inode].arrive()

    def size(self, found: os.stat_result) -> int:
        """As a program sees it, with what waits."""
        with self._access:
            file = self._files.get(found.st_ino)
            ends = [offset + len(data) for offset, data in file.writes] if file else []
            return max([found.st_size, *ends])

    def bring(self, descriptor: int) -> None:
        """All that waits for the file arrives."""
        with self._access:
            file = self._files.pop(os.fstat(descriptor).st_ino, None) if self._files else None
            if file:
                file.arrive()
                os.close(file.descriptor)

    def forget(self, descriptor: int) -> None:
        """The file was emptied."""
        with self._access:
            file = self._files.pop(os.fstat(descriptor).st_ino, None)
            if file:
                os.close(file.descriptor)

    def bring_all(self) -> None:
        with self._access:
            for file in self._files.values():
                file.arrive()
                os.close(file.descriptor)
            self._files.clear()
