"""What the processes of a run wanted to be said, each sentence once."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headrace.trace.results import Line, Process

if TYPE_CHECKING:
    from headrace.trace.profile import Profile


def merged_notes(profiles: Sequence["Profile"]) -> list[str]:
    """The notes of all profiles; one that many have is said once, with their number."""
    counted = Counter(note for profile in profiles for note in dict.fromkeys(profile.notes))
    many = len(profiles) > 1
    return [f"{note} ({of_processes(count)})" if many else note for note, count in counted.items()]


def of_processes(count: int) -> str:
    """How many."""
    return "one process" if count == 1 else f"{count:,} processes"


_UNSEEN_BYTES = 1 << 20
_UNSEEN_SHARE = 0.05  # of all that the processes wrote or read


def unseen(processes: Sequence[Process], lines: Sequence[Line]) -> list[str]:
    """What the processes wrote and read by the kernel's count, and no row of the trace has: C's stdio above all."""
    said = []
    for verb, whole, known in (
        ("written", sum(p.bytes_written for p in processes), sum(line.bytes_written for line in lines)),
        ("read", sum(p.bytes_read for p in processes), sum(line.bytes_read for line in lines)),
    ):
        if whole - known > max(_UNSEEN_BYTES, _UNSEEN_SHARE * whole):
            amount = f"{(whole - known) / 1e6:,.0f} MB"
            said.append(f"{amount} more were {verb} by calls that are not traced, for example C's fprintf and fread")
    return said
