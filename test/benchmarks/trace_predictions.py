#!/usr/bin/env python3
"""What `headrace trace` predicts for a change against what the changed program takes.

    .venv/bin/python test/benchmarks/trace_predictions.py            # some minutes; --quick for a part of it
    .venv/bin/python test/benchmarks/trace_predictions.py --document # the results file as a table, into doc/reference/trace.md

Every pair of trace_pairs.py is compiled with gfortran and flang, and runs in /dev/shm and in this directory's build/,
so on two file systems. Predicted are the seconds after the change of the lines that an advice names, from a trace of
the program before it; measured are the seconds of the lines that are marked in the program after it. Both are the
least of several runs. Promised is the gain, seconds before over seconds after, at the cautious end of the interval.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from trace_pairs import PAIRS, Pair

from headrace.advice.advise import advise
from headrace.advice.costs import Inputs
from headrace.advice.sources_of_costs import calibrated
from headrace.measure.compilers import find_compilers
from headrace.measure.provenance import describe_directory, provenance
from headrace.results.run import Compiler
from headrace.trace.archive import read_directory
from headrace.trace.installed import library_path
from headrace.trace.merge import merge
from headrace.trace.results import Advice, Trace

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).parent / "results" / "trace_predictions.json"
GUIDE = ROOT / "doc" / "reference" / "trace.md"
ROUNDS = 6  # of the program before; twice as many of the one after, which is shorter


@dataclass
class Row:
    """One pair with one compiler in one directory; seconds."""

    pair: str
    rule: str
    compiler: str
    file_system: str
    before: float
    predicted: float | None  # None: no advice was given
    low: float
    high: float
    measured: float
    promised_gain: float
    measured_gain: float
    in_interval: bool

    @property
    def ratio(self) -> float:
        """Predicted over measured."""
        return (self.predicted or 0.0) / self.measured


def main() -> int:
    """Run what was asked for; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few rounds, /dev/shm only; no results file")
    parser.add_argument("--only", default="", metavar="TEXT", help="pairs with this in their name; no results file")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"default: {ROUNDS}")
    parser.add_argument(
        "--document", action="store_true", help="put the table of the results file into doc/reference/trace.md"
    )
    arguments = parser.parse_args()
    if arguments.document:
        GUIDE.write_text(documented(GUIDE.read_text(), json.loads(RESULTS.read_text())))
        return 0
    (ROOT / "build").mkdir(exist_ok=True)
    folders = [Path("/dev/shm")] if arguments.quick else [Path("/dev/shm"), ROOT / "build"]
    compilers = [compiler for compiler in find_compilers() if compiler.vendor in ("gnu", "llvm")]
    begun = time.monotonic()
    rows = []
    for compiler in compilers:
        inputs = calibrated(compiler.vendor, print)
        for pair in PAIRS:
            if arguments.only in pair.name:
                rows += [
                    compared(pair, compiler, inputs, folder, 2 if arguments.quick else arguments.rounds)
                    for folder in folders
                ]
                for row in rows[-len(folders) :]:
                    print(text_of(row), flush=True)
    found = {"summary": summary(rows), "seconds": time.monotonic() - begun, "rows": [asdict(row) for row in rows]}
    print(json.dumps(found["summary"], indent=1))
    if not arguments.quick and not arguments.only:
        about = provenance(compilers)
        said = {"date": about.date, "processor": about.processor, "system": about.system, "load": about.load_before}
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(said | found, indent=1) + "\n")
    return 0


def compared(pair: Pair, compiler: Compiler, inputs: Inputs, folder: Path, rounds: int) -> Row:
    """Runs both programs of a pair in turn, and takes the fastest of each."""
    with tempfile.TemporaryDirectory(prefix="headrace-pairs-", dir=folder) as work:
        here = Path(work)
        programs = [compiled(pair, compiler, here, changed) for changed in (False, True)]
        lines = [marked(pair.program(changed), mark) for changed, mark in ((False, "before"), (True, "after"))]
        befores, afters, unadvised = [], [], []
        for _ in range(rounds):
            trace = traced(programs[0], here)
            befores.append(advice_of(pair, trace, inputs, lines[0]))
            unadvised.append(seconds_of(trace, lines[0]))
            afters += [seconds_of(traced(programs[1], here), lines[1]) for _ in range(2)]
        given = [advice for advice in befores if advice is not None]
        measured = min(afters)
        system = describe_directory(folder).file_system
        if not given:
            now = min(unadvised)
            return Row(pair.name, pair.rule, compiler.identifier, system, now, None, 0, 0, measured, 0, 0, True)
        best = min(given, key=lambda advice: advice.before)
        after = best.after
        assert after is not None
        return Row(
            pair.name,
            pair.rule,
            compiler.identifier,
            system,
            best.before,
            after.seconds,
            after.low,
            after.high,
            measured,
            best.before / after.high,
            best.before / measured,
            after.low <= measured <= after.high,
        )


def seconds_of(trace: Trace, lines: set[int]) -> float:
    """Of the Fortran statements on these lines."""
    others = ("run time", "not Fortran", "library call")
    return sum(x.seconds_exclusive for x in trace.lines if x.line in lines and x.statement not in others)


