"""Writes the new statement from the source line; generic words if it was not found, or not understood."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headrace.trace.results import Line
from headrace.trace.sources import CONTEXT, Sources

_DO = re.compile(r"(?:\w+\s*:\s*)?do(?:\s+\d+,?)?\s+(\w+)\s*=\s*(.+)$", re.IGNORECASE)
_END_DO = re.compile(r"end\s*do\b", re.IGNORECASE)
_BLOCK_DO = re.compile(r"(?:\w+\s*:\s*)?do\b", re.IGNORECASE)
_UNIT_BEGINS = re.compile(r"(?:[\w()*=\s,]*\s)?(?:subroutine|function|program|module)\s+\w+", re.IGNORECASE)
_END_UNIT = re.compile(r"end\b", re.IGNORECASE)
_TRANSFER = re.compile(r"(?:\d+\s+)?(write|read)\s*\(", re.IGNORECASE)
_ONE_VALUE = re.compile(r"\(\s*(?:es|en|[defgibzo])\d+(?:\.\d+(?:e\d+)?)?\s*\)", re.IGNORECASE)
_ENDS = re.compile(r"(?:iostat|end|err|eor|size)\s*=", re.IGNORECASE)
_NAME = re.compile(r"[a-z]\w*(?:%[a-z]\w*)*$", re.IGNORECASE)


@dataclass(frozen=True)
class Loop:
    """DO variable = first, last."""

    variable: str
    first: str
    last: str


@dataclass(frozen=True)
class Statement:
    """READ or WRITE, taken apart."""

    verb: str
    control: list[str]
    items: list[str]


class Rewrite:
    """The source of a line, and what could stand in its place."""

    def __init__(self, line: Line, sources: Sources) -> None:
        self.verb = line.statement
        self.is_whole = line.items < line.elements  # it has an array already
        self.statement = parse(line.source)
        texts = sources.get(line.file, {})
        self.loops = enclosing_loops(texts, line.line)[: lone_loops(texts, line.line)]
        self.formats = line.formats
        self.has_several_items = self.statement is not None and len(self.statement.items) > 1
        self.instead = "instead of the loop" if is_in_loop(texts, line.line) else "instead of one in each call"

    def whole_array(self) -> str:
        """One statement with the array, instead of a loop."""
        return self._in_one(lambda control: control, f"{self.verb} (unit) array", "")

    def without_record(self, length: int) -> str:
        """The same, without REC=, if the record is the loop's variable; records of `length` bytes are full."""
        found, loop = self.statement, next(iter(self.loops), None)
        if found and loop and length and len(found.items) == 1:
            item, used = sections(found.items[0], [loop])
            record = [word.partition("=")[2].strip().lower() for word in found.control if _is(word, "rec")]
            if used and record == [loop.variable]:
                position = "1" if loop.first == "1" else f"1 + {length}*({loop.first} - 1)"
                control = [f"pos={position}" if _is(word, "rec") else word for word in found.control]
                said = f"{self._head(control)} {item}: one statement instead of the loop over {loop.variable}"
                return f"OPEN (..., access='stream', form='unformatted'), and {said}"
        return "longer records (RECL=), and many elements in each"

    def unformatted(self) -> str:
        """The same, without a format."""

        def change(control: list[str]) -> list[str]:
            kept = [word for word in control[1:] if "=" in word and not _is(word, "fmt") and not _is(word, "advance")]
            return ["unit" if control[0] == "*" else control[0], *kept]

        # Not a stream, which keeps what lies beyond its last WRITE; records do not, as text.
        return self._in_one(change, f"{self.verb} (unit) array", "OPEN (..., form='unformatted'), and ")

    def one_text_statement(self, advancing: bool) -> str:
        """One formatted statement: a format of one value is used again from its start, or without end."""
        generic = f"{self.verb} (unit, '({'' if advancing else '*'}(...))') array"
        if len(self.formats) != 1 or not _ONE_VALUE.fullmatch(self.formats[0].strip()):
            return f"{generic}: one statement {self.instead}"

        def change(control: list[str]) -> list[str]:
            kept = [word for word in control[2:] if not _is(word, "fmt")]
            return control if advancing else [control[0], f"'(*{self.formats[0].strip()})'", *kept]

        return self._in_one(change, generic, "")

    def array_of_items(self) -> str:
        """An array that is filled first."""
        if self.statement and len(self.statement.items) == 1 and _has_one_value(self.statement.items[0]):
            head = self._head(self.statement.control)
            if self.verb == "read":
                return f"{head} values; then assign its elements"
            return f"values = [{self.statement.items[0]}]; {head} values"
        if self.verb == "read":
            return "read (unit) values; then assign its elements"
        return "fill an array first; write (unit) array"

    def _head(self, control: list[str]) -> str:
        return f"{self.verb} ({', '.join(control)})"

    def _in_one(self, change: Callable[[list[str]], list[str]], generic: str, before: str) -> str:
        if self.statement is None or (self.verb == "read" and any(map(_ENDS.match, self.statement.control))):
            return f"{before}{generic}: one statement {self.instead}"
        head = self._head(change(self.statement.control))
        if len(self.statement.items) != 1:
            if self.verb == "read":
                said = f"{head} buffer; then assign its elements: one statement {self.instead}"
            else:
                said = f"buffer(1, i) = ..., buffer(2, i) = ... in the loop, and {head} buffer after it"
            return f"{before}{said}, if all are of one type; else an array for each type"
        item, used = sections(self.statement.items[0], self.loops)
        if not used:
            if item.startswith("(") or ":" in item or self.is_whole:
                return f"{before}{head} {item}"
            item = "array"
            return f"{before}{head} {item}: one statement {self.instead}"
        return f"{before}{head} {item}: one statement {self.instead} over {' and '.join(used)}"


