"""Whole programs in the README, the facade and the guides are the examples that the tests compile and run."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DRAWERS = ("tutorial", "howto", "reference")
PAGES = [ROOT / "README.md", *sorted((ROOT / "doc").glob("*.md")), *sorted((ROOT / "doc").glob("*/*.md"))]
GUIDES = [page for page in PAGES if page.parent.name in ("tutorial", "howto")]  # test/guides runs their programs
SHOWN = {  # the examples that a page shows, in its order
    "README.md": ["01"],
    "binary.md": ["04"],
    "library.md": ["01"],
    "parallel.md": ["05"],
    "parallel_state.md": ["06"],
    "text_features.md": ["02"],
}


def program(number: str) -> str:
    """An example without the comment in front of it."""
    (path,) = (ROOT / "example").glob(f"{number}_*.f90")
    text = path.read_text()
    return text[text.index("program ") :]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in GUIDES], ids=lambda page: page.name)
def test_programs_in_pages_are_the_whole_examples(page: Path) -> None:
    whole = r"^end program (?!read_it)"  # that one is what headrace inspect printed
    programs = [block for block in blocks(page, "fortran") if re.search(whole, block, re.MULTILINE)]
    assert programs == [program(number) for number in SHOWN.get(page.name, [])]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_whole_without_sphinx(page: Path) -> None:
    """Directives that include a file show nothing if Markdown is read as it is."""
    assert "include}" not in page.read_text()


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "ford.md"], ids=lambda page: page.name)
def test_links_lead_to_files_of_the_repository(page: Path) -> None:
    """Not only in the pages that `make doc` makes; ford.md is for FORD alone, and becomes the first of its pages."""
    found = re.findall(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"", page.read_text())
    links = [link for pair in found for link in pair if link and not re.match(r"\w+:|#", link)]
    assert [link for link in links if not (page.parent / link.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("drawer", DRAWERS)
def test_every_page_of_a_drawer_is_in_its_list(drawer: str) -> None:
    """The list is what the site shows; Sphinx warns of a page that is in none, but not of one in the wrong drawer."""
    listed = re.findall(r"```\{toctree\}\n(.*?)```", (ROOT / "doc" / drawer / "index.md").read_text(), re.DOTALL)
    names = {line for block in listed for line in block.splitlines() if line and not line.startswith(":")}
    pages = {page.stem for page in (ROOT / "doc" / drawer).glob("*.md")} - {"index"}
    assert pages and {name for name in names if not name.startswith("..")} == pages


def test_pages_lie_in_a_drawer() -> None:
    assert {page.name for page in (ROOT / "doc").glob("*.md")} == {"index.md", "ford.md"}


def test_the_facade_shows_the_whole_example() -> None:
    comment = re.findall(r"^!>     ?(.*)$", (ROOT / "src" / "headrace.f90").read_text(), re.MULTILINE)
    assert [line for line in comment if line] == [line for line in program("01").splitlines() if line]


def test_the_guide_of_the_library_shows_the_beginning_of_its_header() -> None:
    header = (ROOT / "include" / "headrace.h").read_text()
    assert blocks(ROOT / "doc" / "reference" / "library.md", "c") == [header[: header.index("*/") + 3]]


def test_the_guide_of_the_library_shows_a_project_that_the_tests_build() -> None:
    project = (ROOT / "test" / "package" / "CMakeLists.txt").read_text()
    first, _, rest = project.partition("option(FORTRAN_ALONE")
    built = first.splitlines()[1:] + [
        line.strip() for line in rest.split("return()")[0].splitlines()[2:] if line.strip()
    ]
    shown, _ = blocks(ROOT / "doc" / "reference" / "library.md", "cmake")
    named = shown.replace("project(my_program", "project(uses_headrace").replace("my_program", "from_fortran")
    assert named.replace("x.f90", '"${EXAMPLE}"').splitlines() == built


def test_the_guide_of_the_library_shows_the_part_of_a_project_that_the_tests_build() -> None:
    built = {line.strip() for line in (ROOT / "test" / "package" / "part" / "CMakeLists.txt").read_text().splitlines()}
    _, shown = blocks(ROOT / "doc" / "reference" / "library.md", "cmake")
    named = shown.replace("project(my_program", "project(takes_headrace_in").replace("my_program", "from_fortran")
    named = named.replace("x.f90", '"${SOURCE}/example/01_write_and_read_an_array.f90"')
    lines = [line for line in named.splitlines() if not line.startswith("FetchContent_")]
    assert [line for line in lines if line not in built] == []


def test_the_readme_and_the_guide_of_the_library_name_the_same_line_of_a_compiler() -> None:
    shown = [
        [block for block in blocks(ROOT / page, "sh") if block.startswith("gfortran ")]
        for page in ("README.md", "doc/reference/library.md")
    ]
    assert shown[0] == shown[1] and len(shown[0]) == 1


def test_the_guide_of_parallel_arrays_shows_the_project_that_the_tests_build() -> None:
    project = (ROOT / "test" / "mpi" / "package" / "CMakeLists.txt").read_text()
    (shown,) = blocks(ROOT / "doc" / "reference" / "parallel_building.md", "cmake")
    assert shown == project.split("\n", 1)[1].replace('"${EXAMPLE}"', "spread.f90")


@pytest.mark.parametrize("page", ["README.md", "doc/reference/library.md", "doc/reference/parallel_building.md"])
def test_pages_that_name_a_compiler_say_how_to_name_another(page: str) -> None:
    """Distributions call it gfortran-12, and CMake then finds none."""
    text = (ROOT / page).read_text()
    assert "-DCMAKE_Fortran_COMPILER=gfortran" in text
    assert "`-DCMAKE_Fortran_COMPILER=gfortran-12`" in text and "`FC=gfortran-12`" in text
