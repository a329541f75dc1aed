"""The report: one HTML file that needs no network. Next: page.py puts it together, templates/ lays it out."""

import os
import tempfile
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.results import Run
from headrace.reporters.html.page import render

__all__ = ["write_page", "write_report"]


def write_report(runs: list[Run], path: Path, names: list[str]) -> None:
    """Write the report of `runs` to `path`, whole or not at all; `names` says what to call each run.

    Raises HeadraceError when the file cannot be written.
    """
    write_page(render(runs, names), path)


def write_page(text: str, path: Path) -> None:
    """Write a page whole or not at all. Raises HeadraceError."""
    target = path.resolve()  # a symbolic link is followed, not replaced
    try:
        if target.exists() and not target.is_file():  # a pipe or a device takes the text itself
            target.write_text(text, encoding="utf-8", errors="xmlcharrefreplace")
        else:
            _replace(target, text)
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be written: {error.strerror}", "choose another place with -o") from error


def _replace(target: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="xmlcharrefreplace") as file:
            file.write(text)
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
