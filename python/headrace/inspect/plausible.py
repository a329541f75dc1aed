"""What no type of its own shows: values that hardly a program writes. Next: contents.py weighs the types.

Bytes of another type, or of a real in another phase, give denormals and neighbours that are tens of decades apart.
"""

import contextlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_ITEMS = 4  # more of them in one record are rather a mistake

_MOST_LEADING = 4  # integers in front of reals
_SMALL = 1 << 23  # integers above may be reals
_TINY = {4: 1e-37, 8: 1e-300}  # below are denormals, and what is next to them
_JUMP = {4: 40.0, 8: 60.0}  # powers of two: 12 and 18 decades
_FAR = 64.0  # powers of two from 1 that half of all reals stay within
_OTHER_KIND = 16.0  # powers of two between every other value and those between
_MOST_WORDS = 256  # bytes of a record that is cut into words
_STEP = 1 << 14  # of integers that count up; the last bits of reals do not
_FEW = 8  # values that tell nothing
_USUAL_BITS = (0x2EDBE6FF, 0x4A742400)  # real32 from 1e-10 to 4e6
_WHOLE = 1 << 23  # reals above hold no fraction: seconds since 1970 as often

Part = tuple[str, int, int, int]  # type, bytes of a value, offset, values
Values = NDArray[Any]


@dataclass(frozen=True)
class _Oddities:
    """Of reals, a row for each record."""

    values: int
    tiny: float  # shares of all values
    not_finite: float
    jumps: float
    always: bool  # some neighbours are far apart in most rows: another type begins there
    first: bool  # the first values of the rows are no usual reals
    far: bool  # most are far from 1


def _oddities(values: Values) -> _Oddities:
    size = values.dtype.itemsize
    with np.errstate(all="ignore"):
        magnitude = np.abs(values).astype(np.float64)
        finite = np.isfinite(magnitude)
        usable = finite & (magnitude != 0)
        tiny = (usable & (magnitude < _TINY[size])) | (np.signbit(values) & (magnitude == 0))
        exponent = np.where(usable, np.log2(np.where(usable, magnitude, 1.0)), np.nan)
        apart = np.abs(np.diff(exponent, axis=1)) > _JUMP[size]
    known = exponent[usable]
    return _Oddities(
        int(usable.sum()), float(tiny.mean()), float((~finite).mean()),
        float(apart.mean()) if apart.size else 0.0,
        bool(apart.size and len(apart) > 2 and (apart.mean(axis=0) > 0.5).any()),
        bool((tiny[:, 0] | ~finite[:, 0]).any()),
        bool(known.size and np.median(np.abs(known)) > _FAR),
    )  # fmt: skip


