"""The scaling models in the HTML report of `headrace bench parallel`."""

import re
from pathlib import Path

import pytest

from headrace.measure.provenance import provenance
from headrace.model.scaling import Fit, Refusal, fit
from headrace.model.scaling_curve import curve
from headrace.reporters import parallel_models
from headrace.reporters.parallel_report import write_parallel_report
from headrace.results.parallel import ModelFound, ParallelRun, ParallelSettings
from scaling_points import ONE_NODE, fitted, points, strong, truth


def model_that_fails_its_check() -> Fit:
    seconds = truth(ONE_NODE, "file_per_process")

    def broken(ranks: int, nodes: int, size: float) -> float:
        return seconds(ranks, nodes, size) * (5 if ranks >= 16 else 1)

    return fitted(fit(points(broken, strong((1, 2, 4, 6, 8, 16)), noise=0.02)))


def test_a_refusal_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing, too_few = model_that_fails_its_check(), Refusal("two points are too few", "measure four")
    _, refusal = curve(failing, 16)
    assert refusal is not None
    answers = {"with": failing, "without": too_few, "neither": too_few}
    monkeypatch.setattr(parallel_models, "fit_rows", lambda run, method, operation: answers[method])
    reasons = {"with": refusal, "without": too_few, "neither": too_few}
    run = ParallelRun(
        provenance=provenance([]),
        settings=ParallelSettings(
            ranks=[1, 2, 4, 6, 8, 16],
            scaling="strong",
            layout="block",
            bytes_a_rank=1 << 20,
            rounds=3,
            minimum_seconds=0.1,
            time_budget=1.0,
            limit=1.0,
            seed=1,
        ),
        scaling=[
            ModelFound(method=name, operation="write", pattern="file_per_process", refusal=why.reason, hint=why.hint)
            for name, why in reasons.items()
        ],
    )
    write_parallel_report(run, tmp_path / "report.html")
    page = re.sub(r"<title>.*?</title>", "", (tmp_path / "report.html").read_text(), flags=re.DOTALL)
    assert page.count("fitted without 8, 16 MPI ranks it misses them") == 1
    assert page.count("No model: two points are too few: measure four") == 1
    assert "<h3>without, write; neither, write</h3>" in page
