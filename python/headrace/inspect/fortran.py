"""Fortran programs that read the file; gfortran compiles them as they are."""

import re

from headrace.inspect.findings import Hypothesis, Item
from headrace.inspect.names import NamedRun

_ALLOCATE = 100_000  # bytes beyond which an array is allocated
_WIDTH = 100


def records(file: str, best: Hypothesis, runs: list[NamedRun]) -> str:
    """A program that reads all records of an unformatted sequential file."""
    if not all(run.complete for run in runs) or not best.runs_complete:
        return _counting(file, best, runs)
    order = best.detail["byte_order"]
    body = []
    for run in runs:
        reads = [_read(items, "unit") for items in run.slots]
        if run.times > 1:
            body += [f"do step = 1, {run.times}", *(f"   {line}" for line in reads), "end do"]
        else:
            body += reads
    extra = ', recordtype="segmented"' if best.format == "intel-segmented" else ""
    opened = _open(file, f'form="unformatted", convert="{order}_endian"{extra}')
    return _program(_remarks(best), [slot for run in runs for slot in run.slots], [*opened, *body])


def _counted(runs: list[NamedRun]) -> tuple[tuple[str, Item], tuple[str, Item]] | None:
    """An integer and as many values in every record that was looked at."""
    slots = [items for run in runs for items in run.slots]
    for items in slots:
        if [item.count for _, item in items[:1]] != [1] or len(items) != 2 or not items[0][1].type.startswith("int"):
            return None
        if set(items[0][1].first) != {float(items[1][1].count)} or items[1][1].type != slots[0][1][1].type:
            return None
    return (slots[0][0], slots[0][1]) if slots and slots[0][1][1].type != "character" else None


def _counting(file: str, best: Hypothesis, runs: list[NamedRun]) -> str:
    """Records whose lengths do not repeat: a loop to fill."""
    opened = _open(file, f'form="unformatted", convert="{best.detail["byte_order"]}_endian"')
    counted = _counted(runs)
    if counted is not None:
        (count, first), (name, item) = counted
        body = [
            *opened, "do", f"   read (unit, iostat=stat) {count}", "   if (stat /= 0) exit", "   backspace (unit)",
            f"   allocate ({name}({count}))", f"   read (unit) {count}, {name}", f"   deallocate ({name})", "end do",
        ]  # fmt: skip
        lines = [_declaration(count, first), _declaration(name, item, True), "integer :: stat"]
        return _program(_remarks(best), [], body, lines, sorted({_kind(first), _kind(item)}))
    body = [
        *opened, "records = 0", "do", "   read (unit, iostat=stat)  ! name the items of a record here",
        "   if (stat /= 0) exit", "   records = records + 1", "end do", 'print *, records, "records"',
    ]  # fmt: skip
    return _program(_remarks(best), [], body, ["integer :: records, stat"])


def _remarks(best: Hypothesis) -> list[str]:
    remarks = ["! convert= is an extension that gfortran, flang, Intel, NAG and Cray know"]
    if best.detail.get("marker_bytes") == 8:
        remarks.append("! gfortran: compile with -frecord-marker=8")
    if best.format == "intel-segmented":
        remarks.append("! recordtype= is known to Intel's compilers only")
    if best.format == "record4-pgi-high-bit":
        remarks.append("! PGI's compilers only: others stop at the first record above 2 GiB")
    if best.format == "record4-flang-unsigned":
        remarks.append("! LLVM flang only: gfortran stops at the first record above 2 GiB")
    if best.detail.get("damage"):
        remarks.append(f"! reads the {(best.runs and 'records before the damage') or 'beginning'} only")
    return remarks


def stream(file: str, best: Hypothesis, runs: list[NamedRun]) -> str:
    """A program that reads a raw file."""
    order = best.detail.get("byte_order", "little")
    items = runs[0].slots[0]
    opened = _open(file, f'form="unformatted", access="stream", convert="{order}_endian"')
    return _program([], [items], [*opened, _read(items, "unit")])


def direct(file: str, best: Hypothesis, runs: list[NamedRun]) -> str:
    """A program that reads all records of a direct-access file."""
    detail, items = best.detail, runs[0].slots[0]
    remarks = ["! Intel: recl= counts 4-byte words unless -assume byterecl is given"]
    if best.format == "direct-word-recl":
        used = detail["right_record_length"]
        remarks.append(f"! {used} bytes of each record are used: its writer meant recl={used} bytes")
    opened = _open(
        file, f'form="unformatted", access="direct", recl={detail["record_length"]}, '
        f'convert="{detail["byte_order"]}_endian"',
    )  # fmt: skip
    body = [*opened, f"do step = 1, {detail['records']}", f"   {_read(items, 'unit, rec=step')}", "end do"]
    return _program(remarks, [items], body)


