"""Public Fortran codes do the same with and without the tracer; the page about them is made of committed results."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from trace_runs import LONG

FOLDER = Path(__file__).parents[1] / "public_codes"


def _module(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    import sys

    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


codes, change = _module("public_codes"), _module("advised_change")


def test_the_page_has_the_table_of_the_results() -> None:
    results = json.loads(codes.RESULTS.read_text())
    assert len(results) >= 5 and codes.page_table(results) in codes.PAGE.read_text(), "public_codes.py --write"


def test_the_page_has_the_table_of_the_advised_change() -> None:
    found = json.loads(change.RESULTS.read_text())
    assert change.page_table(found) in change.PAGE.read_text(), "advised_change.py --write"
    trace = found["trace"]["before"]
    assert found["arrays_compared"] >= 40 and trace["advised_lines"] == 6


if LONG:

    @pytest.mark.parametrize("code", codes.CODES, ids=lambda code: code.name)
    def test_it_does_the_same_when_it_is_traced(code: "codes.Code", tmp_path: Path) -> None:
        if not codes.is_installed(code):
            pytest.skip(f"not installed: {' '.join(code.packages)} (test/public_codes/public_codes.py --install)")
        found, trace = codes.examine(code, tmp_path)
        assert found == []
        assert trace["totals"]["io_seconds"] > 0 and len(trace["lines"]) >= 10
