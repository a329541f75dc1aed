"""Public Fortran codes do the same with and without the tracer; the page about them is made of committed results."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from trace_runs import LONG

FOLDER = Path(__file__).parents[2] / "public_codes"


def _module(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


codes, change = _module("public_codes"), _module("advised_change")
run_cases = _module("run_cases")
run_codes = _module("run_codes")
_module("source_cases")
run_sources = _module("run_sources")
run_decks = _module("run_decks")


def test_codes_built_from_source_do_the_same_with_and_without_headrace_run() -> None:
    """HEADRACE_TEST_SOURCES: the folder for the clones."""
    if not (sources := os.environ.get("HEADRACE_TEST_SOURCES")):
        pytest.skip("set HEADRACE_TEST_SOURCES to a folder for clones of public codes")
    command = [sys.executable, str(FOLDER / "run_sources.py"), "--sources", sources, "--rounds", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=7000)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_has_the_table_of_the_results() -> None:
    results = json.loads(codes.RESULTS.read_text())
    assert len(results) >= 5 and codes.page_table(results) in codes.PAGE.read_text(), "public_codes.py --write"


def test_the_page_has_the_table_of_the_advised_change() -> None:
    found = json.loads(change.RESULTS.read_text())
    assert change.page_table(found) in change.PAGE.read_text(), "advised_change.py --write"
    trace = found["trace"]["before"]
    assert found["arrays_compared"] >= 40 and trace["advised_lines"] == 6


def test_the_page_has_the_table_of_the_codes_that_were_run() -> None:
    results = json.loads(run_codes.RESULTS.read_text())
    assert len(results) >= 8 and run_codes.page_table(results) in run_codes.PAGE.read_text(), "run_codes.py --write"
    assert sum("mpirun" in found["command"] for found in results.values()) >= 2
    assert [name for name, found in results.items() if found["differences"]] == []


def test_the_page_has_the_table_of_the_codes_built_from_source() -> None:
    results = json.loads(run_sources.RESULTS.read_text())
    table = run_sources.page_table(results)
    assert len(results) >= 6 and f"{run_sources.BEGIN}\n{table}\n\n{run_sources.END}" in run_sources.PAGE.read_text(), (
        "run_sources.py --write"
    )
    for name, found in results.items():
        assert found["differences"] == [] and found["processes_taken_over"] >= 1, name
        assert found["build"] and all(len(package.partition("=")[2]) >= 10 for package in found["packages"]), name


def test_a_code_that_cannot_be_built_says_why(tmp_path: Path) -> None:
    code = run_sources.CODES[0]
    for repository in (code.repository, *code.also):
        (tmp_path / repository.partition("/")[2]).mkdir()
    reason = run_sources.missing(code, tmp_path)
    assert reason.startswith(f"cannot be built in {code.clone(tmp_path)}: "), reason


def test_the_page_tells_of_all_decks() -> None:
    found = json.loads(run_decks.RESULTS.read_text())
    assert run_decks.page_sentence(found) in run_decks.PAGE.read_text(), "run_decks.py --write"
    assert sum(map(len, found["decks"].values())) == found["count"] == 355 and "different" not in found["decks"]


def _left(output: bytes, exit_code: int = 0, **files: bytes) -> "run_codes.Ran":
    return run_codes.Ran(exit_code, 1.0, {"(output)": output, **files})


def test_times_and_dates_may_differ_and_nothing_else() -> None:
    before = _left(b"energy -1.5\n cpu time 0.25 s\n started on 1Jan2026 at  0:12:17\n")
    after = _left(b"energy -1.5\n cpu time 12.5 s\n started on 2Jan2026 at  0:12: 9\n")
    assert run_codes.differences(before, after) == []
    assert run_codes.differences(before, _left(before.texts["(output)"].replace(b"-1.5", b"-1.6"))) == [
        "(output), line 1: b'energy -1.5' became b'energy -1.6'"
    ]
    assert run_codes.differences(before, _left(before.texts["(output)"], 1)) == ["exit code 1 instead of 0"]
    assert run_codes.differences(before, _left(before.texts["(output)"], new=b"")) == [
        "new is there only with headrace run"
    ]


def test_what_is_handed_over_in_a_close_counts_against_what_disappears() -> None:
    def trace(text: float, close: float) -> dict[str, object]:
        return {
            "lines": [
                {"statement": "write", "form": "formatted", "seconds_exclusive": text},
                {"statement": "write", "form": "unformatted", "seconds_exclusive": 5.0},
                {"statement": "close", "form": "", "seconds_exclusive": close},
            ]
        }

    assert run_codes.disappeared(trace(1.0, 0.1), trace(0.1, 0.2)) == pytest.approx(0.8)
    assert run_codes.disappeared(trace(0.001, 0.1), trace(0.0, 0.1)) is None


if LONG:

    @pytest.mark.parametrize("code", run_cases.CODES, ids=lambda code: code.name)
    def test_it_does_the_same_with_headrace_run(code: "run_cases.RunCode", tmp_path: Path) -> None:
        if reason := run_codes.missing(code):
            pytest.skip(reason)
        found, result = run_codes.examine(code, tmp_path, 1)
        assert found == [] and result["processes_taken_over"] >= 1
        assert result["statements"]["different"] == 0

    @pytest.mark.timeout(3600)
    def test_all_decks_of_calculix_are_the_same(tmp_path: Path) -> None:
        if not run_codes.is_installed(run_decks.NEEDED):
            pytest.skip(f"not installed: {' '.join(run_decks.NEEDED.packages)} (run_decks.py --install)")
        names = run_decks.unpack(tmp_path / "decks")
        found = {name: run_decks.compare(name, tmp_path / "decks", tmp_path / "work", 20) for name in names}
        assert [(name, how) for name, (what, how) in found.items() if what == "different"] == []

    @pytest.mark.parametrize("code", codes.CODES, ids=lambda code: code.name)
    def test_it_does_the_same_when_it_is_traced(code: "codes.Code", tmp_path: Path) -> None:
        if not codes.is_installed(code):
            pytest.skip(f"not installed: {' '.join(code.packages)} (test/public_codes/public_codes.py --install)")
        found, trace = codes.examine(code, tmp_path)
        assert found == []
        assert trace["totals"]["io_seconds"] > 0 and len(trace["lines"]) >= 10
