"""Puts what tracing costs into the guide, from the results of `headrace bench trace`.

headrace bench trace --rounds 12 --time-budget 240 --json test/benchmarks/results/trace_overhead.json
python test/benchmarks/trace_overhead.py          # renews the table of doc/reference/trace.md
"""

from pathlib import Path

from headrace.measure.trace.ways import LOOPS
from headrace.reporters.console import number
from headrace.results.files import load_any
from headrace.results.trace import TraceRun
from headrace.results.transfers import RatioFound

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "trace_overhead.json"
GUIDE = HERE.parents[1] / "doc" / "reference" / "trace.md"
BEGINS, ENDS = "<!-- overhead -->\n", "<!-- end of overhead -->\n"


def documented(guide: str, run: TraceRun) -> str:
    """The guide with the table of these results between its two comments."""
    before, _, rest = guide.partition(BEGINS)
    return f"{before}{BEGINS}\n{markdown(run)}\n{ENDS}{rest.partition(ENDS)[2]}"


def markdown(run: TraceRun) -> str:
    """A sentence and a table: a row a loop, the compilers beside each other."""
    compilers = {row.tool: row.title for row in run.rows if not row.tool.endswith("-traced")}
    ratios = run.intervals | run.also
    lines = [
        "Traced time divided by the time without the tracer, with the interval of the median "
        f"({run.provenance.processor}, {run.provenance.date[:10]}, {run.directories[0].file_system}):",
        "",
        f"| loop | {' | '.join(compilers.values())} |",
        f"| --- |{' --- |' * len(compilers)}",
    ]
    for loop in LOOPS:
        cells = [_cell(ratios.get(f"{loop.case}_{key}")) for key in compilers]
        title = f"`{loop.title}`" if "(" in loop.title else loop.title
        lines.append(f"| {title} | {' | '.join(cells)} |")
    memory, show = run.intervals.get("memory"), run.intervals.get("show_1000")
    if memory and show:
        lines += [
            "",
            f"100 source lines in 8 threads add {number(memory.median * 8)} MiB of resident memory. The profiles of "
            f"1,000 processes with 100 lines each are read and shown in {number(show.median * 5)} s.",
        ]
    return "\n".join(lines) + "\n"


def _cell(ratio: RatioFound | None) -> str:
    return f"{ratio.median:.2f} ({ratio.low:.2f} to {ratio.high:.2f})" if ratio else "-"


def load_results() -> TraceRun:
    """The committed ones."""
    run = load_any(RESULTS)
    assert isinstance(run, TraceRun)
    return run


if __name__ == "__main__":
    GUIDE.write_text(documented(GUIDE.read_text(), load_results()))
