"""What the records hold: types, values and shapes. The library weighs the types (hr_probe_values, hr_split_items)."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from headrace.containers.file_bytes import Bytes, Place
from headrace.containers.records import survey
from headrace.containers.records.survey import LONGEST_ROW, Probe
from headrace.errors import HeadraceError
from headrace.inspect import confidence, plausible
from headrace.inspect.findings import Hypothesis, Item, Run, Slot
from headrace.record_files import records

_ROWS = 64  # repetitions looked at
_BUDGET = 65536  # bytes of them
_NO_STRUCTURE = 7.9  # bits that are left in a byte
_ALONE = 10.0  # bits of a record that is of another type than those like it
_CHEAPER = 1.5  # bits a value that integers must be cheaper than usual reals
_BEHIND = 60.0  # bits that the simplest explanation may need more than others
_SHORT_ROW = 256  # bytes of rows whose columns are looked at
_SINGLES = 12  # records that do not repeat, shown from the beginning
ANOTHER_ITEM = 12.0  # bits that a record of two types must save
_WINDOW, _WINDOWS = 2048, 8  # bytes of the middle and of the end that are looked at, in so many records
_DOUBTFUL, _ODD = 0.45, 0.8  # the most that is said of types that do not go on, or have odd values
MASK, _MASK = "or logical32: 0 and 1 are both", 0.6  # the bytes do not tell these two
_INTEGERS = ("int32", "int64")
_SHAPE_INTEGERS = 16  # a longer array of integers is no header


def describe_records(path: Path, found: Hypothesis) -> list[Run]:
    """The runs of a hypothesis with what each record of them holds."""
    big = found.detail["byte_order"] == "big"
    with Bytes(path) as file:
        locate = _locator(path, found)
        runs, number = [], 0
        for run in found.runs[:6]:
            described = _described(run, number, locate, file, big)
            if run.times > 1 and run.times * len(run.lengths) <= _SINGLES:
                described = _if_alike(described, number, locate, file, big)
            runs.append(described)
            number += run.times * len(run.lengths)
        return [*_with_shapes(_agreed(runs, file, locate, big)), *found.runs[6:]]


class _Plain:
    """Records of one piece each: their places follow from the lengths."""

    def __init__(self, runs: list[Run], marker: int) -> None:
        self._runs, self._marker = runs, marker

    def __call__(self, number: int) -> list[Place]:
        place = 0
        for run in self._runs:
            stride = sum(run.lengths) + 2 * self._marker * len(run.lengths)
            if number >= run.times * len(run.lengths):
                place += run.times * stride
                number -= run.times * len(run.lengths)
                continue
            times, slot = divmod(number, len(run.lengths))
            before = run.lengths[:slot]
            place += times * stride + sum(before) + 2 * self._marker * len(before)
            return [(place + self._marker, run.lengths[slot])]
        return []


def _locator(path: Path, found: Hypothesis) -> Any:
    detail = found.detail
    segmented = found.format == "intel-segmented"
    if not segmented and "pieces" not in detail:
        return _Plain(found.runs, detail["marker_bytes"])
    places: dict[int, list[Place]] = {}
    try:
        with records(
            path,
            record_marker=detail.get("marker_bytes", 0),
            byte_order=detail["byte_order"],
            long_records=detail.get("long_records", "subrecords"),
            record_type="segmented" if segmented else "variable",
        ) as file:
            for number, offset, length in file._pieces(1):
                places.setdefault(int(number), []).append((int(offset), int(length)))
    except HeadraceError:  # damaged behind what is asked for here
        pass
    return lambda number: places.get(number, [])


def _described(run: Run, first: int, locate: Any, file: Bytes, big: bool) -> Run:
    slots = []
    for slot, length in enumerate(run.lengths if run.times > 1 else run.lengths[:_SINGLES]):
        head = min(length, LONGEST_ROW)
        wanted = min(run.times, _ROWS, max(2, _BUDGET // max(head, 1)))
        numbers = [first + slot + len(run.lengths) * (k * run.times // wanted) for k in range(wanted)]
        rows = [row for row in (file.gather(locate(n), head) for n in numbers) if len(row) == head]
        described = describe_rows(rows, length, big)
        slots.append(continued(described, [locate(n) for n in numbers[:_WINDOWS]], file, big))
    return replace(run, slots=slots)


def continued(slot: Slot, records: Sequence[Sequence[Place]], file: Bytes, big: bool) -> Slot:
    """Whether the middle and the end of long records have the type of the last item, that of the beginning."""
    if slot.bytes <= LONGEST_ROW or not slot.items or slot.items[-1].type not in ("real32", "real64", *_INTEGERS):
        return slot
    last = slot.items[-1]
    for place in (slot.bytes // 2, slot.bytes - _WINDOW):
        offset = last.offset + max(0, place - last.offset) // last.size * last.size
        rows = [file.window(one, offset, min(_WINDOW, slot.bytes - offset)) for one in records]
        rows = [row[: len(row) // last.size * last.size] for row in rows if any(row)]
        rows = [row for row in rows if len(row) == len(rows[0])]
        if rows and not _of_type(last, rows, "big" if big else "little"):
            return _doubtful(slot, f"not to the end? another type at byte {offset:,} of the record")
    return slot


def _of_type(item: Item, rows: list[bytes], order: str) -> bool:
    if plausible.odd_within(item.type, rows, order == "big"):
        return False
    probes = survey.probe_values(b"".join(rows), order)
    least = probes[0].bits / probes[0].size
    return any(p.type == item.type and p.bits / p.size <= 1.3 * least + 0.1 for p in probes)


def _doubtful(slot: Slot, note: str) -> Slot:
    last = slot.items[-1]
    items = [*slot.items[:-1], replace(last, note="; ".join(filter(None, (last.note, note))))]
    return replace(slot, items=items, confidence=min(slot.confidence, _DOUBTFUL))


def _if_alike(run: Run, first: int, locate: Any, file: Bytes, big: bool) -> Run:
    """A few records of one length need not be made alike: a run of single records then."""
    alone = _described(Run(1, run.lengths * run.times), first, locate, file, big)
    for index, slot in enumerate(alone.slots):
        others = [run.slots[index % len(run.lengths)], *alone.slots[index % len(run.lengths) :: len(run.lengths)]]
        types = {tuple(item.type for item in one.items if item.type != "zeros") for one in (slot, *others)}
        if slot.margin > _ALONE and len(types - {()}) > 1 and all(len(one.items) == 1 for one in (slot, *others)):
            return alone
    return run


def _agreed(runs: list[Run], file: Bytes, locate: Any, big: bool) -> list[Run]:
    """Records of many lengths are all made alike when most are: (int32, reals) for example.

    One record alone may be too short to tell.
    """
    slots = [slot for run in runs for slot in run.slots if slot.items]
    made = Counter(_structure(slot) for slot in slots if len(slot.items) > 1)
    if len({slot.bytes for slot in slots}) < 6 or not made:
        return runs
    usual, times = made.most_common(1)[0]
    if times < 0.6 * len(slots):
        return runs
    fields = next(slot.items for slot in slots if _structure(slot) == usual)
    result, number = [], 0
    for run in runs:
        changed = []
        for index, slot in enumerate(run.slots):
            rest = slot.bytes - fields[-1].offset
            if slot.items and _structure(slot) != usual and rest > 0 and rest % fields[-1].size == 0:
                row = file.gather(locate(number + index), min(slot.bytes, LONGEST_ROW))
                items = [*fields[:-1], replace(fields[-1], count=rest // fields[-1].size)]
                slot = replace(slot, items=[_with_values(item, [row], big) for item in items])
            changed.append(slot)
        result.append(replace(run, slots=changed))
        number += run.times * len(run.lengths)
    return result


def _structure(slot: Slot) -> tuple[tuple[str, int], ...]:
    return (*((item.type, item.count) for item in slot.items[:-1]), (slot.items[-1].type, 0))


def describe_rows(rows: list[bytes], length: int, big: bool) -> Slot:
    """What records of `length` bytes hold, from their beginnings."""
    if not rows or not rows[0]:
        return Slot(length, [], 1.0 if length == 0 else 0.0)
    if not any(map(any, rows)):
        return Slot(length, [Item("zeros", length, 1)])
    order = "big" if big else "little"
    examined = rows
    # What is examined of a long record ends where a value does that ends with the record.
    trimmed = len(rows[0]) - (len(rows[0]) - length) % 16
    if trimmed <= 0:  # the file has become shorter since its size was taken
        return Slot(length, [], 0.0)
    rows = list(dict.fromkeys(row[:trimmed] for row in rows))  # what is said again is no evidence
    guess = _weighed(rows, length, order)
    items = _without_zeros(guess.items)
    odd = len(items) > plausible.MOST_ITEMS or _of_two_widths(items) or any(_is_odd(item, rows, big) for item in items)
    among = any(item.type == "int32" and plausible.reals_among(_part(item, rows), big) for item in items)
    group = "odd" if odd else "among" if among else guess.group
    values = len(rows) * max(1, sum(min(item.count, trimmed // item.size) for item in items))
    stated = min(confidence.of_types(group, guess.margin, values), _ODD if odd or among else 1.0)
    slot = Slot(length, items, stated, round(guess.margin, 2), values, group)
    if guess.note:
        slot = _doubtful(slot, guess.note)
    slot = replace(slot, items=[_with_values(item, examined, big) for item in slot.items])
    masks = any(item.note == MASK for item in slot.items)
    return replace(slot, confidence=min(slot.confidence, _MASK)) if masks else slot


@dataclass(frozen=True)
class _Guess:
    """The items, how many bits they are ahead, how they were found, and what speaks against them."""

    items: list[Item]
    margin: float
    group: str
    note: str = ""


def _without_zeros(items: list[Item]) -> list[Item]:
    """Zeros count in bytes; between, before and behind values of one type they are such values."""
    result: list[Item] = []
    for item in items:
        if item.type == "zeros":
            item = replace(item, count=item.count * item.size, size=1)
        last = result[-1] if result else None
        if last and (last.type == item.type or (last.type == "zeros" and _takes(item, last))):
            size, end = item.size, item.offset + item.count * item.size
            result[-1] = replace(item, offset=last.offset, count=(end - last.offset) // size)
        elif last and item.type == "zeros" and _takes(last, item):
            result[-1] = replace(last, count=last.count + item.count // last.size)
        else:
            result.append(item)
    return result


def _takes(item: Item, zeros: Item) -> bool:
    """Whether zeros beside an item may be values of it: numbers, and a whole number of them."""
    return item.type not in ("character", "zeros", "int8") and zeros.count % item.size == 0


def _weighed(rows: list[bytes], length: int, order: str) -> _Guess:
    big = order == "big"
    whole, margin = _best_whole(rows, length, order)
    parts = [part for part in survey.split_items(rows, big) if part[3]]
    items, note, group = [Item(whole.type, length // whole.size, whole.size)], "", whole.type
    if whole.bits / whole.size > _NO_STRUCTURE and len(rows) * len(rows[0]) > 256:
        items = [Item("int8", length, 1, note="no structure: compressed or encrypted?")]
    cost = _cost(rows, 0, whole, order)
    if len(parts) > 1:
        split_cost = _cost_of(parts, rows, order)
        split = _items(parts, length)
        if split_cost < cost and split:
            items, margin, cost, group = split, cost - split_cost, split_cost, "mixed"
        elif split_cost < cost and length > len(rows[0]):
            note = "the record does not go on as it begins"
        elif split:
            margin = min(margin, split_cost - cost)
    if items[0].type == "character" and len(items) == 1:
        words = _items(plausible.words(rows), length)
        if len(words) > 1:
            return _Guess(words, margin, "words")
    if group == "real32" and plausible.counts_up(rows, big):
        return _Guess([Item("int32", length // 4, 4)], margin, "int32")
    simple = plausible.leading_integers(rows, big)
    found = _items(simple, length)
    if not found or found == items:
        return _Guess(items, margin, group + "+" if found else group, "" if found else note)
    ahead = cost - _cost_of(simple, rows, order)
    # Differences of integers are cheap, also if reals are meant: those that look usual are believed.
    values = sum(part[3] for part in simple) * len(rows)
    if found[-1].type.startswith("real") and all(item.type.startswith(("int", "zeros")) for item in items):
        # Integers near 10**9 that differ by little are usual real32; those that are usual real64 hardly occur.
        if found[-1].type == "real64":
            return _Guess(found, float(values), "leading")
        if -ahead < _CHEAPER * values and not plausible.counts_up(rows, big):
            return _Guess(found, float(values), "turned")
    cheaper = ahead > 0 and len(found) > 1
    if ahead < -max(_BEHIND, cost / 3) and len(items) <= plausible.MOST_ITEMS:
        return _Guess(items, margin, group + "-", note)
    if note or cheaper or len(items) > len(found) or any(_is_odd(item, rows, big) for item in items):
        return _Guess(found, ahead, "leading")
    return _Guess(items, margin, group + "-", note)


def _cost_of(parts: list[tuple[str, int, int, int]], rows: list[bytes], order: str) -> float:
    return sum(cost_of_part(rows, part, order) for part in parts) + ANOTHER_ITEM * (len(parts) - 1)


def _of_two_widths(items: list[Item]) -> bool:
    """Integers of two widths beside each other: rather one of them is a real, or a value is cut in two."""
    return any(a.type != b.type and {a.type, b.type} <= {"int16", *_INTEGERS} for a, b in pairwise(items))


def _part(item: Item, rows: list[bytes]) -> list[bytes]:
    """Whole values of the item in each row."""
    whole = min(item.count, (len(rows[0]) - item.offset) // item.size) * item.size
    return [row[item.offset : item.offset + whole] for row in rows]


def _is_odd(item: Item, rows: list[bytes], big: bool) -> bool:
    return plausible.odd(item.type, _part(item, rows), big)


def _best_whole(rows: list[bytes], length: int, order: str) -> tuple[Probe, float]:
    """The most probable type of the record as a whole, and how many bits it is ahead of the next."""
    probes = [p for p in survey.probe_values(b"".join(rows), order) if length % p.size == 0]
    if len(rows) >= 3 and len(rows[0]) <= _SHORT_ROW:
        probes = _by_columns(rows, probes, order)
    if len(probes) == 1:
        return probes[0], 0.0
    return probes[0], (probes[1].bits / probes[1].size - probes[0].bits / probes[0].size) * len(rows) * len(rows[0])


def _by_columns(rows: list[bytes], probes: list[Probe], order: str) -> list[Probe]:
    """The same probes where values below each other are told one after another, if that is cheaper."""
    table = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
    best = []
    for probe in probes:
        if table.shape[1] % probe.size == 0 and table.shape[1] > probe.size:
            columns = table.reshape(len(rows), -1, probe.size).transpose(1, 0, 2).tobytes()
            found = next(p for p in survey.probe_values(columns, order) if p.type == probe.type)
            probe = min(probe, found, key=lambda one: one.bits)
        best.append(probe)
    return sorted(best, key=lambda one: one.bits / one.size)


def _cost(rows: list[bytes], offset: int, probe: Probe, order: str) -> float:
    return probe.bits / probe.size * len(rows) * (len(rows[0]) - offset)


def cost_of_part(rows: list[bytes], part: tuple[str, int, int, int], order: str) -> float:
    name, size, offset, values = part
    data = b"".join(row[offset : offset + size * values] for row in rows)
    if name == "zeros":
        return 8.0
    probes = {p.type: p for p in survey.probe_values(data, order)}
    return probes[name].bits / size * len(data) if name in probes else math.inf


def _items(parts: list[tuple[str, int, int, int]], length: int) -> list[Item]:
    """The parts of the record's beginning, the last one to its end; nothing if that does not fit."""
    if not parts:
        return []
    items = [Item(name, values, size, offset) for name, size, offset, values in parts]
    last = items[-1]
    count, rest = divmod(length - last.offset, last.size)
    return [] if rest else [*items[:-1], replace(last, count=count)]


