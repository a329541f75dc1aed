"""One list of status values and one of formats: what else has them is made of the list, or compared with it here."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace import formats, native
from headrace.containers import request
from headrace.containers.formats import READERS, WRITERS

ROOT = Path(__file__).resolve().parents[3]
STATUS = ROOT / "include" / "headrace_status.def"
FORTRAN_STATUS = ROOT / "src" / "headrace" / "status.f90"
FORMATS = ROOT / "src" / "abi" / "formats.cpp"
FOLDERS = ("src", "include", "mpi", "bench", "intercept", "python", "test", "setup")
LANGUAGES = {".c", ".h", ".cpp", ".hpp", ".def", ".f90", ".F90", ".inc", ".py"}
# headrace bench parallel names its files as people do: .nc whatever the library is.
NAMES_FILES = ROOT / "python" / "headrace" / "measure" / "parallel" / "methods.py"
_COMMENT = re.compile(r"^\s*(?:!|//|/?\*|#).*$", re.MULTILINE)


def sources() -> Iterator[tuple[Path, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in LANGUAGES:
                yield path, path.read_text()


def status_list() -> list[tuple[str, str, int, str]]:
    found = re.findall(r'^HR_STATUS\((\w+), (\w+), (-?\d+), "(.*)"\)$', STATUS.read_text(), re.MULTILINE)
    return [(name, constant, int(number), meaning) for name, constant, number, meaning in found]


def test_a_status_has_one_name_and_one_number() -> None:
    listed = status_list()
    assert len(listed) == STATUS.read_text().count("\nHR_STATUS(") >= 50
    assert [constant for _, constant, _, _ in listed] == [name.upper() for name, _, _, _ in listed]
    numbers = [number for _, _, number, _ in listed]
    assert numbers[:3] == [0, -1, -2] and numbers[3:] == list(range(numbers[3], numbers[3] + len(numbers) - 3))
    assert len({name for name, _, _, _ in listed}) == len(listed)


def test_fortran_has_the_list_of_status_values() -> None:
    """Name, number, meaning, order. It is text: a preprocessor would hide the meanings from FORD."""
    found = re.findall(r"^ +!> (.*)\n +integer\(c_int\) :: (\w+) = (.*)$", FORTRAN_STATUS.read_text(), re.MULTILINE)
    assert [(name, int(number), meaning) for meaning, name, number in found] == [
        (name, number, meaning) for name, _, number, meaning in status_list()
    ]


def test_the_library_has_the_list_of_status_values() -> None:
    names = {number: native.library().hr_stat_name(number) for number in range(-10, 10000)}
    assert {number: name.decode() for number, name in names.items() if name} == {
        number: name for name, _, number, _ in status_list()
    }


def test_there_is_no_second_list_of_status_values() -> None:
    """Neither numbers nor most of the names stand anywhere else."""
    listed = status_list()
    number = re.compile(rf"\b({'|'.join(str(number) for _, _, number, _ in listed if number > 0)})\b")
    words = {word for name, constant, _, _ in listed for word in (name, constant)}
    for path, text in sources():
        if path not in (STATUS, FORTRAN_STATUS):
            assert not number.search(text), f"{path} has the number of a status: use its name"
            used = words & set(re.findall(r"\w+", _COMMENT.sub("", text).replace("HR_", "")))
            assert len(used) < len(listed) / 2, f"{path} lists status values: include headrace_status.def"


def test_there_is_no_second_list_of_endings() -> None:
    known = set(formats.endings())
    for path, text in sources():
        if path.is_relative_to(ROOT / "test"):  # their files have names
            continue
        words = {word for literal in re.findall(r"""["']([^"'\n]*)["']""", text) for word in literal.split()}
        if path not in (FORMATS, NAMES_FILES):
            assert len(words & known) < 5, f"{path} lists endings: ask find_format, or formats.py"
        elif path == FORMATS:
            assert words >= known


def test_the_table_of_formats_is_sound() -> None:
    names = [one.name.decode() for one in formats.table()]
    assert names[:3] == ["raw", "unformatted", "direct"] and len(set(names)) == len(names)
    each = [ending for one in formats.table() for ending in one.endings.decode().split()]
    assert len(set(each)) == len(each) and all(re.fullmatch(r"\.[a-z0-9]+", ending) for ending in each)
    assert not native.library().hr_format_at(-1) and not native.library().hr_format_at(len(names))


@pytest.mark.parametrize(
    ("name", "form"),
    [("x.csv", "csv"), ("X.TXT.GZ", "text"), ("x.h5", ""), ("x.zarr/", ""), ("x.unknown", ""), ("x", ""), ("", "")],
)
def test_the_library_says_what_an_ending_means(name: str, form: str) -> None:
    assert formats.chosen_by(name.encode()) == form


def test_convert_knows_the_formats_of_the_library() -> None:
    assert set(request.TEXTS) == formats.texts()
    assert {name for name in request.endings().values()} == set(request.FORMATS)
    assert set(READERS) == set(WRITERS) == set(request.FORMATS)
    left_out = set(formats.endings()) - set(request.endings())
    assert left_out == {".dat", ".bp"}
