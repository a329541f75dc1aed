"""What the planted file system does to calls: its costs, its faults and its room. The server is server.py.

A call costs what is set here on top of what the file system takes by itself, some 0.1 ms. So the settings are the
truth that a measurement must find.
"""

import errno
import json
from dataclasses import asdict, dataclass, field
from typing import Literal

ATTRIBUTE = "user.planted"  # of the mount point: what was called
Call = Literal["create", "open", "lookup", "lock", "write", "small_write", "read", "fsync", "close", "rename", "remove"]
CALLS: tuple[Call, ...] = (
    *("create", "open", "lookup", "lock", "write", "small_write", "read", "fsync", "close", "rename", "remove"),
)


@dataclass(frozen=True)
class Fault:
    """`call` fails with the error `name` after `after` calls that succeed, `times` times (0: from then on)."""

    call: Call
    name: str = "EIO"
    after: int = 0
    times: int = 0

    @property
    def number(self) -> int:
        return int(getattr(errno, self.name))


@dataclass(frozen=True)
class Settings:
    """Costs are in seconds a call; nothing is planted unless it is set."""

    costs: dict[Call, float] = field(default_factory=dict)
    small_bytes: int = 65536  # a write of fewer bytes costs `small_write`, in addition to `write`
    one_at_a_time: bool = False  # the calls of all processes wait for each other, as at one server
    faults: tuple[Fault, ...] = ()
    room_bytes: int | None = None  # of all files: then ENOSPC, after the part that fits
    short_write: int | None = None  # no write takes more bytes than this
    # So many writes of a file wait, and arrive last first. Reads, fsync and a change of size bring them all; so does
    # closing the file, or with held_until="fsync" only fsync and unmounting: then a crash loses them.
    held: int = 0
    held_until: Literal["close", "fsync"] = "close"

    def __post_init__(self) -> None:
        """Raises ValueError if a setting makes no sense."""
        for call, cost in self.costs.items():
            if call not in CALLS or not 0 <= cost <= 60:
                raise ValueError(f"costs: {call}={cost}: a call of {', '.join(CALLS)}, and 0 to 60 seconds")
        for fault in self.faults:
            if fault.call not in CALLS or not hasattr(errno, fault.name):
                raise ValueError(f"{fault}: a call of {', '.join(CALLS)}, and the name of an error, for example EIO")
        if self.short_write is not None and self.short_write < 1:
            raise ValueError(f"short_write={self.short_write}: at least 1 byte, or a program would never end")

    def text(self) -> str:
        return json.dumps(asdict(self))


def of_text(text: str) -> Settings:
    """What `text()` wrote."""
    found = json.loads(text)
    return Settings(**{**found, "faults": tuple(Fault(**fault) for fault in found["faults"])})
