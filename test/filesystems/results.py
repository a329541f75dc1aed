"""What was found on each file system: the results file and its table. The page is doc/reference/filesystems.md."""

import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Outcome = Literal["works", "works, others do not", "refused", "fails", "left out"]
HERE = Path(__file__).resolve().parent
FAULTS = "planted faults"  # in place of a file system: faults that are planted one by one
FILE = HERE / "results.json"
PAGE = HERE.parents[1] / "doc" / "reference" / "filesystems.md"
_PLACE = re.compile(r"(<!-- from test/filesystems/results.json: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass
class Check:
    """One check: what was done, what came of it in words, and figures with their unit in the name."""

    name: str
    outcome: Outcome
    said: str = ""
    figures: dict[str, float] = field(default_factory=dict)


@dataclass
class Found:
    """A file system with its checks; `problem` if it could not be mounted."""

    name: str
    what: str
    problem: str = ""
    checks: list[Check] = field(default_factory=list)


@dataclass
class Results:
    """All of one run of `make testfilesystems`."""

    date: str
    version: str
    machine: str
    places: list[Found] = field(default_factory=list)
    not_here: dict[str, str] = field(default_factory=dict)  # a kind of file system: why it cannot be mounted

    @property
    def failures(self) -> list[str]:
        unmounted = [f"{place.name}: not mounted: {place.problem}" for place in self.places if place.problem]
        return unmounted + [
            f"{place.name}: {check.name}: {check.said}"
            for place in self.places
            for check in place.checks
            if check.outcome == "fails"
        ]


_OWN_FOLDER = re.compile(r"/tmp/he[^ ;\"]*")


def save(results: Results, path: Path = FILE) -> None:
    text = json.dumps(asdict(results), indent=1, ensure_ascii=False) + "\n"
    path.write_text(_OWN_FOLDER.sub("FOLDER", text))  # where it was mounted is nobody's business


def load(path: Path = FILE) -> Results:
    known: dict[str, Any] = json.loads(path.read_text())
    places = [Found(**{**place, "checks": [Check(**check) for check in place["checks"]]}) for place in known["places"]]
    return Results(**{**known, "places": places})


def renewed(text: str, results: Results) -> str:
    """The page with the tables that the results give."""
    tables = {"run": _run, "works": _works, "faults": _faults, "refuses": _refuses, "slower": _slower}
    tables["missing"] = _missing
    return _PLACE.sub(lambda match: f"{match[1]}\n{tables[match[2]](results)}\n\n{match[3]}", text)


def _run(results: Results) -> str:
    lines = [f"headrace {results.version}, {results.date}, {results.machine}.", ""]
    lines += [f"- **{place.name}**: {place.what}" for place in results.places]
    return "\n".join(lines)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', ' ') for cell in line)} |" for line in lines)


def _real(results: Results) -> list[Found]:
    return [place for place in results.places if place.name != FAULTS]


def _grid(places: list[Found], prefix: str) -> str:
    """A line for each check of a group, a column for each file system."""
    names = dict.fromkeys(c.name for place in places for c in place.checks if c.name.startswith(prefix))
    rows = []
    for name in names:
        checks = [next((check for check in place.checks if check.name == name), None) for place in places]
        rows.append([name.removeprefix(prefix), *map(_cell, checks)])
    return _table(["", *(place.name for place in places)], rows)


def _cell(check: Check | None) -> str:
    if check is None:
        return "not mounted"
    return check.outcome if check.outcome != "refused" else f"refused: {check.said}"


def _faults(results: Results) -> str:
    """A line for each fault, a column for each format; what the library told."""
    checks = next((place.checks for place in results.places if place.name == FAULTS), [])
    told: dict[str, dict[str, str]] = {}
    for check in checks:
        fault, _, name = check.name.removeprefix("headrace: ").rpartition(", ")
        told.setdefault(fault, {})[name] = check.outcome + (f": {check.said}" if check.said else "")
    names = list(next(iter(told.values()), {}))
    return _table(["", *names], [[fault, *(cells[name] for name in names)] for fault, cells in told.items()])


def _works(results: Results) -> str:
    notes = [
        f"- {place.name}, {check.name.removeprefix('headrace: ')}: {check.said}"
        for place in _real(results)
        for check in place.checks
        if check.name.startswith("headrace: ") and check.said and check.outcome != "works"
    ]
    return "\n".join([_grid(_real(results), "headrace: "), "", *notes]).rstrip()


def _refuses(results: Results) -> str:
    return _grid(_real(results), "call: ")


def _slower(results: Results) -> str:
    """MB/s of the first, and how many times as long the others took: median, least and most of the rounds."""
    measured = [place for place in results.places if any(check.figures for check in place.checks)]
    figures = [{name: value for check in place.checks for name, value in check.figures.items()} for place in measured]
    if not figures:
        return "nothing was measured"
    head = ["", f"{measured[0].name}, MB/s", *(f"{place.name}, times" for place in measured[1:])]
    rows = []
    for name, speed in figures[0].items():
        if name.endswith(" MB/s"):
            way = name.removesuffix(" MB/s")
            rows.append([way, f"{speed:,.3g}", *(_times(found, way) for found in figures[1:])])
    return _table(head, rows)


def _times(figures: dict[str, float], way: str) -> str:
    if f"{way} times, median" not in figures:
        return "not measured"
    median, least, most = (f"{figures[f'{way} times, {which}']:.2g}" for which in ("median", "least", "most"))
    return f"{float(median):g} ({float(least):g} to {float(most):g})"


def _missing(results: Results) -> str:
    return _table(["file system", "why it is not here"], [[kind, why] for kind, why in results.not_here.items()])
