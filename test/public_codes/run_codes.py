"""Runs public Fortran codes with and without `headrace run`: the same output, and how many seconds disappear?

    python test/public_codes/run_codes.py [--install] [--write] [--rounds N] [NAME ...]

The codes and their examples: run_cases.py. Each runs in fresh copies of its folder, always at the same path: N rounds
of a run without, one with, and both again with the trace, which tells the seconds of formatted and internal I/O.
Files, output, errors and exit codes are compared; of a line with a time or a date, numbers are left out. --install
installs the packages (root, network); --write renews run_results.json, and the table of
doc/reference/public_codes.md.
Exit code 1: a code did something else with headrace run.
"""

import argparse
import dataclasses
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from run_cases import ALONE, CODES, RunCode

from headrace.errors import HeadraceError
from headrace.results.statistics import describe
from headrace.trace.installed import RUN_LIBRARY, library_path
from public_codes import LIMIT, VARIES, is_installed

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "run_results.json"
PAGE = HERE.parents[1] / "doc" / "reference" / "public_codes.md"
BEGIN, END = "<!-- from run_results.json: begin -->\n", "<!-- from run_results.json: end -->"
NEVER = b"(?!)"
TEXT = ("formatted", "list-directed")
MEASURABLE = 0.01  # seconds of text I/O in a run: with less nothing is said of their share
UNCERTAIN = 0.5  # an interval of the share that is wider says nothing
# "<-- CONV": Wannier90 ends these lines with the time so far. "( 12.3%)": xtb's shares of the time.
_TIME = re.compile(
    VARIES.pattern + rb"|\bsec\b|<-- CONV|\( *[\d.]+%\)|\b20\d\d\b|\d[A-Z][a-z][a-z]20\d\d", re.IGNORECASE
)
_NUMBER = re.compile(rb"(?:[-+]?[\d.:/*]+(?:[eEdD][-+]?\d+)?%?|\s+)+")
_ADDRESS = re.compile(rb"0x[0-9a-fA-F]+")


@dataclasses.dataclass
class Ran:
    """What a run left."""

    exit_code: int
    seconds: float  # of processor time, all processes
    texts: dict[str, bytes]


class Runs:
    """The runs of one code, one after the other at the same path."""

    def __init__(self, code: RunCode, place: Path) -> None:
        self._code, self._place = code, place
        self._template, self._work = place / "template", place / "work"
        self._output, self._errors = place / "output", place / "errors"
        self._template.mkdir(parents=True)
        code.prepare(self._template)

    def run(self, *before: str, **environment: str) -> Ran:
        """Once, in a fresh copy; `before` comes before the program's name."""
        shutil.rmtree(self._work, ignore_errors=True)
        shutil.copytree(self._template, self._work)
        begun = _processor_seconds()
        # To files, as what a batch job writes: the run time has a buffer for them, and none for a pipe.
        with (
            Path(self._code.standard_input or os.devnull).open("rb") as standard_input,
            self._output.open("wb") as output,
            self._errors.open("wb") as errors,
        ):
            done = subprocess.run(
                [*before, *self._code.words],
                stdin=standard_input,
                stdout=output,
                stderr=errors,
                cwd=self._work,
                timeout=LIMIT,
                env=os.environ | ALONE | environment,
            )
        seconds = _processor_seconds() - begun
        texts = {"(output)": self._output.read_bytes(), "(errors)": _ADDRESS.sub(b"0x", self._errors.read_bytes())}
        for path in sorted(self._work.rglob("*")):
            name = str(path.relative_to(self._work))
            if path.is_file() and not re.fullmatch(self._code.leaves_out or "(?!)", name):
                texts[name] = path.read_bytes()
        return Ran(done.returncode, seconds, texts)

    def with_library(self) -> tuple[Ran, list[dict[str, Any]]]:
        """A run with the library, and what each of its processes says that it did."""
        said = self._place / "statistics"
        shutil.rmtree(said, ignore_errors=True)
        said.mkdir()
        ran = self.run(**_taken_over(), HEADRACE_RUN_STATISTICS=str(said))
        return ran, [json.loads(path.read_text()) for path in sorted(said.glob("run.*.json"))]

    def traced(self, taken_over: bool) -> dict[str, Any]:
        """The trace of a run."""
        trace, archive = self._place / "trace.json", self._place / "archive"
        words = ("trace", "--no-advice", "--json", str(trace), "--save", str(archive))
        both = {"HEADRACE_RUN": "1"} if taken_over else {}
        self.run(sys.executable, "-m", "headrace", *words, **both)
        shutil.rmtree(archive, ignore_errors=True)
        archive.unlink(missing_ok=True)
        found: dict[str, Any] = json.loads(trace.read_text())
        return found


