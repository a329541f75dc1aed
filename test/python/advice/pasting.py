"""Does what the advice of the command says, as a user who pastes it: each printed form has one way to follow it.

What is printed in a form that is not known here fails: a new rule has to be taught to this file.
"""

import re
import struct
from pathlib import Path

_STATEMENT = r"(?:write|read) \(.*\) .+?"
_WHOLE = re.compile(rf"({_STATEMENT}): one statement instead of the loop over (.+)")
_OPENED = re.compile(r"OPEN \(\.\.\., (.+?)\), and (.*)")
_MOVED = re.compile(r"OPEN once before the loop, CLOSE after it(?:; where OPEN was: (.*?))?(?:; FLUSH where .*)?")
_SHELL = re.compile(r"(?:unset|export) \w+(?:=\S+)?")
_PLACEHOLDER = re.compile(r"\.\.\.|\b(?:array|row|buffer)\b|values; then")
_OPENS = ("open (", "call begin(")
_CODE = re.compile(
    r"\b(?:write|read|open|close|rewind|endfile|backspace|flush|inquire) \(|\b(?:rm|mv|cp|tar|lfs|export) "
)


class Edit:
    """The lines of one procedure, while something is pasted into them."""

    def __init__(self, body: list[str]) -> None:
        self.lines = list(body)
        self.shell: list[str] = []  # before the program starts

    def paste_better(self, at: int, better: str) -> bool:
        """The words of `headrace trace` for the line `at`; whether there was something to paste."""
        shell = _SHELL.findall(better)
        if shell:
            self.shell = shell[:1]
            return True
        if better == "OPEN without CONVERT=":
            self.lines = [re.sub(r", convert='\w+'", "", line) for line in self.lines]
            return True
        if better.startswith("FLUSH (unit) once for each checkpoint"):
            self.lines[at] = ""
            return True
        moved = _MOVED.fullmatch(better)
        if moved:
            if at not in range(len(self.lines)):  # in a procedure that is called here
                at = self._first(_OPENS)
            self._move_open(at, [line for line in (moved[1] or "").split("; ") if line])
            return True
        return self._paste_statement(at, better)

    def paste_lines(self, change: str, lines: list[str]) -> bool:
        """The lines of an item of `headrace advise`."""
        if change == "keep-open":
            at = self._first(_OPENS)
            moved = [re.sub(r" +! .*", "", line) for line in lines]
            whole = [line for line in moved if line.startswith("open (") and "..." not in line]
            if whole:  # its unit and file are examples
                named = re.match(r"open \(.*?file='\w+\.dat'", self.lines[at])
                self.lines[at] = (named[0] if named else "") + whole[0][
                    whole[0].index('"', whole[0].index('"') + 1) + 1 :
                ]
            self._move_open(at, [line for line in moved if not line.startswith("open")])
        elif change == "flush-less":
            at = self._first(("flush (",))
            (line,) = lines
            self.lines[at] = line.replace("(unit)", self.lines[at].removeprefix("flush "))
        else:
            self.shell = lines
            assert not any(_CODE.search(line) and not _SHELL.fullmatch(line) for line in lines), (change, lines)
        return bool(lines)

    def _first(self, begin: tuple[str, ...]) -> int:
        return next(number for number, line in enumerate(self.lines) if line.startswith(begin))

    def _paste_statement(self, at: int, better: str) -> bool:
        opened = _OPENED.fullmatch(better)
        if _PLACEHOLDER.search(opened[2] if opened else better):
            return False
        text = opened[2] if opened else better
        whole = _WHOLE.fullmatch(text)
        if not (whole or re.fullmatch(rf"(?:values = \[.*\]; )?{_STATEMENT}", text)):
            assert not _CODE.search(better), f"pasting.py does not know how to paste: {better}"
            return False
        label = re.match(r"\d+ ", self.lines[at])
        self.lines[at] = (label[0] if label else "") + (whole[1] if whole else text)
        for variable in reversed(whole[2].split(" and ")) if whole else ():
            self._remove_loop(at, variable)
        if opened:
            self._open_with(opened[1])
        return True

    def _remove_loop(self, at: int, variable: str) -> None:
        begin = max(number for number in range(at) if self.lines[number].startswith(f"do {variable} ="))
        self.lines[begin] = ""
        self.lines[self._end_of(begin)] = ""

    def _end_of(self, begin: int) -> int:
        depth = 1
        for number in range(begin + 1, len(self.lines)):
            depth += self.lines[number].startswith("do ") - (self.lines[number] == "end do")
            if not depth:
                return number
        raise AssertionError("the loop does not end")

    def _move_open(self, at: int, instead: list[str]) -> None:
        """OPEN before the loop, CLOSE after it, and what is to be where OPEN was."""
        opened = self.lines[at]
        found = re.search(r"(?:newunit=)?(\w+), file", opened)
        unit = found[1] if found else "10"
        begin = max(number for number in range(at) if self.lines[number].startswith("do "))
        end = self._end_of(begin)
        closes = [
            number for number in range(at, end) if self.lines[number].startswith((f"close ({unit}", "call finish"))
        ]
        close = self.lines[closes[0]]
        self.lines[closes[0]] = ""
        self.lines[end] = f"end do\n{close}"
        self.lines[at] = "\n".join(line.replace("(unit)", f"({unit})") for line in instead)
        before = self.lines[begin + 1 : at]
        computed = [line for line in before if line.startswith(f"{unit} = ")]
        if computed:
            self.lines[at] = ""
            self.lines[begin + 1 + before.index(computed[0])] = ""
            opened = f"{unit} = 20\n{opened}"
        self.lines[begin] = f"{opened}\n{self.lines[begin]}"

    def _open_with(self, words: str) -> None:
        """Give the OPEN these specifiers in the place of its own; a stream has no RECL=."""
        at = self._first(_OPENS)
        line = self.lines[at]
        for name in [word.partition("=")[0] for word in words.split(", ")] + ["recl"] * ("stream" in words):
            line = re.sub(rf", {name}=(?:'\w+'|\d+)", "", line)
        self.lines[at] = f"{line.removesuffix(')')}, {words})"


def numbers(path: Path) -> list[float]:
    """Of text, of records with markers, or of a stream."""
    data = path.read_bytes()
    if re.fullmatch(rb"[-+.\deE \n]*", data[:4096]):
        return [float(word) for word in data.split()]
    payload = b""
    at = 0
    while at + 8 <= len(data):
        (size,) = struct.unpack_from("<i", data, at)
        if size < 0 or data[at + 4 + size : at + 8 + size] != data[at : at + 4]:
            break
        payload += data[at + 4 : at + 4 + size]
        at += size + 8
    payload = payload if at == len(data) else data
    return list(struct.unpack(f"<{len(payload) // 8}d", payload[: len(payload) // 8 * 8]))
