"""Scratch directories of other runs: removed only if their writer has certainly ended."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace.measure import scratch
from headrace.measure.scratch import remove_stale, scratch_directory, unused_name

HOLD = """
import sys
from pathlib import Path
from headrace.measure.scratch import scratch_directory
with scratch_directory(Path(sys.argv[1])) as path:
    (path / "data").write_text("x")
    print(path, flush=True)
    sys.stdin.read()
"""


def holder(folder: Path, *prefix: str) -> tuple["subprocess.Popen[str]", Path]:
    """A process with a scratch directory in `folder`, which it has until its input ends."""
    process = subprocess.Popen(
        [*prefix, sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    return process, Path(process.stdout.readline().strip())


def renamed(path: Path, **parts: str) -> Path:
    """The directory as a process of another number, boot or namespace would have named it."""
    begin, boot, namespace, process, end = path.name.rsplit("-", 4)
    words = {"boot": boot, "namespace": namespace, "process": process} | parts
    return path.rename(path.with_name(f"{begin}-{words['boot']}-{words['namespace']}-{words['process']}-{end}"))


@pytest.mark.parametrize(
    "parts",
    [{}, {"process": "999999999"}, {"namespace": "1"}, {"namespace": "1", "process": "999999999"}],
    ids=["its process runs", "no such process here", "another namespace", "both"],
)
def test_a_directory_whose_lock_is_held_stays(tmp_path: Path, parts: dict[str, str]) -> None:
    """In another PID namespace the writer's number means nothing: here it is held by a process of another number."""
    process, path = holder(tmp_path)
    path = renamed(path, **parts)
    remove_stale(tmp_path)
    assert (path / "data").read_text() == "x"
    process.kill()
    process.wait()
    remove_stale(tmp_path)
    assert not path.exists()


def test_a_live_run_in_another_pid_namespace_keeps_its_directory(tmp_path: Path) -> None:
    apart = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if not shutil.which("unshare") or subprocess.run([*apart, "true"], capture_output=True).returncode:
        apart = []  # no namespaces here: the case above stands for it
    process, path = holder(tmp_path, *apart)
    remove_stale(tmp_path)
    assert (path / "data").read_text() == "x"
    process.kill()
    process.wait()


def test_directories_of_other_hosts_and_of_other_programs_stay(tmp_path: Path) -> None:
    with scratch_directory(tmp_path) as path:
        name = path.name
    for other in ("headrace-scratch-other-" + name.split("-", 3)[3], "headrace-scratch-data", "headrace-scratch-h-1-x"):
        (tmp_path / other).mkdir()
    remove_stale(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_what_another_boot_left_goes_after_a_day(tmp_path: Path) -> None:
    with scratch_directory(tmp_path) as path:
        name = path.name
    old = renamed_copy(tmp_path / name, "abcdef012345")
    remove_stale(tmp_path)
    assert old.exists(), "a host of the same name may have just begun"
    os.utime(old, (time.time() - 2 * scratch.DAY,) * 2)
    remove_stale(tmp_path)
    assert not old.exists()


def renamed_copy(path: Path, boot: str) -> Path:
    path.mkdir()
    return renamed(path, boot=boot)


def test_without_locks_only_an_ended_process_of_this_namespace_is_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(descriptor: int, operation: int) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(scratch.fcntl, "flock", no_locks)
    with scratch_directory(tmp_path) as mine:
        name = mine.name
        dead = renamed_other(tmp_path, name, process="999999999")
        elsewhere = renamed_other(tmp_path, name, namespace="1", process="999999999")
        remove_stale(tmp_path)
        assert mine.exists() and elsewhere.exists() and not dead.exists()


def renamed_other(folder: Path, name: str, **parts: str) -> Path:
    path = folder / f"{name[:-2]}{len(list(folder.iterdir()))}x"
    path.mkdir()
    return renamed(path, **parts)


def test_a_name_is_given_once(tmp_path: Path) -> None:
    names = [unused_name(tmp_path, "headrace-1", ".json").name for _ in range(3)]
    assert names == ["headrace-1.json", "headrace-1-2.json", "headrace-1-3.json"]


def test_a_run_that_clears_up_takes_no_directory_that_another_has_just_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forced order: A makes its directory, B takes it for unused, A locks it, B removes it."""
    made, judged, locked = threading.Event(), threading.Event(), threading.Event()
    make, remove = tempfile.mkdtemp, shutil.rmtree

    def mkdtemp(**options: Path | str) -> str:
        path = make(**options)  # type: ignore[call-overload]
        if not made.is_set():
            made.set()
            judged.wait(20)
        return str(path)

    def rmtree(path: Path, ignore_errors: bool) -> None:
        if threading.current_thread() is other:
            judged.set()
            locked.wait(20)
        remove(path, ignore_errors=ignore_errors)

    def clear() -> None:
        made.wait(20)
        remove_stale(tmp_path)

    other = threading.Thread(target=clear)
    monkeypatch.setattr(scratch.tempfile, "mkdtemp", mkdtemp)
    monkeypatch.setattr(scratch.shutil, "rmtree", rmtree)
    other.start()
    with scratch_directory(tmp_path) as mine:
        (mine / "data").write_text("x")
        locked.set()
        other.join()
        assert judged.is_set() and (mine / "data").read_text() == "x"
    assert list(tmp_path.iterdir()) == []


BEGIN_OFTEN = """
import sys, time
from pathlib import Path
from headrace.measure.scratch import scratch_directory
folder, count = Path(sys.argv[1]), 0
print("ready", flush=True)
sys.stdin.readline()
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end or not count:
    with scratch_directory(folder) as path:
        (path / "data").write_text("x")
        time.sleep(0.001)
        assert (path / "data").read_text() == "x"
    count += 1
print(count)
"""


def test_runs_that_begin_at_once_keep_their_directories(tmp_path: Path) -> None:
    seconds = 10.0 if os.environ.get("HEADRACE_TEST_LONG") else 1.0
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN_OFTEN, str(tmp_path), str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    for run in runs:
        assert run.stdout and run.stdout.readline() == "ready\n"
    for run in runs:
        assert run.stdin
        run.stdin.write("\n")
        run.stdin.flush()
    for run in runs:
        output, errors = run.communicate(timeout=120)
        assert run.returncode == 0, errors
        assert int(output) > 0
    assert list(tmp_path.iterdir()) == []


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture
def interrupts() -> Iterator[None]:
    """As the command line answers signals."""
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    for number in SIGNALS:
        signal.signal(number, interrupt)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("moment", ["made", "removed"])
def test_a_signal_at_the_worst_moment_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupts: None, number: signal.Signals, moment: str
) -> None:
    """Right behind mkdir nobody knows the name; half way through rmtree the rest would stay."""
    make, remove = tempfile.mkdtemp, shutil.rmtree

    def mkdtemp(**options: Path | str) -> str:
        path = make(**options)  # type: ignore[call-overload]
        if moment == "made":
            signal.raise_signal(number)
        return str(path)

    def rmtree(path: Path, ignore_errors: bool) -> None:
        if moment == "removed":
            signal.raise_signal(number)
        remove(path, ignore_errors=ignore_errors)

    monkeypatch.setattr(scratch.tempfile, "mkdtemp", mkdtemp)
    monkeypatch.setattr(scratch.shutil, "rmtree", rmtree)
    handlers = [signal.getsignal(number) for number in SIGNALS]
    with pytest.raises(KeyboardInterrupt), scratch_directory(tmp_path) as mine:
        (mine / "data").write_text("x")
    assert list(tmp_path.iterdir()) == []
    assert [signal.getsignal(number) for number in SIGNALS] == handlers
