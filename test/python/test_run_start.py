"""When `headrace run` begins to work in a process: a short one loses nothing by it."""

import json
from pathlib import Path

import pytest

from conftest import start
from trace_programs import compiled

LINES = """
program lines
   implicit none
   character(20) :: word
   integer :: i, n, m
   call get_command_argument(1, word)
   read (word, *) n
   call get_command_argument(2, word)
   if (word /= "") call execute_command_line("sleep " // word)
   open (10, file="lines.txt", status="replace")
   do i = 1, n
      write (10, "(i6)") i
   end do
   rewind (10)
   do i = 1, n
      read (10, *) m
      if (m /= i) error stop
   end do
   close (10)
end program lines
"""


def counts(folder: Path, *words: str, after: str | None) -> tuple[int, int]:
    """Statements that were taken over, and first ones that were left."""
    chosen = {} if after is None else {"HEADRACE_RUN_AFTER": after}
    done = start(folder, "run", "--stats", "--json", "stats.json", "./lines", *words, **chosen)
    assert done.returncode == 0, done.stderr
    found = json.loads((folder / "stats.json").read_text())
    firsts = sum(process["first_statements"] for process in found["processes"])
    return sum(site["taken_over"] for site in found["sites"]), firsts


@pytest.fixture(autouse=True)
def as_users_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADRACE_RUN_AFTER")


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lines")
    compiled(folder, "lines", LINES)
    return folder


def test_a_short_process_is_left_alone(lines: Path) -> None:
    assert counts(lines, "40", after=None) == (0, 81)  # 40 of WRITE and READ, and the number of lines


def test_a_process_of_many_statements_is_not(lines: Path) -> None:
    taken, firsts = counts(lines, "3000", after=None)
    assert firsts <= 506 and taken >= 6001 - 506 - 3  # beside them the first on the unit, or behind another kind


def test_a_process_of_some_age_is_not(lines: Path) -> None:
    taken, firsts = counts(lines, "40", "0.1", after=None)
    assert firsts <= 2 and taken >= 70


@pytest.mark.parametrize("after", range(0, 100, 13))
def test_it_may_begin_anywhere(after: int, lines: Path) -> None:
    taken, firsts = counts(lines, "40", after=str(after))
    assert firsts == min(after, 81) and 81 - after - 4 <= taken <= max(0, 81 - after)


@pytest.mark.parametrize("each", range(4))
def test_the_first_statements_of_a_line_are_left(each: int, lines: Path) -> None:
    taken, firsts = counts(lines, "40", after=f"0,{each}")
    assert 0 <= firsts <= 3 * each and 81 - 4 - 3 * each <= taken <= 81 - each


def test_the_table_says_so(lines: Path) -> None:
    done = start(lines, "run", "--stats", "./lines", "3")
    assert "nothing was taken over: a short process" in done.stderr and "500 statements" in " ".join(
        done.stderr.split()
    )
    done = start(lines, "run", "--stats", "./lines", "2000")
    assert "are the first of a process" in " ".join(done.stderr.split())
