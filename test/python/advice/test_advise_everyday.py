"""`headrace advise` on programs of every day: few lines, messages, files that are replaced or read once."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from advising import compiled

Command = Callable[..., "subprocess.CompletedProcess[str]"]
PREDICTED = 1.05  # an item that is predicted to gain less is none

REPLACED = """do i = 1, 100
   open (10, file="restart", form="unformatted", status="replace")
   write (10) x
   close (10)
end do"""
APPENDED = """do i = 1, 3000
   open (10, file="log.txt", position="append")
   write (10, *) i
   close (10)
end do"""
NUMBERED = """open (10, file="direct", form="unformatted", access="direct", recl=8)
do i = 1, 50000
   write (10, rec=mod(i*7919, 20000) + 1) x(1)
end do"""
FLUSHED = """open (10, file="log.txt")
do i = 1, 3000
   write (10, *) i
   flush (10)
end do"""


@pytest.fixture
def advice(headrace: Command, tmp_path: Path) -> Callable[[str], dict[str, object]]:
    """The JSON of the advice for a traced program of these lines."""

    def asked(body: str) -> dict[str, object]:
        compiled(tmp_path, "program", body)
        traced = headrace("trace", "--save", "t.headrace-trace", "./program")
        assert traced.returncode == 0, traced.stderr
        done = headrace("advise", "--from", "t.headrace-trace", "--json", "-")
        assert done.returncode == 0, done.stderr
        found: dict[str, object] = json.loads(done.stdout)
        return found

    return asked


def changes(found: dict[str, object]) -> dict[str, dict[str, object]]:
    items = {item["change"]: item for item in found["items"]}  # type: ignore[attr-defined]
    for item in items.values():
        gain = item["gain"]
        assert gain is None or (gain["factor"] >= PREDICTED and gain["low"] <= gain["factor"] <= gain["high"]), item
    return items


@pytest.mark.parametrize("unit", ["*", "0"])
def test_what_people_read_stays_text(unit: str, advice: Callable[[str], dict[str, object]]) -> None:
    found = changes(advice(f"do i = 1, 20000\n   write ({unit}, *) 'step', i\nend do"))
    assert found.keys() <= {"headrace-run"}


def test_three_rows_need_no_advice_and_it_says_how_little_they_take(
    advice: Callable[[str], dict[str, object]],
) -> None:
    remarks = []
    for _ in range(5):  # a statement that has to wait for its processor takes milliseconds
        found = advice("open (10, file='log.txt')\ndo i = 1, 3\n   write (10, *) i\nend do")
        assert not changes(found)
        remarks.append(str(found["remarks"]))
        if "too little to be worth a change" in remarks[-1]:
            return
    raise AssertionError(remarks)


def test_a_file_that_is_replaced_is_rewound(advice: Callable[[str], dict[str, object]]) -> None:
    assert changes(advice(REPLACED))["keep-open"]["lines"] == ["rewind (unit)", "endfile (unit)", "rewind (unit)"]


def test_a_file_that_is_appended_to_stays_open(advice: Callable[[str], dict[str, object]]) -> None:
    (line,) = changes(advice(APPENDED))["keep-open"]["lines"]  # type: ignore[misc]
    assert 'position="append"' in str(line)


def test_files_that_are_opened_once_are_not_opened_again(advice: Callable[[str], dict[str, object]]) -> None:
    written = "character(9) :: name\ndo i = 1, 1000\n   write (name, '(a,i0)') 'in', i\n   open (10, file=name)\n"
    found = changes(advice(f"{written}   write (10, *) i\n   close (10)\nend do"))
    assert "keep-open" not in found


def test_numbered_records_are_no_array(advice: Callable[[str], dict[str, object]]) -> None:
    assert "whole-arrays" not in changes(advice(NUMBERED))


def test_more_mpi_ranks_than_were_traced_keep_the_advice(headrace: Command, tmp_path: Path) -> None:
    body = "character(9) :: name\ndo i = 1, 1000\n   write (name, '(a,i0)') 'f', i\n   open (10, file=name)\n"
    compiled(tmp_path, "program", f"{body}   write (10, *) i\n   close (10)\nend do")
    assert headrace("trace", "--save", "t.headrace-trace", "./program").returncode == 0
    one, many = (
        changes(json.loads(headrace("advise", "--from", "t.headrace-trace", "--json", "-", *ranks).stdout)).keys()
        for ranks in ((), ("--ranks", "512", "--nodes", "4"))
    )
    assert ("fewer-files" in one) == ("fewer-files" in many)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("continue", "writes no file, and the command writes log.txt"),
        ("stop 3", "failed with exit code 3"),
    ],
)
def test_a_changed_program_that_does_not_do_it_strikes_nothing(
    body: str, said: str, headrace: Command, tmp_path: Path
) -> None:
    compiled(tmp_path, "program", FLUSHED)
    compiled(tmp_path, "changed", body)
    words = ("--try", "./program", "--changed", "flush-less=./changed", "--time-budget", "1", "--quiet")
    done = headrace("advise", *words, "--json", "-")
    assert done.returncode == 0, done.stderr
    tried = changes(json.loads(done.stdout))["flush-less"]["tried"]
    assert tried["outcome"] == "cannot tell" and said in tried["said"]  # type: ignore[index]


def test_a_changed_program_that_writes_something_else_is_named(headrace: Command, tmp_path: Path) -> None:
    compiled(tmp_path, "program", FLUSHED)
    compiled(tmp_path, "changed", FLUSHED.replace("   flush (10)\n", "").replace("write (10, *) i", "write (10, *) -i"))
    words = ("--try", "./program", "--changed", "flush-less=./changed", "--time-budget", "1", "--quiet")
    done = headrace("advise", *words)
    assert done.returncode == 0, done.stderr
    assert "the files differ from those of the command: log.txt" in " ".join(done.stdout.split()), done.stderr


SEEN = """call system_clock(clock)
call get_environment_variable("GFORTRAN_UNBUFFERED_ALL", status=j)
open (10, file="log.txt")
do i = 1, 3000
   write (10, *) i, {value}
