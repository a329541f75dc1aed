"""READ under `headrace run` gives the values, errors, flags and positions that gfortran gives, whatever the text is.

Texts are random: numbers in every spelling, words, quotes, separators, tabs, carriage returns, columns of a fixed
width, short and empty lines. HEADRACE_TEST_LONG=1 reads more of them.
"""

import random
import subprocess
from pathlib import Path

import pytest

from headrace.results.run import Compiler
from run_identity import Case, compare
from trace_runs import LONG, ROOT

pytest_plugins = ("run_library",)

SEEDS = range(400 if LONG else 12)
MODES = ("default", "from the first statement on", "every statement checked")

ODD = (
    "1e400",
    "-1e400",
    "1e-320",
    "4.9e-324",
    "1e-400",
    "NaN",
    "inf",
    "-Infinity",
    "1e",
    "+",
    "-",
    ".",
    "1.2.3",
    "--1",
)


def number(random_one: random.Random) -> str:
    """A number as people and programs write it, and sometimes not quite one."""
    value = random_one.choice([0.0, 1.0, -2.5, 1 / 3, 123456.789, 1e-5, 6.02e23, 1e300, 1e-300, 0.1, 16777217.0])
    value *= random_one.choice([1, -1, 3, 0.5])
    forms = ["%g", "%.3f", "%12.5e", "%.15e", "%8.2f", "%.0f", "%.1e", "%.20f", "%+g"]
    text = random_one.choice(forms) % value
    change = random_one.random()
    if change < 0.05:
        text = text.replace("e", random_one.choice(["d", "D", "E", "q", ""]))
    elif change < 0.08:
        text = text.replace("0.", ".")
    elif change < 0.1:
        text = random_one.choice(ODD)
    return text


def integer(random_one: random.Random) -> str:
    text = str(
        random_one.choice([0, 1, 7, 12, 99, 127, 128, 300, 32767, 40000, 2147483647, 2147483648, 10**12, 10**19])
    )
    return random_one.choice(["", "", "", "-", "+"]) + text


def token(random_one: random.Random) -> str:
    kind = random_one.random()
    if kind < 0.4:
        return number(random_one)
    if kind < 0.75:
        return integer(random_one)
    words = ["T", "F", ".true.", ".false.", "t", "true", "abc", "a_b", "word", "x/y", "'a b'", '"quoted"']
    words += [
        "'it''s'",
        "''",
        "2*5",
        "3*",
        "/",
        ",",
        ";",
        "!",
        "12abc",
        "e5",
        "1d5",
        "0x1F",
        "FF",
        "a,b",
        "x=1",
        "(1.0,2.0)",
        "'open",
    ]
    return random_one.choice(words)


def line(random_one: random.Random) -> str:
    kind = random_one.random()
    if kind < 0.04:
        return ""
    if kind < 0.5:
        separators = [" ", "  ", ", ", ",", "\t", " , ", " ,"] if random_one.random() < 0.3 else [" ", "   "]
        makers = [token if random_one.random() < 0.2 else number for _ in range(random_one.randint(1, 8))]
        parts = [make(random_one) for make in makers]
        if random_one.random() < 0.4:
            parts = [integer(random_one) for _ in parts]
        text = random_one.choice(separators).join(parts)
        return random_one.choice(["", " ", "   "]) + text + random_one.choice(["", "", " ", ",", " ! note"])
    width = random_one.choice([4, 5, 6, 7, 8, 9, 10, 12])
    values = [random_one.choice([number, integer])(random_one)[:width] for _ in range(random_one.randint(1, 10))]
    aligned = [value.rjust(width) if random_one.random() < 0.9 else value.ljust(width) for value in values]
    return "".join(aligned)


def plain_line(random_one: random.Random) -> str:
    """What fills most files: numbers of one kind in columns."""
    values = [random_one.uniform(-1000, 1000) for _ in range(random_one.choice([1, 3, 10]))]
    form = random_one.choice(["%7.2f", "%9.4f", "%12.4e", " %.17g", "%8.3f"])
    return "".join(form % value for value in values)


def text(seed: int) -> str:
    random_one = random.Random(seed)
    end = "\r\n" if seed % 5 == 4 else "\n"
    make = plain_line if seed % 3 == 2 else line
    lines = [make(random_one) for _ in range(random_one.choice([3, 40, 400]))]
    return end.join(lines) + ("" if seed % 7 == 6 else end)


@pytest.fixture(scope="module")
def reader(gnu: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("reader") / "read_texts"
    subprocess.run([gnu.path, "-O1", str(ROOT / "test" / "run" / "read_texts.f90"), "-o", str(program)], check=True)
    return program


@pytest.mark.parametrize("seed", SEEDS)
def test_every_form_of_read_gives_the_same(seed: int, reader: Path, run_library: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "input.txt").write_bytes(text(seed).encode())
    for step in (1, 3, 7):
        case = Case(reader, ("input.txt", str(step)), given)
        found = compare(case, tmp_path / "runs", run_library, MODES, lambda mode: ("pipe",))
        assert found.plain is not None and found.plain.status == 0, found.plain
        assert not found.not_reproducible, found.not_reproducible
        assert not found.differences, "\n".join(found.differences)
