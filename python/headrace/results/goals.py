"""Whether a figure meets its goal, and how sure that is."""

from collections.abc import Iterable
from typing import Literal, Protocol

from headrace.results.verdicts import ENOUGH

Judgement = Literal["", "met", "missed", "open", "too small", "not judged"]
TOO_SMALL = "goals are for arrays of 512 MiB or more, because fixed costs count in smaller ones"


class WithGoal(Protocol):
    """A median with its interval, beside a goal."""

    @property
    def median(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def n(self) -> int: ...
    @property
    def goal(self) -> float | None: ...
    @property
    def at_least(self) -> bool: ...
    @property
    def too_small(self) -> bool: ...


def judgement(found: WithGoal) -> Judgement:
    """'open' if the goal lies within the interval: another run may say otherwise; '' if there is none.

    'too small' if it is not judged because the goal is for larger arrays.
    """
    if found.goal is None:
        return ""
    if found.too_small:
        return "too small"
    if found.n < ENOUGH:
        return "not judged"
    if found.low < found.goal < found.high:
        return "open"
    return "met" if (found.median >= found.goal if found.at_least else found.median <= found.goal) else "missed"


def goals_said(figures: Iterable[WithGoal], over: str = "") -> str:
    """How many goals are met, missed, open and not judged; "" if there are none."""
    found = [word for word in map(judgement, figures) if word]
    count = {word: found.count(word) for word in ("met", "missed", "open", "too small", "not judged")}
    if not found:
        return ""
    unjudged = {"too small": TOO_SMALL, "not judged": f"there were fewer than {ENOUGH} rounds"}
    reasons = [f"{count[word]} not judged: {why}" for word, why in unjudged.items() if count[word]]
    if count["too small"] + count["not judged"] == len(found):
        only = [why for word, why in unjudged.items() if count[word] == len(found)]
        return f"no goal is judged{over}: {'; '.join(only or reasons)}"
    parts = [f"{count['met']} of {len(found)} goals are met{over}"]
    if count["missed"]:
        parts[0] += f", {count['missed']} missed"
    if count["open"]:
        parts.append(f"{count['open']} open: the goal lies within the interval, so that another run may say otherwise")
    return "; ".join([*parts, *reasons])
