"""The programs in the README and in the guide of parallel arrays are the examples that the tests compile and run."""

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


def spread_example(number: str) -> str:
    (path,) = (ROOT / "example").glob(f"{number}_*_spread_over_mpi_ranks.f90")
    return path.read_text()


def test_the_guide_of_parallel_arrays_shows_the_whole_examples() -> None:
    guide = (ROOT / "doc" / "parallel.md").read_text()
    programs = [
        block for block in re.findall(r"```fortran\n(.*?)```", guide, re.DOTALL) if block.startswith("program ")
    ]
    assert programs == [spread_example("05"), spread_example("06")]


def test_the_guide_of_parallel_arrays_shows_the_project_that_the_tests_build() -> None:
    guide = (ROOT / "doc" / "parallel.md").read_text()
    project = (ROOT / "test" / "mpi" / "package" / "CMakeLists.txt").read_text()
    (shown,) = re.findall(r"```cmake\n(.*?)```", guide, re.DOTALL)
    assert shown == project.split("\n", 1)[1].replace('"${EXAMPLE}"', "spread.f90")
