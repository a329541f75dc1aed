"""Draws the README's figure from a results file: `python doc/figure.py run.json doc/figure.svg`."""

import sys
from pathlib import Path

import matplotlib

from headrace.results.conclusions import plain_rows
from headrace.results.files import load

matplotlib.use("svg")
from matplotlib import pyplot

# A selection that fits a page: the ordered list of the HLRS slides, and what is faster.
SHOWN = [
    "formatted:list_directed",
    "formatted:constant_format",
    "unformatted:element",
    "unformatted:short_records",
    "unformatted:nested_natural",
    "unformatted:whole",
    "unformatted:records_100000",
    "stream:whole",
    "stream:blocks_1m",
    "c_library:system_1m",
]
COLOURS = ["#1f6f8b", "#c8553d", "#6a994e", "#7b2d8b"]


def main(source: Path, target: Path) -> None:
    """Bars on a log scale with the interval of the median, write above read."""
    run = load(source)
    compilers = [c.identifier for c in run.compilers]
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 5), sharey=True)
    height = 0.8 / len(compilers)
    for axis, operation in zip(axes, ("write", "read"), strict=True):
        for index, compiler in enumerate(compilers):
            rows = {
                r.key: r
                for r in plain_rows(run)
                if r.compiler == compiler and r.operation == operation and r.condition in ("cached", "warm")
            }
            places = [i + index * height for i, key in enumerate(SHOWN) if key in rows]
            present = [rows[key] for key in SHOWN if key in rows]
            middles = [r.median for r in present]
            low = [r.median - r.statistics.low for r in present if r.statistics]
            high = [r.statistics.high - r.median for r in present if r.statistics]
            axis.barh(
                places,
                middles,
                height,
                xerr=(low, high),
                color=COLOURS[index % 4],
                label=compiler,
                error_kw={"elinewidth": 0.8, "ecolor": "#444444"},
            )
            for place, row in zip(places, present, strict=True):
                axis.annotate(
                    f"{row.median:,.0f}", (row.median, place), xytext=(4, -2.5), fontsize=7, textcoords="offset points"
                )
        axis.set_xscale("log")
        axis.set_xlabel(f"{operation}: useful MB/s")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_yticks([i + 0.4 - height / 2 for i in range(len(SHOWN))], SHOWN, fontsize=9)
    axes[0].invert_yaxis()
    axes[1].legend(loc="upper right", frameon=False, fontsize=9)
    figure.tight_layout()
    figure.patch.set_facecolor("white")
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
