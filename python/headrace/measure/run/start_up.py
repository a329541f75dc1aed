"""What the start of a process costs more with the library: processor time, in milliseconds."""

import os
import statistics
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.run.library import Library
from headrace.results.statistics import describe
from headrace.results.transfers import RatioFound
from headrace.results.verdicts import steadiness

GOAL = 1.0  # ms
MEANING = {
    "one_write": "1 ms: what the loader and the first WRITE cost more",
    "nothing": "1 ms: what the loader costs more, without any Fortran statement",
}
PAIRS = 10  # of processes in a round


def start_up(program: Path, case: str, library: Library, scratch: Path, rounds: int) -> RatioFound:
    """Medians of pairs, round by round, as a share of the goal."""
    words = [str(program), case, "1", str(scratch / "one.txt")]
    shares = []
    for _ in range(rounds):
        more = []
        for number in range(PAIRS):
            order = (True, False) if number % 2 else (False, True)
            used = {loaded: _used(words, library.loaded() if loaded else library.absent()) for loaded in order}
            more.append(used[True] - used[False])
        shares.append(1e3 * statistics.median(more) / GOAL)
    s = describe(shares)
    return RatioFound(
        meaning=MEANING[case],
        median=s.median,
        low=s.low,
        high=s.high,
        confidence=s.confidence,
        n=s.n,
        goal=GOAL,
        at_least=False,
        peer="start",
        verdict=steadiness(s),
    )


def _used(words: list[str], environment: dict[str, str]) -> float:
    """Processor seconds of a process from its start to its end."""
    child = os.posix_spawn(words[0], words, environment)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        raise HeadraceError(f"{Path(words[0]).name} {words[1]} failed: exit code {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime
