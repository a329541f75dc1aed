"""Fresh files, drawn from a seed, for the question whether the confidence that `headrace inspect` states holds.

The families here are made of generic loops and values; confidences are fitted to them (`calibration.py --fit`). Those
of codes.py and programs.py are the layouts of real programs with values of their own; nothing is fitted to the latter,
so that what is stated can be compared with what is right.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from cases import ByteOrder
from content import TYPES, Array, Item, Record, record_bytes

ORDERS: tuple[ByteOrder, ByteOrder] = ("little", "big")
FIELD = 20_000  # values of the largest fields


@dataclass(frozen=True)
class Fresh:
    """A file: its bytes, and what an answer must say to be right."""

    family: str
    formats: frozenset[str]  # verdicts that are right
    data: bytes
    order: ByteOrder
    records: Sequence[Record] = field(default_factory=tuple)  # of a raw file one; empty: types are not judged
    tie_is_right: bool = False
    detail: tuple[tuple[str, object], ...] = ()  # that the verdict must have


def marked(family: str, records: Sequence[Record], order: ByteOrder, marker: int = 4) -> Fresh:
    """Records between markers."""
    code = f"{'<' if order == 'little' else '>'}i{marker}"
    parts = []
    for record in records:
        data = record_bytes(record, order)
        length = np.array(len(data), code).tobytes()
        parts += [length, data, length]
    return Fresh(family, frozenset({f"record{marker}-{order}"}), b"".join(parts), order, records)


def pick(rng: Generator, *choices: str) -> str:
    """One of them."""
    return choices[int(rng.integers(len(choices)))]


def number(rng: Generator, low: int, high: int) -> int:
    """From low to high, small ones as often as large ones."""
    return round(float(np.exp(rng.uniform(np.log(low), np.log(high)))))


def real_values(rng: Generator, n: int) -> Array:
    """Values that a field of reals may have."""
    x = np.arange(n, dtype=float)
    scale, offset = 10 ** rng.uniform(-4, 5), float(rng.choice([0.0, 0.0, 1.0, 273.15, 101325.0]))
    wave = np.sin(x * rng.uniform(0.005, 0.5) + rng.uniform(0, 6)) + 0.2 * np.cos(x * rng.uniform(0.5, 2))
    kind = int(rng.integers(13))
    if kind == 0:
        return offset + scale * wave
    if kind == 1:
        return offset + scale * 0.01 * rng.normal(size=n)
    if kind == 2:
        return rng.uniform(0, scale, n)
    if kind == 3:
        return np.exp(rng.normal(0, rng.uniform(0.3, 5), n)) * scale
    if kind == 4:
        return np.full(n, float(rng.choice([1.0, 0.1, 1.2, 273.15, -999.0, 1e20, 9.81, 0.5, 1e-6])))
    if kind == 5:
        return offset + scale * x / n
    if kind == 6:
        return rng.integers(-50, 5000, n).astype(float)
    if kind == 7:
        return np.round(offset + scale * wave, int(rng.integers(0, 4)))
    if kind == 8:
        return np.where(rng.random(n) < rng.uniform(0.1, 0.9), 0.0, rng.normal(size=n) * scale)
    if kind == 9:
        begin, end = sorted(rng.integers(0, n + 1, 2))
        return np.where((x >= begin) & (x < end), 0.0, offset + scale * wave)
    if kind == 10:
        return np.where(rng.random(n) < 0.2, float(rng.choice([-999.0, 1e30, -9999.0])), offset + scale * wave)
    if kind == 11:
        return np.maximum(0.0, np.tanh(0.05 * (x - rng.uniform(0, max(n, 1)))))
    return offset + np.cumsum(rng.normal(size=n)) * scale * 0.01


def integer_values(rng: Generator, n: int, kind: str) -> Array:
    """Values that integers of that type may have."""
    choice = int(rng.integers(12))
    if choice == 0:
        values = np.arange(1, n + 1) + (number(rng, 1, 10**6) if rng.random() < 0.5 else 0)
    elif choice == 1:
        values = rng.integers(0, rng.integers(2, 9), n)
    elif choice == 2:
        values = rng.integers(1, max(2, n // 3), n)
    elif choice == 3:
        values = rng.poisson(rng.uniform(1, 300), n)
    elif choice == 4:
        values = rng.integers(-30_000, 30_000, n)
    elif choice == 5:
        values = np.cumsum(rng.integers(1, 12, n))
    elif choice == 6:
        values = np.where(rng.random(n) < 0.3, -1, rng.integers(1, 5000, n))
    elif choice == 7:
        values = rng.integers(0, 2, n)
    elif choice == 8:
        values = 10_000 * rng.integers(1950, 2030, n) + 100 * rng.integers(1, 13, n) + rng.integers(1, 29, n)
    elif choice == 9:
        values = rng.permutation(n) + 1
    elif choice == 10:
        values = 10**9 + rng.integers(-(10 ** int(rng.integers(2, 6))), 10 ** int(rng.integers(2, 6)), n)
    else:
        base = 2**40 if kind == "int64" else 2**20
        values = base + rng.integers(0, 10 ** int(rng.integers(1, 7)), n)
    limits = np.iinfo(TYPES[kind])
    return np.clip(values, limits.min, limits.max)


NAMES = [
    "TEMP", "PRES", "CORD", "VELO", "RHO", "U", "V", "W", "SWAT", "SGAS", "PORO", "PERMX", "NX", "dt", "time",
    "x", "y", "velocity", "pressure", "Density", "omega", "Psi_2", "h2o", "NO2", "O3", "ISOP", "SST", "ssh",
    "T2M", "u10", "mass", "Ek", "energy", "Smax", "flux01", "FLUX02", "k-eps", "Z0", "LAKE", "ICE", "mask",
    "xc", "yc", "zc",
]  # fmt: skip
UNITS = ["K", "Pa", "m/s", "kg/m3", "m", "s", "mol/mol", "J/kg", "%", "1", "W/m**2", "ppbV", "degC"]


def names(rng: Generator, count: int, width: int) -> Array:
    """Names of so many characters, padded with blanks."""
    words = [NAMES[int(k)][:width].ljust(width) for k in rng.integers(0, len(NAMES), count)]
    return np.frombuffer("".join(words).encode(), "S1")


def title(rng: Generator, width: int) -> Array:
    """A line of text."""
    line = " ".join(NAMES[int(k)] for k in rng.integers(0, len(NAMES), number(rng, 1, 8)))
    if rng.random() < 0.3:
        line = f"run {rng.integers(1, 999)}: {line}, {UNITS[int(rng.integers(len(UNITS)))]}"
    if rng.random() < 0.2:
        line = (
            f"20{rng.integers(10, 30)}-{rng.integers(1, 13):02}-{rng.integers(1, 29):02}_{rng.integers(0, 24):02}:00:00"
        )
    return np.frombuffer(line.encode()[:width].ljust(width), "S1")


def item(rng: Generator, kind: str, count: int) -> Item:
    """So many values of a type."""
    if kind == "character":
        return Item(kind, title(rng, count) if count > 12 else names(rng, 1, count))
    if kind == "logical32":
        return Item(kind, (rng.random(count) < rng.uniform(0.05, 0.95)).astype("<i4"))
    if kind.startswith("complex"):
        return Item(kind, (rng.normal(size=count) + 1j * rng.normal(size=count)).astype(TYPES[kind]))
    if kind.startswith("real"):
        with np.errstate(over="ignore"):
            return Item(kind, real_values(rng, count).astype(TYPES[kind]))
    return Item(kind, integer_values(rng, count, kind).astype(TYPES[kind]))


def ints(*values: int) -> Item:
    """Integers of a header."""
    return Item("int32", np.array(values, "<i4"))


def cut(whole: Item, pieces: int) -> list[Item]:
    """As many equal pieces."""
    return [Item(whole.type, part) for part in np.split(whole.data, pieces)]


def any_kind(rng: Generator) -> str:
    """Types as often as programs write them."""
    return pick(
        rng, "real64", "real64", "real64", "real32", "real32", "real32", "int32", "int32", "int64", "int16",
        "logical32", "complex128", "character",
    )  # fmt: skip


def _one(rng: Generator) -> list[Record]:
    return [[item(rng, any_kind(rng), number(rng, 1, FIELD))]]


def _arrays(rng: Generator) -> list[Record]:
    """A header, then arrays of any types."""
    n = number(rng, 2, 3000)
    return [
        [ints(n, int(rng.integers(1, 99)))],
        *([item(rng, any_kind(rng), n)] for _ in range(int(rng.integers(1, 7)))),
    ]


def _series(rng: Generator) -> list[Record]:
    steps, n, kind = number(rng, 2, 40), number(rng, 2, 600), pick(rng, "real64", "real32")
    fields = cut(item(rng, kind, n * steps), steps)
    times = np.arange(steps) * float(rng.choice([0.1, 0.25, 60.0, 1.0])) + float(rng.choice([0.0, 1.5]))
    return [
        one
        for step in range(steps)
        for one in ([ints(n, step)], [Item(kind, times[step : step + 1].astype(TYPES[kind]))], [fields[step]])
    ]


def _long_step(rng: Generator) -> list[Record]:
    """Steps of many records, names between the arrays."""
    sizes = [number(rng, 1, 120) for _ in range(int(rng.integers(5, 60)))]
    kinds = [any_kind(rng) for _ in sizes]
    labels = [Item("character", names(rng, 1, 8)) for _ in sizes]
    return [
        one
        for _ in range(int(rng.integers(2, 6)))
        for label, size, kind in zip(labels, sizes, kinds, strict=True)
        for one in ([label], [item(rng, kind, size)])
    ]


def _rows(rng: Generator) -> list[Record]:
    """A loop that writes some variables in one record."""
    count = number(rng, 1, 400)
    kinds = [(any_kind(rng), int(rng.integers(1, 7))) for _ in range(int(rng.integers(1, 4)))]
    columns = [
        [item(rng, kind, 4 * n) for _ in range(count)]
        if kind == "character"
        else cut(item(rng, kind, n * count), count)
        for kind, n in kinds
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _counted(rng: Generator) -> list[Record]:
    """One to three integers and a field, in one record."""
    kind, count, n = pick(rng, "real64", "real32", "int32"), number(rng, 1, 60), number(rng, 1, 900)
    fields = cut(item(rng, kind, n * count), count)
    return [
        [ints(*(step + 1, n, 7)[: 1 + k % 3]), one] for k in [int(rng.integers(3))] for step, one in enumerate(fields)
    ]


def _ragged(rng: Generator) -> list[Record]:
    kind = pick(rng, "real64", "real32", "int32")
    sizes = [number(rng, 1, 300) for _ in range(number(rng, 3, 80))]
    return [[ints(n), item(rng, kind, n)] for n in sizes]


def _names(rng: Generator) -> list[Record]:
    width, count = int(rng.choice([4, 8, 8, 16, 20])), number(rng, 1, 60)
    first: Record = [Item("character", names(rng, count, width))]
    return [[ints(count)], first, [item(rng, pick(rng, "real64", "real32"), number(rng, 2, 500))]]


def _zeros(rng: Generator) -> list[Record]:
    """Header words of which most are not used, and fields that are zero somewhere."""
    used = rng.integers(1, 500, int(rng.integers(1, 6)))
    head = np.zeros(int(rng.integers(len(used), 40)), "<i4")
    head[: len(used)] = used
    kind, n = pick(rng, "real64", "real32"), number(rng, 2, 400)
    values = real_values(rng, n)
    values[int(rng.integers(n)) :] = 0
    rest = Item(kind, values.astype(TYPES[kind]))
    if rng.random() < 0.5:
        return [[Item("int32", head), rest]] * int(rng.integers(1, 4))
    return [[Item("int32", head)], [rest]]


FAMILIES: dict[str, Callable[[Generator], list[Record]]] = {
    "one": _one, "arrays": _arrays, "series": _series, "long step": _long_step, "rows": _rows, "counted": _counted,
    "ragged": _ragged, "names": _names, "zeros": _zeros,
}  # fmt: skip


def _direct(rng: Generator) -> Fresh:
    """Rows with or without padding, or with RECL in words for bytes."""
    order, kind, count = ORDERS[int(rng.integers(2))], pick(rng, "real64", "real32"), number(rng, 8, 300)
    n = number(rng, 3, 60)
    columns = [cut(item(rng, kind, n * count), count)]
    if rng.random() < 0.5:
        columns.insert(0, cut(item(rng, "int32", 2 * count), count))
    rows = [list(row) for row in zip(*columns, strict=True)]
    used = len(record_bytes(rows[0], order))
    length, formats = used, {"direct", "raw"}
    if rng.random() < 0.6:
        length = used + 4 * number(rng, 4, 40)
        formats = {"direct"}
    elif rng.random() < 0.3:
        length, formats = 4 * used, {"direct-word-recl"}
    data = b"".join(record_bytes(row, order).ljust(length, b"\0") for row in rows)
    detail = () if "raw" in formats else (("record_length", length),)
    return Fresh("direct", frozenset(formats), data, order, (), "raw" in formats, detail)


def _raw(rng: Generator) -> Fresh:
    order = ORDERS[int(rng.integers(2))]
    record = [item(rng, pick(rng, "real64", "real32", "int32", "int64", "int16"), number(rng, 8, FIELD))]
    return Fresh("raw", frozenset({"raw", "direct"}), record_bytes(record, order), order, [record], True)


def _with_header(rng: Generator) -> Fresh:
    """Lines of text, then arrays of several types, as stream access leaves them."""
    order = ORDERS[int(rng.integers(2))]
    width = int(rng.choice([40, 50, 80, 100]))
    lines = [title(rng, width - 1).tobytes() + b"\n" for _ in range(int(rng.integers(2, 30)))]
    n = number(rng, 4, 2000)
    parts: Record = [
        ints(n, 1),
        item(rng, "int32", n),
        item(rng, "real64", number(rng, 4, 2000)),
        item(rng, "int32", n),
    ]
    return Fresh("text header", frozenset({"raw"}), b"".join(lines) + record_bytes(parts, order), order)


def _cut(rng: Generator) -> Fresh:
    """Records of which the last was cut off."""
    marker, order = (8 if rng.random() < 0.2 else 4), ORDERS[int(rng.integers(2))]
    n, kind = number(rng, 4, 400), pick(rng, "real64", "real32", "int32")
    whole = int(rng.integers(1, 6))
    records = [[item(rng, kind, n)] for _ in range(whole + 1)]
    one = marked("cut", records, order, marker)
    length = len(record_bytes(records[0])) + 2 * marker
    data = one.data[: whole * length + int(rng.integers(marker, length - 1))]
    names_ = {f"record{marker}-{order}", f"record{marker}-truncated"}
    return Fresh("cut", frozenset(names_), data, order, (), False, (("damage", "truncated"), ("records", whole)))


def generic_file(rng: Generator) -> Fresh:
    """One file of the generic families."""
    other = rng.random()
    if other < 0.24:
        return (_direct, _raw, _with_header, _cut)[int(other / 0.06)](rng)
    family = pick(rng, *FAMILIES)
    marker = 8 if rng.random() < 0.15 else 4
    return marked(family, FAMILIES[family](rng), ORDERS[int(rng.integers(2))], marker)
