"""Texts: delimited, written in a Fortran format, list-directed, or prose. Next: text_format.py finds the format."""

import re
from collections import Counter
from ctypes import byref, c_longlong
from pathlib import Path
from typing import Any

import numpy as np

from headrace import native
from headrace.arrays import read_array
from headrace.containers.file_bytes import Bytes
from headrace.errors import HeadraceError
from headrace.inspect.findings import Hypothesis
from headrace.inspect.text_format import Layout, find_layout, hexadecimal_layout, is_number, tokens
from headrace.options import file_name, members

_SAMPLE = 1 << 19
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_LIST_WIDTHS = {9, 17, 16}  # digits that gfortran's list-directed output shows of real32 and real64
# Reals of list-directed WRITE by gfortran that are large or small, in fields of 16 and 26 characters.
_GFORTRAN_REAL = re.compile(r"[+-]?\d\.(\d{8}E[+-]\d\d|\d{16}E[+-]\d{3})")
_TEXT_BITS = 50.0
_VALIDATED = 4_000_000  # values that a format is tried on


def hypotheses(path: Path, file: Bytes) -> list[Hypothesis]:
    """What kind of text it may be; nothing when it is none."""
    head = file.read(0, _SAMPLE)
    tail = file.read(max(0, file.size - 65536), 65536)
    text = _decoded(head, tail, file.size)
    if text is None:
        return []
    lines = text.splitlines() if len(head) == file.size else text.splitlines()[:-1]
    lines = [line for line in lines if line.strip()]
    plain = Hypothesis("text", _TEXT_BITS - 8, {"lines_examined": len(lines)}, file.size, why="printable characters")
    if not lines:
        return [plain]
    header = _header_lines(lines)
    rows = lines[header:]
    numbers = sum(len(tokens(line)) for line in rows)
    words = sum(len(line.replace(",", " ").split()) for line in rows)
    common: dict[str, Any] = {"header_lines": header} if header else {}
    if "\r\n" in text:
        common["line_ends"] = "CR LF"
    found = [plain]
    digits = hexadecimal_layout(rows)
    if digits is not None:
        detail = common | {"format": digits.format, "widths": digits.widths, "columns": len(digits.widths)}
        detail["numbers"] = False
        found.append(Hypothesis("text-formatted", _TEXT_BITS + 8, detail, why="hexadecimal digits in columns"))
    delimited = None if _complex_rows(rows) else _delimited(path, lines, rows, common)
    if delimited:
        found.append(delimited)
    if rows and numbers and numbers >= 0.7 * words and digits is None:
        found += _of_numbers(path, rows, common, file.size, delimited is not None)
    for one in found:
        one.explained = file.size
    return found


def _decoded(head: bytes, tail: bytes, size: int) -> str | None:
    """The text of the beginning, if beginning and end are text."""
    if not head or b"\0" in head or b"\0" in tail:
        return None
    for part in (head, tail):
        control = sum(part.count(bytes([c])) for c in range(32) if c not in (9, 10, 12, 13)) + part.count(b"\x7f")
        if control > len(part) / 1000:
            return None
    cut = head if len(head) == size else head[: head.rfind(b"\n") + 1] or head
    try:
        return cut.decode("utf-8-sig")
    except UnicodeDecodeError:
        high = sum(byte > 127 for byte in cut)
        return cut.decode("latin-1") if high < len(cut) / 20 else None


def _header_lines(lines: list[str]) -> int:
    """Lines at the beginning that are no row of numbers."""
    for index, line in enumerate(lines[:50]):
        if line.lstrip().startswith(("#", "!", "%")):
            continue
        words = line.replace(",", " ").replace(";", " ").replace("\t", " ").split()
        if words and len(tokens(line)) >= 0.5 * len(words):
            return index
    return 0


def _delimited(path: Path, lines: list[str], rows: list[str], common: dict[str, Any]) -> Hypothesis | None:
    best: tuple[int, str, int] | None = None
    for mark in _DELIMITERS:
        counts = Counter(_outside_quotes(line, mark) for line in rows)
        count, lines_with = counts.most_common(1)[0] if counts else (0, 0)
        if count and lines_with >= 0.95 * len(rows) and (best is None or count > best[2]):
            best = (lines_with, mark, count)
    if best is None or (len(rows) < 2 and best[2] < 2):
        return None
    _, mark, count = best
    detail = common | {"delimiter": _DELIMITERS[mark], "columns": count + 1}
    rows_found = _count_rows(path, mark)
    if rows_found:
        detail["rows"], detail["columns"] = rows_found
        detail["validated"] = "all rows were read"
    cells = sum(len(row.split(mark)) for row in rows)
    detail["numbers"] = sum(is_number(cell) for row in rows for cell in row.split(mark)) > 0.95 * cells
    bits = _TEXT_BITS + 4 + min(6.0, len(rows) / 4)
    return Hypothesis("text-delimited", bits, detail, why=f"{count} of {_DELIMITERS[mark]} in each line")


