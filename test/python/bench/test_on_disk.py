"""Lies about what was written: no file, half of one, one on another file system, an fsync that does nothing."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from headrace.measure.build import build_family
from headrace.measure.catalogue import all_mechanisms
from headrace.measure.compilers import find_compilers, runtime_variables
from headrace.measure.measurement import contents_of
from headrace.measure.on_disk import dirty_bytes
from headrace.measure.process import Contents, Report, Request, run_process

PAYLOAD = 8000

# Says what the harness says of 1,000 values that were written and read back well.
LIAR = """#!{python}
import os, pathlib, sys
given = dict(word.split("=", 1) for word in sys.argv[1:])
file = pathlib.Path(given["file"])
{deed}
times = " ".join(f"{{name}}=1.0e-3" for name in "begin open transfer close sync total user system calls".split())
for word in ("write", "read"):
    print(f"{{word}} pass=1 {{times}}")
print("file bytes={payload} values=1000 payload={payload}")
print("verify result=equal")
"""


def told(tmp_path: Path, deed: str, contents: Contents = "binary") -> Report:
    liar = tmp_path / "liar"
    liar.write_text(LIAR.format(python=sys.executable, deed=deed, payload=PAYLOAD))
    liar.chmod(0o755)
    folder = tmp_path / "scratch"
    folder.mkdir()
    report = run_process(liar, Request("whole", 1000, folder / "x.dat", contents=contents), {}, 60)
    assert list(folder.iterdir()) == []
    return report


def test_a_file_that_is_there_is_measured(tmp_path: Path) -> None:
    report = told(tmp_path, f"file.write_bytes(bytes({PAYLOAD}))")
    assert report.outcome == "measured" and report.verified and report.file_bytes == PAYLOAD


@pytest.mark.parametrize("contents", ["binary", "text"])
def test_no_file_is_wrong(tmp_path: Path, contents: Contents) -> None:
    report = told(tmp_path, "pass", contents)
    assert report.outcome == "wrong" and "no file was written" in report.message


def test_half_a_file_is_wrong(tmp_path: Path) -> None:
    report = told(tmp_path, f"file.write_bytes(bytes({PAYLOAD // 2}))")
    assert report.outcome == "wrong" and "holds 4,000 bytes, the array needs 8,000 at least" in report.message


def test_text_of_less_than_a_digit_and_a_blank_a_value_is_wrong(tmp_path: Path) -> None:
    report = told(tmp_path, "file.write_text('1 ' * 999)", "text")
    assert report.outcome == "wrong" and "holds 1,998 bytes" in report.message


def test_a_file_on_another_file_system_is_wrong(tmp_path: Path) -> None:
    other = next(path for path in ("/dev/shm", "/proc", "/") if Path(path).stat().st_dev != tmp_path.stat().st_dev)
    there = "/proc/self/status" if other == "/proc" else f"{other}/headrace-{os.getpid()}.dat"
    deed = f"file.symlink_to({there!r}); {there!r}.startswith('/proc') or file.write_bytes(bytes({PAYLOAD}))"
    try:
        report = told(tmp_path, deed)
    finally:
        if other != "/proc":
            Path(there).unlink(missing_ok=True)
    assert report.outcome == "wrong" and "another file system" in report.message


def test_families_without_files_are_not_looked_at(tmp_path: Path) -> None:
    assert told(tmp_path, "pass", "none").outcome == "measured"
    assert {m.family for m in all_mechanisms() if contents_of(m.family) == "none"} == {"null", "memory"}


def test_dirty_bytes_go_with_fsync(tmp_path: Path) -> None:
    """-1 if the kernel does not tell; on tmpfs nothing is ever dirty."""
    file = tmp_path / "x"
    with file.open("wb") as stream:
        stream.write(bytes(1 << 20))
        stream.flush()
        os.fsync(stream.fileno())
    assert dirty_bytes(file) in (0, -1)
    assert dirty_bytes(tmp_path / "none") == -1


@pytest.fixture
def shim(tmp_path: Path) -> Callable[[str], Path]:
    def build(source: str) -> Path:
        (tmp_path / "shim.c").write_text(source)
        command = ["cc", "-shared", "-fPIC", "-o", "shim.so", "shim.c"]
        subprocess.run(command, cwd=tmp_path, check=True)
        return tmp_path / "shim.so"

    return build


@pytest.mark.skipif(not find_compilers(), reason="no Fortran compiler is installed")
@pytest.mark.parametrize("honest", [True, False])
def test_an_fsync_that_does_nothing_is_wrong(tmp_path: Path, shim: Callable[[str], Path], honest: bool) -> None:
    program = build_family(find_compilers()[0], "stream").executable
    assert program
    library = shim("int fsync(int d) { (void)d; return 0; } int fdatasync(int d) { (void)d; return 0; }")
    environment = {} if honest else {"LD_PRELOAD": str(library)}
    (tmp_path / "scratch").mkdir()
    file = tmp_path / "scratch" / "x.dat"
    (file.parent / "probe").write_bytes(bytes(1 << 20))
    seen = dirty_bytes(file.parent / "probe") > 0  # this file system and kernel tell
    request = Request("whole", 300_000, file, passes=1, synced=True, contents="binary")
    report = run_process(program, request, environment, 60)
    if honest or not seen:
        assert report.outcome == "measured", report.message
    else:
        assert report.outcome == "wrong" and "after fsync: it did nothing" in report.message


def test_preloaded_libraries_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/lib/liar.so")
    assert runtime_variables()["LD_PRELOAD"] == "/lib/liar.so"
