"""One program or shared library: which procedure and source line an address in it belongs to."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from headrace.trace.callers.debug_lines import DebugLines
from headrace.trace.callers.names import procedure_name
from headrace.trace.elf import elf_file

_DEBUG_FOLDER = Path("/usr/lib/debug")
_SYMBOL = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")]
)
_FUNCTION = 2
_NOT_DEFINED = 0


@dataclass(frozen=True)
class Caller:
    """Empty and 0: not known."""

    procedure: str
    file: str
    line: int


@dataclass(frozen=True)
class Asked:
    """What an object says, and whether the names of its procedures were taken out of it (strip)."""

    callers: dict[int, Caller]
    is_stripped: bool


def ask(path: Path, addresses: Mapping[int, bool]) -> Asked:
    """Of each return address, as its distance from where the object is loaded; True: its source line too.

    OSError if the file cannot be read.

    An object that is damaged, or whose debug information is, is one that knows less.
    """
    damage = Exception  # pyelftools trusts what it reads: a damaged file makes it raise whatever there is
    found: dict[int, Caller] = {}
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(path.open("rb"))
        try:
            elf = elf_file(file)
            first = _first_address(elf)
            described = _described(elf, path, stack)
            symbols = _Symbols(described, elf)
        except damage:
            return Asked({}, False)
        lines = None
        with contextlib.suppress(damage):
            if described.has_dwarf_info(strict=True):
                lines = DebugLines(described.get_dwarf_info(relocate_dwarf_sections=False))
        for address, with_line in addresses.items():
            inside = first + address - 1  # the call stands before what it returns to
            procedure, source, number = "", "", 0
            if lines is not None:
                with contextlib.suppress(damage):
                    procedure, declared_at = lines.procedure(inside)
                    source, number = lines.line(inside, declared_at) if with_line else ("", 0)
            symbol = symbols.procedure(inside)
            if not procedure or symbol.endswith(f"::{procedure}"):  # DWARF 2 names no module
                procedure = symbol
            found[address] = Caller(procedure, source, number)
        return Asked(found, symbols.are_stripped)


_LIBRARIES = {"MPI-IO": "MPI_File_open", "HDF5": "H5Fcreate", "NetCDF": "nc__enddef", "PnetCDF": "ncmpi_create"}


def libraries_inside(path: Path) -> list[str]:
    """The I/O libraries that were linked into a program itself; none if it is damaged. OSError if it cannot be read."""
    with path.open("rb") as file:
        try:
            elf = elf_file(file)
            symbols = _Symbols(elf, elf)
        except Exception:  # as above
            return []
        return [library for library, function in _LIBRARIES.items() if symbols.defines(function)]


def _first_address(elf: Any) -> int:
    """That of the first loaded page: 0, but for programs that are not position independent."""
    loaded = [segment.header for segment in elf.iter_segments("PT_LOAD")]
    if not loaded:
        return 0
    first = min(loaded, key=lambda header: header["p_vaddr"])
    return int(first["p_vaddr"]) & -max(1, min(int(first["p_align"]) or 1, 4096))


def _described(elf: Any, path: Path, stack: contextlib.ExitStack) -> Any:
    """The file with the debug information: this one, or one beside it or in the system's folder of such files."""
    if elf.has_dwarf_info(strict=True):
        return elf
    for other in _debug_files(elf, path):
        with contextlib.suppress(OSError):
            file: IO[bytes] = stack.enter_context(other.open("rb"))
            debug = elf_file(file)
            if _build_id(debug) == _build_id(elf):
                return debug
    return elf


def _debug_files(elf: Any, path: Path) -> Iterable[Path]:
    number = _build_id(elf)
    if number:
        yield _DEBUG_FOLDER / ".build-id" / number[:2] / f"{number[2:]}.debug"
    section = elf.get_section_by_name(".gnu_debuglink")
    if section is not None:
        name = section.data().split(b"\0", 1)[0].decode(errors="replace")
        folder = Path(os.path.realpath(path)).parent
        if name and "/" not in name:
            yield from (folder / name, folder / ".debug" / name, _DEBUG_FOLDER / str(folder).lstrip("/") / name)


def _build_id(elf: Any) -> str:
    section = elf.get_section_by_name(".note.gnu.build-id")
    if section is None or section.header["sh_type"] == "SHT_NOBITS":
        return ""
    return next((str(note["n_desc"]) for note in section.iter_notes() if note["n_type"] == "NT_GNU_BUILD_ID"), "")


class _Symbols:
    """Functions by their addresses. pyelftools makes an object of each symbol: too slow for large programs."""

    def __init__(self, described: Any, elf: Any) -> None:
        table = described.get_section_by_name(".symtab") or elf.get_section_by_name(".symtab")
        self.are_stripped = table is None
        table = table or elf.get_section_by_name(".dynsym")
        self._texts = b""
        self._functions = np.zeros(0, _SYMBOL)
        if table is None or table.header["sh_type"] == "SHT_NOBITS":
            return
        data = table.data()
        symbols = np.frombuffer(data, _SYMBOL, len(data) // _SYMBOL.itemsize)
        functions = symbols[(symbols["info"] & 15 == _FUNCTION) & (symbols["section"] != _NOT_DEFINED)]
        self._functions = functions[np.lexsort((functions["size"], functions["value"]))]
        strings = table.stringtable
        self._texts = strings.data()

    def defines(self, function: str) -> bool:
        place = self._texts.find(b"\0" + function.encode() + b"\0") + 1
        return place > 0 and bool(np.any(self._functions["name"] == place))

    def procedure(self, address: int) -> str:
        place = int(np.searchsorted(self._functions["value"], np.uint64(address), "right")) - 1
        if place < 0:
            return ""
        symbol = self._functions[place]
        if symbol["size"] and address >= int(symbol["value"]) + int(symbol["size"]):
            return ""
        begin = int(symbol["name"])
        return procedure_name(self._texts[begin : self._texts.find(b"\0", begin)].decode(errors="replace"))
