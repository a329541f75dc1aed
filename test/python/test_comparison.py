"""Two runs against each other."""

import pytest

from headrace.errors import HeadraceError
from headrace.measure.comparison import compare, settings_that_differ
from headrace.measure.results import Provenance, Row, Run, Sample
from headrace.measure.statistics import describe


def run_with(speeds: list[float], mechanism: str = "whole", host: str = "h") -> Run:
    samples = [
        Sample(
            round=i, passes=1, total=1 / s, open=0, transfer=1 / s, close=0, sync=0, user=0, system=0, system_calls=1
        )
        for i, s in enumerate(speeds)
    ]
    row = Row(
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
    )
    provenance = Provenance(date="", headrace_version="0", command=[], host=host, system="Linux")
    return Run(provenance=provenance, rows=[row])


@pytest.mark.parametrize("n", [3, 9])
def test_a_real_change_is_found(n: int) -> None:
    (row,) = compare(run_with([100 + i for i in range(n)]), run_with([150 + i for i in range(n)]))
    assert row.judgement == "faster"
    assert row.low > 1.3 and row.low <= row.ratio <= row.high


@pytest.mark.parametrize("n", [3, 9])
def test_overlap_is_noise(n: int) -> None:
    (row,) = compare(run_with([100 + 10 * i for i in range(n)]), run_with([102 + 10 * i for i in range(n)]))
    assert row.judgement == "noise"


def test_slower_is_slower() -> None:
    (row,) = compare(run_with([200, 201, 202]), run_with([100, 101, 102]))
    assert row.judgement == "slower" and row.ratio == pytest.approx(101 / 201)


def test_nothing_in_common_is_an_error() -> None:
    with pytest.raises(HeadraceError, match="no measured row in common"):
        compare(run_with([1, 2, 3]), run_with([1, 2, 3], mechanism="element"))


def test_another_machine_is_said() -> None:
    assert settings_that_differ(run_with([1]), run_with([1], host="other")) == ["host differs: h against other"]
