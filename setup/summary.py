"""Counts what the tests left behind, and decides: python3 setup/summary.py <results> <allowed skips>.

Reads every JUnit file, checks.tsv and the times below the folder <results>, which has a folder for each part. The last
line is `N passed, N failed, N skipped`. Exit code 1: something failed, a suite ran no test at all, or a skip is not in
the list of those allowed.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path


@dataclass
class Outcome:
    """What became of one test or check."""

    suite: str
    name: str
    status: str  # "passed", "failed" or "skipped"
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.suite}: {self.name}" + (f": {self.reason}" if self.reason else "")


def read_junit(path: Path) -> list[Outcome]:
    """The tests of one JUnit file; a file without tests, or that cannot be read, is a failure itself."""
    suite = f"rest: {path.stem}" if path.parent.name.startswith("rest-") else path.stem
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        return [Outcome(suite, "results", "failed", f"{path} cannot be read: {error}")]
    if not cases:
        return [Outcome(suite, "results", "failed", "no test ran")]
    return [_outcome(suite, case) for case in cases]


def _outcome(suite: str, case: ElementTree.Element) -> Outcome:
    name = case.get("name", "?")
    group = case.get("classname", "")
    if group and group != name:  # pytest; CTest repeats the name
        name = f"{group.rsplit('.', 1)[-1]}: {name}"
    for tag in ("failure", "error"):
        if (found := case.find(tag)) is not None:
            return Outcome(suite, name, "failed", _first_line(found.get("message") or found.text or ""))
    if (found := case.find("skipped")) is not None or case.get("status") in ("notrun", "disabled"):
        message = "" if found is None else found.get("message") or found.text or ""
        return Outcome(suite, name, "skipped", _skip_reason(message, case))
    return Outcome(suite, name, "passed")


def _skip_reason(message: str, case: ElementTree.Element) -> str:
    # CTest says only which rule skipped a test. The test's own words: after "skipped: " (mpirun adds words of its
    # own below), in GoogleTest the line after "...: Skipped", elsewhere the last line that it printed.
    printed = [line.strip() for line in (case.findtext("system-out") or "").strip().splitlines()]
    if message.startswith("SKIP_") and printed:
        for line in printed:
            if line.startswith("skipped: "):
                return line.removeprefix("skipped: ")
        return next((after for line, after in pairwise(printed) if line.endswith(": Skipped")), printed[-1])
    place, _, words = message.strip().partition("\n")  # GoogleTest's own file names the line of the source first
    return _first_line(words if re.fullmatch(r"\S+:\d+", place) else message) or "no reason given"


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0][:200]


def read_checks(path: Path) -> list[Outcome]:
    """Builds and linters: a line each, `name<TAB>status<TAB>reason`."""
    if not path.exists():
        return []
    rows = [line.split("\t") for line in path.read_text().splitlines()]
    return [Outcome("checks", name, status, reason) for name, status, reason in rows]


def read_allowed(path: Path) -> list[tuple[str, str]]:
    """Patterns of the skips that are allowed, each with its reason: `pattern | why`."""
    lines = [line.strip() for line in path.read_text().splitlines()] if path.exists() else []
    rows = [line.split("|", 1) for line in lines if line and not line.startswith("#")]
    return [(row[0].strip(), row[1].strip()) for row in rows if len(row) == 2]


def print_suites(outcomes: list[Outcome]) -> None:
    """One line a suite, with the counts that are not zero."""
    print()
    for suite in dict.fromkeys(outcome.suite for outcome in outcomes):
        statuses = [outcome.status for outcome in outcomes if outcome.suite == suite]
        counts = [f"{statuses.count(s)} {s}" for s in ("passed", "failed", "skipped") if s in statuses]
        print(f"  {suite:<18} {', '.join(counts)}")


def print_skips(skipped: list[Outcome], allowed: list[tuple[str, str]]) -> int:
    """List the skips by reason; returns how many no pattern allows."""
    refused = 0
    groups: dict[tuple[str, str], list[str]] = {}
    for outcome in skipped:
        why = next((why for pattern, why in allowed if fnmatchcase(str(outcome), pattern)), None)
        refused += why is None
        verdict = "NOT ALLOWED by .ci/allowed-skips.txt" if why is None else f"allowed: {why}"
        groups.setdefault((outcome.reason, verdict), []).append(f"{outcome.suite}: {outcome.name}")
    print("\nSkipped:")
    for (reason, verdict), names in groups.items():
        print(f"  {reason}  ({verdict})")
        for name in names:
            print(f"    {name}")
    return refused


@dataclass
class PartTime:
    """When a part of the run began and ended, and what it took of the processors, in seconds."""

    name: str
    begin: float
    end: float
    processor: float


def read_times(results: Path) -> list[PartTime]:
    """The files that setup/test.sh leaves: begin and end, then what `times` of the shell prints."""
    parts = []
    for path in results.rglob("times"):
        (begin, end), *lines = [line.split() for line in path.read_text().splitlines()]
        spent = [_seconds(time) for line in lines for time in line]
        parts.append(PartTime(path.parent.name, float(begin), float(end), sum(spent)))
    return sorted(parts, key=lambda part: (part.begin, part.end))


def _seconds(time: str) -> float:
    minutes, _, seconds = time.removesuffix("s").partition("m")  # 1m2.5s
    return 60 * float(minutes) + float(seconds)


def print_times(parts: list[PartTime]) -> None:
    """One line a part, with the seconds from the first one's begin."""
    if not parts:
        return
    first, last = parts[0].begin, max(part.end for part in parts)
    print(f"\n  {'part':<18} {'from s':>6} {'to s':>6} {'processor s':>12}")
    for part in parts:
        print(f"  {part.name:<18} {part.begin - first:6.0f} {part.end - first:6.0f} {part.processor:12.0f}")
    print(f"  {'together':<18} {0:6} {last - first:6.0f} {sum(part.processor for part in parts):12.0f}")


def main(results: Path, allowed_file: Path) -> int:
    outcomes = [outcome for path in sorted(results.rglob("*.xml")) for outcome in read_junit(path)]
    outcomes += [outcome for path in sorted(results.rglob("checks.tsv")) for outcome in read_checks(path)]
    if (results / "ended-early").exists():
        outcomes.append(Outcome("all", "setup/test.sh", "failed", "a part ended too early"))
    if not outcomes:
        outcomes = [Outcome("all", "results", "failed", f"nothing ran: {results} is empty")]
    failed = [outcome for outcome in outcomes if outcome.status == "failed"]
    skipped = [outcome for outcome in outcomes if outcome.status == "skipped"]
    passed = len(outcomes) - len(failed) - len(skipped)

    print_times(read_times(results))
    print_suites(outcomes)
    refused = print_skips(skipped, read_allowed(allowed_file)) if skipped else 0
    if failed:
        print("\nFailed:")
        for outcome in failed:
            print(f"  {outcome}")
    print()
    if refused:
        print(f"{refused} skipped without being allowed: make them run, or say why in .ci/allowed-skips.txt")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or refused else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