def text(file: str, best: Hypothesis) -> str:
    """A program that reads a text by rows."""
    detail = best.detail
    columns, header = detail.get("columns"), detail.get("header_lines", 0)
    form = detail["format"] if best.format == "text-formatted" else "*"
    lines = best.format == "text" or not columns or not detail.get("numbers", True)
    if lines:
        declared, read = ["character(len=1000) :: line"], 'read (unit, "(a)", iostat=stat) line'
    else:
        declared = [f"real(real64) :: row({columns})"]
        read = f"read (unit, {_edit(form)}, iostat=stat) row"
    opened = _open(file, 'form="formatted"')
    skipped = [f"do step = 1, {header}", "   read (unit, *)", "end do"] if header else []
    body = [*opened, *skipped, "do", f"   {read}", "   if (stat /= 0) exit", "end do"]
    kinds = [] if lines else ["real64"]
    return _program([], [], body, [*declared, "integer :: stat"], kinds)


def _edit(form: str) -> str:
    """Integers are read into reals through f, so that one array takes the row."""
    return "*" if form == "*" else '"' + re.sub(r"i(\d+)", r"f\1.0", form) + '"'


def _open(file: str, options: str) -> list[str]:
    name = file.replace('"', '""')
    first = f'open (newunit=unit, file="{name}", status="old", action="read", &'
    if len(first) > _WIDTH:  # a long name: cut into pieces of characters
        pieces = [name[k : k + 70] for k in range(0, len(name), 70)]
        joined = ' // &\n   "'.join(f'{piece}"' for piece in pieces)
        return [f'open (newunit=unit, file="{joined}, &', f'   status="old", action="read", {options})']
    return [first, f"   {options})"]


def _read(items: list[tuple[str, Item]], control: str) -> str:
    return f"read ({control}) " + ", ".join(name for name, _ in items) if items else f"read ({control})"


def _program(
    remarks: list[str], slots: list[list[tuple[str, Item]]], body: list[str], more: list[str] | None = None,
    kinds: list[str] | None = None,
) -> str:  # fmt: skip
    items = [pair for slot in slots for pair in slot]
    used = sorted({_kind(item) for _, item in items if _kind(item)} | set(kinds or []))
    declared = [_declaration(name, item) for name, item in items]
    allocated = [_allocation(name, item) for name, item in items if _large(item)]
    loops = "integer :: unit, step" if any(line.startswith("do step") for line in body) else "integer :: unit"
    lines = ["program read_it"]
    if used:
        lines.append(f"   use, intrinsic :: iso_fortran_env, only: {', '.join(used)}")
    lines += ["   implicit none", *(f"   {line}" for line in [loops, *(more or []), *declared])]
    lines += ["", *(f"   {line}" for line in [*remarks, *allocated, *body, "close (unit)"])]
    return "\n".join([*_folded(lines), "end program read_it"])


def _folded(lines: list[str]) -> list[str]:
    """At most 100 columns, so that every compiler takes them."""
    result = []
    for line in lines:
        while len(line) > _WIDTH and ", " in line[:_WIDTH] and '"' not in line:
            cut = line.rfind(", ", 0, _WIDTH) + 1
            result.append(line[:cut] + " &")
            line = "      " + line[cut + 1 :]
        result.append(line)
    return result


def _kind(item: Item) -> str:
    if item.type == "character":
        return ""
    if item.type == "zeros":
        return "int8"
    return item.type.replace("logical", "int")


def _large(item: Item) -> bool:
    return item.type != "character" and item.count * item.size > _ALLOCATE


def _extents(item: Item) -> str:
    return ", ".join(str(n) for n in item.shape) if item.shape else str(item.count)


def _declaration(name: str, item: Item, allocatable: bool = False) -> str:
    if item.type == "character":
        return f"character(len={item.count}) :: {name}"
    kind = "logical" if item.type.startswith("logical") else "real" if item.type.startswith("real") else "integer"
    typed = f"{kind}({_kind(item)})"
    if _large(item) or allocatable:
        dimensions = ", ".join(":" for _ in (item.shape or [1]))
        return f"{typed}, allocatable :: {name}({dimensions})"
    return f"{typed} :: {name}" + ("" if item.count == 1 and not item.shape else f"({_extents(item)})")


def _allocation(name: str, item: Item) -> str:
    return f"allocate ({name}({_extents(item)}))"