end do
close (10)"""


@pytest.mark.parametrize(
    ("body", "changed", "variables", "failed"),
    [
        (APPENDED, APPENDED.replace('position="append"', 'position="rewind"'), {}, "keep-open"),
        (SEEN.format(value="j"), "", {"GFORTRAN_UNBUFFERED_ALL": "y"}, "unset-unbuffered"),
        (SEEN.format(value="clock"), "", {"GFORTRAN_UNBUFFERED_ALL": "y"}, ""),
    ],
    ids=["a changed program", "a setting", "a file that differs in every run"],
)
def test_other_files_are_a_failure_in_the_first_line(
    body: str, changed: str, variables: dict[str, str], failed: str, headrace: Command, tmp_path: Path
) -> None:
    compiled(tmp_path, "program", body)
    words = ["--try", "./program", "--time-budget", "0.3", "--no-probe", "--quiet"]
    if changed:
        compiled(tmp_path, "changed", changed)
        words += ["--changed", f"{failed}=./changed"]
    done = headrace("advise", *words, **variables)
    said = f"{failed} failed: the files differ from those of the command: log.txt" if failed else "1 MPI rank on 1 node"
    assert done.returncode == 0 and done.stdout.startswith(said), done.stdout + done.stderr
    assert ("Struck out" in done.stdout) == bool(failed)


def test_two_changed_programs_of_one_name_are_refused(headrace: Command, tmp_path: Path) -> None:
    compiled(tmp_path, "program", FLUSHED)
    twice = ("--changed", "flush-less=./program", "--changed", "flush-less=./program")
    done = headrace("advise", "--try", "./program", *twice)
    assert done.returncode == 2 and "given twice" in done.stderr


def test_costs_that_were_not_measured_are_said(headrace: Command, tmp_path: Path) -> None:
    compiled(tmp_path, "program", FLUSHED)
    assert headrace("trace", "--save", "t.headrace-trace", "./program").returncode == 0
    done = headrace("advise", "--from", "t.headrace-trace", "--dir", "/proc")
    assert "what calls cost was not measured" in " ".join(done.stdout.split())
