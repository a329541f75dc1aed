"""The races of test/benchmarks that are written in Python run: one round with small data, without judging times."""

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY

RACES = {
    "mixed_tables.py": ("--rows", "200", "--threads", "1", "--rounds", "1"),
    "many_arrays_h5py.py": ("3", "8192", "1"),
}


@pytest.mark.parametrize("name", RACES)
def test_a_race_runs(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(REPOSITORY / "test" / "benchmarks" / name), *RACES[name]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert any(word.replace(".", "").isdigit() for word in done.stdout.split()), "figures are printed"
