"""The HTML report: complete, escaped, self-contained, and readable in a real browser."""

import argparse
from pathlib import Path
from typing import Any

import pytest

from browser import CHROMIUM, Browser, Page, artefacts, browser
from conftest import start
from data.synthetic_run import HOSTILE, TROUBLE, WAYS, synthetic_run
from headrace.commands import report
from headrace.errors import HeadraceError
from headrace.reporters.html import write_report
from headrace.results.files import save
from headrace.results.run import Provenance, Run


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report([synthetic_run()], path, ["a & <run>"])
    return path


@pytest.fixture(scope="module")
def page(file: Path) -> Page:
    return Page(file.read_text(encoding="utf-8"))


def small_run(**values: Any) -> Run:
    machine = Provenance(date="2026-11-20", headrace_version="0.1.0", command=[], host="here", system="Linux")
    return Run(provenance=machine, **values)


def shown(text: str) -> str:
    """As the page shows a string of the results."""
    return text.replace("\x1b", "\ufffd").replace("\u202e", "\ufffd")


def test_tags_are_balanced(page: Page) -> None:
    assert page.unbalanced == []
    assert page.open == []


def test_nothing_comes_from_the_network(page: Page) -> None:
    sources = [value for _, name, value in page.attributes if name in ("src", "href", "xlink:href", "action")]
    assert [value for value in sources if not value.startswith("#")] == []
    assert "link" not in page.tags and "img" not in page.tags and "iframe" not in page.tags


def test_inner_links_have_targets(page: Page) -> None:
    targets = {value for _, name, value in page.attributes if name == "id"}
    links = {value[1:] for _, name, value in page.attributes if name == "href"}
    assert links and links <= targets


def test_every_row_is_in_the_table(page: Page) -> None:
    lines = [line for line in page.rows if line]
    for row in synthetic_run().rows:
        parts = [row.key, shown(row.statement), row.compiler, row.directory, row.knob, row.condition]
        parts += [
            row.verdict if row.outcome == "measured" and row.verdict else row.outcome,
            shown(row.message),
        ]
        assert any(all(part in line for part in parts) for line in lines), parts


def test_strings_of_the_results_stay_text(file: Path, page: Page) -> None:
    text = file.read_text(encoding="utf-8")
    assert page.tags.count("script") == 1
    assert "<b>bold" not in text and "alert('pwned')" not in text
    assert "{{ 7 * 7 }}" in text
    assert shown(HOSTILE) in page.text
    assert "\x1b" not in text and "\u202e" not in text


def test_all_sections_are_there(page: Page) -> None:
    ids = {value for _, name, value in page.attributes if name == "id"}
    for section in ("speed", "rows", "published", "readers", "knobs", "costs", "checks", "provenance"):
        assert f"run1-{section}" in ids
    for text in (
        "gfortran 12.2.0", "flang 19.1.7", "-march=native", "stripe_count: 4", "SLURM_JOB_ID=1234",
        "not on the PATH", "The disk is shared", "GFORTRAN_UNFORMATTED_BUFFER_SIZE=1048576", "es23.15",
        "48 mechanisms that were not in the fit", "Does a full disk give an error?", "ceiling of /dev/shm/headrace",
    ):  # fmt: skip
        assert text in page.text, text


