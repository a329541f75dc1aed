"""Bytes that are done, on standard error, once a conversion takes longer than two seconds."""

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 2.0  # seconds without progress
EVERY = 10.0  # seconds between lines where there is no terminal


class Meter:
    """Counts bytes: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, total: int, quiet: bool = False) -> None:
        self.total, self.done = total, 0
        self._begun = time.monotonic()
        self._last = self._begun + PATIENCE - EVERY
        self._quiet = quiet
        self._bar: Bar | None = None

    def add(self, count: int) -> None:
        """So many more bytes are done."""
        self.at(self.done + count)

    def at(self, done: int) -> None:
        """So many bytes are done."""
        self.done = done
        now = time.monotonic()
        if self._quiet or now - self._begun < PATIENCE:
            return
        if sys.stderr.isatty():
            self._show()
        elif now - self._last >= EVERY:
            self._last = now
            share = f"{100 * done / self.total:.0f} %" if self.total else f"{done:,} bytes"
            print(f"convert: {share}, {now - self._begun:.0f} s", file=sys.stderr, flush=True)

    def _show(self) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
            from rich.progress import Progress as Bar

            columns = (BarColumn(bar_width=20), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
            self._bar = Bar(TextColumn("convert"), *columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self.total or None)
            self._bar.start()
        self._bar.update(self._task, completed=self.done)

    def stop(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()


@contextlib.contextmanager
def meter(total: int, quiet: bool = False) -> Iterator[Meter]:
    """A Meter that is taken away at the end."""
    shown = Meter(total, quiet)
    try:
        yield shown
    finally:
        shown.stop()
