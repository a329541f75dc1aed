"""The scripts behind `make`: what they say while they work."""

import subprocess
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
