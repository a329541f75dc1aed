"""Draws a fitted scaling model as SVG: measured points, the curve, its uncertainty, and where it is extrapolation.

Lengths across are per cent, so that text keeps its size on a narrow screen; areas stand in a picture of their own,
which is stretched. Colours are those of the report, with values of their own if the picture stands alone.
"""

import math
from dataclasses import dataclass
from html import escape

import numpy as np

from headrace.model.scaling_curve import GB, Series, curve, rate
from headrace.model.scaling_fit import Fit, Prediction, Refusal
from headrace.model.scaling_terms import Place

HEIGHT, TOP, BOTTOM = 280.0, 22.0, 44.0
LEFT, RIGHT = 8.0, 98.0
COLOURS = ("#2a66a8", "#b8560f", "#1c7c5a", "#87458f", "#786a05", "#555b63")
_TEXT = 'font-size="11.5" font-family="system-ui, sans-serif" fill="#555b63"'


@dataclass(frozen=True)
class Axes:
    """Logarithmic axes between round numbers; x in per cent, y in pixels."""

    ranks: tuple[float, float]
    speed: tuple[float, float]

    def across(self, ranks: float) -> float:
        low, high = self.ranks
        return round(LEFT + (RIGHT - LEFT) * math.log(ranks / low) / math.log(high / low), 2)

    def down(self, speed: float) -> float:
        low, high = self.speed
        share = math.log(min(max(speed, low), high) / low) / math.log(high / low)
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)


def draw(fit: Fit, title: str, factor: float = 16.0, colour: int = 1) -> str:
    """The picture as an <svg> element; `factor` times the largest measured number of MPI ranks is its right end."""
    predictions, refusal = curve(fit, factor)
    most = max(place.ranks for place in fit.places)
    axes = _axes(fit, predictions)
    shown = escape(title)
    body = [*_grid(axes), *_beyond(axes, most, predictions, refusal)]
    body += [_area(axes, predictions), *_points(fit, axes)]
    words = (
        f"Bandwidth against the number of MPI ranks, {escape(Series.of(fit).text)}. Points are measured, hollow ones"
        " with other sizes or nodes; the line is the model, the band holds a run with 95 %."
        f" Right of {most} MPI ranks is extrapolation."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="scaling c{colour}" width="100%"'
        f' height="{HEIGHT:.0f}" style="--own: {COLOURS[(colour - 1) % len(COLOURS)]}">\n'
        f"<title>{shown}: measured points and scaling model</title>\n<desc>{words}</desc>\n"
        + "\n".join(body)
        + "\n</svg>"
    )


def _axes(fit: Fit, predictions: list[Prediction]) -> Axes:
    measured = [speed for _, speed, _ in _speeds(fit)]
    low = min(measured + [p.low for p in predictions])
    high = max(measured + [p.high for p in predictions])
    ranks = [p.place.ranks for p in predictions]
    return Axes((min(ranks), max(max(ranks), min(ranks) * 2)), (_round(0.9 * low, False), _round(1.1 * high, True)))


def _speeds(fit: Fit) -> list[tuple[Place, float, int]]:
    """Bytes per second of each measured configuration: median of its runs, and their number."""
    return [
        (place, place.bytes / math.exp(float(time)), runs)
        for place, time, runs in zip(fit.places, fit.search.times, fit.runs, strict=True)
    ]


def _grid(axes: Axes) -> list[str]:
    lines: list[str] = []
    for value in _steps(*axes.speed):
        y = axes.down(value)
        lines.append(
            f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}" stroke="#dcdcd6" stroke-dasharray="1 3"/>'
            f'<text {_TEXT} x="0" y="{y}" dy="-6">{value / GB:g} GB/s</text>'
        )
    low, high = axes.ranks
    count = max(1, math.ceil(math.log2(high / low) / 9))
    for power in range(math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9) + 1, count):
        x = axes.across(2.0**power)
        lines.append(f'<text {_TEXT} x="{x}%" y="{HEIGHT - 27:.0f}" text-anchor="middle">{2**power}</text>')
    lines.append(f'<text {_TEXT} x="50%" y="{HEIGHT - 8:.0f}" text-anchor="middle">MPI ranks</text>')
    return lines


