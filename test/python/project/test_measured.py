"""The figures in documents are those of the results files in doc/results: none is typed."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from headrace.results.files import load_any
from headrace.results.parallel import ParallelRun

ROOT = Path(__file__).resolve().parents[3]
RESULTS = sorted((ROOT / "doc" / "results").glob("*.json"))
README = (ROOT / "README.md").read_text()


def measured() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measured", ROOT / "doc" / "measured.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_results_has_the_tables_of_the_results_files() -> None:
    module = measured()
    text = module.PAGE.read_text()
    assert text == module.renewed(text), "python doc/measured.py"
    used = set(re.findall(r"<!-- results/(\w+)\.json", text))
    assert used == {path.stem for path in RESULTS} and len(used) >= 4


def test_a_changed_figure_makes_the_page_stale() -> None:
    module = measured()
    text = module.PAGE.read_text()
    figure = re.search(r"\| `zarr_vs_fpp` \| >= 0.95 \| (\S+)", text)
    assert figure is not None
    start, end = figure.span(1)
    assert module.renewed(text[:start] + "9.99" + text[end:]) == text


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_results_files_of_documents_are_reduced_and_whole(path: Path) -> None:
    run = load_any(path)
    assert run.complete and not any(row.samples for row in run.rows)
    assert run.provenance.host == "" and run.provenance.processor and run.provenance.variables == {}
    assert not re.search(r"/(?:work|home|root|tmp)/", path.read_text())


def report(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "headrace", "report", "--format", "markdown", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_the_report_in_markdown_has_every_ratio_and_every_row(path: Path) -> None:
    run, text = load_any(path), report(str(path))
    assert text.startswith("# headrace: results\n") and f"## {path.stem}\n" in text
    shown = [line for line in text.splitlines() if re.match(r"\| `[^`]+` \| .* \| \d+ \| [a-z-]+ \|$", line)]
    assert len(shown) == sum(row.statistics is not None and row.outcome == "measured" for row in run.rows)
    for name in getattr(run, "ratios", {}) if not isinstance(run, ParallelRun) else run.ratios["8"]:
        assert f"| `{name}` |" in text
    tables = [block for block in text.split("\n\n") if block.startswith("| ")]
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_the_report_in_markdown_goes_to_a_file_of_several_runs(tmp_path: Path) -> None:
    target = tmp_path / "all.md"
    said = report(*map(str, RESULTS), "-o", str(target))
    assert str(target) in said and target.read_text().count("\n## ") == len(RESULTS)


def test_the_readme_has_the_figures_of_the_results_files() -> None:
    """All three of hdf5_vs_h5dwrite, not the best one."""
    assert measured().readme(README) == README, "python doc/measured.py"
    run = load_any(ROOT / "doc" / "results" / "parallel.json")
    assert isinstance(run, ParallelRun)
    found = [run.intervals[ranks]["hdf5_vs_h5dwrite"].median for ranks in ("2", "4", "8")]
    assert "{:.2f}, {:.2f} and {:.2f} times".format(*found) in README


def test_the_readme_is_short_and_begins_with_a_call() -> None:
    lines = README.splitlines()
    assert any("call write_array(" in line for line in lines[:15])
    assert len(re.findall(r"^!\[", README, re.MULTILINE)) == 1 and len(lines) <= 120


def test_figures_of_measurements_are_not_typed_into_guides() -> None:
    """Ratios and rates stand in measured.md and in tables that programs make, with their conditions."""
    made = {"measured.md", "trace.md", "trace_stories.md", "rules.md", "scaling_model.md", "filesystems.md"}
    made.add("planted_advice.md")
    typed = {}
    for page in sorted((ROOT / "doc").glob("*/*.md")):
        if page.name not in made and page.parent.name != "api":
            text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
            typed[page.name] = re.findall(r"\b\d+\.\d+ \(\d[\d.]* to \d|(?<![\d.])(?!0\.1 )\d[\d.]* [GM]i?B/s\b", text)
    assert {name: found for name, found in typed.items() if found} == {}
