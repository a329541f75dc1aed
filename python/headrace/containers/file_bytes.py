"""Pieces of a file by their offsets, for those who take it apart."""

import os
from collections.abc import Sequence
from pathlib import Path

Place = tuple[int, int]  # offset, bytes


class Bytes:
    """Pieces of a file; a file that has become shorter gives less."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.size = os.fstat(self._file).st_size

    def __enter__(self) -> "Bytes":
        return self

    def __exit__(self, *ignored: object) -> None:
        os.close(self._file)

    def read(self, offset: int, count: int) -> bytes:
        """At most `count` bytes from `offset` on."""
        return os.pread(self._file, max(0, min(count, self.size - offset)), offset)

    def gather(self, places: Sequence[Place], count: int) -> bytes:
        """The first `count` bytes of data that lie in several pieces."""
        data = b""
        for offset, length in places:
            if len(data) >= count:
                break
            data += self.read(offset, min(length, count - len(data)))
        return data

    def window(self, places: Sequence[Place], offset: int, count: int) -> bytes:
        """`count` bytes from `offset` on of data that lie in several pieces."""
        rest = []
        for place, length in places:
            if offset < length:
                rest.append((place + offset, length - offset))
            offset = max(0, offset - length)
        return self.gather(rest, count)
