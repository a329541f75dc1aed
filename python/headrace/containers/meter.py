"""Bytes that are done, counted for whoever shows them: ../commands/convert.py does."""

from collections.abc import Callable

Show = Callable[[int, int], None]  # bytes that are done, and all of them


def nobody(done: int, total: int) -> None:
    """Shows nothing."""


class Meter:
    """Counts bytes."""

    def __init__(self, total: int, show: Show = nobody) -> None:
        self.total, self.done = total, 0
        self._show = show

    def add(self, count: int) -> None:
        """So many more bytes are done."""
        self.at(self.done + count)

    def at(self, done: int) -> None:
        """So many bytes are done."""
        self.done = done
        self._show(done, self.total)
