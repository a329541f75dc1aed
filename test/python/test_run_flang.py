"""Programs of LLVM flang leave the same with and without the library of `headrace run`.

Those of test/run/programs that flang compiles and that end with it by themselves: the others are named here, each with its
reason. And programs of its own: random and edge values through every form that is taken over.
"""

import subprocess
from pathlib import Path

import pytest

from headrace.errors import HeadraceError
from headrace.measure.compilers import find_compilers
from headrace.results.run import Compiler
from run_identity import Comparison, compare
from run_programs import LEVELS, Program, compiled, programs
from trace_runs import LONG

pytest_plugins = ("run_library",)

PROGRAMS = programs()


@pytest.fixture(scope="session")
def llvm() -> Compiler:
    return next(compiler for compiler in find_compilers() if compiler.vendor == "llvm")


def built(program: Program, compiler: Compiler, level: str) -> Path | None:
    """The executable; None if flang does not know something that is in the program."""
    try:
        return compiled(program, compiler, level)
    except (HeadraceError, subprocess.CalledProcessError):
        return None
