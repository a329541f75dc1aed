"""Binary files of ECLIPSE and OPM Flow: restart, INIT, EGRID, RFT, summary. First: __init__.py.

A record of 16 bytes names what follows: 8 letters, a count, 4 letters of a type. The values stand in records of at most
1000 (105 for CHAR), so that the next name is found without reading them.
"""

import struct

from headrace.containers.file_bytes import Bytes
from headrace.inspect.findings import Known, Listed
from headrace.inspect.known.found import MOST_STEPS, as_text, counted, order_of_first, records_at

_TYPES = {"INTE": ("int32", 4), "REAL": ("real32", 4), "DOUB": ("real64", 8), "LOGI": ("logical32", 4),
          "CHAR": ("character(8)", 8), "MESS": ("none", 0)}  # fmt: skip
_BLOCK, _BLOCK_OF_TEXT = 1000, 105
_MOST_NAMES = 400
# The first keyword that tells the kind of file.
_KINDS = {
    "SEQNUM": ("eclipse-restart", "a restart file of all report steps (UNRST)"),
    "SEQHDR": ("eclipse-summary", "summary vectors (UNSMRY, S0001)"),
    "MINISTEP": ("eclipse-summary", "summary vectors (UNSMRY, S0001)"),
    "DIMENS": ("eclipse-smspec", "the description of summary vectors (SMSPEC)"),
    "FILEHEAD": ("eclipse-egrid", "a grid (EGRID)"),
    "SPECGRID": ("eclipse-grid", "a grid (GRID)"),
    "WELLETC": ("eclipse-rft", "tests of wells (RFT)"),
    "PORV": ("eclipse-init", "initial properties (INIT)"),
    "STARTSOL": ("eclipse-restart", "a restart file of one report step (X0001)"),
    "IWEL": ("eclipse-restart", "a restart file of one report step (X0001)"),
    "PRESSURE": ("eclipse-restart", "a restart file of one report step (X0001)"),
}
_SNIPPET = """\
import resfo

for keyword, values in resfo.read({file!r}):
    print(keyword, getattr(values, "shape", "no values"))"""


def recognise(file: Bytes, name: str) -> Known | None:
    """The file, if it begins with two keywords, or is made of one."""
    order = order_of_first(file, 16)
    if order is None:
        return None
    code = "<" if order == "little" else ">"
    at, keywords, found = 0, 0, dict[tuple[str, str, int], int]()
    kind: tuple[str, str] | None = None
    steps = {"SEQNUM": 0, "MINISTEP": 0, "TIME": 0}
    while keywords < MOST_STEPS:
        head = _keyword(file, at, code)
        end = None if head is None else _end_of_values(file, at + 24, code, head[2], head[1])
        if head is None or end is None:
            break
        at, keywords = end, keywords + 1
        word = head[0].strip()
        kind = kind or _KINDS.get(word)
        if word in steps:
            steps[word] += 1
        if head in found or len(found) < _MOST_NAMES:
            found[head] = found.get(head, 0) + 1
    if keywords == 0 or (keywords == 1 and at != file.size):
        return None
    short, words = kind or ("eclipse", "keywords and values")
    facts = [counted(keywords, "keyword") + (" and more" if keywords == MOST_STEPS else "")]
    for word, what in (("SEQNUM", "report step"), ("MINISTEP", "time step"), ("TIME", "test")):
        if steps[word] and (word != "TIME" or short == "eclipse-rft"):
            facts.append(counted(steps[word], what))
    arrays = [Listed(head[0].strip(), _kind(head[1]), [head[2]]) for head in found if head[2]]
    return Known(
        short, f"ECLIPSE or OPM Flow: {words}", facts, "resfo (or resdata)", _SNIPPET.format(file=name), order, at,
        arrays, complete=keywords < MOST_STEPS,
    )  # fmt: skip


def _keyword(file: Bytes, at: int, code: str) -> tuple[str, str, int] | None:
    """Name, type and count."""
    if records_at(file, at, code) != 16:
        return None
    data = file.read(at + 4, 16)
    name, kind = as_text(data[:8]), as_text(data[12:])
    (count,) = struct.unpack(code + "i", data[8:12])
    if "?" in name or count < 0 or not name.strip() or _size(kind) is None:
        return None
    return name, kind, count


def _size(kind: str) -> int | None:
    if kind in _TYPES:
        return _TYPES[kind][1]
    return int(kind[1:]) if kind[0] == "C" and kind[1:].isdigit() else None  # C016: characters of that length


def _kind(kind: str) -> str:
    return _TYPES[kind][0] if kind in _TYPES else f"character({int(kind[1:])})"


def _end_of_values(file: Bytes, at: int, code: str, count: int, kind: str) -> int | None:
    """Where the records of so many values end; the first and the last are looked at."""
    size = _size(kind) or 0
    if count == 0 or size == 0:
        return at if at <= file.size else None
    block = _BLOCK_OF_TEXT if kind not in _TYPES or kind == "CHAR" else _BLOCK
    full, rest = divmod(count, block)
    if records_at(file, at, code) != size * min(count, block):
        return None
    last = at + (full - (0 if rest else 1)) * (size * block + 8)
    if records_at(file, last, code) != size * (rest or block):
        return None
    return last + size * (rest or block) + 8