def _complex_rows(rows: list[str]) -> bool:
    """Pairs of numbers in parentheses, as list-directed WRITE makes them of complex values."""
    return all(re.fullmatch(r"\s*(\([^(),]+,[^(),]+\)\s*)+", row) for row in rows)


def _outside_quotes(line: str, mark: str) -> int:
    return sum(part.count(mark) for part in re.split(r'"[^"]*"', line))


def _count_rows(path: Path, mark: str) -> tuple[int, int] | None:
    """Rows and columns of the whole file, by the library."""
    rows, columns = c_longlong(), c_longlong()
    options = members(native.ReadOptions(), {"format": "csv", "delimiter": "tab" if mark == "\t" else mark})
    try:
        native.call("hr_text_shape", file_name(path), byref(options), byref(rows), byref(columns))
    except HeadraceError:
        return None
    return rows.value, columns.value


def _of_numbers(path: Path, rows: list[str], common: dict[str, Any], size: int, delimited: bool) -> list[Hypothesis]:
    layout = find_layout(rows)
    base = _TEXT_BITS - (12 if delimited else 0)
    columns = Counter(len(tokens(row)) for row in rows).most_common(1)[0][0]
    listed = Hypothesis("text-list-directed", base, common | {"columns": columns}, why="numbers between blanks")
    if len({len(tokens(row)) for row in rows}) > 1:
        listed.detail["wrapped"] = True
    if _complex_rows(rows):
        listed.bits += 11
        listed.detail |= {"complex": True, "numbers": False, "format": "*"}
        return [listed]
    if any(re.search(r"(?<![\w.])(?!(nan|inf|infinity|T|F)\b)[A-Za-z_]", row, re.IGNORECASE) for row in rows[:400]):
        listed.detail["numbers"] = False
        listed.bits -= 6
    elif _looks_listed(rows, layout):
        listed.bits += 11 if any("." in token for row in rows[:50] for token in tokens(row)) else 10
        listed.why = "as list-directed WRITE makes it"
        if any(re.search(r"\b[TF]\b", row) for row in rows[:400]):
            listed.detail["numbers"] = False
        listed.detail |= {"format": "*"}
    if layout is None:
        return [listed]
    detail = common | {"format": layout.format, "widths": layout.widths, "columns": len(layout.widths)}
    formatted = Hypothesis("text-formatted", base + 2, detail, why="the columns have fixed widths")
    formatted.bits += 4 if layout.uniform else -4
    if layout.touching:
        formatted.bits += 6
        listed.bits -= 12
    if not common.get("header_lines"):
        read = _try_format(path, layout, size)
        if not layout.numeric:
            formatted.detail["numbers"] = False
        if read is not None:
            formatted.detail["validated"] = f"{read:,} values were read with it"
            if size <= _SAMPLE:
                formatted.detail["values"] = read
    return [formatted, listed]


def _looks_listed(rows: list[str], layout: Layout | None) -> bool:
    """As gfortran (many digits, blanks behind) or flang (shortest digits, one blank) write list-directed."""
    rows = rows[:400]
    if not all(row.startswith(" ") for row in rows):
        return False
    found = [token for row in rows for token in tokens(row)]
    reals = [token for token in found if "." in token]
    if not reals:
        return all(re.fullmatch(r"(\s{2,}\S+)+", row) is not None for row in rows) and _same_width(rows, 12)
    digits = [len(re.sub(r"[eEdDqQ].*|[^0-9]", "", token).lstrip("0")) for token in reals]
    behind = sum(row.endswith("    ") for row in rows) > len(rows) / 2  # where an exponent would stand
    if sum(n in _LIST_WIDTHS for n in digits) > 0.9 * len(digits) and (behind or not _same_decimals(reals)):
        return True
    if layout is not None and all(_GFORTRAN_REAL.fullmatch(token) for token in reals):
        return set(layout.widths) <= {7, 12, 16, 21, 26}
    shortest = sum(token.endswith(".") or token.lstrip("+-").startswith(".") for token in reals)
    ragged = layout is None and (shortest > 0 or len(set(digits)) > 2)
    return ragged or (behind and not _same_decimals(reals))


def _same_width(rows: list[str], width: int) -> bool:
    return all(len(row) % width == 0 for row in rows)


def _same_decimals(reals: list[str]) -> bool:
    """All numbers have as many digits behind the point, as a format makes them."""
    places = {len(re.sub(r"[eEdDqQ].*|[+-]\d+$", "", token.lstrip("+-")).partition(".")[2]) for token in reals}
    return len(places) == 1


def _try_format(path: Path, layout: Layout, size: int) -> int | None:
    """Values that the library reads with the format from the beginning of the file; None when it fails."""
    count = layout.values
    if count == 0 or count > _VALIDATED or not layout.numeric:
        return None
    try:
        read_array(path, np.empty(count), edit=layout.real_format)
    except HeadraceError:
        return None
    return count
