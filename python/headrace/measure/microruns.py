"""Builds and runs the micro-runs of the cost model, bench/micro/. Which there are: ../model/microruns.py."""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.build import CompileError, build_program
from headrace.measure.catalogue import sources_directory
from headrace.model.fit import cache_size, fit
from headrace.model.microruns import MicroRun, MicroTime, chosen_runs
from headrace.results.run import Compiler, CostModel

# glibc keeps a large block that was freed and uses it again. Runs of one large record measure what the first record of
# a program costs, so there each block from 128 KiB on comes from the kernel. Other C libraries ignore this.
ALWAYS_FRESH = {"MALLOC_MMAP_THRESHOLD_": "131072", "GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=131072"}


def fit_cost_models(
    compiler: Compiler, directory: Path, report: Callable[[str], None], seconds: float
) -> list[CostModel]:
    """Run the micro-runs in `directory` for about `seconds` and fit one model for write and one for read."""
    report(f"cost model of {compiler.identifier}: micro-runs, about {seconds:.0f} s")
    times = measure(compiler, directory, chosen_runs(), seconds)
    cache = cache_size()
    return [fit(compiler, directory, times, operation, cache) for operation in ("write", "read")]


def measure(
    compiler: Compiler, directory: Path, runs: list[MicroRun], seconds: float, ends: float | None = None
) -> list[MicroTime]:
    """Run them all within about `seconds` and take the least of the rounds; HeadraceError when `ends` is passed.

    `ends` is a moment of time.monotonic().
    """
    program, swaps = _build(compiler)
    if not swaps:
        runs = [run for run in runs if run.form != "swapped"]
    times: list[MicroTime] = []
    for fresh, share in ((True, 1 / 3), (False, 2 / 3)):
        chosen = [run for run in runs if run.fresh == fresh]
        environment = os.environ | (ALWAYS_FRESH if fresh else {})
        with tempfile.TemporaryDirectory(prefix="headrace-micro-", dir=directory) as work:
            output = _run(compiler, program, Path(work), chosen, share * seconds, environment, ends)
        times += _least(output, chosen)
    return times


def _build(compiler: Compiler) -> tuple[Path, bool]:
    """The program, and whether the compiler accepts CONVERT= (an extension that -std=f2018 refuses)."""
    folder = sources_directory()
    harness = [folder / "harness" / f"{name}.f90" for name in ("posix", "payload")]

    def sources(opening: str) -> list[Path]:
        return harness + [folder / "micro" / f"{name}.f90" for name in ("transfers", opening, "micro")]

    try:
        return build_program(compiler, sources("swapped"), "micro"), True
    except CompileError:
        return build_program(compiler, sources("not_swapped"), "micro"), False


def _run(
    compiler: Compiler,
    program: Path,
    work: Path,
    runs: list[MicroRun],
    seconds: float,
    environment: dict[str, str],
    ends: float | None,
) -> str:
    """What one process prints that runs a list of micro-runs in `work`."""
    (work / "runs.txt").write_text("".join(run.line + "\n" for run in runs))
    command = [str(program), "list=runs.txt", "file=data", "rounds=50", f"seconds={seconds:.1f}"]
    try:
        done = subprocess.run(
            command,
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            timeout=20 * seconds + 300 if ends is None else max(0.1, ends - time.monotonic()),
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HeadraceError(f"the micro-runs of {compiler.identifier} did not end: {error}") from error
    if done.returncode != 0:
        raise HeadraceError(
            f"the micro-runs of {compiler.identifier} failed in {work.parent}: {(done.stderr or done.stdout)[-300:]}",
            "the cost model needs about 100 MB of free space there",
        )
    return done.stdout


def _least(output: str, runs: list[MicroRun]) -> list[MicroTime]:
    times: dict[tuple[int, str], list[float]] = {}
    for line in output.splitlines():
        words = line.replace("= ", "=").split()
        if words and words[0] == "micro":
            pairs = dict(word.split("=", 1) for word in words[1:])
            times.setdefault((int(pairs["run"]), pairs["operation"]), []).append(float(pairs["cpu"]))
    return [
        MicroTime(runs[number - 1], operation, min(found), len(found))  # type: ignore[arg-type]
        for (number, operation), found in times.items()
    ]
