"""The results file, the score and the tables of the page doc/reference/planted_advice.md."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from filesystems.advised.run import Row

HERE = Path(__file__).resolve().parent
FILE = HERE / "results.json"
PAGE = HERE.parents[2] / "doc" / "reference" / "planted_advice.md"
_PLACE = re.compile(r"(<!-- from test/filesystems/advised/results.json: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_HOW = {"the setting": "", "the changed program": ", by the changed program"}


@dataclass
class Results:
    """All situations of one run."""

    date: str
    version: str
    machine: str
    rows: list[Row] = field(default_factory=list)
    traces: int = 1  # of each program


@dataclass(frozen=True)
class Score:
    """How many of how many, and how many are asked for."""

    text: str
    is_reached: bool


def scores(rows: Sequence[Row]) -> list[Score]:
    """As the goal has it: of those with a cause, and of those without."""
    planted = [row for row in rows if row.right]
    without = [row for row in rows if not row.right]
    right = sum(row.is_right for row in planted)
    gained = sum(row.is_right and row.tried == "gains" for row in planted)
    near = sum(row.is_right and row.is_within_two for row in planted)
    silent = sum(row.is_right for row in without)
    return [
        Score(f"the first advice is the planted cause in {right} of {len(planted)}; asked for: 9 of 10", right >= 9),
        Score(f"--try measures a gain in {gained} of {len(planted)}; asked for: 8", gained >= 8),
        Score(f"predicted within a factor of 2 in {near} of {len(planted)}; asked for: 8", near >= 8),
        Score(f"no advice where nothing is planted in {silent} of {len(without)}; asked for: 2", silent >= 2),
    ]


def save(results: Results, path: Path = FILE) -> None:
    path.write_text(json.dumps(asdict(results), indent=1, ensure_ascii=False) + "\n")


def load(path: Path = FILE) -> Results:
    known: dict[str, Any] = json.loads(path.read_text())
    return Results(**{**known, "rows": [Row(**row) for row in known["rows"]]})


def renewed(text: str, results: Results) -> str:
    """The page with the tables that the results give."""
    tables = {"run": _run, "situations": _situations, "scores": _scores}
    return _PLACE.sub(lambda match: f"{match[1]}\n{tables[match[2]](results)}\n\n{match[3]}", text)


def _run(results: Results) -> str:
    times = f"{results.traces} time{'s' * (results.traces > 1)}"
    return f"headrace {results.version}, {results.date}, {results.machine}. Each program was traced {times}."


def _scores(results: Results) -> str:
    return "\n".join(f"- {score.text}" for score in scores(results.rows))


def _situations(results: Results) -> str:
    head = ["situation", "where", "truth", "first advice", "right?", "predicted", "measured by `--try`", "within 2?"]
    lines = [
        head,
        ["---"] * len(head),
        *([_code(cell, at) for at, cell in enumerate(_cells(row))] for row in results.rows),
    ]
    return "\n".join(f"| {' | '.join(cell.replace('|', ' ') for cell in one)} |" for one in lines)


def _code(cell: str, column: int) -> str:
    return f"`{cell}`" if column == 3 and cell != "none" else cell


def _cells(row: Row) -> list[str]:
    if row.problem:
        return [row.name, row.where, row.truth, "not run", "no", row.problem[:200], "", ""]
    near = "" if not row.right else "yes" if row.is_within_two else "no"
    right = "yes" if row.is_right else f"no: {row.right or 'none'}"
    cells = [row.name, row.where, row.truth, row.first or "none", right]
    predicted = _interval(row.predicted, row.predicted_low, row.predicted_high)
    measured = _interval(row.measured, row.measured_low, row.measured_high)
    if measured:
        measured += f"; {row.tried} in {row.rounds} rounds{_HOW.get(row.how, '')}"
    return [*cells, predicted, measured or row.tried, near]


def _interval(factor: float | None, low: float | None, high: float | None) -> str:
    if factor is None:
        return ""
    bounds = f" ({low:.3g} to {high:.3g})" if low is not None and high is not None else ""
    return f"{factor:.3g}{bounds}"


def line(row: Row) -> str:
    """For the terminal."""
    more = f"  [then {', '.join(row.others)}]" if row.others else ""
    return " | ".join(cell for cell in _cells(row) if cell) + more
