"""The sentence above the tables follows from the rows beside it: recomputed from results that are drawn at random."""

import random
import re
from typing import Literal

import pytest

from headrace.results.conclusions import conclude
from headrace.results.records import Operation, Sample, Verdict
from headrace.results.run import Provenance, Row, Run
from headrace.results.statistics import describe

PROVENANCE = Provenance(date="", headrace_version="0", command=[], host="h", system="Linux")
SAID = re.compile(
    r"(?P<doing>Writing|Reading) (?P<type>\w+) in (?P<place>\S+) \((?P<condition>\w+)\), (?P<compiler>[^:]+): "
    r"the fastest way is (?P<ratio>[\d.,e+]+) times the slowest: (?P<fast>[\d.,e+]+) MB/s \((?P<fastest>[\w:]+)[^)]*\)"
    r" against (?P<slow>[\d.,e+]+) MB/s \((?P<slowest>[\w:]+)\)\."
)


def row(
    mechanism: str,
    speed: float,
    compiler: str = "gfortran 12",
    shape: str = "real64 (n)",
    verdict: Verdict = "valid",
    operation: Operation = "write",
    family: str = "unformatted",
    condition: Literal["cached", "warm"] = "cached",
) -> Row:
    speeds = [speed * (1 + 0.001 * i) for i in range(6)]
    samples = [Sample(round=i, passes=1, total=1 / s, user=0, system=0) for i, s in enumerate(speeds)]
    return Row(
        compiler=compiler,
        directory="/d",
        family=family,
        mechanism=mechanism,
        statement="",
        shape=shape,
        operation=operation,
        condition=condition,
        payload_bytes=1_000_000,
        samples=samples,
        bandwidths=dict(enumerate(speeds)),
        statistics=describe(speeds),
        verdict=verdict,
    )


def number(text: str) -> float:
    return float(text.replace(",", ""))


@pytest.mark.parametrize("seed", range(60))
def test_every_figure_can_be_recomputed_from_the_rows(seed: int) -> None:
    draw = random.Random(seed)
    verdicts: list[Verdict] = ["valid", "valid", "noisy", "too-short", "cache-suspect", "unverified", "unknown"]
    rows = [
        row(
            f"m{i}",
            draw.lognormvariate(5, 3),
            draw.choice(["gfortran 12", "flang 19"]),
            draw.choice(["real64 (n)", "real64 (3, n)", "int32 (n)"]),
            draw.choice(verdicts),
            operation := draw.choice(["write", "read"]),
            draw.choice(["unformatted", "stream", "headrace", "c_library", "memory"]),
            "cached" if operation == "write" else "warm",
        )
        for i in range(draw.randrange(2, 60))
    ]
    for sentence in conclude(Run(provenance=PROVENANCE, rows=rows)):
        if sentence.startswith("No conclusion"):
            continue
        found = SAID.match(sentence)
        assert found, sentence
        operation = "write" if found["doing"] == "Writing" else "read"
        alike = [
            r
            for r in rows
            if (r.operation, r.compiler, r.verdict) == (operation, found["compiler"], "valid")
            and r.shape.startswith(found["type"])
            and r.family in ("unformatted", "stream")
        ]
        medians = {r.key: r.median for r in alike}
        assert medians[found["fastest"]] == max(medians.values())
        assert medians[found["slowest"]] == min(medians.values())
        assert number(found["fast"]) == pytest.approx(max(medians.values()), rel=0.006)
        assert number(found["slow"]) == pytest.approx(min(medians.values()), rel=0.006)
        assert number(found["ratio"]) == pytest.approx(number(found["fast"]) / number(found["slow"]), rel=0.02)
        assert number(found["ratio"]) == pytest.approx(max(medians.values()) / min(medians.values()), rel=0.006)


def test_two_compilers_and_two_types_are_never_mixed() -> None:
    rows = [
        row("a", 4668, compiler="gfortran 12", shape="int32 (n)"),
        row("b", 11.5, compiler="flang 19"),
        row("c", 100, compiler="gfortran 12"),
        row("d", 200, compiler="gfortran 12"),
        row("e", 23, compiler="flang 19"),
    ]
    said = conclude(Run(provenance=PROVENANCE, rows=rows))
    assert [re.search(r"is ([\d.]+) times", text)[1] for text in said] == ["2", "2"]  # type: ignore[index]
    assert not any("4,668" in text for text in said)


def test_without_valid_rows_there_is_no_conclusion_but_the_reason() -> None:
    rows = [row("a", 100, verdict="noisy"), row("b", 200, verdict="noisy"), row("c", 300)]
    (said,) = conclude(Run(provenance=PROVENANCE, rows=rows))
    assert said == (
        "No conclusion on writing with gfortran 12: 1 of 3 rows are valid. "
        "A larger --time-budget or a quieter machine gives more."
    )


def test_headraces_own_call_stands_beside_the_statements() -> None:
    rows = [row("a", 100), row("b", 200), row("npy", 900, family="headrace"), row("text", 50, family="headrace")]
    (said,) = conclude(Run(provenance=PROVENANCE, rows=rows))
    assert "is 2 times the slowest: 200 MB/s (unformatted:b) against 100 MB/s (unformatted:a)" in said
    assert said.endswith("headrace's own call: 902 MB/s (headrace:npy).")
