"""Live progress on standard error: a bar on a terminal, a line now and then elsewhere."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.progress import Progress as Bar

EVERY = 10.0  # seconds between lines if there is no terminal


class Progress:
    """Shows the stages of a run."""

    def __init__(self, quiet: bool = False) -> None:
        self.console = Console(stderr=True)
        self.quiet = quiet

    @contextlib.contextmanager
    def stage(self, title: str, steps: int) -> Iterator[Callable[[str], None]]:
        """Within the block, call the value with what is being done now; 0 steps: their number is not known."""
        if self.quiet:
            yield lambda text: None
        elif self.console.is_terminal:
            with self._bar(title, steps) as step:
                yield step
        else:
            yield _Lines(title, steps)

    def warn(self, text: str) -> None:
        """At once, also if the stages are not shown."""
        print(f"headrace: warning: {text}", file=sys.stderr)

    @contextlib.contextmanager
    def _bar(self, title: str, steps: int) -> Iterator[Callable[[str], None]]:
        columns = (
            TextColumn("{task.description:<14}"),
            BarColumn(bar_width=20),
            *([MofNCompleteColumn()] if steps else []),
            TimeElapsedColumn(),
            TextColumn("{task.fields[now]}"),
        )
        with Bar(*columns, console=self.console, transient=True) as bar:
            task = bar.add_task(title, total=steps or None, now="")
            done = 0

            def step(text: str) -> None:
                nonlocal done
                bar.update(task, completed=done, total=max(steps, done + 1) if steps else None, now=text[:60])
                done += 1

            yield step


class _Lines:
    def __init__(self, title: str, steps: int) -> None:
        self.title, self.steps, self.done = title, steps, 0
        self.begun = self.last = time.monotonic()

    def __call__(self, text: str) -> None:
        self.done += 1
        now = time.monotonic()
        if self.done == 1 or now - self.last >= EVERY:
            self.last = now
            count = f"{self.done}/{max(self.steps, self.done)}, " if self.steps else ""
            print(f"{self.title}: {count}{now - self.begun:.0f} s, {text}", file=sys.stderr, flush=True)


class ByteProgress:
    """Bytes that are done, of `total`: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, title: str, total: int, begun: float) -> None:
        self.title, self.total, self.begun = title, total, begun
        self.last = 0.0
        self.bar: Bar | None = None

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if sys.stderr.isatty():
            self._show(done)
        elif now - self.last >= EVERY:
            self.last = now
            share = f"{100 * done / self.total:.0f} %" if self.total else f"{done:,} bytes"
            print(f"{self.title}: {share}, {now - self.begun:.0f} s", file=sys.stderr, flush=True)

    def _show(self, done: int) -> None:
        if self.bar is None:
            columns = (BarColumn(bar_width=20), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
            self.bar = Bar(TextColumn(self.title), *columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=self.total or None)
            self.bar.start()
        self.bar.update(self.task, completed=done)

    def stop(self) -> None:
        """Takes the bar away."""
        if self.bar is not None:
            self.bar.stop()
