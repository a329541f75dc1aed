"""Record dialects whose compilers are not at hand, or whose files would be too large: written from their layout.

All lengths are in bytes. Large records are holes in sparse files: they take no disk.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cases import ByteOrder
from content import Record, record_bytes

# gfortran (libgfortran, default of -fmax-subrecord-length), Intel ("Variable-Length Records Greater Than 2 Gigabytes",
# https://www.intel.com/content/www/us/en/docs/fortran-compiler/developer-guide-reference/2023-0/record-types.html)
# and PGI (MAX_REC_SIZE in its open-sourced run time) split records above this.
SUBRECORD_LIMIT = 2_147_483_639


@dataclass(frozen=True)
class Hole:
    """So many zero bytes that are not stored."""

    size: int


Data = bytes | Hole


def _code(marker_bytes: int, order: ByteOrder, signed: bool = True) -> str:
    letter = {4: "i", 8: "q"}[marker_bytes]
    return (">" if order == "big" else "<") + (letter if signed else letter.upper())


def _put(file: BinaryIO, data: Data) -> None:
    if isinstance(data, Hole):
        file.seek(data.size, 1)
    else:
        file.write(data)


def _size(data: Data) -> int:
    return data.size if isinstance(data, Hole) else len(data)


def _pieces(data: Data, longest: int) -> list[Data]:
    if isinstance(data, Hole):
        full, rest = divmod(data.size, longest)
        return [*[Hole(longest)] * full, *([Hole(rest)] if rest or not full else [])]
    return [data[at : at + longest] for at in range(0, max(len(data), 1), longest)]


def write_markers(path: Path, records: Iterable[Record], marker_bytes: int, order: ByteOrder) -> None:
    """The length before and after each record: gfortran before 4.2 on 64 bits, g77, most others."""
    code = _code(marker_bytes, order)
    with path.open("wb") as file:
        for record in records:
            data = record_bytes(record, order)
            file.write(struct.pack(code, len(data)) + data + struct.pack(code, len(data)))


def write_subrecords(path: Path, records: Iterable[Data], order: ByteOrder, longest: int = SUBRECORD_LIMIT) -> None:
    """gfortran and Intel: a negative leading marker says "continues", a negative trailing one "continued"."""
    code = _code(4, order)
    with path.open("wb") as file:
        for record in records:
            pieces = _pieces(record, longest)
            for i, piece in enumerate(pieces):
                size = _size(piece)
                file.write(struct.pack(code, -size if i + 1 < len(pieces) else size))
                _put(file, piece)
                file.write(struct.pack(code, -size if i > 0 else size))


def write_pgi(
    path: Path, records: Iterable[Data], order: ByteOrder, high_bit: bool = True, as_run_time: bool = True
) -> None:
    """PGI's subrecords: the high bit of the length (the old form), or a negative length.

    After `__unf_end` in runtime/flang/unf.c of https://github.com/flang-compiler/flang, PGI's run time as it
    was published (commit 086c69b). It changes the leading length and reuses the changed word for the trailing one:
    the first subrecord's trailing marker is flagged too, and in the negative form a middle one is negated twice.
    `as_run_time=False`: as its comments have it, with flags where gfortran has signs.
    """
    code = _code(4, order, signed=False)
    with path.open("wb") as file:
        for record in records:
            pieces = _pieces(record, SUBRECORD_LIMIT)
            for i, piece in enumerate(pieces):
                continues, continued = i + 1 < len(pieces), i > 0
                leading = trailing = _size(piece)
                if continues:
                    leading = _flag(leading, high_bit)
                    trailing = leading if as_run_time else trailing
                if continued:
                    trailing = _flag(trailing, high_bit)
                file.write(struct.pack(code, leading))
                _put(file, piece)
                file.write(struct.pack(code, trailing))


def _flag(word: int, high_bit: bool) -> int:
    return word | 0x80000000 if high_bit else -word & 0xFFFFFFFF


def write_unsigned(path: Path, records: Iterable[Data], order: ByteOrder) -> None:
    """LLVM flang: records of 2 to 4 GiB have an unsigned 4-byte marker (measured with flang 19.1.7)."""
    code = _code(4, order, signed=False)
    with path.open("wb") as file:
        for record in records:
            file.write(struct.pack(code, _size(record)))
            _put(file, record)
            file.write(struct.pack(code, _size(record)))


def write_segmented(path: Path, records: Sequence[Record], segment: int = 2044) -> None:
    """RECORDTYPE='SEGMENTED' of DEC, Compaq and Intel: 2 bytes of length, 2 of flags, the segment.

    The length counts the flags and the data. Flags: 1 the first segment of a record, 2 the last, 3 the only one,
    0 one in the middle. A segment of odd length is followed by a byte that the length does not count.
    Sources: Intel, "Record Types" (four bytes a record, and a blank after an odd one):
    https://www.intel.com/content/www/us/en/develop/documentation/fortran-compiler-oneapi-dev-guide-and-reference/top/compiler-reference/data-and-i-o/fortran-i-o/record-types.html
    S. Lionel, DEC Fortran notes, topic 1170.2 (meaning of the words and the flags):
    https://www.shonky.systems/Decnotes/showtopic.php?conf=1479&topic=1073760379
    `segment`: the most data bytes in one, at most 65,533; compilers choose it, 2,044 here.
    """
    with path.open("wb") as file:
        for record in records:
            pieces = _pieces(record_bytes(record), segment)
            for i, piece in enumerate(pieces):
                assert isinstance(piece, bytes)
                flags = (1 if i == 0 else 0) + (2 if i + 1 == len(pieces) else 0)
                file.write(struct.pack("<HH", len(piece) + 2, flags) + piece + b" " * (len(piece) % 2))
