"""The report: one HTML file that needs no network. Next: page.py puts it together, templates/ lays it out."""

from collections.abc import Sequence
from pathlib import Path

from headrace.reporters.html.page import render
from headrace.results.findings import Findings
from headrace.results.run import Run
from headrace.whole_files import write_whole

__all__ = ["write_page", "write_report"]


def write_report(
    runs: list[Run],
    path: Path,
    names: list[str],
    option: str = "--report",
    found: Sequence[Findings] | None = None,
) -> None:
    """Write the report of `runs` to `path`, whole or not at all; `names` says what to call each run.

    `found` has the findings of each run if they do not come from its rows as they are shown. Raises HeadraceError
    when the file cannot be written.
    """
    write_page(render(runs, names, found), path, option)


def write_page(text: str, path: Path, option: str = "--report") -> None:
    """Write a page whole or not at all. Raises HeadraceError, with the `option` that named the file."""
    write_whole(path, text.encode("utf-8", "xmlcharrefreplace"), option)
