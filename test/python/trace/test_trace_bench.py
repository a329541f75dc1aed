"""`headrace bench trace` as a user runs it, for seconds: every loop with and without the tracer, ratios, bad input."""

import importlib.util
import json
import shutil
import statistics
from pathlib import Path

import pytest

from conftest import start
from headrace.measure.trace.ways import GOALS, LOOPS


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed")
def test_every_loop_is_measured_with_and_without(tmp_path: Path) -> None:
    options = ("--fc", "gfortran", "--min-time", "0.001", "--rounds", "1", "--time-budget", "1", "--json", "r.json")
    done = start(tmp_path, "bench", "trace", *options)
    assert done.returncode == 0, done.stderr
    assert "Traced, a program that computes and writes takes" in done.stdout and "ns a statement" in done.stdout
    found = json.loads((tmp_path / "r.json").read_text())
    rows = {(row["tool"], row["way"]): row for row in found["rows"]}
    assert set(rows) == {(tool, loop.case) for tool in ("gnu", "gnu-traced") for loop in LOOPS}
    assert all(row["samples"] and row["outcome"] == "measured" for row in rows.values())
    assert rows["gnu", "element"]["values"] == 100000 and rows["gnu-traced", "stencil"]["values"] == 20
    assert set(found["intervals"]) == {*(f"{case}_gnu" for case in GOALS), "memory", "show_1000"}
    for name, ratio in found["intervals"].items():
        if not name.endswith("_gnu"):
            continue
        case = name.removesuffix("_gnu")
        both = [rows[tool, case]["samples"] for tool in ("gnu-traced", "gnu")]
        pairs = [traced["total"] / plain["total"] for traced, plain in zip(*both, strict=True)]
        assert ratio["median"] == pytest.approx(statistics.median(pairs))
    assert not list(tmp_path.glob("*profile*"))
    assert start(tmp_path, "compare", "r.json", "r.json").returncode == 0
    assert start(tmp_path, "report", "r.json", "-o", "r.html").returncode == 0


def test_what_is_not_traced_is_not_measured(tmp_path: Path) -> None:
    done = start(tmp_path, "bench", "trace", HEADRACE_TRACE_LIBRARY="/nowhere.so")
    assert done.returncode == 2 and "/nowhere.so: no such file" in done.stderr


def test_the_guide_has_the_table_of_the_results_file() -> None:
    folder = Path(__file__).parents[2] / "benchmarks"
    specification = importlib.util.spec_from_file_location("trace_overhead", folder / "trace_overhead.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    guide = module.GUIDE.read_text()
    assert guide == module.documented(guide, module.load_results()), "trace_overhead.py"
