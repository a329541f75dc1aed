"""What DWARF says of an address: the source line, and the procedure that stands there, also if it was inlined.

Only the compile units that hold an address are read: by .debug_aranges, else by the first entry of each unit.
"""

import bisect
from pathlib import PurePosixPath
from typing import Any

from headrace.trace.callers.names import MAIN_PROGRAM, procedure_name

_HOLDS_CODE = ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine", "DW_TAG_lexical_block", "DW_TAG_module")
_DEEPEST_ORIGIN = 4  # of an inlined copy: the abstract one, its declaration
_MOST_ENTRIES = 200_000  # looked at for one address
Row = tuple[int, int, str, int]  # from, to, file, line


class DebugLines:
    """The debug information of one file, as `dwarf` of pyelftools."""

    def __init__(self, dwarf: Any) -> None:
        self._dwarf = dwarf
        self._aranges = dwarf.get_aranges()
        self._entries_left = 0
        self._units: list[tuple[int, int, Any]] | None = None
        self._rows: dict[int, tuple[list[int], list[Row]]] = {}

    def procedure(self, address: int) -> tuple[str, int]:
        """Its name and the line of its declaration; empty and 0: not known."""
        self._entries_left = _MOST_ENTRIES
        unit = self._unit(address)
        return ("", 0) if unit is None else self._procedure(unit.get_top_DIE(), address)

    def line(self, address: int, declared_at: int) -> tuple[str, int]:
        """Source file and line; empty and 0: not known.

        gfortran notes for a call of another module's procedure the line where the calling procedure is declared:
        no call can stand there.
        """
        unit = self._unit(address)
        file, line = ("", 0) if unit is None else self._line(unit, address)
        return ("", 0) if line == declared_at else (file, line)

    def _unit(self, address: int) -> Any:
        offset = self._aranges.cu_offset_at_addr(address) if self._aranges else None
        if offset is not None:
            return self._dwarf.get_CU_at(offset)
        if self._units is None:  # flang writes no .debug_aranges
            self._units = sorted(
                (
                    (begin, end, unit)
                    for unit in self._dwarf.iter_CUs()
                    for begin, end in self._ranges(unit.get_top_DIE())
                ),
                key=lambda entry: entry[:2],
            )
        place = bisect.bisect_right(self._units, address, key=lambda entry: entry[0]) - 1
        if place >= 0 and address < self._units[place][1]:
            return self._units[place][2]
        return None

    def _ranges(self, die: Any) -> list[tuple[int, int]]:
        """The addresses of an entry."""
        attributes = die.attributes
        low, high = attributes.get("DW_AT_low_pc"), attributes.get("DW_AT_high_pc")
        if low is not None and high is not None:
            end = high.value if high.form == "DW_FORM_addr" else low.value + high.value
            return [(low.value, end)] if end > low.value else []
        if "DW_AT_ranges" not in attributes:
            return []
        lists = self._dwarf.range_lists()
        base = _base(die.cu)
        found = []
        for entry in lists.get_range_list_at_offset(attributes["DW_AT_ranges"].value, die.cu) if lists else []:
            if hasattr(entry, "base_address"):
                base = entry.base_address
            elif entry.end_offset > entry.begin_offset:
                add = 0 if getattr(entry, "is_absolute", False) else base
                found.append((entry.begin_offset + add, entry.end_offset + add))
        return found

    def _line(self, unit: Any, address: int) -> tuple[str, int]:
        if unit.cu_offset not in self._rows:
            rows = sorted(self._line_rows(unit))
            self._rows[unit.cu_offset] = [row[0] for row in rows], rows
        begins, rows = self._rows[unit.cu_offset]
        place = bisect.bisect_right(begins, address) - 1
        if place >= 0 and address < rows[place][1]:
            return rows[place][2], rows[place][3]
        return "", 0

    def _line_rows(self, unit: Any) -> list[Row]:
        program = self._dwarf.line_program_for_CU(unit)
        if program is None:
            return []
        names: dict[int, str] = {}
        rows = []
        before = None
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            if before is not None and state.address > before.address and before.line:
                if before.file not in names:
                    names[before.file] = _file_name(program, unit, before.file)
                rows.append((before.address, state.address, names[before.file], before.line))
            before = None if state.end_sequence else state
        return rows

    def _procedure(self, die: Any, address: int) -> tuple[str, int]:
        """The innermost one whose code the address is in."""
        hosts = []
        for child in die.iter_children():
            self._entries_left -= 1
            if self._entries_left < 0:
                raise ValueError("entries that refer to each other in a circle, or too many")
            if child.tag not in _HOLDS_CODE:
                continue
            if any(begin <= address < end for begin, end in self._ranges(child)):
                inner = self._procedure(child, address)
                is_part = child.tag in ("DW_TAG_lexical_block", "DW_TAG_module")
                return inner if inner[0] or is_part else (_name(child), _declared_at(child))
            if child.has_children and child.tag in ("DW_TAG_subprogram", "DW_TAG_module"):
                hosts.append(child)
        # Contained procedures are entries of their hosts, and have code of their own; so has what is in a module.
        return next((found for host in hosts if (found := self._procedure(host, address))[0]), ("", 0))


def _base(unit: Any) -> int:
    low = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    return int(low.value) if low is not None else 0


def _declared_at(die: Any) -> int:
    for _ in range(_DEEPEST_ORIGIN):
        attributes = die.attributes
        if "DW_AT_decl_line" in attributes:
            return int(attributes["DW_AT_decl_line"].value)
        if "DW_AT_abstract_origin" not in attributes:
            break
        die = die.get_DIE_from_attribute("DW_AT_abstract_origin")
    return 0


def _name(die: Any) -> str:
    """As the symbol has it, for the module's name."""
    plain, is_main = "", False
    for _ in range(_DEEPEST_ORIGIN):
        attributes = die.attributes
        is_main = is_main or "DW_AT_main_subprogram" in attributes
        linkage = attributes.get("DW_AT_linkage_name")
        if linkage is not None and procedure_name(_text(linkage)) != MAIN_PROGRAM:
            return procedure_name(_text(linkage))
        is_main = is_main or linkage is not None
        if not plain and "DW_AT_name" in attributes:
            plain = _text(attributes["DW_AT_name"])
        link = next((name for name in ("DW_AT_abstract_origin", "DW_AT_specification") if name in attributes), None)
        if link is None:
            break
        die = die.get_DIE_from_attribute(link)
    name = procedure_name(plain)
    if name == MAIN_PROGRAM or (is_main and not plain):
        return MAIN_PROGRAM
    return f"program {name.lower()}" if is_main else name


def _text(attribute: Any) -> str:
    value = attribute.value
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _file_name(program: Any, unit: Any, number: int) -> str:
    """As the compiler was given it, as far as that is known: names relative to its directory stay so."""
    header = program.header
    is_five = header["version"] >= 5
    files, directories = header["file_entry"], header["include_directory"]
    place = number if is_five else number - 1
    if not 0 <= place < len(files):
        return ""
    name = _decoded(files[place].name)
    at = files[place].dir_index if is_five else files[place].dir_index - 1
    if PurePosixPath(name).is_absolute() or not 0 <= at < len(directories) or (is_five and at == 0):
        return name
    folder = _decoded(directories[at])
    compiled_in = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    if compiled_in is not None and folder == _text(compiled_in):
        return name
    return str(PurePosixPath(folder) / name)


def _decoded(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
