"""The report: one HTML file that needs no network. Next: page.py puts it together, templates/ lays it out."""

from pathlib import Path

from headrace.measure.results import Run
from headrace.reporters.html.page import render
from headrace.whole_files import write_whole

__all__ = ["write_page", "write_report"]


def write_report(runs: list[Run], path: Path, names: list[str], option: str = "--report") -> None:
    """Write the report of `runs` to `path`, whole or not at all; `names` says what to call each run.

    Raises HeadraceError when the file cannot be written.
    """
    write_page(render(runs, names), path, option)


def write_page(text: str, path: Path, option: str = "--report") -> None:
    """Write a page whole or not at all. Raises HeadraceError, with the `option` that named the file."""
    write_whole(path, text.encode("utf-8", "xmlcharrefreplace"), option)
