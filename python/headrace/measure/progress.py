"""How far a run is: what a command shows, while nothing here prints. ../reporters/progress.py has the one that does."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol


class Progress(Protocol):
    """Shows the stages of a run."""

    def stage(self, title: str, steps: int) -> AbstractContextManager[Callable[[str], None]]:
        """Within the block, call the value with what is being done now; 0 steps: their number is not known."""

    def warn(self, text: str) -> None:
        """At once, also if the stages are not shown."""