def _usual(values: Values) -> bool:
    """Reals as programs write them, without any oddity."""
    if values.shape[1] == 0:
        return False
    odd = _oddities(values)
    if odd.values < max(_FEW, values.size // 8):
        return False
    if values.dtype.itemsize == 4 and values.shape[1] > 3 and _halves(values):
        return False
    return odd.tiny == 0 and odd.not_finite < 0.2 and odd.jumps < 0.02 and not (odd.always or odd.first or odd.far)


def _halves(values: Values) -> bool:
    """Whether every other real32 is of another kind: halves of real64 with few digits, or of a constant."""
    with np.errstate(all="ignore"):  # signalling NaN
        known = (values != 0).any(axis=0)
        if not (known[::2].any() and known[1::2].any()):
            return True
        repeated = (values[:, 2:] == values[:, :-2]).mean() > 0.9 and (values[:, 1:] == values[:, :-1]).mean() < 0.1
        size = np.log2(np.abs(values.astype(np.float64)))
        levels = [np.median(half[np.isfinite(half)]) for half in (size[:, ::2], size[:, 1::2])]
    return bool(repeated or abs(levels[0] - levels[1]) > _OTHER_KIND)


def _view(table: NDArray[np.uint8], offset: int, kind: str) -> Values:
    size = int(kind[-1])
    end = offset + (table.shape[1] - offset) // size * size
    return np.ascontiguousarray(table[:, offset:end]).view(kind)


def leading_integers(rows: list[bytes], big: bool) -> list[Part]:
    """The most frequent mixed record: up to four integers, then reals of one type to the end.

    `rows` are beginnings of the records that end where a value ends. The fewest integers behind which no real is odd;
    Nothing if there are none such.
    """
    table = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
    if ((table >= 32) & (table < 127)).mean() > 0.95:  # characters
        return []
    order = ">" if big else "<"
    for words in (0, 1, 2, 3, 4, 6, 8):
        head = 4 * words
        leading = _leading(table, words, order) if head < table.shape[1] else None
        if leading is None:
            continue
        for size in (4, 8):
            if (table.shape[1] - head) % size or not _usual(_view(table, head, f"{order}f{size}")):
                continue
            if size == 8 and _pairs_within(table, head, order):
                continue
            return [*leading, (f"real{8 * size}", size, head, (table.shape[1] - head) // size)]
    return []


def words(rows: list[bytes]) -> list[Part]:
    """Texts and integers in words of 4 bytes, if bytes that no text has stand between letters; else nothing."""
    table = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
    if table.shape[1] % 4 or table.shape[1] > _MOST_WORDS:
        return []
    text = (((table >= 32) & (table < 127)) | (table == 10)).reshape(len(rows), -1, 4).all(axis=(0, 2))
    parts: list[Part] = []
    for place, letters in enumerate(text.tolist()):
        name, size = ("character", 1) if letters else ("int32", 4)
        if parts and parts[-1][0] == name:
            parts[-1] = (name, size, parts[-1][2], parts[-1][3] + 4 // size)
        else:
            parts.append((name, size, 4 * place, 4 // size))
    return parts if len(parts) <= MOST_ITEMS + 1 and text.any() else []


def counts_up(rows: list[bytes], big: bool) -> bool:
    """Whether 4-byte words grow by the same small step: times in seconds, numbers; reals hardly do."""
    words = _view(np.frombuffer(rows[0], np.uint8).reshape(1, -1), 0, ">i4" if big else "<i4")[0].astype(np.int64)
    steps = np.diff(words)
    return bool(steps.size >= 3 and (steps == steps[0]).all() and 0 < abs(steps[0]) < _STEP)


def reals_among(rows: list[bytes], big: bool) -> bool:
    """Whether some of these small int32 are rather reals: words of the bits of a usual real32, and none between.

    A time step among sizes, a time behind a number of a step.
    """
    words = _view(np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1), 0, ">u4" if big else "<u4")
    size = words & 0x7FFFFFFF
    real = (size >= _USUAL_BITS[0]) & (size <= _USUAL_BITS[1])
    small = np.abs(words.view(words.dtype.str.replace("u", "i")).astype(np.int64)) < _SMALL
    return bool(real.any() and (small & (words != 0)).any() and (real | small).mean() > 0.95 and real.mean() < 0.8)


def _pairs_within(table: NDArray[np.uint8], head: int, order: str) -> bool:
    """Pairs of real32 are usual real64: whether a quarter of the values are such."""
    quarter = max(32, (table.shape[1] - head) // 32 * 8)
    places = (head, head + 8, max(head, table.shape[1] - quarter))
    return any(_usual(_view(table[:, : place + quarter], place, f"{order}f4")) for place in places)


def _leading(table: NDArray[np.uint8], words: int, order: str) -> list[Part] | None:
    """So many words of 4 bytes as small integers; None if they are none."""
    if words == 0:
        return []
    if words % 2 == 0:
        wide = _view(table[:, : 4 * words], 0, f"{order}i8")
        if (np.abs(wide) < _SMALL).all() and wide.any(axis=0).all():
            return [("int64", 8, 0, words // 2)]
    narrow = _view(table[:, : 4 * words], 0, f"{order}i4")
    if words > _MOST_LEADING or not (np.abs(narrow) < _SMALL).all():
        return None
    return [("int32", 4, 0, words)]


def odd(name: str, rows: list[bytes], big: bool) -> bool:
    """Whether values of that type are hardly what a program has written.

    `rows` hold whole values of one item, the bytes of a record each.
    """
    order = ">" if big else "<"
    if not rows or not rows[0]:
        return False
    table = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
    if name == "character":
        return not _is_text(rows)
    if name == "real64" and _integer_and_real(_view(table[:, :8], 0, f"{order}i4"), big):
        return True
    if name == "real32" and table.shape[1] <= 12:
        values = _view(table, 0, f"{order}f4").astype(np.float64)
        with np.errstate(all="ignore"):
            if ((np.abs(values) >= _WHOLE) & (np.abs(values) < 256 * _WHOLE)).all():
                return True
    if name in ("real32", "real64"):
        found = _oddities(_view(table, 0, f"{order}f{int(name[4:]) // 8}"))
        return found.tiny > 0.005 or found.jumps > 0.05 or found.always or (found.first and found.tiny > 0)
    if name in ("int32", "int64") and table.shape[1] >= 128:
        return _scattered(_view(table, 0, f"{order}i{int(name[3:]) // 8}").astype(np.float64), int(name[3:]))
    return False


def odd_within(name: str, rows: list[bytes], big: bool) -> bool:
    """The same for a piece out of the middle of an item; pairs of real32, which are usual real64, are odd there."""
    table = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)
    return odd(name, rows, big) or (name == "real64" and _usual(_view(table, 0, ">f4" if big else "<f4")))


def _is_text(rows: list[bytes]) -> bool:
    """Letters of any code: UTF-8, or few bytes beyond ASCII."""
    data = b"".join(rows)
    codes = np.frombuffer(data, np.uint8)
    control = ((codes < 32) & ~np.isin(codes, (0, 9, 10, 12, 13))) | (codes == 127)
    if control.mean() > 0.02:
        return False
    with contextlib.suppress(UnicodeDecodeError):
        data.decode()
        return True
    return bool((codes > 127).mean() < 0.08)


def _integer_and_real(words: Values, big: bool) -> bool:
    """A small integer and a real32 are a usual real64 too, but its last digits are small in every record."""
    last = words[:, 1 if big else 0]
    return bool(((last > 0) & (last < 1 << 20)).all())


def _scattered(values: Values, bits: int) -> bool:
    """Large integers that jump: halves of reals do."""
    large = (np.abs(values) > 2.0 ** (bits - 4)).mean()
    return bool(large > 0.4 and (np.abs(np.diff(values, axis=1)) > 2.0 ** (bits - 8)).mean() > 0.2)