def _beyond(axes: Axes, most: int, predictions: list[Prediction], refusal: Refusal | None) -> list[str]:
    """The shaded part, and what it is called."""
    if predictions[-1].place.ranks <= most:
        why = f"<title>{escape(str(refusal))}</title>" if refusal else ""
        return [
            f'<text {_TEXT} x="{RIGHT}%" y="{TOP - 10:.0f}" text-anchor="end">{why}no extrapolation beyond {most} MPI'
            " ranks</text>"
        ]
    x = axes.across(most)
    height = HEIGHT - BOTTOM - TOP + 8
    last = predictions[-1].place.ranks
    words = f"extrapolation, refused beyond {last}" if refusal else "extrapolation"
    return [
        f'<rect x="{x}%" y="{TOP - 8:.0f}" width="{RIGHT - x:.2f}%" height="{height:.0f}" fill="#8d9199"'
        ' fill-opacity=".13"/>',
        f'<line x1="{x}%" x2="{x}%" y1="{TOP - 8:.0f}" y2="{HEIGHT - BOTTOM:.0f}" stroke="#8d9199"'
        ' stroke-dasharray="5 3"/>',
        f'<text {_TEXT} x="{RIGHT}%" dx="-6" y="{TOP + 4:.0f}" text-anchor="end">{words}</text>',
    ]


def _area(axes: Axes, predictions: list[Prediction]) -> str:
    """Band and curve; the extrapolated part of both is drawn lighter and broken."""
    inner = [p for p in predictions if not p.extrapolated]
    outer = [*inner[-1:], *(p for p in predictions if p.extrapolated)]
    parts: list[str] = []
    for part, opacity, dashes in ((inner, 0.28, ""), (outer, 0.15, ' stroke-dasharray="7 4"')):
        if len(part) < 2:
            continue
        above = " ".join(_at(axes, p, p.high) for p in part)
        below = " ".join(_at(axes, p, p.low) for p in reversed(part))
        middle = " ".join(_at(axes, p, p.median) for p in part)
        parts.append(
            f'<polygon points="{above} {below}" style="fill: var(--c, var(--own))" fill-opacity="{opacity}"/>'
            f'<polyline points="{middle}" fill="none" style="stroke: var(--c, var(--own))" stroke-width="2"'
            f' vector-effect="non-scaling-stroke"{dashes}/>'
        )
    return (
        f'<svg x="0" y="0" width="100%" height="{HEIGHT:.0f}" viewBox="0 0 100 {HEIGHT:.0f}"'
        f' preserveAspectRatio="none">{"".join(parts)}</svg>'
    )


def _at(axes: Axes, prediction: Prediction, speed: float) -> str:
    return f"{axes.across(prediction.place.ranks)},{axes.down(speed)}"


def _points(fit: Fit, axes: Axes) -> list[str]:
    found: list[str] = []
    series = Series.of(fit)
    for place, speed, runs in _speeds(fit):
        nodes = "1 node" if place.nodes == 1 else f"{place.nodes} nodes"
        words = f"{place.ranks} MPI ranks on {nodes}: {rate(speed)}, median of {runs} run{'s' if runs > 1 else ''}"
        style = "fill: var(--c, var(--own))"
        if not series.holds(place, fit):  # of another layout than the line
            style = "fill: var(--ground, #fcfcfa); stroke: var(--c, var(--own)); stroke-width: 1.5"
        found.append(
            f'<circle cx="{axes.across(place.ranks)}%" cy="{axes.down(speed)}" r="4" style="{style}">'
            f"<title>{words}</title></circle>"
        )
    return found


def _round(value: float, up: bool) -> float:
    """To 1, 2 or 5 times a power of ten, upwards or downwards."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = [step * power for step in (1, 2, 5, 10)]
    return min(s for s in steps if s >= value * 0.999) if up else max(s for s in steps if s <= value * 1.001)


def _steps(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`, at most seven."""
    powers = np.arange(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for multiples in ((1, 2, 5), (1, 3), (1,)):
        found = [m * 10.0**p for p in powers for m in multiples if 0.999 * low <= m * 10.0**p <= 1.001 * high]
        if len(found) <= 7:
            return [float(f"{value:.3g}") for value in found]
    return [low, high]
