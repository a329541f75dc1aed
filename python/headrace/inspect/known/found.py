"""What a recognised format is, and reading a file of it from tag to tag. First: __init__.py."""

import struct
from collections.abc import Iterator

from headrace.containers.file_bytes import Bytes

MOST_STEPS = 200_000  # tags that are followed


class Stream:
    """The data of a file one after another, with or without the markers of records.

    Records that do not agree with their markers, and the end of the file, raise EOFError.
    """

    def __init__(self, file: Bytes, order: str, marked: bool) -> None:
        self._file, self._marked = file, marked
        self._code = "<" if order == "little" else ">"
        self.place = 0
        self._left = 0  # of the record begun

    def _open(self) -> None:
        length = records_at(self._file, self.place, self._code)
        if length is None:
            raise EOFError
        self.place += 4
        self._left = length

    def _advance(self, count: int, read: bool) -> bytes:
        data = []
        while count > 0:
            if self._marked and self._left == 0:
                self._open()
            some = min(count, self._left) if self._marked else count
            if self.place + some > self._file.size:
                raise EOFError
            if read:
                data.append(self._file.read(self.place, some))
            self.place += some
            count -= some
            if self._marked:
                self._left -= some
                self.place += 4 if self._left == 0 else 0
            if some == 0:
                raise EOFError
        return b"".join(data)

    def skip(self, count: int) -> None:
        """Goes over so many bytes of data."""
        self._advance(count, False)

    def take(self, codes: str) -> tuple[int | float | bytes, ...]:
        """The next values, as struct has them."""
        form = self._code + codes
        data = self._advance(struct.calcsize(form), True)
        if len(data) < struct.calcsize(form):  # the file has become shorter
            raise EOFError
        return struct.unpack(form, data)

    def integers(self, count: int) -> list[int]:
        """The next 4-byte integers."""
        return [int(n) for n in self.take(f"{count}i")]

    def text(self, count: int) -> str:
        """The next characters; those that do not print become question marks."""
        return as_text(self._advance(count, True))


def as_text(data: bytes) -> str:
    """Printable ASCII."""
    return "".join(chr(c) if 32 <= c < 127 else "?" for c in data)


def records_at(file: Bytes, place: int, code: str) -> int | None:
    """The length of the record whose marker of 4 bytes stands there, if its other marker agrees."""
    head = file.read(place, 4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(code + "i", head)
    if not 0 <= length <= file.size - place - 8 or file.read(place + 4 + length, 4) != head:
        return None
    return int(length)


def order_of_first(file: Bytes, *lengths: int) -> str | None:
    """The byte order in which the first record has one of these lengths."""
    for order, code in (("little", "<"), ("big", ">")):
        if records_at(file, 0, code) in lengths:
            return order
    return None


def walk(file: Bytes, order: str, place: int = 0) -> Iterator[tuple[int, int]]:
    """Offset of the data and length of each record, as far as markers agree; at most MOST_STEPS."""
    code = "<" if order == "little" else ">"
    for _ in range(MOST_STEPS):
        length = records_at(file, place, code)
        if length is None:
            return
        yield place + 4, length
        place += length + 8


def counted(count: int, word: str) -> str:
    """'1 frame', '2 frames'."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
