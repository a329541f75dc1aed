"""The confidence that `headrace inspect` states, on fresh files: test/corpus/fresh.py and programs.py.

A sample here; 3,000 files with HEADRACE_TEST_LONG=1. doc/reference/inspect.md has the curve, test/corpus/results/ its
figures.
"""

import os

import numpy as np
import pytest
from numpy.random import default_rng

from calibration import CLAIMS, SETS, Claim, claims_of, curve, fitted, measured
from content import record_bytes
from headrace.inspect.confidence import LEAST, MOST, of_types

LONG = bool(os.environ.get("HEADRACE_TEST_LONG"))
FILES = 3000 if LONG else 60
SEED = 977
# The shares before: of the programs in the version before, of generic loops before confidences were fitted.
RIGHT = {
    ("programs", "format"): 0.999,
    ("programs", "types"): 0.906,
    ("generic", "format"): 0.933,
    ("generic", "types"): 0.883,
}
SURE = 0.6  # from here on what is stated of programs that nothing is fitted to holds


@pytest.fixture(scope="module", params=["generic", "programs"])
def claims(request: pytest.FixtureRequest) -> tuple[str, list[Claim]]:
    """What is stated of fresh files of one set."""
    return request.param, measured(request.param, SEED, FILES, processes=2 if LONG else 1)


def chance(count: int) -> float:
    """What a sample may be off; the files of one program are alike, so that its claims go together."""
    return 3 * float(np.sqrt(0.1 / max(1, count / 4)))


@pytest.mark.timeout(3600 if LONG else 300)
def test_what_is_stated_is_right_as_often_as_stated(claims: tuple[str, list[Claim]]) -> None:
    name, found = claims
    assert sum(one.claims for one in curve(found, "format")) > FILES / 2
    assert [one for one in curve(found, "format") if not one.holds] == []
    least = 0.0 if name == "generic" else SURE
    assert [one for one in curve(found, "types") if not one.holds and one.low >= least] == []


@pytest.mark.parametrize("claim", CLAIMS)
def test_as_many_are_right_as_before(claims: tuple[str, list[Claim]], claim: str) -> None:
    some = [one for one in claims[1] if one.claim == claim]
    missing = 0 if LONG else chance(len(some)) * len(some)
    assert sum(one.right for one in some) >= RIGHT[claims[0], claim] * len(some) - missing


def test_the_judge_tells_right_from_wrong() -> None:
    """A bin of sure mistakes does not hold, one of honest doubts does."""
    wrong = [Claim("x", "types", 0.99, k % 10 > 0, "", "") for k in range(200)]
    assert [one.holds for one in curve(wrong, "types")] == [False]
    honest = [Claim("x", "types", 0.9, k % 10 > 0, "", "") for k in range(200)]
    (one,) = curve(honest, "types")
    assert one.holds and one.right == 180 and one.least < 0.9 < one.most


def test_a_curve_is_fitted_to_what_was_right() -> None:
    rng = default_rng(1)
    margins = rng.uniform(0, 40, 4000)
    right = rng.random(4000) < 1 / (1 + np.exp(-(0.9 * np.log2(1 + margins) - 2)))
    found = fitted(
        [Claim("x", "types", 0.5, bool(r), "", "", m, "real64", 1) for m, r in zip(margins, right, strict=True)]
    )
    names: dict[str, object] = {}
    exec(found.replace(": dict[str, float]", ""), names)
    ways, margin = names["_WAYS"], names["_MARGIN"]
    assert isinstance(ways, dict) and isinstance(margin, float) and margin > 0
    each = names["_EACH"]
    assert isinstance(each, float)
    for bits, share in ((3, 0.45), (20, 0.88)):
        stated = 1 / (1 + np.exp(-(ways["real64"] + (margin + each) * np.log2(1 + bits))))
        assert abs(stated - share) < 0.08


def test_more_evidence_is_never_a_reason_for_less_confidence() -> None:
    for group in ("real64", "int32", "mixed", "leading", "a new one"):
        stated = [of_types(group, margin, 50) for margin in (-50, 0, 1, 5, 20, 100, 1e4, 1e7)]
        assert stated == sorted(stated) and stated[0] >= LEAST and stated[-1] <= MOST


@pytest.mark.parametrize("name", SETS)
def test_fresh_files_are_what_their_truth_says(name: str) -> None:
    for number in range(40):
        file = SETS[name](default_rng([5, number]))
        again = SETS[name](default_rng([5, number]))
        assert file.data == again.data and file.data
        if file.records and not file.tie_is_right:
            (marker,) = {one[6] for one in file.formats}
            markers = 2 * int(marker) * len(file.records)
            assert len(file.data) == markers + sum(len(record_bytes(one)) for one in file.records)


def test_every_claim_is_judged_by_values(tmp_path: object) -> None:
    """Wrong types are found wrong, zeros of any type right."""
    from calibration import same_types
    from content import Item
    from headrace.inspect.findings import Item as Said
    from headrace.inspect.findings import Slot

    record = [Item("int32", np.array([7, 0, 0], "<i4")), Item("real64", np.array([1.5]))]
    right = Slot(20, [Said("int32", 3, 4), Said("real64", 1, 8, 12)])
    assert same_types(right, [record], "little")
    assert same_types(
        Slot(20, [Said("int32", 1, 4), Said("zeros", 8, 1, 4), Said("real64", 1, 8, 12)]), [record], "little"
    )
    assert not same_types(Slot(20, [Said("int32", 5, 4)]), [record], "little")
    assert not same_types(Slot(20, [Said("real32", 1, 4), Said("real64", 1, 8, 12)]), [record], "little")
    assert claims_of is not None
