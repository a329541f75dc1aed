"""The library that `headrace run` loads, or one that does nothing, and libraries that do one thing wrong."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from headrace.version import built_file
from run_programs import SOURCES
from trace_runs import ROOT, tool

NAME = "libheadrace_run.so"
WRONG = SOURCES / "wrong.c"


def wrong_things() -> list[str]:
    """What wrong.c can do, in the order of its enumeration."""
    [names] = re.findall(r"enum \{([^}]*)\}", WRONG.read_text())
    return [name.strip() for name in names.split(",")]


@pytest.fixture(scope="session")
def wrong_library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Builds the library that does the named thing wrong; `nothing` is one that does nothing at all."""
    folder = tmp_path_factory.mktemp("wrong")

    def build(thing: str) -> Path:
        library = folder / f"{thing}.so"
        if not library.exists():
            command = [tool("gcc"), "-O1", "-shared", "-fPIC", f"-DWRONG={thing}", str(WRONG), "-o", str(library)]
            subprocess.run([*command, "-ldl"], check=True)
        return library

    return build


@pytest.fixture(scope="session")
def run_library(wrong_library: Callable[[str], Path]) -> Path:
    """HEADRACE_TEST_RUN_LIBRARY, else what was built with this package, else the null library.

    The null library is for a tree without intercept/run: the programs themselves are tested then.
    """
    named = os.environ.get("HEADRACE_TEST_RUN_LIBRARY")
    if named:
        assert Path(named).is_file(), f"{named}: no such file: HEADRACE_TEST_RUN_LIBRARY names it"
        return Path(named).resolve()
    built = built_file(NAME)
    if built is not None:
        return built.resolve()
    assert not (ROOT / "intercept" / "run").is_dir(), f"{NAME} is not built, although intercept/run is there"
    return wrong_library("nothing")
