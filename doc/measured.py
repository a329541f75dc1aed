"""Makes the tables of doc/reference/measured.md and the figures of the README of the results files in doc/results.

    python doc/measured.py                        # renews the tables
    python doc/measured.py --reduce run.json NAME # makes doc/results/NAME.json, and renews them

A results file is reduced to what tables and figures need: samples, host name and environment are left out. A table
stands between `<!-- results/NAME.json: PART -->` and `<!-- end -->`; PART is a function of headrace.reporters.markdown.
"""

import argparse
import re
from pathlib import Path

from headrace.reporters import markdown
from headrace.results.conclusions import OWN_FAMILY, plain_rows
from headrace.results.files import AnyRun, load_any, save
from headrace.results.parallel import ParallelRow, ParallelRun
from headrace.results.run import Run
from headrace.results.taken_over import TakenOverRun
from headrace.results.text import TextRun
from headrace.results.transfers import RatioFound
from headrace.results.verdicts import ENOUGH

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER / "reference" / "measured.md"
RESULTS = FOLDER / "results"
README = FOLDER.parent / "README.md"
_SENTENCE = re.compile(r"(<!-- (bench|text|hdf5|run) -->).*?(<!-- end -->)", re.DOTALL)
_PLACE = re.compile(r"(<!-- results/(\w+)\.json: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed(text: str) -> str:
    """The page with the tables that the results files give."""

    def part(match: re.Match[str]) -> str:
        run = load_any(RESULTS / f"{match[2]}.json")
        found = "\n\n".join(markdown.said(run)) if match[3] == "said" else getattr(markdown, match[3])(run)
        return f"{match[1]}\n{found}\n\n{match[4]}"

    return _PLACE.sub(part, text)


def readme(text: str) -> str:
    """The README with the figures that the results files give."""
    found = {"bench": _bench(), "text": _text(), "hdf5": _hdf5(), "run": _run()}
    return _SENTENCE.sub(lambda match: f"{match[1]}\n{found[match[2]]}\n{match[3]}", text)


def _bench() -> str:
    """The slowest and the fastest write by gfortran, of the rows that are valid."""
    run = load_any(RESULTS / "bench.json")
    assert isinstance(run, Run)
    valid = [
        row
        for row in plain_rows(run)
        if row.verdict == "valid" and row.operation == "write" and row.data_type == "real64"
        if row.compiler.startswith("gfortran") and not row.is_reference and row.family != OWN_FAMILY
    ]
    slow, fast = min(valid, key=lambda row: row.median), max(valid, key=lambda row: row.median)
    share = f", at {fast.ceiling_fraction:.0%} of `write(2)`" if fast.ceiling_fraction else ""
    p = run.provenance
    return (
        f"the slowest writes {slow.median:.1f} MB/s (`{slow.key}`),\n"
        f"the fastest {fast.median:,.0f} MB/s (`{fast.key}`): "
        f"**a factor of {fast.median / slow.median:.0f}**{share}.\nMeasured by `headrace bench` in "
        f"{run.elapsed_seconds:.0f} s on {p.cores} cores of an {p.processor}, "
        f"{run.directories[0].file_system} in the page cache,\n"
        f"{', '.join(compiler.identifier for compiler in run.compilers)}."
    )


def _text() -> str:
    run = load_any(RESULTS / "text.json")
    assert isinstance(run, TextRun)
    shown = {
        "write_shortest_vs_gfortran": "to write, against gfortran's row-wise `g0`",
        "write_vs_best_python": "to write, against the fastest of polars, pyarrow and pandas",
        "read_vs_gfortran_list": "to read, against gfortran's list-directed READ",
        "read_vs_best_python": "to read, against the fastest of those three",
    }
    lines = [f"- {_ratio(run.intervals[name])} times as fast {what}" for name, what in shown.items()]
    return "10 million real64 as csv, shortest exact decimals, 2 threads, `/dev/shm`:\n\n" + "\n".join(lines) + "\n"


def _hdf5() -> str:
    run = load_any(RESULTS / "parallel.json")
    assert isinstance(run, ParallelRun)
    found = [run.intervals[ranks]["hdf5_vs_h5dwrite"] for ranks in ("2", "4", "8")]
    first, second, third = (f"{ratio.median:.2f}" for ratio in found)
    return (
        "A shared HDF5 file is written\n"
        f"{first}, {second} and {third} times as fast as by HDF5's own collective `H5Dwrite`, on 2, 4 and 8 MPI ranks\n"
        f"(`hdf5_vs_h5dwrite`: {', '.join(map(_interval, found))}; Open MPI, 512 MiB, "
        f"{run.provenance.cores} cores, `/dev/shm`)."
    )


def _run() -> str:
    run = load_any(RESULTS / "run.json")
    assert isinstance(run, TakenOverRun)
    loop, array = (_ratio(run.intervals[name]) for name in ("write_es22", "write_e15_whole"))
    return (
        f"{loop} times less processor time for `write (unit, '(es22.14)') x` in a loop,\n"
        f"{array} for `write (unit, '(10e15.5)') array`."
    )


def _ratio(found: RatioFound) -> str:
    return f"{markdown.number(found.median)} ({_interval(found)})"


def _interval(found: RatioFound) -> str:
    """Fewer rounds than ENOUGH make no interval of 95 %."""
    if found.n < ENOUGH:
        return f"{found.n} round{'s' * (found.n > 1)}: no interval"
    return f"{markdown.number(found.low)} to {markdown.number(found.high)}"


def reduced(run: AnyRun) -> AnyRun:
    """Without what only a second look at the run needs, and without what names a machine."""
    for row in run.rows:
        row.samples = []
        if isinstance(row, ParallelRow):
            row.rank_times, row.memory_a_rank, row.counts = [], [], None
    p = run.provenance
    p.host, p.variables, p.job, p.load_before, p.load_after = "", {}, {}, [], []
    p.command = [Path(word).name if word.startswith(("/", "..")) else word for word in p.command]
    for compiler in run.compilers:
        compiler.path = compiler.name = Path(compiler.name).name
        compiler.compiler_options = ""
    if isinstance(run, ParallelRun):
        run.workers = []
    named = {place.path: place.path if place.path == "/dev/shm" else Path(place.path).name for place in run.directories}
    for place in (*run.directories, *(getattr(run, "cost_models", []))):
        name = "directory" if hasattr(place, "directory") else "path"
        setattr(place, name, named.get(getattr(place, name), ""))
        if name == "path":
            place.device = place.mount_point = place.mount_options = ""
    for row in run.rows:
        if hasattr(row, "directory"):
            row.directory = named.get(row.directory, row.directory)
    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reduce", nargs=2, metavar=("RUN", "NAME"))
    arguments = parser.parse_args()
    if arguments.reduce:
        source, name = arguments.reduce
        save(reduced(load_any(Path(source))), RESULTS / f"{name}.json")
    PAGE.write_text(renewed(PAGE.read_text()))
    README.write_text(readme(README.read_text()))


if __name__ == "__main__":
    main()
