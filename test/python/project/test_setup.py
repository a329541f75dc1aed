"""The scripts behind `make`: what they say while they work."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder in which the scripts can be tried."""
    (tmp_path / "setup").symlink_to(REPOSITORY / "setup")
    return tmp_path


def run(folder: Path, text: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", f". setup/common.sh; {text}"], cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_a_long_step_says_what_it_does(shell: Path) -> None:
    """The step ends when it has been told that it is at it, not after a time."""
    step = 'echo "[1/2] Building a"; while ! [ -e told ]; do sleep 0.1; done; echo "[2/2] Building b"'
    text = f"""tell_every=0.2; say() {{ printf "headrace: %s\\n" "$*"; case $* in *Building*) : >told;; esac; }}
logged build "building" sh -c '{step}'"""
    done = run(shell, text)
    said = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert said[0] == "headrace: building ..." and said[1].endswith("s so far: [1/2] Building a"), said
    assert (shell / "build" / "setup" / "build.log").read_text() == "[1/2] Building a\n[2/2] Building b\n"


def test_a_step_that_fails_shows_the_end_of_its_log(shell: Path) -> None:
    done = run(shell, "logged build building sh -c 'echo one; exit 3'; echo never")
    assert done.returncode == 3 and done.stdout == "headrace: building ...\n"
    assert "failed with exit code 3: building; the end of build/setup/build.log:\n  | one" in done.stderr


def test_python_keeps_what_it_compiles(shell: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each process of the tests would compile numpy again."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (shell / "module.py").write_text("")
    done = run(shell, f"{sys.executable} -c 'import sys; sys.path.insert(0, str()); import module'")
    assert done.returncode == 0, done.stderr
    assert list((shell / "build" / "pycache").rglob("module.*.pyc"))
    assert not (shell / "__pycache__").exists()


@pytest.mark.parametrize("target", ["setup", "bench", "build", "test", "testlong", "lint", "adios2", "doc"])
def test_what_is_missing_is_told_in_the_name_of_the_target(shell: Path, target: str) -> None:
    """On a machine without Python, compilers and a package manager."""
    tools = shell / "bin"
    tools.mkdir()
    for name in ("sh", "make", "mkdir", "id", "date", "sed", "tr", "cat"):
        (tools / name).symlink_to(shutil.which(name) or name)
    done = subprocess.run(
        ["make", "-f", str(REPOSITORY / "Makefile"), target],
        cwd=shell,
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert f"`make {target}` needs what this machine does not have" in done.stderr
    assert f"then run `make {target}` again" in done.stderr


def summary(results: Path) -> "subprocess.CompletedProcess[str]":
    script = REPOSITORY / "setup" / "summary.py"
    return subprocess.run(
        [sys.executable, str(script), str(results), "no-list"], capture_output=True, text=True, timeout=60
    )


def test_the_summary_tells_the_time_of_each_part(tmp_path: Path) -> None:
    (tmp_path / "checks.tsv").write_text("ruff check\tpassed\t\n")
    (tmp_path / "lint.times").write_text("1000 1030\n0m0.500s 0m0.500s\n1m2.000s 0m3.000s\n")
    (tmp_path / "python.times").write_text("990 1000\n0m0.000s 0m0.000s\n0m4.000s 0m0.000s\n")
    said = [line.split() for line in summary(tmp_path).stdout.splitlines()]
    assert ["python", "0", "10", "4"] in said
    assert ["lint", "10", "40", "66"] in said
    assert ["together", "0", "40", "70"] in said
    assert said[-1] == ["1", "passed,", "0", "failed,", "0", "skipped"]


def test_parts_wait_for_what_they_need() -> None:
    """Every part that setup/parts.mk names is known to setup/test.sh, and nothing runs before what it needs."""
    parts = REPOSITORY / "setup" / "parts.mk"
    done = subprocess.run(["make", "-n", "-f", str(parts), "all"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    order = [line.split()[-1] for line in done.stdout.splitlines()]
    assert len(order) == len(set(order)) == 16
    for build in ("gfortran", "flang", "openmpi", "mpich", "sanitize"):
        assert order.index(f"build-{build}") < order.index(f"test-{build}")
    assert order.index("build-gfortran") < order.index("package"), "which takes its objects from ccache"
    assert max(order.index("package"), order.index("build-mpich")) < order.index("pytest")
    beside = {"package", "packages", "python", "doc", "lint", "test-gfortran", "test-flang"}
    before = {part for part in order if part.startswith("build-")} | beside
    assert set(order[: order.index("test-openmpi")]) == before, "Open MPI's tests run alone"
    known = (REPOSITORY / "setup" / "test.sh").read_text()
    for part in order:
        assert part in known or (part.startswith("test-") and "test-*)" in known), part
