"""How the report writes numbers: three figures are enough, units stand in the headers."""

import math

NONE = "–"


def number(value: float | None) -> str:
    """Three figures: 1,234 · 56.7 · 8.90 · 0.0123."""
    if value is None:
        return NONE
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    rounded = float(f"{value:.3g}")
    figures_behind = 2 - math.floor(math.log10(abs(rounded)))
    return f"{value:,.{max(figures_behind, 0)}f}" if figures_behind < 6 else f"{value:.3g}"


def ratio(value: float | None) -> str:
    return NONE if value is None else f"{number(value)}×"


def figure(value: float) -> str:
    """Of a ratio that is measured: 1.23, 12, 123, 1,230."""
    rounded = float(f"{value:.2g}") if 2 <= value < 100 else float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:.3g}"


def figures(low: float, high: float) -> str:
    """An interval of ratios, with the third figure if two do not tell its ends apart."""
    if figure(low) != figure(high):
        return f"{figure(low)} to {figure(high)}"
    return f"{number(low)} to {number(high)}"


def percent(value: float | None) -> str:
    if value is None:
        return NONE
    return f"{100 * value:.0f} %" if value >= 0.1 else f"{100 * value:.2g} %"


def interval(low: float, high: float) -> str:
    return f"{number(low)} to {number(high)}"


def size(count: float | None) -> str:
    """Bytes in decimal units: 1.20 GB, 45.0 MB."""
    if count is None:
        return NONE
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if abs(count) >= scale:
            return f"{number(count / scale)} {unit}"
    return f"{count:.0f} B"
