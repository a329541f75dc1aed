"""What the catalogue says of a rule. Next: catalogue.py."""

from dataclasses import dataclass
from typing import Literal

Evidence = Literal["trace", "source", "both", "script"]
Effect = Literal["identical", "reader", "durability", "none"]


@dataclass(frozen=True)
class Rule:
    """A way of doing I/O that costs time or goes wrong, and what to do instead."""

    code: str
    name: str
    finds: str
    """What the program or the job script does."""
    instead: str
    """What it could do."""
    reason: str
    source: str
    """Where the reason comes from."""
    evidence: Evidence
    """What can show it: a run, the source, both of them, or a job script."""
    effect: Effect
    """What the change does to the file: the same bytes; other bytes, so that the reader must change; less on disk after
    a crash; nothing."""
