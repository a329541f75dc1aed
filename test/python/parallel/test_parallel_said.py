"""What `headrace bench parallel` says beside its figures: of hints, calls of MPI-IO and rounds. No MPI is needed."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from test_parallel_bench import BASE, SMALL, TALKING, load

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def test_enough_rounds_earn_no_sentence_about_few(headrace: Command) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--method", "mpiio:collective")
    assert done.returncode == 0 and "fewer than 6 rounds" not in done.stdout, done.stderr
    assert re.search(r"layout; [0-9]+( to [0-9]+)? rounds a row; every value", done.stdout)
    said = " ".join(headrace("bench", "parallel", "--help").stdout.split())
    assert "The last line of the output says how many rounds a row got" in said


def test_hints_and_variables_are_varied(headrace: Command, tmp_path: Path) -> None:
    vary = ("--vary", "cb_nodes=1,2", "--vary", "env:OMPI_MCA_io=ompio,romio321")
    options = ("--method", "mpiio:collective", "--hints", "striping_factor=8", "--json", "r.json")
    done = headrace(*BASE, *SMALL, "--ranks", "2", *vary, *options)
    assert done.returncode == 0, done.stderr
    run = load(tmp_path / "r.json")
    varied = {row.way: row for row in run.rows if "cb_nodes" in row.way and row.operation == "write"}
    assert set(varied) == {
        f"mpiio:collective, OMPI_MCA_io={module},cb_nodes={count}"
        for module in ("ompio", "romio321")
        for count in (1, 2)
    }
    fast = varied["mpiio:collective, OMPI_MCA_io=romio321,cb_nodes=2"]
    assert fast.environment == {"OMPI_MCA_io": "romio321"}
    assert fast.hints_asked == "striping_factor=8,cb_nodes=2" and fast.hints_ignored == "striping_factor=8"
    slow = varied["mpiio:collective, OMPI_MCA_io=ompio,cb_nodes=1"]
    assert fast.statistics and slow.statistics and fast.statistics.median > slow.statistics.median
    assert "ignored: striping_factor=8" in done.stdout


@pytest.mark.parametrize(
    ("trick", "fate"),
    [("", "in force: cb_nodes=1; ignored: striping_factor=8"), ("mute", "not known (the library that wrote the file")],
)
def test_every_hint_that_was_asked_for_has_its_fate(headrace: Command, tmp_path: Path, trick: str, fate: str) -> None:
    options = ("--method", "mpiio:collective", "--hints", "cb_nodes=1,striping_factor=8", "--json", "r.json")
    done = headrace(*BASE, *SMALL, "--ranks", "2", *options, "--report", "r.html", FAKE_TRICK=trick)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("hints of "))
    assert line.startswith(f"hints of mpiio:collective: {fate}"), done.stdout
    assert fate in (tmp_path / "r.html").read_text()
    unknown = {row.hints_unknown for row in load(tmp_path / "r.json").rows if row.hints_asked}
    assert unknown == {"cb_nodes=1,striping_factor=8" if trick else ""}


def test_hints_that_no_chosen_method_takes_are_told_before_anything_is_measured(
    headrace: Command, tmp_path: Path
) -> None:
    options = ("--ranks", "2", "--method", "headrace:zarr:file_per_process", "--json", "r.json")
    said = "--hints cb_nodes=2 and --vary striping_factor=... reach no method that was chosen: "
    done = headrace(*BASE, *TALKING, *options, "--hints", "cb_nodes=2", "--vary", "striping_factor=1,2")
    assert done.returncode == 0, done.stderr
    assert 0 < done.stderr.index(f"headrace: warning: {said}") < done.stderr.index("measuring: ")
    assert said in " ".join(done.stdout.split()) and said in load(tmp_path / "r.json").notes[-1]
    for more in ((), ("--method", "mpiio:collective", "--hints", "cb_nodes=2")):
        done = headrace(*BASE, *SMALL, *options, *more)
        assert done.returncode == 0 and "warning" not in done.stderr and "no method" not in done.stdout


@pytest.mark.parametrize(
    ("method", "trick", "is_said"),
    [
        ("headrace:npy:shared_collective:library", "apart", True),
        ("headrace:npy:shared_collective:library", "", False),
        ("headrace:npy:shared_independent:library", "apart", False),
        ("mpiio:collective", "apart", False),
    ],
)
def test_collective_rows_without_collective_calls_are_explained_below_the_table(
    headrace: Command, tmp_path: Path, method: str, trick: str, is_said: bool
) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--method", method, "--report", "r.html", FAKE_TRICK=trick)
    assert done.returncode == 0, done.stderr
    said = (
        "0 collective calls in a row of headrace named collective: the blocks of the MPI ranks lie one behind the other"
    )
    output = " ".join(done.stdout.split())
    assert output.count(said) == is_said
    assert not is_said or output.index("MPI-IO calls, all MPI ranks") < output.index(said) < output.index("absent: ")
    assert ("0 collective calls in a row of headrace" in (tmp_path / "r.html").read_text()) == is_said
