"""What the processes of a run wanted to be said, each sentence once."""

from collections import Counter
from collections.abc import Sequence

from headrace.trace.profile import Profile


def merged_notes(profiles: Sequence[Profile]) -> list[str]:
    """The notes of all profiles; one that many have is said once, with their number."""
    counted = Counter(note for profile in profiles for note in dict.fromkeys(profile.notes))
    many = len(profiles) > 1
    return [f"{note} ({of_processes(count)})" if many else note for note, count in counted.items()]


def of_processes(count: int) -> str:
    """How many."""
    return "one process" if count == 1 else f"{count:,} processes"