def _taken_over() -> dict[str, str]:
    return {"HEADRACE_RUN": "1", "LD_PRELOAD": str(library_path(RUN_LIBRARY))}


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def steady(data: bytes, varies: bytes = NEVER) -> list[bytes]:
    """The lines, without the numbers of those that tell a time or a date, or are like `varies`."""
    also = re.compile(varies)
    return [_NUMBER.sub(b"#", line) if _TIME.search(line) or also.search(line) else line for line in data.splitlines()]


def differences(without: Ran, other: Ran, varies: bytes = NEVER) -> list[str]:
    """What is not the same, and the first line of it."""
    found = []
    if without.exit_code != other.exit_code:
        found.append(f"exit code {other.exit_code} instead of {without.exit_code}")
    for name in sorted(without.texts.keys() | other.texts.keys()):
        if name not in without.texts or name not in other.texts:
            found.append(f"{name} is there only {'without' if name in without.texts else 'with'} headrace run")
            continue
        if without.texts[name] == other.texts[name]:
            continue
        one, two = steady(without.texts[name], varies), steady(other.texts[name], varies)
        if one != two:
            at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
            a, b = (lines[at][:120] if at < len(lines) else b"(the end)" for lines in (one, two))
            found.append(f"{name}, line {at + 1}: {a!r} became {b!r}")
    return found


def _names(found: list[str]) -> set[str]:
    return {text.partition(",")[0] for text in found}


def text_seconds(trace: dict[str, Any], statement: str = "") -> float:
    """Of formatted and internal statements."""
    return sum(
        float(line["seconds_exclusive"])
        for line in trace["lines"]
        if line["form"] in TEXT and (not statement or line["statement"] == statement)
    )


def handing_over(trace: dict[str, Any]) -> float:
    """Seconds of CLOSE and FLUSH: there the library may hand over what it kept."""
    return sum(float(line["seconds_exclusive"]) for line in trace["lines"] if line["statement"] in ("close", "flush"))


def disappeared(without: dict[str, Any], taken_over: dict[str, Any]) -> float | None:
    """Of the seconds of formatted and internal I/O; what is handed over later counts against it."""
    text = text_seconds(without)
    if text < MEASURABLE:
        return None
    later = max(0.0, handing_over(taken_over) - handing_over(without))
    return (text - text_seconds(taken_over) - later) / text


@dataclasses.dataclass
class Round:
    """Four runs, one right behind the other: the speed of a machine that others use changes from minute to minute."""

    without: float  # processor seconds
    taken_over: float
    trace: dict[str, Any]
    trace_taken_over: dict[str, Any]

    def shares(self) -> tuple[float, float] | None:
        """What disappears, by traces and by whole runs.

        In whole runs nothing is traced, and the start of the library counts against it.
        """
        by_traces = disappeared(self.trace, self.trace_taken_over)
        if by_traces is None:
            return None
        return by_traces, (self.without - self.taken_over) / text_seconds(self.trace)


def _share(values: list[float]) -> dict[str, float]:
    """The median and its interval."""
    found = describe(values)
    return {"median": found.median, "low": found.low, "high": found.high}


def left_to_the_run_time(said: list[dict[str, Any]]) -> dict[str, int]:
    """Statements that were left, by reason."""
    found: dict[str, int] = {}
    for site in (site for process in said for site in process["sites"]):
        if site["left"]:
            reason = site["reason"] or "not told"
            found[reason] = found.get(reason, 0) + site["left"]
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def examine(code: RunCode, place: Path, rounds: int) -> tuple[list[str], dict[str, Any]]:
    """What differs, and the figures."""
    runs = Runs(code, place)
    first, done, said, found = runs.run(), [], [], []
    unsteady: set[str] = set()
    for _ in range(rounds):
        plain = runs.run()
        unsteady |= _names(differences(first, plain, code.varies))
        ran, said = runs.with_library()
        found += differences(first, ran, code.varies)
        done.append(Round(plain.seconds, ran.seconds, runs.traced(False), runs.traced(True)))
    # A file that differs in two runs without the library says nothing about it.
    found = [text for text in dict.fromkeys(found) if text.partition(",")[0] not in unsteady]
    shares = [one for one in (a_round.shares() for a_round in done) if one]
    is_told = len(shares) == rounds
    sites = [site for process in said for site in process["sites"]]
    result = {
        "packages": list(code.packages),
        "what": code.what,
        "command": " ".join([*code.words[: -len(code.command)], Path(code.command[0]).name, *code.command[1:]]),
        "processes_taken_over": sum(1 for process in said if process["active"]),
        "bytes_compared": sum(map(len, first.texts.values())),
        "files_compared": len(first.texts),
        "differences": found,
        "not_reproducible": sorted(unsteady),
        "seconds": {
            "without": statistics.median(one.without for one in done),
            "with": statistics.median(one.taken_over for one in done),
            "rounds": rounds,
        },
        "ratio": statistics.median(one.without / one.taken_over for one in done),
        "text_seconds": {
            "write": statistics.median(text_seconds(one.trace, "write") for one in done),
            "read": statistics.median(text_seconds(one.trace, "read") for one in done),
            "with": statistics.median(text_seconds(one.trace_taken_over) for one in done),
        },
        "disappeared": _share([by_traces for by_traces, _ in shares]) if is_told else None,
        "disappeared_of_whole_runs": _share([by_whole_runs for _, by_whole_runs in shares]) if is_told else None,
        "statements": {key: sum(site[key] for site in sites) for key in ("taken_over", "left", "checked", "different")},
        "left": left_to_the_run_time(said),
    }
    return found, result


