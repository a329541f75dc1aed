"""Names for the arrays of a file, the same in every snippet and in the schema."""

from collections import Counter
from dataclasses import dataclass

from headrace.inspect.findings import Item, Run


@dataclass(frozen=True)
class NamedRun:
    """Records that are read together, so many times; each is a list of names and items."""

    times: int
    slots: list[list[tuple[str, Item]]]
    complete: bool  # every record of the run is in slots


def named(runs: list[Run]) -> list[NamedRun]:
    """Names by what an item is: text, zeros, flags, n (few integers), integers, value, field.

    They are numbered if one occurs again.
    """
    wanted = Counter(_base(item) for run in runs for slot in run.slots for item in slot.items)
    used: Counter[str] = Counter()
    result = []
    for run in runs:
        slots = []
        for slot in run.slots:
            items = []
            for item in slot.items:
                base = _base(item)
                used[base] += 1
                items.append((base if wanted[base] == 1 else f"{base}{used[base]}", item))
            slots.append(items)
        result.append(NamedRun(run.times, slots, len(slots) == len(run.lengths)))
    return result


def _base(item: Item) -> str:
    if item.type == "character":
        return "text"
    if item.type == "zeros":
        return "zeros"
    if item.type.startswith("logical"):
        return "flags"
    if item.type.startswith("int"):
        return "n" if item.count <= 16 else "integers"
    return "value" if item.count == 1 else "field"
