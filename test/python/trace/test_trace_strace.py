"""The totals of a trace are those that strace counts of the same program without the tracer."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from trace_runs import FLANG, LONG, STANDARD_INPUT, TRUTH, Build, compiled, run, tool

pytest_plugins = ("trace_interposer",)

CALLS = {
    **dict.fromkeys(("write", "writev", "pwrite64"), "write"),
    **dict.fromkeys(("read", "readv", "pread64"), "read"),
    "lseek": "seek",
}
FIELDS = {"write": "writes", "read": "reads", "seek": "seeks", "write bytes": "written", "read bytes": "read"}
LINE = re.compile(r"^\d+\s+(\w+)\((\d+)<([^>]*)>.*\)\s+= (-?\d+)")
OTHERS = ("/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/urandom")  # the loader's, and what libraries look up

BUILDS = [Build("gfortran", ("-O2",)), Build(FLANG, ("-O2",))]
if LONG:
    BUILDS += [Build("gfortran", (option,)) for option in ("-O0", "-static-libgfortran")]


def counted(program: Path, folder: Path) -> Counter[str]:
    """Calls and bytes of the program alone, by strace -f."""
    folder.mkdir()
    log = folder / "calls"
    work = folder / "work"
    work.mkdir()
    subprocess.run(
        [tool("strace"), "-f", "-y", "-e", f"trace={','.join(CALLS)}", "-o", str(log), str(program)],
        input=STANDARD_INPUT.encode(),
        capture_output=True,
        cwd=work,
        timeout=120,
        check=False,
    )
    found: Counter[str] = Counter()
    for line in log.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if match is None or match[3].startswith(OTHERS):
            continue
        kind, result = CALLS[match[1]], int(match[4])
        found[kind] += 1
        if kind != "seek" and result > 0:
            found[f"{kind} bytes"] += result
    return found


@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_calls_and_bytes_are_those_of_strace(build: Build, interposer: Path, tmp_path: Path) -> None:
    program = compiled(build, TRUTH, tmp_path / "build" / "truth")
    expected = counted(program, tmp_path / "strace")
    traced: Counter[str] = Counter()
    for profile in run(program, tmp_path / "traced", interposer).profiles:
        for record in profile.records:
            for name, field in FIELDS.items():
                traced[name] += record.numbers[field]
    assert traced == expected and traced["write"] > 100 and traced["read"] > 10
