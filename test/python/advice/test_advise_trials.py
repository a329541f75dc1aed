"""`--try`: the verdict by simulation with known truth, and by trying the same thing twice; copies; planted causes."""

import json
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headrace.errors import HeadraceError
from headrace.settings.trials import copies as trials
from headrace.settings.trials.candidates import CONTROL, Candidate
from headrace.settings.trials.copies import LARGEST, Ran, copies
from headrace.settings.trials.trial import trial
from headrace.settings.trials.verdict import ERROR, judge, rounds_needed

Command = Callable[..., "subprocess.CompletedProcess[str]"]
QUIET = lambda text: None  # noqa: E731


class Machine:
    """Runs nothing: seconds with noise of a busy machine, which also drifts to twice its speed and back."""

    def __init__(self, seed: int, gains: dict[str, float] | None = None, noise: float = 0.1) -> None:
        self.random, self.gains, self.noise, self.count = random.Random(seed), gains or {}, noise, 0

    def __call__(self, candidate: Candidate) -> Ran:
        self.count += 1
        drift = 1 + 0.5 * ((self.count // 7) % 3)
        spike = 3.0 if self.random.random() < 0.05 else 1.0
        seconds = drift * spike * self.random.lognormvariate(0, self.noise)
        return Ran(seconds / self.gains.get(candidate.change, 1.0), 0)


FOUR = [Candidate(name) for name in ("a", "b", "c", "d")]


def test_trying_what_changes_nothing_finds_nothing() -> None:
    """At most one trial of twenty says that something of it is faster or slower."""
    wrong = 0
    for seed in range(400):
        found = trial(Machine(seed), FOUR, budget=100.0, seed=seed, say=QUIET)
        wrong += any(tried.outcome in ("gains", "slower") for tried in found.tried.values())
    assert wrong <= 0.05 * 400 + 2 * (0.05 * 0.95 * 400) ** 0.5, "within the error that is claimed"


@pytest.mark.parametrize(("factor", "least"), [(1.5, 0.9), (0.6, 0.9), (1.3, 0.8)])
def test_a_real_difference_is_found_with_an_interval_that_holds_it(factor: float, least: float) -> None:
    right, inside = 0, 0
    for seed in range(200):
        found = trial(Machine(seed, {"b": factor}), FOUR, budget=200.0, seed=seed, say=QUIET).tried["b"]
        right += found.outcome == ("gains" if factor > 1 else "slower")
        assert found.low is not None and found.high is not None
        inside += found.low <= factor <= found.high
    assert right >= least * 200 and inside >= 0.93 * 200


def test_the_number_of_rounds_is_what_the_confidence_needs() -> None:
    assert [rounds_needed(count) for count in (1, 2, 4, 8)] == [6, 7, 8, 9]
    few = judge([1.0] * 6, [0.5] * 6, 4)
    assert few.outcome == "cannot tell" and "8 rounds are needed" in few.said
    enough = judge([1.0] * 8, [0.5] * 8, 4)
    assert (enough.outcome, enough.factor, enough.confidence) == ("gains", 2.0, 1 - ERROR)
    assert judge([1.0] * 30, [0.995] * 30, 1).outcome == "gains nothing", "half a per cent is not worth a line"
    wide = judge([1.0, 2.0] * 15, [2.0, 1.0] * 15, 1)
    assert wide.outcome == "cannot tell" and "differ too much" in wide.said


def test_too_little_time_tries_the_most_promising_and_says_what_was_left_out() -> None:
    found = trial(lambda candidate: Ran(1.0, 0), FOUR, budget=25.0, seed=1, say=QUIET)
    assert [name for name, tried in found.tried.items() if tried.rounds] == ["a"]
    assert all("not tried" in found.tried[name].said for name in "bcd")
    none = trial(lambda candidate: Ran(1.0, 0), FOUR, budget=0.5, seed=1, say=QUIET)
    assert {tried.outcome for tried in none.tried.values()} == {"cannot tell"}


def test_a_candidate_that_fails_is_struck_out_and_the_others_go_on() -> None:
    def run(candidate: Candidate) -> Ran:
        return (
            Ran(0.5, 1, said="no such module")
            if candidate.change == "b"
            else Ran(0.5 if candidate.change == "a" else 1.0, 0)
        )

    found = trial(run, FOUR[:2], budget=100.0, seed=1, say=QUIET).tried
    assert found["a"].outcome == "gains" and found["a"].factor == 2.0
    assert found["b"].outcome == "failed" and "no such module" in found["b"].said
    with pytest.raises(HeadraceError, match="exit code 3"):
        trial(lambda candidate: Ran(0.1, 3), FOUR, budget=100.0, seed=1, say=QUIET)


def shell(text: str) -> list[str]:
    return ["sh", "-c", text]


def test_each_run_has_a_fresh_copy_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "input").write_text("1\n")
    with copies(tmp_path, shell("test ! -e mark && cat input && echo x > mark && echo $SETTING > said"), 60) as places:
        assert not places.run(Candidate("")).failed
        ran = places.run(Candidate("a", {"SETTING": "yes"}, files={"hints": "cb_nodes 2\n"}))
        assert not ran.failed and ran.seconds > 0
        assert not (tmp_path / "mark").exists()
        places.command = shell("exit 7")
        assert places.run(Candidate("")).code == 7
        places.command = shell('test "$ROMIO_HINTS" = "$PWD/hints" && cat "$ROMIO_HINTS" >&2; exit 5')
        assert (
            "cb_nodes 2" in places.run(Candidate("h", {"ROMIO_HINTS": "hints"}, files={"hints": "cb_nodes 2\n"})).said
        )
        places.command, places.limit = shell("sleep 60"), 0.2
        assert places.run(Candidate("")).code == 124
    assert [path.name for path in tmp_path.iterdir()] == ["input"]


def test_stripes_are_set_on_a_folder_of_our_own_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "old").write_text("1")
    lfs = tmp_path / "bin" / "lfs"
    lfs.write_text(f'#!/bin/sh\n{{ echo "$@"; ls -A "$4" | wc -l; }} >> {tmp_path}/told\n')
    lfs.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with copies(tmp_path / "data", shell("cat old"), 60) as places:
        assert not places.run(Candidate("stripe-count", stripes=-1)).failed
    words, files = (tmp_path / "told").read_text().splitlines()
    assert words.startswith("setstripe -c -1 ") and "headrace-scratch-" in words
    assert files.strip() == "0", "before its files exist"


