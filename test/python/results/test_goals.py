"""What the tables say of goals: met, missed, open, not judged, not measured."""

import io

import pytest
from rich.console import Console

from headrace.measure.parallel.rows import GOAL_BYTES
from headrace.measure.parallel.shapes import Scaling, extents, payload, size_for
from headrace.reporters.parallel_tables import conclusions
from headrace.reporters.transfer_tables import print_ratios
from headrace.results.goals import goals_said, judgement
from headrace.results.parallel import Group, ParallelRun, ParallelSettings
from headrace.results.transfers import RatioFound

OPEN = "1 open: the goal lies within the interval, so that another run may say otherwise"


def ratio(low: float, high: float, n: int = 6, goal: float | None = 0.95, at_least: bool = True) -> RatioFound:
    return RatioFound(meaning="m", median=1.0, low=low, high=high, confidence=0.9, n=n, goal=goal, at_least=at_least)


MET, MISSED = ratio(0.96, 1.1), ratio(0.98, 1.1, goal=1.2)
UNSURE, FEW, NONE = ratio(0.4, 1.6), ratio(0.96, 1.1, n=2), ratio(0.4, 1.6, goal=None)
SMALL_MET, SMALL_MISSED, SMALL_FEW = (r.model_copy(update={"too_small": True}) for r in (MET, MISSED, FEW))
FOR_LARGER = "goals are for arrays of 512 MiB or more, because fixed costs count in smaller ones"


def test_a_goal_within_the_interval_is_neither_met_nor_missed() -> None:
    assert [judgement(r) for r in (MET, MISSED, UNSURE, FEW, NONE)] == ["met", "missed", "open", "not judged", ""]
    assert judgement(ratio(0.98, 1.05, goal=1.1, at_least=False)) == "met"
    assert judgement(ratio(0.98, 1.05, goal=0.9, at_least=False)) == "missed"
    assert judgement(ratio(0.98, 1.15, goal=1.1, at_least=False)) == "open"


def test_the_sentence_counts_each_goal_once() -> None:
    assert goals_said([MET, MISSED, UNSURE, FEW, NONE], " here") == (
        f"1 of 4 goals are met here, 1 missed; {OPEN}; 1 not judged: there were fewer than 6 rounds"
    )
    assert goals_said([MET, NONE]) == "1 of 1 goals are met"
    assert goals_said([FEW, FEW]) == "no goal is judged: there were fewer than 6 rounds"
    assert goals_said([NONE]) == goals_said([]) == ""


def test_a_goal_for_larger_arrays_is_not_judged_whatever_the_figure() -> None:
    assert {judgement(r) for r in (SMALL_MET, SMALL_MISSED, SMALL_FEW)} == {"too small"}
    assert goals_said([SMALL_MET, SMALL_MISSED, SMALL_FEW]) == f"no goal is judged: {FOR_LARGER}"
    assert goals_said([SMALL_MET, FEW]) == (
        f"no goal is judged: 1 not judged: {FOR_LARGER}; 1 not judged: there were fewer than 6 rounds"
    )
    assert goals_said([MET, UNSURE, SMALL_MISSED]) == f"1 of 3 goals are met; {OPEN}; 1 not judged: {FOR_LARGER}"
    out = io.StringIO()
    print_ratios({"a": SMALL_MET, "b": SMALL_MISSED, "c": SMALL_FEW}, {"d": NONE}, Console(file=out, width=100))
    lines = out.getvalue().splitlines()
    assert [line.split()[-2] for line in lines[-5:-1]] == ["size", "size", "size", "-"]
    assert lines[-1] == f"met size: {FOR_LARGER}"


def test_the_table_says_open_instead_of_no() -> None:
    out = io.StringIO()
    rows = {"met": MET, "missed": MISSED, "unsure": UNSURE, "few": FEW}
    print_ratios(rows, {"none": NONE}, Console(file=out, width=100))
    lines = out.getvalue().splitlines()
    cells = {words[0]: words[-2] for words in (line.split() for line in lines) if words and words[-1] == "m"}
    assert cells == {"met": "yes", "missed": "no", "unsure": "open", "few": "n<6", "none": "-"}
    assert (
        "met open: the goal lies within the interval" in lines[-2] and "met n<6: too few rounds to judge" in lines[-1]
    )
    out = io.StringIO()
    print_ratios({"met": MET}, {}, Console(file=out, width=100))
    assert "interval," not in out.getvalue()  # nothing to explain


@pytest.mark.parametrize(
    ("found", "absent", "said"),
    [
        (MET, {}, "1 of 1 goals are met."),
        (
            UNSURE,
            {"vs_ior": "no ior was given"},
            f"0 of 1 goals are met; {OPEN}; 1 more was not measured: absent, with the reason.",
        ),
        (FEW, {}, "No goal is judged: there were fewer than 6 rounds."),
    ],
)
def test_a_run_tells_what_is_open_and_what_is_absent(found: RatioFound, absent: dict[str, str], said: str) -> None:
    group = Group.model_construct(payload_bytes=512 << 20, ranks=2)
    run = ParallelRun.model_construct(
        intervals={"2": {"hdf5_vs_h5dwrite": found}}, absent={"2": absent}, groups=[group], rows=[]
    )
    assert conclusions(run) == [said]


@pytest.mark.parametrize(
    ("ranks", "scaling", "preset", "quick", "advice"),
    [
        ([2], "strong", "", True, "--size 256MiB or more, and without --quick."),
        ([2, 4, 8], "strong", "", False, "--size 64MiB or more."),
        ([2, 4, 8], "weak", "archer2", False, "--size 256MiB or more, and without --preset archer2."),
        ([2, 4, 8], "weak", "pop", True, "--size 256MiB or more, and without --preset pop and --quick."),
        ([3], "strong", "", True, "--size 171MiB or more, and without --quick."),
    ],
)
def test_where_the_array_is_too_small_it_says_what_to_run(
    ranks: list[int], scaling: Scaling, preset: str, quick: bool, advice: str
) -> None:
    settings = ParallelSettings.model_construct(ranks=ranks, scaling=scaling, preset=preset, quick=quick)
    run = ParallelRun.model_construct(
        intervals={"2": {"r": SMALL_MET}}, absent={}, groups=[], rows=[], settings=settings
    )
    assert conclusions(run) == [f"No goal is judged: {FOR_LARGER}.", f"To have them judged, run it with {advice}"]


@pytest.mark.parametrize("ranks", [[1], [2], [3], [5, 7], [2, 4, 8], [600]])
def test_the_size_that_is_advised_is_enough_for_every_number_of_mpi_ranks(ranks: list[int]) -> None:
    for scaling in ("weak", "strong"):
        size = size_for(GOAL_BYTES, ranks, scaling)
        for count in ranks:
            assert payload(extents(size << 20, count, max(ranks), scaling)) >= GOAL_BYTES
