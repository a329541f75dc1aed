#!/usr/bin/env python3
"""Runs `headrace inspect --json` on every file of a corpus and says how often it was right.

    python test/corpus/score.py DIR [--json | --markdown]

DIR is what generate.py wrote. A verdict is right, a tie (inspect says that it cannot tell), or wrong. Each earns: right
1, a tie 0 (1 where the bytes cannot tell), wrong minus its confidence: who errs surely loses most. "Details" counts
right verdicts whose marker size, byte order, number of records and offset of damage are right as well.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from cases import Case, read_truth

Answer = dict[str, Any]
Outcome = Literal["right", "tie", "wrong"]
LIMIT = 60  # seconds that one file may take
SURE = 0.9  # a wrong verdict with this confidence or more is counted apart

# Names that a verdict may have for the details of the truth, the first that is there counts.
DETAILS = {
    "marker_bytes": ("marker_bytes",),
    "byte_order": ("byte_order",),
    "records": ("records", "record_count"),
    "record_length": ("record_length", "recl"),
    "damage_offset": ("damage_offset", "offset"),
}


@dataclass(frozen=True)
class Score:
    """One row of the table."""

    file: str
    truth: str
    verdict: str
    confidence: float
    outcome: Outcome
    runner_up: str = ""
    details_wrong: tuple[str, ...] = ()  # "byte_order: big, not little"
    note: str = ""

    @property
    def points(self) -> float:
        """1 for right, 0 for a tie, minus the confidence for wrong."""
        return {"right": 1.0, "tie": 0.0, "wrong": -self.confidence}[self.outcome]


def ask(path: Path) -> Answer:
    """What `headrace inspect --json` answers, or {"error": ...} when it fails or takes too long."""
    command = [sys.executable, "-m", "headrace", "inspect", "--json", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {LIMIT} s"}
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        lines = (done.stderr or done.stdout).strip().splitlines()
        return {"error": f"exit code {done.returncode}: {lines[-1] if lines else 'no output'}"}
    return answer if isinstance(answer, dict) else {"error": "the JSON is no object"}


def classes(verdict: Answer | None) -> list[str]:
    """The classes of the corpus that a verdict means: its format, or one made of format and details."""
    if not verdict:
        return []
    name, detail = str(verdict.get("format", "")), verdict.get("detail") or {}
    markers, order = detail.get("marker_bytes"), detail.get("byte_order")
    damage = detail.get("damage")
    found = [name]
    if damage:
        # A damaged file that is taken for a sound one is not recognised: the damage stands for the format.
        found = [str(damage), f"record{markers}-{damage}"]
    elif markers and name in ("unformatted", "record", "records", f"record{markers}"):
        found.append(f"record{markers}-{order}")
    return found


def judge(case: Case, answer: Answer) -> Score:
    """Compares an answer with the truth."""
    if "error" in answer:
        return Score(case.file, case.kind, "failed", 1.0, "wrong", note=str(answer["error"]))
    verdict = answer.get("verdict")
    found, second = classes(verdict), classes(answer.get("runner_up"))
    confidence = float((verdict or {}).get("confidence", 0.0))
    name = found[-1] if found else "none"
    common = (case.file, case.kind, name, confidence)
    runner_up = second[-1] if second else ""
    if answer.get("tie"):
        return Score(*common, "right" if case.tie_is_right else "tie", runner_up)
    if not {case.kind, *case.accept} & set(found):
        return Score(*common, "wrong", runner_up)
    return Score(*common, "right", runner_up, tuple(_wrong_details(case, (verdict or {}).get("detail") or {})))


def _wrong_details(case: Case, detail: Answer) -> Iterable[str]:
    for name, keys in DETAILS.items():
        truth = getattr(case, name)
        said = next((detail[key] for key in keys if detail.get(key) is not None), None)
        if truth is not None and said is not None and said != truth:
            yield f"{name}: {said}, not {truth}"


def score(directory: Path, answer: Callable[[Path], Answer] = ask, cases: Sequence[Case] | None = None) -> list[Score]:
    """Every file of the corpus in `directory`, two at a time. `answer` may stand in for the command."""
    known = read_truth(directory) if cases is None else cases
    with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
        answers = pool.map(lambda case: answer(directory / case.file), known)
        return [judge(case, one) for case, one in zip(known, answers, strict=True)]


def summary(scores: Sequence[Score]) -> dict[str, Any]:
    """The shares of all files and of each class."""

    def shares(some: Sequence[Score]) -> dict[str, Any]:
        right = [one for one in some if one.outcome == "right"]
        wrong = [one for one in some if one.outcome == "wrong"]
        return {
            "files": len(some),
            "right": len(right),
            "tie": len(some) - len(right) - len(wrong),
            "wrong": len(wrong),
            "surely_wrong": sum(one.confidence >= SURE for one in wrong),
            "details_right": sum(not one.details_wrong for one in right),
            "right_share": len(right) / len(some) if some else 0.0,
            "points": sum(one.points for one in some) / len(some) if some else 0.0,
        }

    groups: dict[str, list[Score]] = defaultdict(list)
    for one in scores:
        groups[one.truth].append(one)
    return {"all": shares(scores), "classes": {name: shares(groups[name]) for name in sorted(groups)}}


_HEADS = (
    "class",
    "files",
    "right, %",
    "right",
    "tie",
    "wrong",
    f"wrong, confidence >= {SURE}",
    "details right",
    "points a file",
)


def _share_rows(scores: Sequence[Score]) -> list[tuple[str, ...]]:
    found = summary(scores)
    keys = ("right", "tie", "wrong", "surely_wrong", "details_right")
    parts = [*found["classes"].items(), ("all", found["all"])]
    rows = []
    for name, part in parts:
        share = f"{100 * part['right_share']:.1f}"
        rows.append((name, str(part["files"]), share, *(str(part[key]) for key in keys), f"{part['points']:.2f}"))
    return rows


def _file_rows(scores: Sequence[Score]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for one in scores:
        remarks = "; ".join([*one.details_wrong, *([one.note] if one.note else [])])
        outcome = one.outcome + (f" ({remarks})" if remarks else "")
        rows.append((one.file, one.truth, one.verdict, f"{one.confidence:.2f}", outcome))
    return rows


def as_text(scores: Sequence[Score]) -> str:
    """The tables for a terminal."""
    blocks = [[("file", "truth", "verdict", "confidence", "outcome"), *_file_rows(scores)]]
    blocks.append([_HEADS, *_share_rows(scores)])
    texts = []
    for rows in blocks:
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        texts.append(
            "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)
        )
    whole = summary(scores)["all"]
    sure = f"{whole['surely_wrong']} of {whole['files']} wrong with confidence >= {SURE}"
    return "\n\n".join(
        [*texts, f"right: {100 * whole['right_share']:.1f} %; {sure}; {whole['points']:.2f} points a file"]
    )


def as_markdown(scores: Sequence[Score]) -> str:
    """The tables for the documentation: shares first, then every file."""

    def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
        lines = [heads, ["---"] * len(heads), *rows]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)

    files = table(("file", "truth", "verdict", "confidence", "outcome"), _file_rows(scores))
    return f"{table(_HEADS, _share_rows(scores))}\n\n{files}\n"


def main() -> int:
    """The command: exit code 0 when every verdict is right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, help="with the truth.json of generate.py")
    parser.add_argument("--json", action="store_true", help="scores and shares as JSON")
    parser.add_argument("--markdown", action="store_true", help="the tables as Markdown")
    options = parser.parse_args()
    scores = score(options.directory)
    if options.json:
        print(json.dumps(summary(scores) | {"files": [asdict(one) for one in scores]}, indent=1))
    else:
        print(as_markdown(scores) if options.markdown else as_text(scores))
    return 0 if all(one.outcome == "right" for one in scores) else 1


if __name__ == "__main__":
    sys.exit(main())
