"""The model along the number of MPI ranks: the sizes that continue the measured ones, and the sentences about a fit."""

import math
from dataclasses import dataclass

import numpy as np

from headrace.model.scaling_fit import Fit, Parameter, Prediction, Refusal
from headrace.model.scaling_terms import Place

GB = 1e9


@dataclass(frozen=True)
class Series:
    """How the measured sizes go on: MPI ranks on a node, and bytes as a power of the number of MPI ranks."""

    per_node: int  # 0: everything is on one node, and stays there
    bytes_one: float
    power: float  # 1: weak scaling, 0: strong scaling

    @staticmethod
    def of(fit: Fit) -> "Series":
        largest = max(fit.places, key=lambda place: (place.ranks, place.nodes))
        smallest = min(fit.places, key=lambda place: place.ranks)
        power = math.log(largest.bytes / smallest.bytes) / math.log(largest.ranks / smallest.ranks)
        per_node = math.ceil(largest.ranks / largest.nodes) if largest.nodes > 1 else 0
        return Series(per_node, largest.bytes / largest.ranks**power, power)

    def at(self, ranks: int, fit: Fit) -> Place:
        bytes_ = self.bytes_one * ranks**self.power
        nodes = math.ceil(ranks / self.per_node) if self.per_node else 1
        return Place(ranks, nodes, bytes_, fit.pattern, fit.writers_at(ranks, nodes))

    def holds(self, place: Place, fit: Fit) -> bool:
        """A measured size that lies on this line."""
        expected = self.at(place.ranks, fit)
        return expected.nodes == place.nodes and abs(expected.bytes / place.bytes - 1) < 0.05

    @property
    def text(self) -> str:
        if abs(self.power - 1) < 0.02:
            return f"{_size(self.bytes_one)} for each MPI rank"
        if abs(self.power) < 0.02:
            return f"{_size(self.bytes_one)} in all"
        return f"bytes growing with the {self.power:.2g}th power of the number of MPI ranks"


def curve(fit: Fit, factor: float = 16.0) -> tuple[list[Prediction], Refusal | None]:
    """Predictions from the smallest measured number of MPI ranks to `factor` times the largest, and what ended them.

    Within the measured range every prediction is given, however wide.
    """
    series = Series.of(fit)
    least, most = min(place.ranks for place in fit.places), max(place.ranks for place in fit.places)
    inside = np.unique(np.round(np.geomspace(least, most, 7)).astype(int))
    beyond = [round(most * 2 ** (step / 2)) for step in range(1, 1 + math.floor(2 * math.log2(factor)))]
    if 0 < series.per_node < most:  # whole nodes only
        beyond = [series.per_node * max(1, round(ranks / series.per_node)) for ranks in beyond]
    found = [fit.interval(series.at(int(ranks), fit)) for ranks in inside]
    for ranks in sorted({ranks for ranks in beyond if ranks > most}):
        place = series.at(ranks, fit)
        answer = fit.predict(place.ranks, place.nodes, place.bytes)
        if isinstance(answer, Refusal):
            return found, answer
        found.append(answer)
    return found, None


def sentences(fit: Fit, factor: float = 16.0) -> list[str]:
    """What the fit says, in plain words: how good it is, each coefficient, and how far it reaches."""
    predictions, refusal = curve(fit, factor)
    counts = sorted({place.ranks for place in fit.places})
    runs = sum(fit.runs)
    lines = [
        f"Fitted to {runs} runs at {len(counts)} numbers of MPI ranks, {counts[0]} to {counts[-1]};"
        f" the model's error is {100 * fit.error:.0f} % of a time (one standard deviation)."
    ]
    lines += [f"{text}." for text in map(describe, fit.parameters())]
    beyond = [p for p in predictions if p.extrapolated]
    if beyond:
        last = beyond[-1]
        lines.append(
            f"Beyond {counts[-1]} MPI ranks everything is extrapolation. At {_count(last.place)}, with"
            f" {Series.of(fit).text}: {rate(last.median)}, between {rate(last.low)} and {rate(last.high)} with 95 %."
        )
        lines += [f"{note[0].upper()}{note[1:]}." for note in last.notes]
    if refusal is not None:
        lines.append(f"No extrapolation {'further' if beyond else f'beyond {counts[-1]} MPI ranks'}: {refusal}.")
    return lines


def describe(parameter: Parameter) -> str:
    """A coefficient as half a sentence: its value, what the points allow, and whether they determine it."""
    title = f"{parameter.title[0].upper()}{parameter.title[1:]}"
    reason = f" ({parameter.reason})" if parameter.reason else ""
    if parameter.verdict == "not in these points":
        return f"{title}: unidentified{reason}"
    low, high = (None if end is None else _figure(parameter, end) for end in (parameter.low, parameter.high))
    if parameter.verdict == "measured" and parameter.value is not None:
        return f"{title}: {_figure(parameter, parameter.value)}, between {low} and {high}"
    is_rate = parameter.name not in ("latency", "lock")
    known = f"at least {low}" if is_rate and low else f"at most {high}" if not is_rate and high else "anything"
    if is_rate and high:
        known += f", at most {high}"
    verdict = "unidentified" if parameter.verdict == "unidentified" else "not reached"
    if not is_rate and verdict == "not reached":
        verdict = "not seen"
    return f"{title}: {verdict}, {known}{reason}"


def rate(value: float) -> str:
    """Bytes per second as GB/s, 10^9."""
    return f"{value / GB:.3g} GB/s"


def _figure(parameter: Parameter, value: float) -> str:
    if parameter.unit == "B/s":
        return rate(value)
    if parameter.name == "operation":
        return f"{value:,.0f} a second"
    if parameter.name == "lock":
        return f"{value * GB:.2g} s per GB and further writer"
    return f"{1e3 * value:.3g} ms"


def _size(count: float) -> str:
    return f"{count / 2**20:,.4g} MiB" if count < 2**30 else f"{count / 2**30:,.4g} GiB"


def _count(place: Place) -> str:
    return f"{place.ranks} MPI ranks on {place.nodes} node{'s' if place.nodes > 1 else ''}"
