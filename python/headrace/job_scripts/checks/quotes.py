"""HR902 and HR903: characters of word processors and of Windows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.job_scripts.finding import Finding
from headrace.job_scripts.shell import parse
from headrace.job_scripts.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

_DOUBLE, _SINGLE, _DASHES = "“”„‟", "‘’‚‛", "–—−"
_ASCII = str.maketrans({**dict.fromkeys(_DOUBLE, '"'), **dict.fromkeys(_SINGLE, "'"), **dict.fromkeys(_DASHES, "-")})
_SIGNS = re.compile(f"[{_DOUBLE}{_SINGLE}]|(?:(?<=\\s)|^)[{_DASHES}](?=\\w|[{_DASHES}])")
_TALKERS = {"echo", "printf", "print", "mail", "mailx", "logger", "cowsay"}
_MOST = 200  # lines that are mended one after the other


@dataclass(frozen=True)
class Mended:
    """A script as it was meant, and what was changed."""

    text: str
    findings: tuple[Finding, ...]


def mended(source: Source) -> Mended:
    """Replace typographic quotes that bash would take for letters; the rest of the script is then what was meant."""
    lines = source.text.split("\n")
    found: list[Finding] = []
    for _ in range(_MOST):
        number = _first_wrong(lines)
        if number is None:
            break
        found.append(_finding(source.path, number, lines[number - 1]))
        lines[number - 1] = lines[number - 1].translate(_ASCII)
    return Mended("\n".join(lines), tuple(found))


def in_lines(path: Path, text: str) -> Iterator[Finding]:
    """Those of a file that is no script: they are wrong wherever they are."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("#") and _SIGNS.search(line):
            yield _finding(path, number, line)


def windows_line_ends(source: Source) -> Iterator[Finding]:
    """One finding for all of them."""
    count = len(source.windows_lines)
    if count:
        what = "the line ends" if count == 1 else f"{count} lines end, this one first,"
        yield Finding(
            "HR903",
            source.path,
            source.windows_lines[0],
            f"{what} with a carriage return, as on Windows: sbatch refuses such a script",
            f"sed -i 's/\\r$//' {source.path.name}",
        )


def _finding(path: Path, number: int, line: str) -> Finding:
    signs = list(dict.fromkeys(match.group()[0] for match in _SIGNS.finditer(line)))
    return Finding(
        "HR902",
        path,
        number,
        f"{' and '.join(signs)}: bash does not end a string or begin an option with a typographic sign",
        line.strip().translate(_ASCII),
    )


def _first_wrong(lines: list[str]) -> int | None:
    candidates = [number for number, line in enumerate(lines, 1) if _SIGNS.search(line)]
    if not candidates:
        return None
    text = "\n".join(lines)
    root = parse(text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()) + 1)
    for number in candidates:
        line = lines[number - 1]
        for match in _SIGNS.finditer(line):
            at = starts[number - 1] + len(line[: match.start()].encode())
            if _is_wrong(root, at, line, match):
                return number
    return None


def _is_wrong(root: "Node", at: int, line: str, match: re.Match[str]) -> bool:
    above = _ancestors(root, at)
    kinds = [node.type for node in above]
    if "comment" in kinds:
        return bool(re.match(r"#(SBATCH|PBS)\s+-", line)) and " #" not in line[: match.start()]
    if any(kind in ("heredoc_body", "heredoc_content") for kind in kinds):
        return False
    strings = [node for node in above if node.type in ("string", "raw_string", "ansi_c_string")]
    if strings:
        return _ends_too_late(strings[-1], line, match)
    command = next((node for node in reversed(above) if node.type == "command"), None)
    if command is not None and _name(command) in _TALKERS:
        return False
    letters = line[match.start() - 1 : match.start()].isalpha() and line[match.end() : match.end() + 1].isalpha()
    return not letters  # an apostrophe within a word


def _ends_too_late(string: "Node", line: str, match: re.Match[str]) -> bool:
    """Whether the string would end at this sign if it were an ASCII one: it runs on to another line now."""
    row = string.start_point[0]
    runs_on = string.end_point[0] > row or any(child.is_missing for child in string.children)
    rest = line[match.end() :].split(" #")[0].strip(" \t;|&)}\\")
    opened_here = (string.text or b"").decode(errors="replace").startswith(line[string.start_point[1] :][:1])
    return runs_on and opened_here and match.group()[0] not in _DASHES and (not rest or not _closes(line, match))


def _closes(line: str, match: re.Match[str]) -> bool:
    return any(sign in line[match.end() :] for sign in "\"'")


def _ancestors(root: "Node", at: int) -> list["Node"]:
    """The nodes around a byte, the outermost first."""
    found = [root]
    while True:
        inner = [node for node in found[-1].children if node.start_byte <= at < node.end_byte]
        if not inner:
            return found
        found.append(inner[0])


def _name(command: "Node") -> str:
    name = command.child_by_field_name("name")
    return "" if name is None or name.text is None else name.text.decode(errors="replace").rsplit("/", 1)[-1]