def test_what_cannot_be_tried_is_refused(headrace: Command, tmp_path: Path) -> None:
    for options, said in (
        (("--try", "./none"), "--try ./none: there is no such program"),
        (("--try", "'"), "close the quotes"),
        (("--try", "no-such-program-at-all"), "no program of this name is in PATH"),
        (("--try", "sh -c 'exit 3'", "--format", "text"), "the command failed with exit code 3"),
        (("--try", "true", "--preset", "bench"), "leave one of them out"),
        (("--preset", "bench"), "--preset bench needs --ranks and --pattern"),
        (("--try", "true", "--site", "archer2"), "add --dir"),
        (("--changed", "flush-less=./p", "--format", "text"), "--changed is compared with the command of --try"),
        (("--try", "true", "--changed", "flush-less"), "expected NAME=COMMAND"),
        (("--try", "true", "--changed", "flush-less=./none"), "--changed ./none: there is no such program"),
    ):
        done = headrace("advise", *options, "--quiet")
        assert done.returncode == 2 and said in done.stderr, (options, done.stderr)
    with (tmp_path / "large").open("wb") as file:
        file.truncate(LARGEST + 1)
    done = headrace("advise", "--try", "true", "--quiet")
    assert done.returncode == 2 and "each run of --try is in a fresh copy of it" in done.stderr


RECORDS = """
program planted
   implicit none
   integer :: unit, i
   real(8) :: x(16)
   x = 1.5d0
   open (newunit=unit, file="records", form="unformatted", status="replace")
   do i = 1, {count}
      write (unit) x
   end do
   rewind unit
   do i = 1, {count}
      read (unit) x
   end do
   close (unit)
end program planted
"""
PLANTED = "program planted\nimplicit none\ninteger :: unit, i\nreal(8) :: x(16)\nx = 1.5d0\n{body}end program planted\n"
CAUSES = {  # what is planted, and the name of the item that removes it
    "text": (
        'open (newunit=unit, file="a", status="replace")\ndo i = 1, 60000\nwrite (unit, "(16es23.15)") x\nend do\n',
        "binary-file",
    ),
    "flush": (
        'open (newunit=unit, file="a", form="unformatted", status="replace")\n'
        "do i = 1, 60000\nwrite (unit) x\nflush (unit)\nend do\n",
        "flush-less",
    ),
    "reopen": (
        "do i = 1, 6000\n"
        'open (newunit=unit, file="a", form="unformatted", position="append")\nwrite (unit) x\nclose (unit)\nend do\n',
        "keep-open",
    ),
    "nothing": (
        'open (newunit=unit, file="a", form="unformatted", status="replace")\n'
        "do i = 1, 60000\nwrite (unit) x\nend do\n",
        "",
    ),
}


