"""Results of Nastran (OP2). First: __init__.py.

Records hold words of 4 bytes (or 8): a word 3, the date, a word 7 and NASTRAN FORT TAPE ID CODE; then tables, each
begins with a word 2, 8 letters of its name, and a word -1. Without the first part (PARAM,POST,-2) tables alone.
"""

import struct

from headrace.containers.file_bytes import Bytes
from headrace.inspect.findings import Known, Listed
from headrace.inspect.known.found import MOST_STEPS, as_text, counted, order_of_first, walk

_TAPE = "FORT TAPE ID CODE"
_MOST_TABLES = 400
_SNIPPET = """\
from pyNastran.op2.op2 import read_op2

model = read_op2({file!r})
print(model.get_op2_stats())"""


def recognise(file: Bytes, name: str) -> Known | None:
    """The results, if they are such."""
    order = order_of_first(file, 4, 8)
    if order is None:
        return None
    word = file.read(0, 4).strip(b"\0")[0]
    integer = ("<" if order == "little" else ">") + ("i" if word == 4 else "q")
    first, date, version, end, steps = 0, "", "", 0, 0
    tables: list[str] = []
    before: list[tuple[int, int]] = []  # the last four records
    for offset, length in walk(file, order):
        steps += 1
        value = struct.unpack(integer, file.read(offset, word))[0] if length == word else None
        if steps == 1:
            first = value or 0
        if (steps == 1 and first not in (2, 3)) or (steps == 20 and not tables):
            return None
        if first == 3 and steps == 2:
            if length != 3 * word:
                return None
            month, day, year = (n[0] for n in struct.iter_unpack(integer, file.read(offset, length)))
            date = f"{2000 + year}-{month:02}-{day:02}"
        if first == 3 and steps == 4 and _TAPE not in _letters(file, offset, length, word):
            return None
        if first == 3 and steps == 6:
            version = _letters(file, offset, length, word).strip()
        elif value == -1 and (steps > 9 or first == 2) and len(tables) < _MOST_TABLES:
            label = _label(file, before, integer, word)
            tables += [label] if label else []
        before = [*before[-3:], (offset, length)]
        end = offset + length + 4
    if not tables or (first == 2 and steps < 12):
        return None
    tables = list(dict.fromkeys(tables))
    facts = [counted(len(tables), "table") + ": " + ", ".join(tables)]
    facts[0] = facts[0] if len(facts[0]) < 90 else facts[0][:86] + " ..."
    facts += [text for text in (version, date, "words of 8 bytes" if word == 8 else "") if text]
    return Known(
        "nastran-op2", "results of Nastran (OP2)", facts, "pyNastran", _SNIPPET.format(file=name), order, end,
        [Listed(table, "table", []) for table in tables], complete=steps < MOST_STEPS,
    )  # fmt: skip


def _label(file: Bytes, before: list[tuple[int, int]], integer: str, word: int) -> str:
    """The name of the table whose head ends here, with or without the version that MSC Nastran puts in; or nothing."""
    if len(before) == 4 and before[3][1] == 6 * word and _value(file, before[2], integer, word) == 6:
        before = before[:2]
    if len(before) < 2 or before[-1][1] != 2 * word or _value(file, before[-2], integer, word) != 2:
        return ""
    label = _letters(file, *before[-1], word).strip()
    return "" if "?" in label else label


def _value(file: Bytes, record: tuple[int, int], integer: str, word: int) -> int | None:
    """The integer that a record is made of."""
    return int(struct.unpack(integer, file.read(record[0], word))[0]) if record[1] == word else None


def _letters(file: Bytes, offset: int, length: int, word: int) -> str:
    """Text; words of 8 bytes hold 4 letters and 4 blanks."""
    data = file.read(offset, length)
    if word == 8:
        data = b"".join(data[k : k + 4] for k in range(0, length, 8))
    return as_text(data)
