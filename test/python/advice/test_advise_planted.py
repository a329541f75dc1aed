"""Planted causes, predicted from one trace and measured in another: programs with the cause, and the same without it.

Each takes some ten seconds: with HEADRACE_TEST_LONG=1 all five, else none is measured, only the table is checked.
"""

import json
import os
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import COMPILERS

Command = Callable[..., "subprocess.CompletedProcess[str]"]
LONG = bool(os.environ.get("HEADRACE_TEST_LONG"))
OPENED = 'open (newunit=unit, file="a", form="unformatted", status="replace")\n'
RECORDS = OPENED + "do i = 1, 60000\nwrite (unit) x\n{more}end do\n"
PLAIN = RECORDS.format(more="")
STREAM = 'open (newunit=unit, file="a", form="unformatted", access="stream")\n'
UNBUFFERED = {"GFORTRAN_UNBUFFERED_ALL": "y"}
# With the cause, without it, the variables of the first, and the name of the item.
CAUSES: dict[str, tuple[str, str, dict[str, str], str]] = {
    "text": (
        'open (newunit=unit, file="a", status="replace")\ndo i = 1, 60000\nwrite (unit, "(16es23.15)") x\nend do\n',
        PLAIN,
        {},
        "binary-file",
    ),
    "flush": (RECORDS.format(more="flush (unit)\n"), PLAIN, {}, "flush-less"),
    "reopen": (
        "do i = 1, 6000\n"
        'open (newunit=unit, file="a", form="unformatted", position="append")\nwrite (unit) x\nclose (unit)\nend do\n',
        PLAIN.replace("60000", "6000"),
        {},
        "keep-open",
    ),
    "element": (
        STREAM + "do i = 1, 2000000\nwrite (unit) x(1)\nend do\n",
        STREAM + "block\nreal(8) :: y(2000000)\ny = 1.5d0\nwrite (unit) y\nend block\n",
        {},
        "whole-arrays",
    ),
    "unbuffered": (PLAIN, PLAIN, UNBUFFERED, "unset-unbuffered"),
}
PROGRAM = "program planted\nimplicit none\ninteger :: unit, i\nreal(8) :: x(16)\nx = 1.5d0\n{body}end program planted\n"


def traced(headrace: Command, folder: Path, body: str, variables: dict[str, str], runs: int) -> float:
    """Seconds in I/O: the median of so many runs; the trace of the last is kept as t.headrace-trace."""
    (folder / "p.f90").write_text(PROGRAM.format(body=body))
    subprocess.run(["gfortran", "-g", "-O1", "p.f90", "-o", "p"], cwd=folder, check=True)
    seconds = []
    for _ in range(runs):
        (folder / "a").unlink(missing_ok=True)
        (folder / "t.headrace-trace").unlink(missing_ok=True)
        words = ("--json", "t.json", "--output", "out", "--save", "t.headrace-trace", "./p")
        done = headrace("trace", *words, **variables)
        assert done.returncode == 0, done.stderr
        lines = json.loads((folder / "t.json").read_text())["lines"]
        seconds.append(sum(line["seconds_exclusive"] for line in lines if line["statement"] != "run time"))
    return statistics.median(seconds)


def test_every_planted_cause_has_an_item_of_its_own() -> None:
    assert len({change for *_, change in CAUSES.values()}) == len(CAUSES) == 5


if LONG and COMPILERS:

    @pytest.mark.parametrize("cause", CAUSES)
    def test_the_gain_is_predicted_within_a_factor_of_two(headrace: Command, tmp_path: Path, cause: str) -> None:
        body, better, variables, change = CAUSES[cause]
        before = traced(headrace, tmp_path, body, variables, 7)
        done = headrace("advise", "--from", "t.headrace-trace", "--json", "-", **variables)
        assert done.returncode == 0, done.stderr
        first = json.loads(done.stdout)["items"][0]
        after = traced(headrace, tmp_path, better, {}, 7)
        assert first["change"] == change and first["gain"]["known"] == "model"
        assert 0.5 < first["gain"]["factor"] / (before / after) < 2, (first["gain"]["factor"], before / after)
