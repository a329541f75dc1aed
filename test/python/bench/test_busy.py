"""Load and steal time are named if rows are noisy."""

import pytest

from headrace.measure import provenance
from headrace.measure.provenance import Watch


def watched(monkeypatch: pytest.MonkeyPatch, busy: float, stolen: float, own: float) -> Watch:
    """Of 100 seconds of all processors."""
    monkeypatch.setattr(provenance, "_processor_seconds", lambda: (50.0, 10.0, 1.0, 5.0))
    watch = Watch()
    monkeypatch.setattr(provenance, "_processor_seconds", lambda: (150.0, 10 + busy, 1 + stolen, 5 + own))
    return watch


def test_a_quiet_machine_is_no_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(monkeypatch, busy=52, stolen=0, own=50).why_noisy(7) == ""


def test_without_noisy_rows_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(monkeypatch, busy=90, stolen=8, own=20).why_noisy(0) == ""


@pytest.mark.parametrize(
    ("busy", "stolen", "said", "unsaid"),
    [
        (90, 0, "other programs used 70% of the processors", "steal"),
        (20, 9, "the hypervisor gave 9% of them to others (steal time)", "other programs"),
    ],
)
def test_the_cause_is_named(
    monkeypatch: pytest.MonkeyPatch, busy: float, stolen: float, said: str, unsaid: str
) -> None:
    text = watched(monkeypatch, busy, stolen, own=20).why_noisy(7)
    assert text.startswith("7 rows are noisy, and the machine was busy (load ")
    assert said in text and unsaid not in text


def test_the_kernels_figures_are_read() -> None:
    everything, busy, stolen, own = provenance._processor_seconds()
    assert everything >= busy > own > 0 and stolen >= 0
    others, taken = Watch().shares()
    assert 0 <= others <= 1 and 0 <= taken <= 1
