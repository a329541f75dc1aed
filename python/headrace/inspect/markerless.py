"""Files without markers: raw bytes (stream access), and direct access with a record length that nobody remembers.

A record length shows when types change within each record, when each record ends in zeros, and when whole records
of zeros stand between others. An array alone shows none: then it is a tie, because the bytes are the same.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.containers.file_bytes import Bytes
from headrace.containers.records import survey
from headrace.inspect import contents
from headrace.inspect.findings import Hypothesis, Item, Run, Slot

_SAMPLE = 1 << 22
_LONGEST = 1 << 20  # bytes of a record length that is looked for by its zeros
_LEAST = 12.0  # bits that a record length must save
_LEAST_TYPES = 40.0  # the same, from types that change: many lengths are tried
_SHORTEST = 16  # bytes: shorter ones are parts of numbers
_BITS_OF_VECTORS = 4.0
# Markers and magic numbers that agree are stronger; of few records more is chance: see calibration.py of the corpus.
_MOST, _MOST_OF_FEW, _FEW = 8.0, 5.0, 16
_MOST_ZEROS = 22.0  # bits, if lengths are compared
# Padding and land have the same bytes, so zeros alone never make a length sure: 85 %, and no tie.
_MOST_BY_ZEROS = 2.5
_RUN = 16  # bytes that repeat those before them: part of a mask, a wall, a fill value
_NOISE = 7.5  # bits that are left in a byte of no type
_AS_MUCH = 0.85  # of what is saved
_ROWS = 64
_TYPED = 1 << 14  # bytes whose types are told with each length
_BEGINNING = 8192  # bytes that a header and arrays behind it are looked for in
_TEXT, _TEXT_BITS = 32, 22.0  # bytes of text that are a header, and what they tell


@dataclass(frozen=True)
class _Length:
    bytes: int
    bits: float
    why: str
    used: int = 0  # bytes of each record that are not padding
    words: bool = False  # the padding is 3/4


def hypotheses(file: Bytes) -> list[Hypothesis]:
    """Raw bytes, and direct access if the file has a length at all."""
    data = file.read(0, _SAMPLE)
    # The order that explains the beginning best; of a record length it is asked again.
    probes = survey.probe_values(data[: 1 << 20])
    if not probes:
        return [Hypothesis("raw", 0.0, {}, file.size)]
    best = next((p for p in probes if file.size % p.size == 0), probes[0])
    order = "big" if best.big else "little"
    raw = Hypothesis("raw", 0.0, {"byte_order": order}, file.size)
    one = contents.continued(_as_one(data, file.size, best.big), [[(0, file.size)]], file, best.big)
    raw.runs = [Run(1, [file.size], [one])]
    if not any(data):
        raw.detail = {"note": "nothing but zeros"}
        return [raw]
    header = _text_header(data)
    if header and header < file.size:
        return [_behind_text(data, header, file)]
    length = _record_length(data, file.size, order)
    if length is None:
        return [raw, Hypothesis("direct", -0.5, {"byte_order": order}, file.size, why="with any record length")]
    return [raw, _direct(data, file.size, length)]


def _text_header(data: bytes) -> int:
    """Bytes of the lines of text that come first; 0 if there are none."""
    codes = np.frombuffer(data[:_LONGEST], np.uint8)
    text = ((codes >= 32) & (codes < 127)) | (codes == 9) | (codes == 10) | (codes == 13)
    end = len(codes) if text.all() else int(np.argmin(text))
    header = data.rfind(b"\n", 0, end) + 1
    return header if header >= _TEXT and data.count(b"\n", 0, header) >= 2 else 0


def _behind_text(data: bytes, header: int, file: Bytes) -> Hypothesis:
    """Lines, then values in the order that suits them best."""
    rest = data[header : header + survey.LONGEST_ROW]
    slots = {big: contents.describe_rows([rest], file.size - header, big) for big in (False, True)}
    big = _order_of([rest]) == "big"
    lines = data.count(b"\n", 0, header)
    said = Item("character", header, 1, text=data[:40].decode("latin-1"))
    items = [said, *(replace(item, offset=item.offset + header) for item in slots[big].items)]
    detail = {"byte_order": "big" if big else "little", "text_lines": lines, "text_bytes": header}
    found = Hypothesis("raw", _TEXT_BITS, detail, file.size, why="lines of text, then other bytes")
    found.runs = [Run(1, [file.size], [replace(slots[big], bytes=file.size, items=items)])]
    return found


def _as_one(data: bytes, size: int, big: bool) -> Slot:
    return contents.describe_rows([data[: survey.LONGEST_ROW]], size, big)


def _direct(data: bytes, size: int, length: _Length) -> Hypothesis:
    used = length.used or length.bytes
    rows = [data[at : at + min(used, survey.LONGEST_ROW)] for at in range(0, len(data), length.bytes)]
    full = [row for row in rows if len(row) == min(used, survey.LONGEST_ROW) and any(row)][:_ROWS]
    order = _order_of(full)
    slot = contents.describe_rows(full, used, order == "big")
    detail: dict[str, Any] = {"byte_order": order, "record_length": length.bytes, "records": size // length.bytes}
    if used < length.bytes:
        detail["used_bytes"] = used
    if length.words:
        detail["right_record_length"] = used
    name = "direct-word-recl" if length.words else "direct"
    found = Hypothesis(name, length.bits, detail, size, why=length.why)
    found.runs = [Run(size // length.bytes, [length.bytes], [slot])]
    found.histogram, found.distinct = [(length.bytes, size // length.bytes)], 1
    return found


def _order_of(rows: list[bytes]) -> str:
    """The byte order in which the rows are cheaper."""
    costs = {}
    for order in ("little", "big"):
        costs[order] = _split_cost(rows, order == "big") if rows else 0.0
    return min(costs, key=lambda name: costs[name])


def _record_length(data: bytes, size: int, order: str) -> _Length | None:
    lengths = [n for n in _divisors(size) if n >= 4 and size // n >= 2]
    zeros, types = _by_zeros(data, lengths), _by_types(data, lengths)
    if zeros and types and 0 in (types.bytes % zeros.bytes, zeros.bytes % types.bytes):
        # Several records together show the same, and a record and its padding.
        types = replace(zeros, bits=types.bits) if types.bytes == zeros.bytes else None
    if zeros:
        zeros = replace(zeros, bits=min(zeros.bits, _MOST_BY_ZEROS))
    best = types or zeros
    if best is None:
        return None
    return replace(best, bits=min(best.bits, _MOST_OF_FEW if size // best.bytes < _FEW else _MOST))


def _divisors(size: int) -> list[int]:
    small = [n for n in range(1, min(math.isqrt(size), 1 << 20) + 1) if size % n == 0]
    return sorted({*small, *(size // n for n in small)})


def _by_zeros(data: bytes, lengths: list[int]) -> _Length | None:
    """Zeros at the end of each record, or whole records of zeros."""
    bytes_ = np.frombuffer(data, np.uint8) != 0
    padded: _Length | None = None
    empty: _Length | None = None
    for length in lengths:
        rows = len(data) // length
        if rows < 3 or length > _LONGEST:
            continue
        used = bytes_[: rows * length].reshape(rows, length)
        written = used.any(axis=1)
        one = None if _periodic(written) else _padded(used[written], length)
        if one is not None and one.bits > 3 and (padded is None or one.bits > padded.bits):
            padded = one
        # Of lengths whose multiples would do as well the longest.
        one = _never_written(used, written, length) if padded is None else None
        empty = one if one is not None and one.bits >= _LEAST else empty
    return padded or empty


def _periodic(written: NDArray[np.bool_]) -> bool:
    """Records of zeros follow others in a period: a multiple of the length explains them better."""
    if written.all():
        return False
    for period in range(1, min(len(written) // 2, 64) + 1):
        if (written[period:] == written[:-period]).all():
            return True
        # A record that was written may hold zeros too.
        whole = written[: len(written) // period * period].reshape(-1, period)
        if len(whole) >= 10 and not whole.any(axis=0).all():
            return True
    return False


def _padded(used: NDArray[np.bool_], length: int) -> _Length | None:
    columns = np.flatnonzero(used.any(axis=0))
    if len(used) < 3 or columns.size == 0:
        return None
    first, last = int(columns[0]), int(columns[-1]) + 1
    if (
        min(first, length - first) >= _SHORTEST
        and first >= length - first
        and first * 2 >= length
        and length % (length - first) == 0
        and last == length
    ):
        # The program left out records: every other one, for example.
        real = length - first
        return _Length(real, _zero_bits(used[:, first:], first * len(used)), "records of zeros between the others")
    tail = length - last
    share = tail / length
    bits = _zero_bits(used[:, :last], tail * len(used)) * (1 if share > 0.1 else 0.3)
    quarter = length // 4
    rounded = last + -last % 4
    # In big endian a real may end in zeros itself.
    words = length % 16 == 0 and (rounded == quarter or (rounded < quarter < last + 8 and _is_big(used, quarter)))
    if tail < 8 or (length < 24 and not words):
        return None
    if words:
        return _Length(length, bits + 2, "the last 3/4 of each record are zeros", quarter, True)
    if tail <= 16:  # the last component of vectors may be zero as well
        bits = min(bits, _BITS_OF_VECTORS)
    return _Length(length, bits, f"the last {length - rounded} bytes of each record are zeros", min(rounded, length))


def _is_big(used: NDArray[np.bool_], quarter: int) -> bool:
    """Every 8 bytes end in zeros, as whole numbers do in big-endian reals; the last of them are within the record."""
    if quarter % 8:
        return False
    values = used[:, :quarter].any(axis=0).reshape(-1, 8)
    zeros = 8 - 1 - int(np.flatnonzero(values[-1])[-1]) if values[-1].any() else 8
    return 0 < zeros < 8 and not values[:, 8 - zeros :].any()


def _zero_bits(elsewhere: NDArray[np.bool_], zeros: int) -> float:
    """How improbable so many zeros are, from the share of values elsewhere that are zero; values have 8 bytes at most.

    A hundred lengths are tried.
    """
    words = elsewhere[:, : elsewhere.shape[1] // 4 * 4].reshape(-1, 4).any(axis=1)
    share = 1 - float(words.mean()) if words.size else 1.0
    return min(_MOST_ZEROS, -zeros / 8 * math.log2(min(max(share, 1 / 256), 0.97)) - math.log2(100))


def _never_written(used: NDArray[np.bool_], written: NDArray[np.bool_], length: int) -> _Length | None:
    """Most zeros stand in whole records of zeros, which follow no period: those would be padding."""
    count = len(written)
    empty = count - int(written.sum())
    if not 2 <= empty < count or length < 16 or length % 4:
        return None
    if _periodic(written):
        return None
    zeros = ~used[written].reshape(-1, 4).any(axis=1)  # words elsewhere
    share = max(float(zeros.mean()), 1 / zeros.size)
    begins, ends = _long_runs(~used.ravel(), 16)
    if empty * length < 0.85 * int((ends - begins).sum()):
        return None
    bits = empty * length / 8 * -math.log2(min(share, 0.97)) - 2.0 * count
    return _Length(length, min(_MOST_ZEROS, bits), "some records hold nothing but zeros")


def _long_runs(flags: NDArray[np.bool_], least: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where runs of that length at least begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.view(np.int8), [0]))))
    begins, ends = edges[::2], edges[1::2]
    long = ends - begins >= least
    return begins[long], ends[long]


def _by_types(data: bytes, lengths: list[int]) -> _Length | None:
    """The length at which rows of several types are told in fewest bits."""
    saving: dict[int, float] = {}  # bits a byte
    rows_of: dict[int, int] = {}
    beginning = data[:_BEGINNING]
    together = min(_split_cost([beginning], big, 1) for big in (False, True)) / max(1, len(beginning))
    for length in [n for n in lengths if 8 <= n <= 1024][:48]:
        count = min(len(data) // length, _ROWS, max(8, _TYPED // length))
        if count < 4:
            continue
        chunk = data[: count * length]
        rows = [chunk[k * length : (k + 1) * length] for k in range(count)]
        cost = min(_split_cost(rows, big, 2) for big in (False, True))
        if cost == math.inf:
            continue
        saved = min(together * len(chunk), *(_cost_as_one(chunk, order) for order in ("little", "big"))) - cost
        if saved > _LEAST_TYPES:
            saving[length], rows_of[length] = saved / len(chunk), count
    if not saving:
        return None
    # Every multiple of the length saves as much, or a little more.
    best = max(saving, key=lambda one: saving[one])
    best = min(one for one in saving if best % one == 0 and saving[one] > _AS_MUCH * saving[best])
    if not _types_differ([data[k * best : (k + 1) * best] for k in range(rows_of[best])]):
        return None
    return _Length(best, saving[best] * rows_of[best] * best, "types change within each record")


def _types_differ(rows: list[bytes]) -> bool:
    """Whether the parts of a record still have several types if runs of one value are left out.

    An array with a mask is cut where the mask begins, and its fill value is taken for another type.
    """
    big = min((False, True), key=lambda order: _split_cost(rows, order, 2))
    types = set[str]()
    for name, size, offset, values in survey.split_items(rows, big):
        data = np.frombuffer(b"".join(row[offset : offset + size * values] for row in rows), np.uint8)
        repeats = data[8:] == data[:-8]
        varied = np.ones(len(data), np.bool_)
        for begin, end in zip(*_long_runs(repeats, _RUN), strict=True):
            varied[begin : end + 8] = False
        probes = survey.probe_values(data[varied].tobytes(), "big" if big else "little")
        if probes and int(varied.sum()) >= _RUN and probes[0].bits < _NOISE * probes[0].size:
            types |= {name} & {"character", probes[0].type}
    # Of integers of several lengths the longer ones may be pairs of the shorter.
    return len({"int" if name.startswith("int") else name for name in types}) > 1


def _cost_as_one(data: bytes, order: str) -> float:
    """Bits when everything is of one type."""
    probe = survey.probe_values(data, order)[0]
    return probe.bits / probe.size * len(data)


def _split_cost(rows: list[bytes], big: bool, least: int = 1) -> float:
    """Bits of rows that are made of so many items at least."""
    parts = survey.split_items(rows, big)
    order = "big" if big else "little"
    if not least <= len(parts) < survey.MOST_ITEMS:
        return math.inf
    return sum(contents.cost_of_part(rows, part, order) + contents.ANOTHER_ITEM for part in parts)
