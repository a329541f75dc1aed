"""The program in the README is the example that the tests compile and run."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = (ROOT / "example" / "01_write_and_read_an_array.f90").read_text()


def test_the_readme_shows_the_whole_example() -> None:
    blocks = re.findall(r"```fortran\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert blocks == [EXAMPLE[EXAMPLE.index("program ") :]]


def test_the_facade_shows_the_whole_example() -> None:
    comment = re.findall(r"^!>     ?(.*)$", (ROOT / "src" / "headrace.f90").read_text(), re.MULTILINE)
    program = EXAMPLE[EXAMPLE.index("program ") :].splitlines()
    assert [line for line in comment if line] == [line for line in program if line]
