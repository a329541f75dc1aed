"""Draws the figure of text files: `python doc/figure_text.py run.json doc/figure_text.svg`.

run.json comes from `headrace bench text --json run.json`, best with `--peers` and `--peer-source`.
"""

import sys
from pathlib import Path

import matplotlib

from headrace.results.text import TextRow, TextRun

matplotlib.use("svg")
from matplotlib import pyplot
from matplotlib.axes import Axes

# Way of a tool: what it is called, and which group it belongs to; what a run lacks is left out.
SHOWN = {
    "write": {
        "csv-fortran:csv": "csv-fortran",
        "io_fortran_lib:csv": "io_fortran_lib to_file",
        "pandas:csv": "pandas to_csv",
        "numpy:csv": "numpy savetxt",
        "stdlib:savetxt": "stdlib savetxt",
        "gnu:row-wise es24.16e3": "gfortran es24.16e3",
        "gnu:row-wise g0": "gfortran g0",
        "gnu:row-wise e15.5": "gfortran e15.5",
        "pyarrow:csv": "pyarrow",
        "polars:csv": "polars",
        "headrace:shortest": "headrace, shortest",
        "headrace:es": "headrace, es24.16e3",
        "headrace:e15": "headrace, e15.5",
        "gnu:unformatted": "gfortran unformatted",
        "ceiling:pwrite": "ceiling: the text by pwrite",
    },
    "read": {
        "csv-fortran:csv": "csv-fortran",
        "io_fortran_lib:csv": "io_fortran_lib from_file",
        "stdlib:loadtxt": "stdlib loadtxt",
        "gnu:list-directed": "gfortran list-directed",
        "gnu:formatted es24.16e3": "gfortran es24.16e3",
        "numpy:csv": "numpy loadtxt",
        "polars:csv": "polars",
        "pyarrow:csv": "pyarrow",
        "pandas:csv": "pandas read_csv",
        "headrace:shortest": "headrace, shortest",
        "headrace:es": "headrace, es24.16e3",
        "gnu:unformatted": "gfortran unformatted",
        "ceiling:pread": "ceiling: the text by pread",
    },
}
COLOURS = {"gnu": "#1f6f8b", "headrace": "#c8553d", "ceiling": "#888888"}
PEER = "#6a994e"


def main(source: Path, target: Path) -> None:
    """Bars on a log scale with the interval of the median, slowest first."""
    run = TextRun.model_validate_json(source.read_text())
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 5))
    for axis, operation in zip(axes, ("write", "read"), strict=True):
        rows = {
            f"{row.tool}:{row.way}": row
            for row in run.rows
            if row.case == run.cases[0].name and row.operation == operation and row.outcome == "measured"
        }
        present = [(key, rows[key]) for key in SHOWN[operation] if key in rows and rows[key].statistics]
        _draw(axis, operation, sorted(present, key=lambda item: _median(item[1])))
    figure.suptitle(f"{run.cases[0].title}: useful MB/s, median and its interval", fontsize=10)
    figure.tight_layout()
    figure.patch.set_facecolor("white")
    figure.savefig(target, metadata={"Date": None})


def _draw(axis: Axes, operation: str, present: list[tuple[str, TextRow]]) -> None:
    middles = [_median(row) for _, row in present]
    low = [_median(row) - row.statistics.low for _, row in present if row.statistics]
    high = [row.statistics.high - _median(row) for _, row in present if row.statistics]
    places = range(len(present))
    axis.barh(
        places,
        middles,
        0.7,
        xerr=(low, high),
        color=[COLOURS.get(key.partition(":")[0], PEER) for key, _ in present],
        error_kw={"elinewidth": 0.8, "ecolor": "#444444"},
    )
    for place, middle in zip(places, middles, strict=True):
        axis.annotate(
            f"{middle:,.0f}" if middle >= 100 else f"{middle:.3g}",
            (middle, place),
            xytext=(4, -2.5),
            fontsize=7,
            textcoords="offset points",
        )
    axis.set_yticks(list(places), [SHOWN[operation][key] for key, _ in present], fontsize=8)
    axis.invert_yaxis()
    axis.set_xscale("log")
    axis.margins(x=0.12)
    axis.set_xlabel(f"{operation}: useful MB/s")
    axis.spines[["top", "right"]].set_visible(False)


def _median(row: TextRow) -> float:
    return row.statistics.median if row.statistics else 0.0


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