def _told(share: dict[str, float] | None) -> str:
    if share is None:
        return "too few"
    if share["high"] - share["low"] > UNCERTAIN:
        return "uncertain"
    return f"{100 * share['median']:.0f} % ({100 * share['low']:.0f} to {100 * share['high']:.0f})"


def page_table(results: dict[str, Any]) -> str:
    """The codes as a table in Markdown: whole programs."""
    rows = [
        "| code | example | CPU s without | with | times | formatted I/O s | of it disappear, by traces "
        "| by whole runs | statements taken over | output |",
        "|" + "---|" * 10,
    ]
    for name, found in results.items():
        seconds, text, statements = found["seconds"], found["text_seconds"], found["statements"]
        every = statements["taken_over"] + statements["left"]
        output = f"{len(found['differences'])} differences" if found["differences"] else "the same"
        if found["not_reproducible"]:
            output += f", but for {', '.join(found['not_reproducible'])}, not the same in two runs without either"
        cells = [
            f"{name} ({found['packages'][0].replace('=', ' ')})",
            found["what"],
            f"{seconds['without']:.2f}",
            f"{seconds['with']:.2f}",
            f"{found['ratio']:.2f}",
            f"{text['write'] + text['read']:.3f}",
            *(_told(found[key]) for key in ("disappeared", "disappeared_of_whole_runs")),
            f"{statements['taken_over']:,} of {every:,}",
            output,
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def write_page(results: dict[str, Any], begin: str = BEGIN, end: str = END) -> None:
    """Renew what is generated in the page, between two of its lines."""
    before, _, rest = PAGE.read_text().partition(begin)
    PAGE.write_text(f"{before}{begin}\n{page_table(results)}\n\n{end}{rest.partition(end)[2]}")


def install(code: RunCode) -> None:
    """With apt. Says why if it cannot."""
    words = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *code.packages]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        print(f"{code.name}: cannot be installed: {(done.stderr.strip() or done.stdout.strip()).splitlines()[-1]}")


def missing(code: RunCode) -> str:
    """Why the code cannot be run here; empty if it can."""
    if not is_installed(code):
        return f"not installed: {' '.join(code.packages)} (run_codes.py --install, with network)"
    absent = [word for word in (code.words[0], code.command[0]) if not shutil.which(word)]
    return f"no {absent[0]} on this machine" if absent else ""


def main() -> int:
    """Everything that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(code.name for code in CODES))
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rounds", type=int, default=6, metavar="N")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - {code.name for code in CODES}
    if unknown or arguments.rounds < 1:
        parser.error(f"no such code: {', '.join(sorted(unknown))}" if unknown else "--rounds: at least 1")
    try:
        library_path(RUN_LIBRARY)
    except HeadraceError as error:
        parser.error(str(error))
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    bad = 0
    for code in CODES:
        if arguments.names and code.name not in arguments.names:
            continue
        if arguments.install:
            install(code)
        if reason := missing(code):
            print(f"{code.name}: skipped: {reason}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            found, results[code.name] = examine(code, Path(folder), arguments.rounds)
        tell(code.name, found, results[code.name])
        bad += bool(found)
        if arguments.write:
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    if arguments.write:
        write_page(results)
    return 1 if bad else 0


def tell(name: str, found: list[str], result: dict[str, Any]) -> None:
    """A code's figures, and what differs."""
    seconds, text, share = result["seconds"], result["text_seconds"], result["disappeared"]
    said = "too little text to tell its share"
    if share is not None:
        whole = result["disappeared_of_whole_runs"]
        said = f"{_told(share)} of the text's seconds disappear, {_told(whole)} by whole runs"
    print(
        f"{name}: CPU {seconds['without']:.3f} s, with {seconds['with']:.3f} s ({result['ratio']:.2f} times); "
        f"text {text['write']:.3f} s written, {text['read']:.3f} s read; {said}; "
        f"{result['files_compared']} texts {'the same' if not found else 'compared'}",
        flush=True,
    )
    for line in found:
        print(f"  {line}", flush=True)
    if result["left"]:
        print(f"  left to the run time: {result['left']}", flush=True)
    if result["not_reproducible"]:
        print(f"  not reproducible without: {', '.join(result['not_reproducible'])}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
