"""Plain English in guides and help texts: the words that a reader who learned English at school knows."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "doc").glob("*/*.md"))]
AVOIDED = {  # a pattern, and what to write
    r"(?:^|[.;:] |\| |^[-*] )Where (?!headrace|it differs|the bytes of records)": "If: 'Where' is a place",
    r"\bis no (?:number|name|value|file|store|archive|index|length|array|JSON|NetCDF|HDF5|Zarr|npy|npz)\b": "is not a",
    r"\bno name of a file\b": "a file name must not",
    r"\b(?:do|does) not count\b(?! \()": "ignored",
    r"\bwhat describes the arrays\b": "metadata",
    r"\bgoes with the (?:option|next)\b": "disappears with, or is removed by",
    r"\bof the ways whose\b": "an own sentence",
}

IS_NO = re.compile(r"(?<!there )\b(?:is|are) no (?!longer|more|faster|slower|wider)\w+")  # in messages


def prose(text: str) -> list[str]:
    """Without code, headings and what programs print."""
    return [line for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines() if not line.startswith("#")]


def found(text: str) -> list[str]:
    return [
        f"{line.strip()[:90]} -> {instead}"
        for line in prose(text)
        for pattern, instead in AVOIDED.items()
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_in_plain_english(page: Path) -> None:
    assert found(page.read_text()) == []


COMMANDS = ["", "bench", "bench text", "bench binary", "bench parallel", "trace", "inspect", "convert", "describe"]


@pytest.mark.parametrize("command", [*COMMANDS, "advise", "bench run", "report", "compare", "predict", "schema"])
def test_help_texts_are_in_plain_english(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "headrace", *command.split(), "--help"], stdout=subprocess.PIPE, text=True, check=True
    )
    assert found(done.stdout) == []


def literals(source: Path) -> list[str]:
    """The texts of a module that are not its documentation; an f-string with {} for its values."""
    tree = ast.parse(source.read_text())
    own, parts = set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            own.add(id(node.body[0].value))  # type: ignore[attr-defined]
        if isinstance(node, ast.JoinedStr):
            parts |= {id(value) for value in node.values}
    texts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts.append("".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (own | parts):
            texts.append(node.value)
    return texts


@pytest.mark.parametrize("source", sorted((ROOT / "python" / "headrace").rglob("*.py")), ids=lambda path: path.name)
def test_messages_are_in_plain_english(source: Path) -> None:
    assert [text for text in literals(source) if IS_NO.search(text)] == [], "is not a"


def test_the_examples_of_what_must_go_are_found() -> None:
    shown = [
        "Anything goes; no name of a file ends in a slash",
        "thin lines: of the ways whose interval is steady, the slowest",
        "looked at is what describes the arrays beyond the first and the last 256 KiB",
        "'ten' is no number of values",
        "the backtrace goes with the option `-fno-backtrace`",
        "Where the compiler has another name, say it",
    ]
    assert [len(found(line)) for line in shown] == [1] * len(shown)


def test_the_page_of_parallel_arrays_is_one_that_is_read() -> None:
    assert len((ROOT / "doc" / "reference" / "parallel.md").read_text().splitlines()) <= 150
