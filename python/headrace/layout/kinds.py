"""Names of kinds in a schema, and the numpy type of each.

Fortran's iso_fortran_env names: int8 to int64, real32, real64, real128, logical8 to logical64, complex(real32),
complex(real64), complex(real128), character(20). Beside them uint8 to uint64, for files that other programs wrote. In a
complex kind the name in parentheses is that of one part: complex(real64) has 16 bytes.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headrace.later import later

if TYPE_CHECKING:
    import numpy as np
else:
    np = later("numpy")  # most of what needs kinds needs no numpy, whose loading takes 0.1 s

_LETTERS = {
    f"{name}{bits}": f"{letter}{bits // 8}"
    for name, letter in (("int", "i"), ("uint", "u"), ("logical", "i"))
    for bits in (8, 16, 32, 64)
}
_LETTERS |= {"real32": "f4", "real64": "f8", "complex(real32)": "c8", "complex(real64)": "c16"}
_WITHOUT_NUMPY = {"real128": 16, "complex(real128)": 32}
_CHARACTER = re.compile(r"character\(([1-9][0-9]{0,8})\)")

NAMES = (*_LETTERS, *_WITHOUT_NUMPY, "character(n)")


@dataclass(frozen=True)
class Kind:
    """A kind: its name in the schema and its bytes an element."""

    name: str
    size: int

    @property
    def is_character(self) -> bool:
        """Elements are texts of `size` characters."""
        return self.name.startswith("character")

    def dtype(self, byte_order: str) -> "np.dtype[Any] | None":
        """The numpy type in a byte order, "little" or "big"; None for the 128-bit kinds, which numpy does not have.

        A logical is an integer of its size: compilers differ in which bits are .true.
        """
        if self.is_character:
            return np.dtype(f"S{self.size}")
        if self.name in _WITHOUT_NUMPY:
            return None
        return np.dtype(("<" if byte_order == "little" else ">") + _LETTERS[self.name])


def find(name: str) -> Kind | None:
    """The kind of a name; None when there is none."""
    text = _CHARACTER.fullmatch(name)
    if text:
        return Kind(name, int(text.group(1)))
    size = _WITHOUT_NUMPY.get(name) or int(_LETTERS.get(name, "x0")[1:])
    return Kind(name, size) if size else None
