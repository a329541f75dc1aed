"""What tracing takes beside time: memory in the traced program, and the seconds until a thousand profiles are shown."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.build import build_program
from headrace.measure.catalogue import sources_directory
from headrace.measure.trace.campaign import traced_environment
from headrace.results.run import Compiler
from headrace.results.statistics import describe
from headrace.results.transfers import RatioFound
from headrace.results.verdicts import ENOUGH, steadiness
from headrace.trace.archive import load
from headrace.trace.merge import merge
from headrace.trace.table import table

MEMORY_GOAL = 8 << 20  # bytes, for 100 lines and 8 threads
THREADS = 8
PROFILES, SHOWN_GOAL = 1000, 5.0  # seconds


def memory_and_profile(compiler: Compiler, scratch: Path) -> tuple[RatioFound, Path]:
    """The resident memory that the tracer adds, as a share of the goal, and a profile for `shown`."""
    flags = ["-fopenmp" if compiler.vendor in ("gnu", "llvm") else "-qopenmp", "-O0"]
    source = sources_directory() / "trace" / "threads.f90"
    program = build_program(compiler.model_copy(update={"flags": flags}), [source], "trace-threads")
    profiles = scratch / "memory"
    shares = []
    for _ in range(ENOUGH):
        shutil.rmtree(profiles, ignore_errors=True)
        profiles.mkdir()
        plain, traced = (
            _resident(program, THREADS, environment) for environment in (None, traced_environment(profiles))
        )
        shares.append(max(0, traced - plain) / MEMORY_GOAL)
    shutil.rmtree(profiles)
    profiles.mkdir()
    _resident(program, 1, traced_environment(profiles))
    found = next(iter(profiles.glob("*.profile")), None)
    if found is None:
        raise HeadraceError(f"{source.name} was not traced: no profile was written")
    return _figure(shares, "8 MiB: resident memory that 100 lines in 8 threads add", "memory"), found


def _resident(program: Path, threads: int, environment: dict[str, str] | None) -> int:
    done = subprocess.run(
        [str(program), str(threads)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    words = done.stdout.split()
    if done.returncode != 0 or not words:
        raise HeadraceError(f"{program.name} failed: {done.stderr.strip()[-200:] or f'exit code {done.returncode}'}")
    return 1024 * int(words[-1])


def shown(profile: Path, scratch: Path) -> RatioFound:
    """Seconds until the profiles of a thousand processes are a table, as a share of the goal."""
    many = scratch / "many"
    many.mkdir()
    for number in range(PROFILES):
        os.link(profile, many / f"host.{number}.0.profile")
    shares = []
    for _ in range(ENOUGH):
        begun = time.perf_counter()
        recorded = load(many)
        table(merge(recorded.profiles, recorded.run))
        shares.append((time.perf_counter() - begun) / SHOWN_GOAL)
    return _figure(shares, f"5 s: until {PROFILES:,} profiles of 100 lines are shown", "reader")


def _figure(values: list[float], meaning: str, peer: str) -> RatioFound:
    s = describe(values)
    return RatioFound(
        meaning=meaning,
        median=s.median,
        low=s.low,
        high=s.high,
        confidence=s.confidence,
        n=s.n,
        goal=1.0,
        at_least=False,
        peer=peer,
        verdict=steadiness(s),
    )
