"""Two runs against each other."""

import argparse
import json
from pathlib import Path

import pytest

from headrace.commands import compare as command
from headrace.errors import HeadraceError
from headrace.results.comparable import Measured, measured_rows
from headrace.results.comparison import Comparison, compare, settings_that_differ
from headrace.results.files import save
from headrace.results.records import Sample, Verdict
from headrace.results.run import Provenance, Row, Run
from headrace.results.statistics import describe

MECHANISMS = ("whole", "element", "section", "short_records", "records_1000", "flat")
STEADY = (1.0, 1.01, 0.99)


def row_with(speeds: list[float], mechanism: str = "whole", verdict: Verdict | None = "valid") -> Row:
    samples = [
        Sample(
            round=i, passes=1, total=1 / s, open=0, transfer=1 / s, close=0, sync=0, user=0, system=0, system_calls=1
        )
        for i, s in enumerate(speeds)
    ]
    return Row(
        compiler="gfortran 12.2.0",
        directory=".",
        family="unformatted",
        mechanism=mechanism,
        statement="write (unit) array",
        shape="real64 (3, n)",
        operation="write",
        condition="cached",
        payload_bytes=1_000_000,
        samples=samples,
        bandwidths=dict(enumerate(speeds)),
        statistics=describe(speeds),
        verdict=verdict,
    )


def run_with(rows: list[Row], host: str = "h") -> Run:
    provenance = Provenance(date="", headrace_version="0", command=[], host=host, system="Linux")
    return Run(provenance=provenance, rows=rows)


def six_rows(rounds: tuple[float, ...] = STEADY, verdict: Verdict | None = "valid", **factors: float) -> Run:
    """Six mechanisms; `factors` makes some of them so many times faster."""
    return run_with(
        [row_with([100 * factors.get(name, 1.0) * r for r in rounds], name, verdict) for name in MECHANISMS]
    )


def compared(a: Run, b: Run) -> Comparison:
    return compare(measured_rows(a), measured_rows(b))


def judged(found: Comparison) -> dict[str, str]:
    return {row.what.split(":")[1].split(",")[0]: row.judgement for row in found.rows}


@pytest.mark.parametrize(("factor", "word"), [(1.5, "faster"), (0.6, "slower")])
def test_a_real_change_is_found(factor: float, word: str) -> None:
    found = compared(six_rows(), six_rows(section=factor))
    assert judged(found) == dict.fromkeys(MECHANISMS, "cannot tell") | {"section": word}
    first = found.rows[0]
    assert first.ratio == pytest.approx(factor) and first.low is not None and first.high is not None
    assert first.low < first.ratio < first.high


@pytest.mark.parametrize("rounds", [(1.0,), (1.0, 1.01)])
def test_one_or_two_rounds_cannot_tell(rounds: tuple[float, ...]) -> None:
    found = compared(six_rows(rounds), six_rows(rounds, section=3.0))
    assert set(judged(found).values()) == {"cannot tell"}
    assert all(f"{len(rounds)} round" in row.why and "3 needed" in row.why for row in found.rows)
    assert all(row.low is None for row in found.rows)


@pytest.mark.parametrize("verdict", ["too-short", "cache-suspect", "unverified", "unknown"])
@pytest.mark.parametrize("side", ["A", "B"])
def test_a_row_that_its_verdict_doubts_is_not_judged(verdict: Verdict, side: str) -> None:
    doubted = [six_rows(verdict="valid"), six_rows(section=3.0, verdict="valid")]
    for row in doubted["AB".index(side)].rows:
        if row.mechanism == "section":
            row.verdict = verdict
    found = compared(*doubted)
    assert set(judged(found).values()) == {"cannot tell"}
    assert [row.why for row in found.rows if row.why] == [f"{verdict} in {side}"]


def test_a_noisy_row_is_judged_with_its_noise() -> None:
    loud = (1.0, 1.3, 0.75)
    assert judged(compared(six_rows(loud, "noisy"), six_rows(loud, "noisy", section=1.5)))["section"] == "cannot tell"
    assert judged(compared(six_rows(verdict="noisy"), six_rows(verdict="noisy", section=3.0)))["section"] == "faster"


