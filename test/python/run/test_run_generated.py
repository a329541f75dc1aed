"""Random programs leave the same with and without the library of `headrace run`: see run_generator.py.

About 40 cases; 2,000 with HEADRACE_TEST_LONG=1. HEADRACE_TEST_RUN_SEED begins at another seed. A case that is not
reproducible without the library is not compared in what differs; few may be so. Of a case that differs, neither is what
varies with the size of gfortran's own buffer.
"""

import dataclasses
import os
from pathlib import Path

import pytest

from headrace.measure.build import build_program
from headrace.results.run import Compiler
from run_generator import one_case, program
from run_identity import MODES, PIPE, SINKS, Allowed, Case, compare, run_once, varies_with_buffer
from trace_runs import LONG

pytest_plugins = ("run_library",)

CASES = 20  # of a program
FIRST = int(os.environ.get("HEADRACE_TEST_RUN_SEED", "1"))
SEEDS = range(FIRST, FIRST + (100 if LONG else 2))


def test_the_same_seed_makes_the_same_program() -> None:
    assert program(5, 3) == program(5, 3) != program(6, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_leave_the_same(seed: int, gnu: Compiler, run_library: Path, tmp_path: Path) -> None:
    source = tmp_path / "generated.f90"
    source.write_text(program(seed, CASES))
    executable = build_program(gnu.model_copy(update={"flags": ["-O0", "-w"]}), [source], "generated")
    said, unstable, compared = [], 0, 0
    for number in range(1, CASES + 1):
        without_flushing = "c_exit_now" in one_case(seed, number)  # loses the run time's buffers
        case = Case(executable, (str(number),), allowed=Allowed(at_once=without_flushing), seconds=2)
        plain = run_once(case, tmp_path / "runs")
        if plain.status is None:  # gfortran 12 goes round for ever in some
            unstable += 1
            continue
        if plain.status < 0:  # gfortran 12 ends some by SIGSEGV
            case = dataclasses.replace(case, allowed=Allowed(at_once=True))
        found = compare(case, tmp_path / "runs", run_library, MODES, lambda mode: SINKS if LONG else (PIPE,))
        if found.differences:
            varies = case.allowed.varies | varies_with_buffer(case, tmp_path / "runs")
            case = dataclasses.replace(case, allowed=dataclasses.replace(case.allowed, varies=varies))
            found = compare(case, tmp_path / "runs", run_library, MODES, lambda mode: SINKS if LONG else (PIPE,))
        said += [f"seed {seed}, case {number}: {one}" for one in found.differences]
        unstable += bool(found.not_reproducible)
        assert found.plain is not None
        compared += len(found.plain.files) > 1
    assert not said, "\n".join(said)
    assert unstable <= CASES // 5 and compared >= CASES * 3 // 4