def numpy_type(name: str, big: bool) -> np.dtype[Any] | None:
    """The numpy type of an item; None for those without."""
    order = ">" if big else "<"
    kinds = {"int": "i", "real": "f", "logical": "i"}
    for kind, letter in kinds.items():
        if name.startswith(kind) and name != "real128":
            return np.dtype(f"{order}{letter}{int(name[len(kind) :]) // 8}")
    return np.dtype("S1") if name == "character" else None


def _with_values(item: Item, rows: list[bytes], big: bool) -> Item:
    """Adds first, smallest and largest values of what was looked at."""
    data = [row[item.offset : item.offset + item.count * item.size] for row in rows]
    dtype = numpy_type(item.type, big)
    if dtype is None:
        return item
    if item.type == "character":
        return replace(item, text=data[0][:40].decode("latin-1"))
    values = np.concatenate([np.frombuffer(d[: len(d) // item.size * item.size], dtype) for d in data])
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    found = replace(
        item,
        first=[float(v) for v in values[:4]],
        smallest=float(finite.min()) if finite.size else None,
        largest=float(finite.max()) if finite.size else None,
        not_a_number=int(values.size - finite.size),
        examined=int(values.size),
    )
    if item.type == "int32" and values.size >= 8 and set(np.unique(values).tolist()) in ({0, 1}, {0, -1}):
        return replace(found, note=MASK)
    if item.type.startswith("real") and finite.size >= 64 and _in_pairs(values):
        return replace(found, note="pairs: complex, or a first dimension of 2")
    return found


def _in_pairs(values: Any) -> bool:
    """Every other value continues the one before the last: parts of complex numbers do."""
    with np.errstate(invalid="ignore"):  # signalling NaN
        usable = values[:4096].astype(float)
    usable = usable[np.isfinite(usable)]
    if usable.size < 64:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        near, apart = np.abs(np.diff(usable)).mean(), np.abs(usable[2:] - usable[:-2]).mean()
    return bool(np.isfinite(near) and apart < 0.25 * near)


def _with_shapes(runs: list[Run]) -> list[Run]:
    """Gives arrays the shape that integers before them say: their product is the number of elements."""
    header: list[int] = []
    shaped = []
    for run in runs:
        slots = []
        for slot in run.slots:
            items = []
            for item in slot.items:
                small = item.type in ("int32", "int64") and item.count <= _SHAPE_INTEGERS
                shape = None if small or item.count < 2 or item.type == "zeros" else _shape(header, item.count)
                items.append(replace(item, shape=shape))
                if small:
                    header += [int(v) for v in item.first[: item.count]]
            slots.append(replace(slot, items=items))
        shaped.append(replace(run, slots=slots))
    return shaped


def _shape(header: list[int], count: int) -> list[int] | None:
    """Neighbours among the integers whose product is `count`, or is so but for a small first dimension."""
    usable = header[-64:]
    best: list[int] | None = None
    for length in (4, 3, 2, 1):
        for start in range(len(usable) - length, -1, -1):
            some = usable[start : start + length]
            if min(some) < 1 or (length > 1 and max(some) < 2):
                continue
            product = math.prod(some)
            if product == count and length > 1:
                return some
            factor, rest = divmod(count, product)
            if best is None and rest == 0 and min(some) > 1 and 1 < factor <= 9 and length <= 2:
                best = [factor, *some]
        if any(n == count for n in usable) and length == 1:
            return [count]
    return best