def test_a_machine_that_became_faster_is_no_change_of_a_row() -> None:
    found = compared(six_rows(), six_rows(**dict.fromkeys(MECHANISMS, 1.4)))
    assert set(judged(found).values()) == {"cannot tell"}
    assert found.shift == pytest.approx(1.4)
    assert any("All rows together: B/A 1.40" in line for line in command.conclusions(found))


def test_a_row_that_stayed_as_it_was_is_no_slower_than_a_faster_machine() -> None:
    faster = dict.fromkeys(MECHANISMS, 1.4) | {"section": 1.0}
    assert judged(compared(six_rows(), six_rows(**faster)))["section"] == "cannot tell"


def test_what_the_machine_did_to_the_ceilings_is_no_change_of_a_row() -> None:
    """Storage became faster: the rows that wait for it have changed no more than write(2) itself."""

    def rows(factor: float) -> list[Measured]:
        waiting = [Measured(f"ceiling {k}", tuple(factor * s for s in STEADY), reference=True) for k in range(3)]
        waiting += [Measured(f"waits {k}", tuple(factor * s for s in STEADY)) for k in range(2)]
        return waiting + [Measured(f"computes {k}", STEADY) for k in range(12)]

    found = compare(rows(1.0), rows(1.4))
    assert found.reference_shift == pytest.approx(1.4) and found.shift == pytest.approx(1.0)
    assert found.count("cannot tell") == len(found.rows)


def test_few_rows_allow_the_machine_a_tenth() -> None:
    one = [Measured("row", tuple(100 * s for s in (1.0, 1.001, 0.999)))]
    assert compare(one, [Measured("row", (109.0, 109.1, 108.9))]).count("cannot tell") == 1
    found = compare(one, [Measured("row", (150.0, 150.1, 149.9))])
    assert found.count("faster") == 1 and found.shift is None
    assert any("up to 10 %" in line for line in command.conclusions(found))


def test_rows_that_failed_in_one_run_are_named() -> None:
    a, b = six_rows(), six_rows()
    b.rows[2] = b.rows[2].model_copy(update={"outcome": "failed", "statistics": None, "bandwidths": {}})
    del b.rows[0]
    found = compared(a, b)
    assert len(found.rows) == 4
    assert any("write unformatted:section" in line and "failed in B" in line for line in found.missing)
    assert any("write unformatted:whole" in line and "not in B" in line for line in found.missing)


def test_nothing_in_common_is_an_error() -> None:
    with pytest.raises(HeadraceError, match="no measured row in common"):
        compared(run_with([row_with([1, 2, 3])]), run_with([row_with([1, 2, 3], "element")]))


def test_another_machine_is_said() -> None:
    assert settings_that_differ(six_rows(), run_with([], host="other")) == ["host differs: h against other"]


def test_the_command_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = tmp_path / "a.json", tmp_path / "b.json"
    save(six_rows(), a)
    save(six_rows(section=1.5), b)
    arguments = argparse.Namespace(a=a, b=b, all=False, json=False)
    assert command.run(arguments) == 0
    text = capsys.readouterr().out
    assert "6 rows are in both files: B is faster in 1 and slower in 0; for 5 headrace cannot tell." in text
    assert "write unformatted:section" in text and "write unformatted:whole" not in text
    arguments.json = True
    assert command.run(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["judgement"] for row in found["rows"]].count("faster") == 1


def test_a_compiler_that_halves_everything_is_told_from_the_machine() -> None:
    def rows(factor: float) -> list[Measured]:
        ceilings = [Measured(f"ceiling {k}", STEADY, reference=True) for k in range(3)]
        return ceilings + [Measured(f"row {k}", tuple(factor * s for s in STEADY)) for k in range(12)]

    found = compare(rows(1.0), rows(0.5))
    assert found.by_references and found.count("slower") == 12 and found.count("faster") == 0
    said = command.conclusions(found)
    assert any(
        "All rows together: B/A 0.50; those without Fortran (the ceilings): 1.00. The ceilings" in s for s in said
    )
