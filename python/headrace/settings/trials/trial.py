"""A trial: rounds of all candidates in random order, as many as the time allows, fixed beforehand. First: copies.py."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from headrace.errors import HeadraceError
from headrace.results.advised import Tried
from headrace.settings.trials.candidates import CONTROL, Candidate
from headrace.settings.trials.copies import Ran
from headrace.settings.trials.verdict import NARROW, judge, rounds_needed

MOST_ROUNDS = 30
_BASE = ""
_SHORTEST = 1e-4  # seconds in I/O: below, what the trace itself costs is what is seen
_SILENCE = 5.0  # seconds between two words about the progress
_OVERDRAFT = 1.5  # times the budget: then the rounds that are left out are left out
# Changes of a program that leave every byte as it is; so does all that is set from outside.
_SAME_FILES = ("flush-less", "keep-open", "skip-with-array", "stream-position")
_SHOWN = 5  # names of files in a message
Say = Callable[[str], None]
Run = Callable[[Candidate], Ran]


@dataclass
class Found:
    """By candidate; and what should be said about the whole."""

    tried: dict[str, Tried] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def trial(run: Run, chosen: Sequence[Candidate], budget: float, seed: int, say: Say) -> Found:
    """Try all candidates within `budget` seconds. Raises HeadraceError if the command fails without them."""
    begun = time.monotonic()
    ends = begun + budget
    first = run(Candidate(_BASE))  # also warms what the first run warms
    cost = max(first.seconds, time.monotonic() - begun)  # with the copy, and what the command does beside
    if first.failed:
        raise HeadraceError(f"--try: the command {first.ending}", first.hint)
    is_traced = first.io is not None
    found = Found()
    alive = _alive(run, chosen, first, found)
    tried, rounds = _affordable(alive, cost, ends - time.monotonic(), is_traced)
    for candidate in alive[len(tried) :]:
        found.tried[candidate.change] = Tried(
            outcome="cannot tell", said=f"not tried: one run takes {cost:.2g} s, and the time is up"
        )
    if not tried:
        return found
    say(f"{rounds} rounds of {len(tried) + 2} runs, about {rounds * (len(tried) + 2) * cost:.0f} s")
    rounds_run = _rounds(run, tried, rounds, ends + (_OVERDRAFT - 1) * budget, seed, say)
    questions = _questions(len(tried), is_traced)
    for candidate in tried:
        found.tried[candidate.change] = _judged(rounds_run, candidate.change, questions)
    found.remarks.append(_control_words(_judged(rounds_run, CONTROL, questions)))
    return found


def _questions(count: int, is_traced: bool) -> int:
    """The control is a candidate as well, and each is asked for the wall time and, if traced, for the time in I/O."""
    return (count + 1) * (2 if is_traced else 1)


def _judged(rounds: dict[str, list[Ran]], change: str, questions: int) -> Tried:
    """By the time in I/O if the runs were traced: nothing beside it hides that; else by the wall time."""
    wall = judge([ran.seconds for ran in rounds[_BASE]], [ran.seconds for ran in rounds[change]], questions)
    before, after = ([ran.io or 0.0 for ran in rounds[name]] for name in (_BASE, change))
    if min(*before, *after) < _SHORTEST:
        return wall
    found = judge(before, after, questions)
    words = f"{wall.factor:.3g} ({wall.low:.3g} to {wall.high:.3g})" if wall.factor and wall.low and wall.high else ""
    found.said = "; ".join(
        part for part in ("time in I/O", f"the whole run {words}" if words else "", found.said) if part
    )
    if wall.outcome == "slower" and found.outcome != "slower":
        return wall.model_copy(update={"said": f"the whole run; its I/O alone {found.factor:.3g} times as fast"})
    return found


def _alive(run: Run, chosen: Sequence[Candidate], first: Ran, found: Found) -> list[Candidate]:
    """Each is run once: those that fail are not tried."""
    alive: list[Candidate] = []
    for candidate in chosen:
        ran = run(candidate)
        problem = _of_changed(first, ran) if candidate.command else ""
        differing = _differing(run, candidate, first, ran)
        if problem:  # says nothing about the advice
            found.tried[candidate.change] = Tried(outcome="cannot tell", said=f"the changed program {problem}")
        elif ran.failed:
            found.tried[candidate.change] = Tried(outcome="failed", said=f"with it the command {ran.ending}")
        elif differing:
            said = f"the files differ from those of the command: {', '.join(differing[:_SHOWN])}"
            found.tried[candidate.change] = Tried(outcome="failed", said=said)
        else:
            alive.append(candidate)
    return alive


def _of_changed(first: Ran, ran: Ran) -> str:
    """Why a changed program cannot be compared with the command."""
    if ran.failed:
        return ran.ending
    if first.wrote and not ran.wrote:
        return f"writes no file, and the command writes {', '.join(list(first.wrote)[:_SHOWN])}"
    return ""


def _differing(run: Run, candidate: Candidate, first: Ran, ran: Ran) -> list[str]:
    """Files with other bytes where the advice promises the same, without those that differ from run to run."""
    if ran.failed or (candidate.command and candidate.change not in _SAME_FILES):
        return []
    names = [name for name in sorted({*ran.wrote, *first.wrote}) if ran.wrote.get(name) != first.wrote.get(name)]
    again = run(Candidate(CONTROL)) if names else first
    return [name for name in names if again.wrote.get(name) == first.wrote.get(name)]


def _affordable(alive: list[Candidate], seconds: float, left: float, is_traced: bool) -> tuple[list[Candidate], int]:
    """As many candidates as get enough rounds, the most promising first; and the number of rounds, from 1 on."""
    runs = max(0.0, left) / max(seconds, 1e-3)
    for count in range(len(alive), 0, -1):
        rounds = int(runs / (count + 2))
        if rounds >= rounds_needed(_questions(count, is_traced)) or (count == 1 and rounds >= 1):
            return alive[:count], min(rounds, MOST_ROUNDS)
    return [], 0


def _rounds(
    run: Run, tried: Sequence[Candidate], rounds: int, ends: float, seed: int, say: Say
) -> dict[str, list[Ran]]:
    """Runs by candidate; a round is whole or left out."""
    order = random.Random(seed)
    everything = [Candidate(_BASE), Candidate(CONTROL), *tried]
    done: dict[str, list[Ran]] = {candidate.change: [] for candidate in everything}
    next_word = time.monotonic() + _SILENCE
    for number in range(rounds):
        order.shuffle(everything)
        ran = {candidate.change: run(candidate) for candidate in everything}
        failed = next((change for change, one in ran.items() if one.failed), None)
        if failed is not None:
            raise HeadraceError(
                f"--try: in round {number + 1}{f' with {failed}' if failed else ''} the command {ran[failed].ending}",
                "it ran before: does it depend on the time, or is the disk full?",
            )
        for change, one in ran.items():
            done[change].append(one)
        if time.monotonic() > next_word:
            say(f"round {number + 1} of {rounds}")
            next_word = time.monotonic() + _SILENCE
        if time.monotonic() > ends:
            break
    return done


def _control_words(found: Tried) -> str:
    """What the trial finds of nothing."""
    if found.low is None or found.high is None or found.factor is None:
        return "the same thing twice was not run"
    interval = f"{found.factor:.3g} ({found.low:.3g} to {found.high:.3g})"
    if found.outcome in ("gains", "slower"):
        return f"the same thing twice differs, {interval}: this machine is too noisy for the verdicts above"
    if found.high > NARROW * found.low:
        return f"the same thing twice: {interval} times as fast; this machine is noisy, small gains are not seen"
    return f"the same thing twice: {interval} times as fast, as it should be"
