"""Signals while a library call writes: Ctrl-C waits for the call, what kills the process leaves the old file."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import headrace

# The same row again and again takes no memory. After the call it waits, so that the signal always finds it.
WRITE = """
import os, signal, sys, time
import numpy as np
import headrace

signal.signal(signal.SIGINT, signal.default_int_handler)
os.nice(5)  # the one that waits goes first
rows = np.broadcast_to(np.linspace(0.1, 0.7, 4), (int(sys.argv[2]), 4))
try:
    headrace.write_text(sys.argv[1], rows)
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def signal_while_writing(file: Path, rows: int, number: signal.Signals) -> tuple[int, str]:
    """Send the signal when the temporary file is seen to grow; the exit code and what was printed."""
    script = [sys.executable, "-c", WRITE, str(file), str(rows)]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not growing(file) and not whole(file):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.001)
        process.send_signal(number)
        printed, _ = process.communicate(timeout=60)
        return process.returncode, printed


def temporaries(file: Path) -> list[Path]:
    return [entry for entry in file.parent.iterdir() if entry.name.startswith(f"{file.name}.headrace-")]


def growing(file: Path) -> bool:
    try:
        return any(temporary.stat().st_size > 0 for temporary in temporaries(file))
    except FileNotFoundError:  # it has just got its name
        return True


def whole(file: Path) -> bool:
    return file.stat().st_size != len("old\n")


def test_control_c_is_raised_when_the_call_is_done_and_the_file_complete(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("old\n")
    assert signal_while_writing(file, 1_000_000, signal.SIGINT) == (0, "interrupted\n")
    assert temporaries(file) == []
    x = headrace.read_text(file)
    assert x.shape == (1_000_000, 4)
    assert np.array_equal(x[-1], np.linspace(0.1, 0.7, 4))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_signals_that_end_the_process_leave_the_old_file_and_a_temporary(
    tmp_path: Path, number: signal.Signals
) -> None:
    file = tmp_path / "x.csv"
    file.write_text("old\n")
    code, _ = signal_while_writing(file, 20_000_000, number)
    assert code == -number
    assert file.read_text() == "old\n"
    assert [entry.name.endswith(".tmp") for entry in temporaries(file)] == [True]
