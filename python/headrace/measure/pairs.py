"""Ratios of the times of ways, pair by pair within a round. Next: worker_campaign.py measures what they need."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from headrace.measure.engine.state import State
from headrace.results.records import NOT_REACHED
from headrace.results.statistics import describe
from headrace.results.transfers import RatioFound, TransferRow
from headrace.results.verdicts import steadiness

SLOWER = 1.5  # times the fastest peer: such a peer cannot become the fastest


@dataclass(frozen=True)
class Pair:
    """Time of the ways `above` / time of the ways `below`, round by round; several ways of a side are added."""

    name: str
    meaning: str  # whose time is divided by ours; "ours, of" whose time ours is divided by
    above: tuple[str, ...]
    below: tuple[str, ...]
    goal: float | None = None
    at_least: bool = True
    peer: str = ""  # who is named as the fastest of several pairs of one name; "": the tool of `above`

    @property
    def keys(self) -> tuple[str, ...]:
        return self.above + self.below

    def ratios(self, seconds: Mapping[str, Mapping[int, float]]) -> list[float]:
        """Of the rounds that all of them have."""
        rounds = set.intersection(*(set(seconds.get(key, {})) for key in self.keys))
        return [
            sum(seconds[key][r] for key in self.above) / sum(seconds[key][r] for key in self.below)
            for r in sorted(rounds)
        ]


def deciding(pairs: Iterable[Pair], states: Mapping[str, State[Any]]) -> list[Pair]:
    """Without the pairs of peers that are clearly slower than another peer of the same ratio."""
    medians: dict[Pair, float] = {}
    for pair in pairs:
        if all(key in states and states[key].alive for key in pair.keys):
            ratios = pair.ratios({key: states[key].seconds() for key in pair.keys})
            if ratios:
                medians[pair] = describe(ratios).median
    best = {pair.name: min(m for p, m in medians.items() if p.name == pair.name) for pair in medians}
    return [pair for pair, median in medians.items() if median <= SLOWER * best[pair.name]]


def find_ratios(pairs: Iterable[Pair], rows: Iterable[TransferRow]) -> dict[str, RatioFound]:
    """Each ratio whose rows are there; of several pairs of one name the one with the fastest peer."""
    measured = [row for row in rows if row.outcome == "measured"]
    times = {row.key: row.seconds() for row in measured}
    processor = {row.key: row.processor_seconds() for row in measured}
    found: dict[str, RatioFound] = {}
    for pair in pairs:
        ratios = pair.ratios(times)
        if not ratios:
            continue
        s = describe(ratios)
        ratio = RatioFound(
            meaning=pair.meaning,
            median=s.median,
            low=s.low,
            high=s.high,
            confidence=s.confidence,
            n=s.n,
            goal=pair.goal,
            at_least=pair.at_least,
            processor=_median(pair, processor),
            peer=pair.peer or pair.above[0].partition(":")[0],
            verdict=steadiness(s),
        )
        if pair.name not in found or ratio.median < found[pair.name].median:
            found[pair.name] = ratio
    return found


def _median(pair: Pair, seconds: Mapping[str, Mapping[int, float]]) -> float | None:
    """None if a time is too short for the clock of the processor."""
    if any(value <= 0 for key in pair.keys for value in seconds[key].values()):
        return None
    return describe(pair.ratios(seconds)).median


def why_absent(name: str, pairs: Iterable[Pair], rows: Iterable[TransferRow], absent: Mapping[str, str]) -> str:
    """Why a ratio is not there, in words for the terminal."""
    reasons: list[str] = []
    by_key = {row.key: row for row in rows}
    for pair in (pair for pair in pairs if pair.name == name):
        for key in pair.keys:
            tool = key.partition(":")[0].removesuffix("-fast")
            row = by_key.get(key)
            if row is None:
                reasons.append(f"{tool} is absent" if tool in absent else f"{key} is not part of this run")
            elif row.outcome != "measured":
                reasons.append(f"{key}: {row.outcome}: {row.message}")
            elif not row.samples:
                reasons.append(f"{key}: {row.message or NOT_REACHED}")
    return "; ".join(dict.fromkeys(reasons)) or "no round has both"
