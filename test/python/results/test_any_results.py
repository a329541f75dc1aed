"""`report`, `compare` and `predict` with results files of every benchmark."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from test_results import OTHERS, other_file

Command = Callable[..., "subprocess.CompletedProcess[str]"]

SAMPLES = [{"round": i, "passes": 2, "total": 0.1 + 0.001 * i, "user": 0.1, "system": 0.0} for i in range(6)]
STATISTICS = {
    **{"n": 6, "median": 80.0, "lower_quartile": 79.0, "upper_quartile": 81.0, "minimum": 78.0, "maximum": 82.0},
    **{"low": 78.0, "high": 82.0, "confidence": 0.97},
}
ROW: dict[str, Any] = {
    **{"case": "normal", "tool": "headrace", "title": "headrace", "operation": "write", "way": "shortest"},
    **{"values": 1_000_000, "payload_bytes": 8_000_000, "file_bytes": 19_000_000, "verdict": "valid"},
    **{"samples": SAMPLES, "statistics": STATISTICS},
}
PARALLEL: dict[str, Any] = {
    **{
        "ranks": 2,
        "directory": "/d",
        "condition": "cached",
        "method": "mpiio:collective",
        "pattern": "shared_collective",
    },
    **{"backend": "mpiio", "extents": [10, 10, 10_000], "layout": "block"},
}
GROUP: dict[str, Any] = {
    **{"case": "normal", "ranks": 2, "nodes": 1, "directory": "/d", "write_condition": "cached"},
    **{"read_condition": "warm", "extents": [10, 10, 10_000], "payload_bytes": 8_000_000},
}


def results_of(path: Path, command: str) -> Path:
    row = ROW | PARALLEL if command == "bench parallel" else ROW
    directories = [{"path": "/d", "file_system": "tmpfs"}]
    more: dict[str, Any] = {"groups": [GROUP]} if command == "bench parallel" else {}
    return other_file(path, command, rows=[row], directories=directories, **more)


@pytest.mark.parametrize("command", OTHERS)
def test_report_takes_it(started: Command, tmp_path: Path, command: str) -> None:
    results_of(tmp_path / "r.json", command)
    done = started("report", "r.json", "-o", "r.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "r.html").read_text()
    assert "shortest" in page and "80" in page


def test_runs_of_two_kinds_share_a_page(started: Command, tmp_path: Path) -> None:
    results_of(tmp_path / "text.json", "bench text")
    results_of(tmp_path / "binary.json", "bench binary")
    assert started("report", "text.json", "binary.json", "-o", "r.html").returncode == 0
    assert (tmp_path / "r.html").stat().st_size > 1000


def test_a_page_of_mpi_ranks_is_for_one_run(started: Command, tmp_path: Path) -> None:
    results_of(tmp_path / "text.json", "bench text")
    results_of(tmp_path / "parallel.json", "bench parallel")
    done = started("report", "text.json", "parallel.json", "-o", "r.html")
    assert done.returncode == 2 and "write a report for each run of bench parallel" in done.stderr
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize("command", OTHERS)
def test_predict_says_whose_results_they_are(started: Command, tmp_path: Path, command: str) -> None:
    results_of(tmp_path / "r.json", command)
    what = ("--from", "unformatted:element", "--to", "unformatted:whole", "--count", "1e6")
    done = started("predict", *what, "--results", "r.json")
    assert done.returncode == 2 and f"results of headrace {command}" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", OTHERS)
def test_compare_takes_it(started: Command, tmp_path: Path, command: str) -> None:
    results_of(tmp_path / "a.json", command)
    results_of(tmp_path / "b.json", command)
    done = started("compare", "a.json", "b.json", "--all")
    assert done.returncode == 0, done.stderr
    assert "1 rows are in both files: B is faster in 0 and slower in 0" in done.stdout


def test_runs_of_two_benchmarks_are_not_compared(started: Command, tmp_path: Path) -> None:
    results_of(tmp_path / "a.json", "bench text")
    results_of(tmp_path / "b.json", "bench binary")
    done = started("compare", "a.json", "b.json")
    assert done.returncode == 2 and "A holds results of headrace bench text, B of headrace bench binary" in done.stderr


def test_a_file_of_version_1_is_reported(started: Command, tmp_path: Path) -> None:
    path = results_of(tmp_path / "r.json", "bench text")
    old = json.loads(path.read_text())
    old["schema_version"], old["directory"] = 1, old.pop("directories")[0]
    old["compilers"] = []
    for sample in old["rows"][0]["samples"]:
        sample["wall"] = sample.pop("total")
    path.write_text(json.dumps(old))
    assert started("report", "r.json", "-o", "r.html").returncode == 0


@pytest.mark.parametrize("command", OTHERS)
def test_compare_finds_what_has_changed_in_it(started: Command, tmp_path: Path, command: str) -> None:
    """Twelve rows and four of the machine itself; in B two thirds of the rows take twice as long."""
    common = ROW | PARALLEL if command == "bench parallel" else ROW
    machine = {"method": "raw:shared_file"} if command == "bench parallel" else {"tool": "ceiling", "title": "ceiling"}
    for name, factor in (("a", 1.0), ("b", 2.0)):
        rows = [common | {"way": f"way {k}", "samples": slowed(factor if k < 8 else 1.0)} for k in range(12)]
        rows += [common | machine | {"way": f"limit {k}"} for k in range(4)]
        other_file(tmp_path / f"{name}.json", command, rows=rows, directories=[{"path": "/d", "file_system": "tmpfs"}])
    done = started("compare", "a.json", "b.json", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["reference_shift"] == pytest.approx(1.0)
    slower = {row["what"].split(": ")[-1] for row in found["rows"] if row["judgement"] == "slower"}
    assert slower == {f"way {k}" for k in range(8)}
    assert not any(row["judgement"] == "faster" for row in found["rows"])


def slowed(factor: float) -> list[dict[str, Any]]:
    """What takes longer takes more of the processor too: bench run compares that."""
    return [sample | {name: factor * sample[name] for name in ("total", "user")} for sample in SAMPLES]
