"""Where a classic NetCDF file (CDF-1, CDF-2, CDF-5) ends by its own header. First: variables.py.

NetCDF reads what is missing behind the end of such a file as zeros, so nobody else says that it was cut off.
"""

import math
from dataclasses import dataclass
from typing import BinaryIO

_DIMENSIONS, _VARIABLES, _ATTRIBUTES = 10, 11, 12
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 7: 1, 8: 2, 9: 4, 10: 8, 11: 8}  # bytes of a value, by type
_MOST = 1 << 22  # fields of a header; one that states more is not followed


class _UnlikeError(Exception):
    """The bytes are no header."""


class _BehindEndError(Exception):
    """The header goes on behind the end of the file."""


@dataclass(frozen=True)
class _Variable:
    """Where the first value lies; `bytes` of a record for a variable of records, otherwise of all values."""

    begin: int
    bytes: int
    value: int
    has_records: bool


class _Header:
    """Reads the header from its beginning; nothing that it states allocates memory."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._size = file, size
        self._at, self._left = 0, _MOST
        version = self.take(4)[3]
        if version not in (1, 2, 5):
            raise _UnlikeError
        self._count = 8 if version == 5 else 4
        self._offset = 4 if version == 1 else 8

    @property
    def at(self) -> int:
        """Where it goes on."""
        return self._at

    def take(self, length: int) -> bytes:
        """The next bytes."""
        self._left -= 1
        if self._left < 0:
            raise _UnlikeError
        self.skip(length)
        found = self._file.read(length)
        if len(found) < length:  # the file shrinks
            raise _BehindEndError
        return found

    def skip(self, length: int) -> None:
        """Go on behind `length` bytes, and behind the padding to a multiple of four."""
        before, self._at = self._at, self._at + (length + 3) // 4 * 4
        if before + length > self._size:
            raise _BehindEndError
        self._file.seek(before)

    def number(self) -> int:
        """A count."""
        return int.from_bytes(self.take(self._count), "big")

    def offset(self) -> int:
        return int.from_bytes(self.take(self._offset), "big")

    def records(self) -> int:
        """How many there are; 0 if they are still counted by the size of the file ("streaming")."""
        count = self.number()
        return 0 if count == (1 << 8 * self._count) - 1 else count

    def entries(self, tag: int) -> int:
        """The length of a list of dimensions, attributes or variables."""
        found, count = int.from_bytes(self.take(4), "big"), self.number()
        if found not in (0, tag) or (found == 0 and count):
            raise _UnlikeError
        return count

    def value_size(self) -> int:
        try:
            return _SIZES[int.from_bytes(self.take(4), "big")]
        except KeyError:
            raise _UnlikeError from None

    def skip_name(self) -> None:
        self.skip(self.number())

    def skip_attributes(self) -> None:
        for _ in range(self.entries(_ATTRIBUTES)):
            self.skip_name()
            size = self.value_size()
            self.skip(size * self.number())

    def dimension(self) -> int:
        """Its length; 0 that of the records."""
        self.skip_name()
        return self.number()

    def variable(self, lengths: list[int]) -> _Variable:
        self.skip_name()
        numbers = [self.number() for _ in range(self.number())]
        if any(number >= len(lengths) for number in numbers):
            raise _UnlikeError
        extents = [lengths[number] for number in numbers]
        self.skip_attributes()
        value = self.value_size()
        self.number()  # the stated size, which is wrong for 4 GiB and more
        has_records = bool(extents) and extents[0] == 0
        return _Variable(self.offset(), math.prod(extents[has_records:]) * value, value, has_records)


def end_of(file: BinaryIO, size: int) -> int:
    """How many bytes the file has at least, by its header; 0 if the header does not say.

    size: the bytes that are there. Padding behind the last value, which some writers leave out, does not count.
    """
    header = None
    try:
        header = _Header(file, size)
        records = header.records()
        lengths = [header.dimension() for _ in range(header.entries(_DIMENSIONS))]
        header.skip_attributes()
        variables = [header.variable(lengths) for _ in range(header.entries(_VARIABLES))]
    except _UnlikeError:
        return 0
    except _BehindEndError:
        return max(size + 1, header.at if header else 4)
    return max([header.at, *_ends(variables, records)])


def _ends(variables: list[_Variable], records: int) -> list[int]:
    """Where the values of each variable end; a record holds a part of each variable of records."""
    parts = [one.bytes for one in variables if one.has_records]
    # Each part is padded to four bytes, but not that of a variable which has the records for itself.
    record = parts[0] if len(parts) == 1 else sum((part + 3) // 4 * 4 for part in parts)
    fixed = [one.begin + one.bytes for one in variables if not one.has_records and one.bytes]
    last = [one.begin + (records - 1) * record + one.bytes for one in variables if one.has_records and one.bytes]
    return fixed + (last if records else [])