def parse(text: str) -> Statement | None:
    """Take a READ or WRITE on one line apart. What is done under a condition alone has no other form."""
    text = _without_comment(text)
    found = _TRANSFER.match(text)
    end = _closing(text, found.end() - 1) if found else None
    if found is None or end is None or text.endswith("&"):
        return None
    items = split(text[end + 1 :].strip())
    if not items:
        return None
    return Statement(found[1].lower(), split(text[found.end() : end]), items)


def split(text: str) -> list[str]:
    """At commas outside of parentheses and of character constants."""
    parts, depth, quote = [""], 0, ""
    for mark in text:
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "'\"":
            quote = mark
        elif mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
        if mark == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += mark
    return [part.strip() for part in parts if part.strip()]


def is_in_loop(texts: dict[int, str], number: int) -> bool:
    """Whether a DO of any kind is around a line; true if too little of its procedure is known."""
    closed = 0
    for above in range(number - 1, 0, -1):
        if above not in texts:
            return True
        text = _without_comment(texts[above])
        if _UNIT_BEGINS.match(text) and not _END_UNIT.match(text):
            return False
        if _END_DO.match(text):
            closed += 1
        elif _BLOCK_DO.match(text):
            if not closed:
                return True
            closed -= 1
    return False


def lone_loops(texts: dict[int, str], number: int) -> int:
    """How many of the DO loops around a line have nothing else in them."""

    def count(step: int, pattern: re.Pattern[str]) -> int:
        counted = 0
        for place in range(number + step, number + step * (CONTEXT + 1), step):
            text = _without_comment(texts.get(place, "."))
            if text and (not pattern.match(text) or ";" in text):
                break
            counted += bool(text)
        return counted

    return min(count(-1, _DO), count(1, _END_DO))


def enclosing_loops(texts: dict[int, str], number: int) -> list[Loop]:
    """The DO loops around a line, the innermost first, as far as the texts above it go."""
    loops: list[Loop] = []
    closed = 0
    for above in range(number - 1, number - 1 - CONTEXT, -1):
        text = _without_comment(texts.get(above, ""))
        if _UNIT_BEGINS.match(text):
            break
        if _END_DO.match(text):
            closed += 1
        elif _BLOCK_DO.match(text):
            if closed:
                closed -= 1
                continue
            found = _DO.match(text)
            bounds = split(found[2]) if found else []
            if found and len(bounds) == 2:
                loops.append(Loop(found[1].lower(), *bounds))
            elif found:
                break  # a stride: no plain section
    return loops


def sections(item: str, loops: Sequence[Loop]) -> tuple[str, list[str]]:
    """An element with its subscripts replaced by what the loops run over, and the variables that are replaced.

    The item as it is, and none, if that would change the order of the elements or is not understood.
    """
    opens = item.find("(")
    if opens <= 0 or not _NAME.match(item[:opens].strip()) or _closing(item, opens) != len(item) - 1:
        return item, []
    subscripts = split(item[opens + 1 : -1])
    exact = [subscript.lower() for subscript in subscripts]
    replaced: list[Loop] = []
    for loop in loops:
        if exact.count(loop.variable) != 1:
            break  # loops further out stay
        replaced.append(loop)
    names = [loop.variable for loop in replaced]
    others = [subscript for subscript in exact if subscript not in names]
    bounds = [bound for loop in replaced for bound in (loop.first, loop.last)]
    if not names or any(re.search(rf"\b{name}\b", text, re.IGNORECASE) for name in names for text in others + bounds):
        return item, []
    ranges = {loop.variable: f"{loop.first}:{loop.last}" for loop in replaced}
    array = f"{item[:opens]}({', '.join(ranges.get(e, s) for e, s in zip(exact, subscripts, strict=True))})"
    order = [subscript for subscript in exact if subscript in names]
    if order == names:
        return array, names
    if len(names) == 2 and not any(":" in subscript for subscript in others):
        return f"transpose({array})", names
    return item, []


def _has_one_value(item: str) -> bool:
    """Whether an implied DO has one value: an array constructor takes values of one type."""
    if not item.startswith("(") or _closing(item, 0) != len(item) - 1:
        return False
    parts = split(item[1:-1])
    return len(parts) > 1 and "=" in parts[1] and (not parts[0].startswith("(") or _has_one_value(parts[0]))


def _is(word: str, name: str) -> bool:
    return re.match(rf"{name}\s*=", word, re.IGNORECASE) is not None


def _without_comment(text: str) -> str:
    quote = ""
    for place, mark in enumerate(text):
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "'\"":
            quote = mark
        elif mark == "!":
            return text[:place].strip()
    return text.strip()


def _closing(text: str, opens: int) -> int | None:
    depth, quote = 0, ""
    for place in range(opens, len(text)):
        mark = text[place]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "'\"":
            quote = mark
        elif mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
            if depth == 0:
                return place
    return None
