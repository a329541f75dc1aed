"""Families of HDF5: one file in many of equal size, of which only the first says what it is. First: datasets.py."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

from headrace.containers.file_bytes import Bytes
from headrace.containers.hdf5 import superblock as hdf5

_HEAD = 1 << 16
_MOST = 4096  # members whose presence is looked at


@dataclass(frozen=True)
class Family:
    """A family whose members are named by a number between two texts."""

    folder: Path
    front: str
    digits: int  # at least so many; smaller numbers have zeros in front
    back: str
    bytes_each: int
    bytes_in_all: int

    @property
    def members(self) -> int:
        return max(1, math.ceil(self.bytes_in_all / self.bytes_each))

    def path(self, number: int) -> Path:
        return self.folder / f"{self.front}{number:0{self.digits}d}{self.back}"

    @property
    def pattern(self) -> str:
        """As HDF5 takes it for a name."""
        edit = "%d" if self.digits == 1 else f"%0{self.digits}d"
        front = f"{self.folder}/{self.front}" if self.folder != Path() else self.front
        return front.replace("%", "%%") + edit + self.back.replace("%", "%%")

    def bytes_of(self, number: int) -> int:
        """How long a member has to be."""
        return min(self.bytes_each, self.bytes_in_all - number * self.bytes_each)

    def damage(self) -> str:
        """What is missing, in words; "" if the first members are there with all their bytes."""
        for number in range(min(self.members, _MOST)):
            path = self.path(number)
            if not path.is_file():
                return f"{path.name} is missing: the family has {self.members:,} files"
            found, needed = path.stat().st_size, self.bytes_of(number)
            if found < needed:
                return f"{path.name} is cut off: {found:,} of at least {needed:,} bytes are there"
        return ""


def family_of(path: Path) -> tuple[Family, int] | None:
    """The family that a file belongs to, and its number in it, by its name and the superblock of the first.

    Of several numbers in the name the last is tried first. None if it is not a member.
    """
    for found in reversed(list(re.finditer(r"[0-9]+", path.name))):
        word = found[0]
        number = int(word)
        digits = len(word) if word.startswith("0") or number == 0 else 0
        # 12 may be of %d, or of %02d: the name of the first tells.
        for width in (digits,) if digits else dict.fromkeys((len(word), 1)):
            family = _family(path.parent, path.name[: found.start()], width, path.name[found.end() :])
            if family is not None and number < family.members:
                return None if number > 0 and _names_itself(path) else (family, number)
    return None


def _names_itself(path: Path) -> bool:
    """A file of its own beside a family, whatever it is called."""
    with Bytes(path) as file:
        return file.read(0, len(hdf5.SIGNATURE)) == hdf5.SIGNATURE


def _family(folder: Path, front: str, digits: int, back: str) -> Family | None:
    first = folder / f"{front}{0:0{digits}d}{back}"
    try:
        if not first.is_file():
            return None
        with Bytes(first) as file:
            head = file.read(0, _HEAD)
    except OSError:
        return None
    if not head.startswith(hdf5.SIGNATURE) or not hdf5.is_family(head):
        return None
    each, in_all = hdf5.family_sizes(head)
    return Family(folder, front, digits, back, each, in_all) if each > 0 and in_all > 0 else None
