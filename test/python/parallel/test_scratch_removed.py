"""Somebody removes the scratch directory of a run: what was measured by then is kept, in every benchmark."""

import shutil
import time
from pathlib import Path

import pytest

from conftest import start_and_await
from headrace.results.comparable import measured_rows
from headrace.results.files import load_any
from headrace.results.run import Compiler
from test_parallel_bench import BASE

LONG = ("--min-time", "0.001", "--rounds", "300", "--time-budget", "300", "--dir", ".", "--json", "r.json")
RUNS = {
    "bench text": ("bench", "text", "--size", "2e4", "--hex-table", "0", "--without", "numpy,pandas,polars,pyarrow"),
    "bench binary": ("bench", "binary", "--values", "2e4", "--only", "write_vs_raw", "--only", "read_vs_raw"),
    "bench trace": ("bench", "trace", "--fc", "gfortran"),
    "bench run": ("bench", "run", "--fc", "gfortran", "--only", "write_a,no_advance"),
    "bench parallel": (*BASE, "--size", "1MiB", "--ranks", "2", "--method", "mpiio:collective"),
}


@pytest.mark.parametrize("command", RUNS)
def test_what_was_measured_is_kept(tmp_path: Path, gnu: Compiler, command: str) -> None:
    slow = {"FAKE_TRICK": "slow"} if command == "bench parallel" else {}
    process = start_and_await("round 3: ", tmp_path, *RUNS[command], *LONG, **slow)
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:  # also what a worker makes meanwhile
        for path in tmp_path.glob("headrace-scratch-*"):
            shutil.rmtree(path, ignore_errors=True)
        time.sleep(0.01)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in output + errors
    found = load_any(tmp_path / "r.json")
    assert any(len(row.samples) >= 2 for row in found.rows)
    assert not found.complete and any("ended early" in note for note in found.notes)
    assert measured_rows(found)
