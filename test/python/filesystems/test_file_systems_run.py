"""`python -m filesystems` leaves nothing behind, whatever ends it, and says what it needs."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from filesystems.planted import why_not

TESTS = Path(__file__).resolve().parents[2]
needs_mount = pytest.mark.skipif(bool(why_not()), reason=f"no planted file system: {why_not()}")


def started(folder: Path, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "filesystems", *words],
        cwd=TESTS,
        env=os.environ | {"TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def allows_worlds() -> bool:
    words = ["unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", "ip", "link", "set", "lo", "up"]
    return shutil.which("unshare") is not None and subprocess.run(words, capture_output=True).returncode == 0


@needs_mount
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_a_signal_leaves_no_mount_no_process_and_no_file(number: signal.Signals, tmp_path: Path) -> None:
    if not allows_worlds():
        pytest.skip("no planted file system: namespaces are not allowed here")
    runner = started(tmp_path, "--skip-bench", "--only", "planted costs")
    assert runner.stdout is not None
    assert runner.stdout.readline() == "planted costs: mounted\n"
    runner.send_signal(number)
    runner.stdout.read()  # to the end: whoever has its output open has ended too
    assert runner.wait(30) != 0
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    ends = time.monotonic() + 30  # the kernel ends what is left in the namespace, and takes a moment
    while (running := processes_of(tmp_path)) and time.monotonic() < ends:
        time.sleep(0.05)
    assert running == []
    if number != signal.SIGKILL:  # which nobody can handle
        assert list(tmp_path.iterdir()) == []


def processes_of(folder: Path) -> list[str]:
    return [path.parent.name for path in Path("/proc").glob("[0-9]*/cmdline") if str(folder) in command(path)]


def command(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # it has ended
        return ""


def test_without_root_it_says_so(tmp_path: Path) -> None:
    """As root this process tells itself that it is somebody else."""
    source = "import os, sys; os.geteuid = lambda: 1000; from filesystems.__main__ import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", source], cwd=TESTS, capture_output=True, text=True)
    assert done.returncode == 2 and "only root can mount file systems" in done.stderr


def test_a_file_system_that_it_does_not_have_is_refused_with_the_names(tmp_path: Path) -> None:
    runner = started(tmp_path, "--only", "zfs")
    output, _ = runner.communicate(timeout=60)
    assert runner.returncode == 2 and "'xfs'" in output and "'glusterfs'" in output
