"""The console of every command and how it shows numbers; light, because quick commands load it. Next: terminal.py."""

import os
import sys
from collections.abc import Iterable

from rich.console import Console

WIDTH = 100


class _Piped(Console):
    def on_broken_pipe(self) -> None:
        """cli.py ends the command; rich itself would give exit code 1, which is an answer of some commands."""
        raise BrokenPipeError


def console() -> Console:
    """Standard output, 100 columns if it is not a terminal; NO_COLOR is honoured."""
    width = None if sys.stdout.isatty() else WIDTH
    return _Piped(width=width, highlight=False, no_color="NO_COLOR" in os.environ or None)


def print_written(files: Iterable[object], out: Console) -> None:
    """A line for each, which is not cut: names of files are copied."""
    for file in files:
        out.print(f"wrote {file}", markup=False, soft_wrap=True)


def number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def rounds_said(count: int) -> str:
    return "one round" if count == 1 else f"{count} rounds"


def compact(value: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.2g}{unit}" if value / size < 99.5 else f"{value / size:.0f}{unit}"
    return f"{value:.0f}"
