"""The Fortran format that would read a table: fields of fixed widths and what stands in them."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import groupby, pairwise

_NUMBER = re.compile(
    r"[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eEdDqQ][+-]?\d+|[+-]\d{3}(?!\d))?"
    r"|[+-]?(?:NaN|Infinity|Inf)\b|\*{2,}",
    re.IGNORECASE,
)
_FIELD = re.compile(_NUMBER.pattern + r"|[A-Za-z_][\w.:-]*", re.IGNORECASE)  # a number or a word
_PARTS = re.compile(r"([+-]?)(\d*)(\.?)(\d*)(?:([eEdDqQ]?)([+-]?\d+))?$")
_LINES = 4000


def tokens(line: str) -> list[str]:
    """The numbers of a line, also those that touch."""
    return _NUMBER.findall(line)


def is_number(cell: str) -> bool:
    """A cell that is one number and nothing else."""
    return _NUMBER.fullmatch(cell.strip()) is not None


@dataclass(frozen=True)
class Layout:
    """Fields of fixed widths."""

    format: str  # "(i8,3f12.4)"
    widths: list[int]
    uniform: bool  # every line shows numbers of the same form in a column
    touching: bool  # numbers without a blank between
    values: int  # in the lines looked at
    numeric: bool  # every field is a number
    real_format: str  # the same for an array of reals only: integers through f


def find_layout(rows: list[str]) -> Layout | None:
    """The layout that all rows share; a last row, and the last of each group, may be shorter."""
    rows = rows[:_LINES]
    spans = [[(m.start(), m.end()) for m in _FIELD.finditer(row)] for row in rows]
    most = max((len(s) for s in spans), default=0)
    full = [s for s in spans if len(s) == most]
    if most == 0 or any(_leftover(row, s) for row, s in zip(rows, spans, strict=True)):
        return None
    ends = [end for _, end in full[0]]
    for span in spans:
        if [end for _, end in span] != ends[: len(span)]:
            return None
    short = [len(s) != most for s in spans]
    if any(short[:-1]) and not _periodic(short):
        return None
    widths = [b - a for a, b in zip([0, *ends], ends, strict=False)]
    columns = [[row[s[k][0] : s[k][1]] for row, s in zip(rows, spans, strict=True) if len(s) > k] for k in range(most)]
    fields = [_descriptor(column, width) for column, width in zip(columns, widths, strict=True)]
    touching = any(a[1] == b[0] for s in spans for a, b in pairwise(s))
    reals = [re.sub(r"^i(\d+)$", r"f\1.0", name) for name, _ in fields]
    return Layout(
        _joined([name for name, _ in fields]), widths, all(same for _, same in fields), touching,
        sum(len(s) for s in spans), not any(name[0] in "al" for name, _ in fields), _joined(reals),
    )  # fmt: skip


def hexadecimal_layout(rows: list[str]) -> Layout | None:
    """Columns of the hexadecimal digits of whole words, as Zw writes them."""
    words = [row.split() for row in rows[:_LINES]]
    found = [word for row in words for word in row]
    sizes = {len(word) for word in found}
    letters = sum(re.search("[A-Fa-f]", word) is not None for word in found)
    digits = all(re.fullmatch("[0-9A-Fa-f]+", word) for word in found)
    if not found or len(sizes) != 1 or not digits or letters < 0.5 * len(found):
        return None
    count, lengths = len(words[0]), {len(row) for row in rows[:_LINES]}
    if len(lengths) != 1 or min(sizes) not in (4, 8, 16, 32) or len({len(row) for row in words}) != 1:
        return None
    width, rest = divmod(lengths.pop(), count)
    if rest:
        return None
    form = f"({count}z{width})"
    return Layout(form, [width] * count, True, False, len(found), False, form)


def _leftover(row: str, spans: list[tuple[int, int]]) -> bool:
    """Something between the numbers."""
    at = 0
    for start, end in spans:
        if row[at:start].strip():
            return True
        at = end
    return bool(row[at:].strip())


def _periodic(short: list[bool]) -> bool:
    """Every so many lines one is short: a format that begins again."""
    places = [k for k, one in enumerate(short) if one]
    gaps = {b - a for a, b in zip([-1, *places], places, strict=False)}
    return len(gaps) == 1


def _descriptor(column: list[str], width: int) -> tuple[str, bool]:
    """The edit descriptor of a column, and whether all its numbers have that form."""
    words = [text for text in column if not is_number(text)]
    if words:
        return (f"l{width}" if set(words) <= {"T", "F"} else f"a{width}"), len(words) == len(column)
    forms = Counter(_form(text) for text in column if text[-1].isdigit() or text[-1] == ".")
    forms.pop("", None)
    if not forms:
        return f"f{width}.0", False
    if all(form == "i" for form in forms):
        return f"i{width}", True
    names = {form.split(":")[0] for form in forms}
    decimals = {form.split(":")[1] for form in forms if ":" in form}
    exponent = max((form.split(":")[2] for form in forms if form.count(":") == 2), default="")
    same = len(decimals) == 1
    letters = names - {"i", "f"}
    # A zero shows no digit before the point in either form: es decides.
    letter = "es" if "es" in letters else next(iter(sorted(letters)), "f")
    places = max(decimals, key=int)
    if letter == "f" or not letters:
        return f"f{width}.{places}", same and names == {"f"}
    return f"{letter}{width}.{places}{exponent}", same and not names & {"i", "f"}


def _form(text: str) -> str:
    """ "i", "f:decimals", "es:decimals:exponent" ..."""
    parts = _PARTS.match(text)
    if parts is None:
        return ""
    _, whole, point, fraction, letter, exponent = parts.groups()
    if exponent is None:
        return f"f:{len(fraction)}" if point else "i"
    digits = len(exponent.lstrip("+-"))
    suffix = f"e{digits}" if letter and digits > 2 else ""
    if letter.lower() == "d":
        return f"d:{len(fraction)}:"
    return f"{'e' if whole in ('', '0') else 'es'}:{len(fraction)}:{suffix}"


def _joined(fields: list[str]) -> str:
    """Equal neighbours are counted: (i8,3f12.4)."""
    parts = []
    for name, group in groupby(fields):
        count = len(list(group))
        parts.append(name if count == 1 else f"{count}{name}")
    return "(" + ",".join(parts) + ")"