def compiled(folder: Path, text: str) -> Path:
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not installed")
    (folder / "planted.f90").write_text(text)
    subprocess.run(["gfortran", "-g", "planted.f90", "-o", "planted"], cwd=folder, check=True)
    return folder / "planted"


def test_unbuffered_records_are_found_predicted_and_measured(headrace: Command, tmp_path: Path) -> None:
    compiled(tmp_path, RECORDS.format(count=3000))
    for _ in range(3):  # what else the machine does moves one of both now and then
        done = headrace(
            "advise", "--try", "./planted", "--time-budget", "15", "--quiet", "--json", "-", GFORTRAN_UNBUFFERED_ALL="y"
        )
        assert done.returncode == 0, done.stderr
        item = json.loads(done.stdout)["items"][0]
        assert item["change"] == "unset-unbuffered" and item["gain"]["known"] == "model"
        assert item["tried"]["outcome"] == "gains"
        gain, tried = item["gain"], item["tried"]
        if gain["low"] < tried["high"] and tried["low"] < gain["high"]:
            break
    assert gain["low"] < tried["high"] and tried["low"] < gain["high"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["planted", "planted.f90"]


def test_text_is_found_and_what_can_be_done_from_outside_is_measured(headrace: Command, tmp_path: Path) -> None:
    body = CAUSES["text"][0].replace("60000", "4000")
    compiled(tmp_path, PLANTED.format(body=body))
    done = headrace("advise", "--try", "./planted", "--time-budget", "15", "--quiet", "--json", "-")
    assert done.returncode == 0, done.stderr
    found = {item["change"]: item for item in json.loads(done.stdout)["items"]}
    item = found["headrace-run"]
    assert next(iter(found)) == "binary-file" and item["tried"]["outcome"] == "gains"
    # What else the machine does moves both: they meet, or nearly so.
    assert item["gain"]["low"] < 1.5 * item["tried"]["high"] and item["tried"]["low"] < 1.5 * item["gain"]["high"]


def test_the_same_program_without_the_variable_gets_no_advice(headrace: Command, tmp_path: Path) -> None:
    compiled(tmp_path, RECORDS.format(count=5000))
    done = headrace("advise", "--try", "./planted", "--time-budget", "5", "--quiet", "--json", "-")
    assert done.returncode == 0 and json.loads(done.stdout)["items"] == []


@pytest.mark.parametrize("cause", CAUSES)
def test_the_first_advice_is_the_cause_that_was_planted(headrace: Command, tmp_path: Path, cause: str) -> None:
    body, change = CAUSES[cause]
    compiled(tmp_path, PLANTED.format(body=body))
    expected = [change] if change else []
    for _ in range(3):  # what else the machine does looks like a cause now and then
        traced = headrace("trace", "--save", "t.headrace-trace", "--no-advice", "--output", "out", "./planted")
        assert traced.returncode == 0, traced.stderr
        done = headrace("advise", "--from", "t.headrace-trace", "--json", "-")
        assert done.returncode == 0, done.stderr
        found = [item["change"] for item in json.loads(done.stdout)["items"]][:1]
        if found == expected:
            break
        (tmp_path / "t.headrace-trace").unlink()
    assert found == expected


def test_the_control_is_part_of_what_a_trial_finds() -> None:
    found = trial(Machine(1), FOUR[:1], budget=100.0, seed=1, say=QUIET)
    assert CONTROL not in found.tried and "the same thing twice" in found.remarks[0]


def test_a_program_that_has_just_started_ends_with_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Popen(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            started.append(self)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(trials.subprocess, "Popen", Popen)
    with pytest.raises(KeyboardInterrupt), copies(tmp_path, ["sleep", "60"], 60) as places:
        places.run(Candidate(""))
    assert started[0].poll() == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []
