"""Causes that are planted: the page has the results, the score is what is asked for, and some are asked about again."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from filesystems.advised import results
from filesystems.advised.run import Row, run, trace_and_advise
from filesystems.advised.situations import SITUATIONS, Situation
from filesystems.planted import planted, why_not
from filesystems.settings import Settings
from headrace.settings.rules import calls

LONG = bool(os.environ.get("HEADRACE_TEST_LONG"))
HERE = [situation for situation in SITUATIONS if situation.where == "here"]
QUICK = [
    situation
    for situation in SITUATIONS
    if situation.name in ("scratch files, creates cost", "blocks of 128 KiB, small writes cost")
]
needs_compiler = pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed")


def test_the_page_has_the_tables_of_the_results() -> None:
    text = results.PAGE.read_text()
    assert text == results.renewed(text, results.load()), "cd test && python -m filesystems.advised --write"


def test_the_results_are_of_the_twelve_situations_and_reach_the_goal() -> None:
    rows = results.load().rows
    assert [(row.name, row.right) for row in rows] == [(one.name, one.advice) for one in SITUATIONS]
    assert sum(not one.advice for one in SITUATIONS) == 2 and len(SITUATIONS) == 12
    assert all(score.is_reached for score in results.scores(rows)), [score.text for score in results.scores(rows)]


def test_a_wrong_first_advice_counts_against_the_score() -> None:
    rows = results.load().rows
    for row in rows[:2]:
        row.first = "keep-open"
    rows[2].tried = "gains nothing"
    rows[3].predicted = 10.0 * (rows[3].measured or 1.0)
    right, gained, near, silent = results.scores(rows)
    assert not right.is_reached and right.text.startswith("the first advice is the planted cause in 8 of 10")
    assert gained.text.startswith("--try measures a gain in 7 ") and not near.is_reached and silent.is_reached
    rows[-1].first = "romio"
    assert not results.scores(rows)[3].is_reached


def test_each_situation_is_about_a_cause_of_its_own_or_another_file_system() -> None:
    causes = [(one.advice, one.where) for one in SITUATIONS]
    assert len(set(causes)) == len(causes)
    for one in SITUATIONS:
        assert bool(one.settings.costs) == (one.where == "planted" and bool(one.advice)), one.name


@needs_compiler
@pytest.mark.skipif(bool(why_not()), reason=why_not())
@pytest.mark.parametrize("situation", QUICK, ids=lambda one: one.name)
def test_a_planted_cost_is_the_first_advice(situation: Situation) -> None:
    """Traced and advised in seconds; the trial is part of the long form."""
    row = Row(situation.name, situation.truth, situation.where, situation.advice)
    with planted(situation.settings) as place:
        trace_and_advise(situation, place.folder, row)
    assert row.first == situation.advice and row.known == "model"
    assert row.predicted is not None and row.predicted > calls.WORTH


@needs_compiler
@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_without_the_planted_cost_there_is_no_advice() -> None:
    """The same program on the same file system, where a small write costs what others cost."""
    situation = replace(QUICK[1], settings=Settings())
    row = Row(situation.name, situation.truth, situation.where, "")
    with planted(situation.settings) as place:
        trace_and_advise(situation, place.folder, row)
    assert row.predicted is None or row.predicted < 4, "with it the gain is a factor of ten"


if LONG:

    @needs_compiler
    @pytest.mark.parametrize("situation", HERE, ids=lambda one: one.name)
    def test_the_first_advice_here_is_the_cause_and_gains_as_predicted(situation: Situation, tmp_path: Path) -> None:
        row = run(situation, tmp_path)
        assert row.is_right, row
        if situation.advice:
            assert row.tried == "gains" and row.is_within_two, row
