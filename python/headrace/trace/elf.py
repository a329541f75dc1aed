"""ELF files, by pyelftools. It is loaded for the first file: a traced program starts without it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from headrace.errors import HeadraceError
from headrace.later import later

if TYPE_CHECKING:
    from elftools.common import exceptions
    from elftools.elf import elffile
else:
    exceptions, elffile = later("elftools.common.exceptions"), later("elftools.elf.elffile")


def elf_file(file: IO[bytes]) -> Any:
    """An ELFFile; what it raises for a damaged file is not known beforehand."""
    return elffile.ELFFile(file)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Any]:
    """An ELFFile within the block. Raises HeadraceError if it is damaged."""
    damage = exceptions.ELFError
    try:
        with path.open("rb") as file:
            yield elf_file(file)
    except (damage, UnicodeDecodeError, ValueError, KeyError) as error:
        raise HeadraceError(f"{path}: a damaged ELF file: {error or type(error).__name__}") from error