def test_pictures_have_names(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    pictures = text.split('<svg role="img"')[1:]
    assert len(pictures) >= len(WAYS)
    assert all("<title>" in picture.split("</svg>")[0] for picture in pictures)
    assert all("<desc>" in picture.split("</svg>")[0] for picture in pictures)


def test_doubtful_bars_are_hatched_and_say_why(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for _, outcome, verdict, _ in TROUBLE:
        word = verdict if outcome == "measured" else outcome
        assert f" {word}</text>" in text or f'<span class="badge {word}">{word}</span>' in text, word
    assert 'fill="url(#hatch11)"' in text


def test_several_runs_stand_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "two.html"
    write_report([synthetic_run(), synthetic_run()], path, ["before", "after"])
    page = Page(path.read_text(encoding="utf-8"))
    assert page.unbalanced == [] and page.open == []
    assert "The runs side by side" in page.text
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_an_empty_run_gives_a_report(tmp_path: Path) -> None:
    path = tmp_path / "empty.html"
    write_report([small_run(complete=False)], path, ["empty"])
    page = Page(path.read_text(encoding="utf-8"))
    assert page.unbalanced == [] and page.open == []
    assert "interrupted" in page.text


def test_command_reads_results_and_writes_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save(synthetic_run(), Path("one.json"))
    parser = argparse.ArgumentParser()
    report.add_parser(parser.add_subparsers())
    args = parser.parse_args(["report", "one.json"])
    assert args.run(args) == 0
    assert Path("headrace-report.html").is_file()
    assert "headrace-report.html" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["headrace-report.html", "one.json"]


def test_same_file_names_get_their_folder() -> None:
    assert report.names_of([Path("a/run.json"), Path("b/run.json"), Path("c.json")]) == [
        "a/run",
        "b/run",
        "c",
    ]
    assert report.names_of([Path("run.json"), Path("run.json")]) == ["run", "run (2)"]


def test_unwritable_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(HeadraceError, match="nowhere"):
        write_report([small_run()], tmp_path / "nowhere" / "report.html", ["x"])
    with pytest.raises(HeadraceError, match="cannot be written"):
        write_report([small_run()], tmp_path, ["x"])


def test_old_report_stays_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(HeadraceError, match="No space left"):
        write_report([small_run()], path, ["x"])
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"] and path.read_text() == "old"


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_browser_shows_it_at_every_width_without_errors(file: Path, tmp_path: Path) -> None:
    wide = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    with browser(tmp_path) as chromium:
        for width in (1280, 400):
            for scheme in ("light", "dark"):
                chromium.show(file, width, scheme)
                chromium.picture(artefacts() / f"report-{width}-{scheme}.png")
                assert chromium.value("innerWidth") == width
                assert chromium.value(wide) <= width, f"horizontal scroll at {width}"
                assert chromium.value(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
        assert chromium.errors == []


# Every child of the chosen elements that is drawn and does not lie within the window, from its left edge to its right.
OUTSIDE = """
[...document.querySelectorAll('{chosen}')].filter(part => {{
  const box = part.getBoundingClientRect();
  return box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5);
}}).map(part => part.textContent.trim().slice(0, 60))
"""


def outside(chromium: Browser, chosen: str) -> Any:
    """What of `chosen` can only be seen by scrolling sideways; at least one must be drawn."""
    drawn = f"[...document.querySelectorAll('{chosen}')].filter(part => part.getBoundingClientRect().width > 0).length"
    assert chromium.value(drawn) > 0, chosen
    return chromium.value(OUTSIDE.format(chosen=chosen))


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_verdicts_and_figures_are_seen_without_scrolling_sideways(file: Path, tmp_path: Path) -> None:
    with browser(tmp_path) as chromium:
        for width in (1280, 400):
            chromium.show(file, width, "light")
            chromium.value("document.querySelectorAll('details').forEach(box => { box.open = true; })")
            rows = "table.results tbody "
            assert outside(chromium, f"{rows}th, {rows}.badge") == []
            assert outside(chromium, f"{rows}td.n, {rows}td") == []
            assert outside(chromium, ".finding .gain b, .finding pre, .finding .gains li") == []
            # Nothing of a table of results is hidden behind its own scroll bar either.
            hidden = "[...document.querySelectorAll('.scroll')].filter(box => box.querySelector('.results') &&"
            assert chromium.value(f"{hidden} box.scrollWidth > box.clientWidth + 1).length") == 0
            chromium.picture(artefacts() / f"report-open-{width}.png")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_what_to_change_is_on_the_first_screen(file: Path, tmp_path: Path) -> None:
    with browser(tmp_path) as chromium:
        for width in (1280, 400):
            chromium.show(file, width, "light")
            first = "document.querySelector('.finding .swap')"
            assert chromium.value(f"{first}.getBoundingClientRect().bottom") < 900
            assert chromium.value("document.querySelectorAll('.finding').length") == 4
            above = "compareDocumentPosition(document.querySelector('table'))"
            assert chromium.value(f"{first}.{above} & Node.DOCUMENT_POSITION_FOLLOWING")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_rows_are_folded_by_family_until_they_are_asked_for(file: Path, tmp_path: Path) -> None:
    families = "[...document.querySelectorAll('#run1-rows details.family')]"
    with browser(tmp_path) as chromium:
        chromium.show(file, 1280, "light")
        assert chromium.value(f"{families}.map(box => box.querySelector('summary b').textContent)") == list(
            dict.fromkeys(row.family for row in synthetic_run().rows)
        )
        assert chromium.value(f"{families}.filter(box => box.open).length") == 0
        shown = f"{families}.map(box => box.querySelectorAll('tbody tr').length).reduce((a, b) => a + b)"
        assert chromium.value(shown) == len(synthetic_run().rows)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_tables_sort_and_filter(file: Path, tmp_path: Path) -> None:
    table = "[...document.querySelectorAll('details.family')].at(2).querySelector('table')"
    head = f"{table}.querySelector('th:nth-child(3)')"
    rows = "[...document.querySelectorAll('table.results tbody tr:not([hidden])')]"
    with browser(tmp_path) as chromium:
        chromium.show(file, 1280, "light")
        chromium.value(f"{head}.querySelector('button').click()")
        assert chromium.value(f"{head}.getAttribute('aria-sort')") == "descending"
        cells = f"[...{table}.querySelectorAll('tbody td:nth-child(3)')].map(cell => cell.dataset.value)"
        values = chromium.value(cells)
        known = [float(value) for value in values if value is not None]
        assert len(known) > 3 and known == sorted(known, reverse=True)
        assert values[len(known) :] == [None] * (len(values) - len(known))
        chromium.value(f"{head}.querySelector('button').click()")
        assert chromium.value(f"{head}.getAttribute('aria-sort')") == "ascending"
        chromium.value(
            "const form = document.querySelector('form.filters'); form.elements.text.value = 'stream WHOLE';"
            "form.elements.operation.value = 'read'; form.dispatchEvent(new Event('input'))"
        )
        expected = [r for r in synthetic_run().rows if r.key == "stream:whole" and r.operation == "read"]
        assert len(chromium.value(f"{rows}.map(row => row.textContent)")) == len(expected)
        opened = "[...document.querySelectorAll('details.family[open]')].map(box => box.querySelector('b').textContent)"
        assert chromium.value(opened) == ["stream"]
        assert chromium.value("document.querySelectorAll('details.family:not([hidden])').length") == 1
        assert chromium.errors == []


def test_the_report_goes_to_standard_output(tmp_path: Path) -> None:
    save(synthetic_run(), tmp_path / "one.json")
    for target in ("-", "/dev/stdout"):
        done = start(tmp_path, "report", "one.json", "-o", target)
        assert done.returncode == 0 and done.stdout.startswith("<!DOCTYPE html>"), done.stderr
        assert done.stdout.rstrip().endswith("</html>")