def compiled(pair: Pair, compiler: Compiler, folder: Path, changed: bool) -> Path:
    """One program of a pair."""
    name = "after" if changed else "before"
    (folder / f"{name}.f90").write_text(pair.program(changed))
    command = [compiler.path, "-O2", f"{name}.f90", "-o", name]
    subprocess.run(command, cwd=folder, check=True, timeout=120)
    return folder / name


def traced(program: Path, folder: Path) -> Trace:
    """The trace of a run in an empty directory; without the command line, which takes longer than the program."""
    work, profiles = folder / "work", folder / "profiles"
    work.mkdir()
    profiles.mkdir()
    try:
        own = {"LD_PRELOAD": str(library_path()), "HEADRACE_TRACE_DIRECTORY": str(profiles)}
        begun = time.monotonic()
        subprocess.run([program], cwd=work, env=os.environ | own, check=True, capture_output=True, timeout=300)
        recorded = read_directory(profiles)
        run = replace(recorded.run, wall=time.monotonic() - begun)
        return merge(recorded.profiles, run)
    finally:
        shutil.rmtree(work)
        shutil.rmtree(profiles)


def marked(source: str, mark: str) -> set[int]:
    """The lines with that comment."""
    return {number for number, text in enumerate(source.splitlines(), 1) if text.endswith(f"!{mark}")}


def advice_of(pair: Pair, trace: Trace, inputs: Inputs, lines: set[int]) -> Advice | None:
    """The advice of this rule on the marked line."""
    advise(trace, inputs, {})
    ours = (one for one in trace.advice if one.rule == pair.rule and trace.lines[one.lines[0]].line in lines)
    return next(ours, None)


def text_of(row: Row) -> str:
    """One line."""
    start = f"{row.pair:38} {row.rule} {row.compiler.split()[0]:9} {row.file_system:10}"
    if row.predicted is None:
        return f"{start} no advice; before {1e3 * row.before:.2f}, after {1e3 * row.measured:.2f} ms"
    inside = "" if row.in_interval else "  outside of the interval"
    return (
        f"{start} before {1e3 * row.before:8.2f} predicted {1e3 * row.predicted:8.3f} "
        f"({1e3 * row.low:.3f} to {1e3 * row.high:.3f}) measured {1e3 * row.measured:8.3f} ms, ratio {row.ratio:6.2f}, "
        f"gain promised/measured {row.promised_gain / row.measured_gain:.2f}{inside}"
    )


def summary(rows: list[Row]) -> dict[str, float | int]:
    """Over all rows with advice."""
    given = [row for row in rows if row.predicted is not None]
    factors = [max(row.ratio, 1 / row.ratio) for row in given if row.ratio > 0]
    return {
        "pairs": len({row.pair for row in given}),
        "cases": len(given),
        "without_advice": len(rows) - len(given),
        "median_factor": statistics.median(factors),
        "share_within_1.5": sum(factor <= 1.5 for factor in factors) / len(given),
        "share_within_3": sum(factor <= 3 for factor in factors) / len(given),
        "worst_factor": max(factors),
        "share_in_interval": sum(row.in_interval for row in given) / len(given),
        "worst_promised_over_measured_gain": max(row.promised_gain / row.measured_gain for row in given),
    }


def documented(guide: str, found: dict[str, Any]) -> str:
    """The guide with the table of these results between its two comments."""
    begins, ends = "<!-- predictions -->\n", "<!-- end of predictions -->\n"
    before, _, rest = guide.partition(begins)
    _, _, after = rest.partition(ends)
    return f"{before}{begins}\n{markdown(found)}\n{ends}{after}"


def markdown(found: dict[str, Any]) -> str:
    """A sentence and a table: a row a pair, the cases of two compilers and two file systems in it."""
    rows = [Row(**row) for row in found["rows"]]
    cases = list(dict.fromkeys((row.compiler, row.file_system) for row in rows))
    total = found["summary"]
    words = (
        f"{total['cases']} cases of {total['pairs']} changes ({found['processor']}, {found['date'][:10]}): "
        "predicted and measured seconds after the change differ by a factor of "
        f"{total['median_factor']:.2f} in the median; {total['share_within_3']:.0%} are within 3, the worst is "
        f"{total['worst_factor']:.1f}. The gain at the cautious end of the interval was at most "
        f"{total['worst_promised_over_measured_gain']:.2f} times the measured one. No advice was given in "
        f"{total['without_advice']} cases, because it would gain too little."
    )
    lines = [
        *textwrap.wrap(words, 120),
        "",
        "| milliseconds: before, predicted after / measured after | rule | "
        + " | ".join(f"{compiler}, {system}" for compiler, system in cases)
        + " |",
        "| --- | --- |" + " --- |" * len(cases),
    ]
    for name in dict.fromkeys(row.pair for row in rows):
        own = {(row.compiler, row.file_system): row for row in rows if row.pair == name}
        rule = next(iter(own.values())).rule
        cells = [_cell(own[case]) if case in own else "" for case in cases]
        lines.append(f"| {name} | [{rule}](rules.md#{rule.lower()}) | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(row: Row) -> str:
    if row.predicted is None:
        return "no advice"
    return f"{_ms(row.before)}, {_ms(row.predicted)} / {_ms(row.measured)}"


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.2g}" if seconds < 0.0995 else f"{1e3 * seconds:.0f}"


if __name__ == "__main__":
    sys.exit(main())
