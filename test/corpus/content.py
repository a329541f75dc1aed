"""What programs write: values with the distributions of real data, and files of records that belong together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from cases import Pattern, find_pattern

Array: TypeAlias = NDArray[Any]

# Fortran's name of a type, numpy's, and the order in which write_records.f90 has them.
TYPES: dict[str, str] = {
    "character": "S1",
    "int8": "<i1",
    "int16": "<i2",
    "int32": "<i4",
    "int64": "<i8",
    "logical32": "<i4",
    "real32": "<f4",
    "real64": "<f8",
    "complex64": "<c8",
    "complex128": "<c16",
}
REALS = ("real32", "real64")


@dataclass(frozen=True)
class Item:
    """One array of a WRITE statement; the elements in Fortran's order, little endian."""

    type: str
    data: Array

    def to_bytes(self, order: str = "little") -> bytes:
        """As it stands in a file of that byte order."""
        data = self.data if order == "little" or self.data.dtype.kind == "S" else self.data.byteswap()
        return data.tobytes()

    def __str__(self) -> str:
        return f"{self.type} {self.data.size}"


Record: TypeAlias = list[Item]


def record_bytes(record: Record, order: str = "little") -> bytes:
    """A record's data, without markers."""
    return b"".join(item.to_bytes(order) for item in record)


@dataclass(frozen=True)
class Records:
    """What one file holds, and the shape of its largest array if a header says it."""

    records: list[Record]
    shape: list[int] | None = None

    def lengths(self) -> list[int]:
        """Bytes of each record."""
        return [sum(item.data.nbytes for item in record) for record in self.records]

    def pattern(self) -> Pattern | None:
        """How the lengths repeat."""
        return find_pattern(self.lengths())

    def types(self) -> list[list[str]]:
        """Types and counts of the records before the pattern and of one repetition."""
        pattern = self.pattern()
        shown = len(pattern.start) + len(pattern.lengths) if pattern else min(len(self.records), 50)
        return [[str(item) for item in record] for record in self.records[:shown]]


def smooth(rng: Generator, n: int) -> Array:
    """A field on a grid: neighbours are alike."""
    x = np.arange(n) * rng.uniform(0.01, 0.3)
    return np.asarray(rng.uniform(0.5, 300) * (np.sin(x) + 0.3 * np.cos(2.7 * x)) + rng.choice([0.0, 273.15]))


REAL_VALUES: dict[str, Callable[[Generator, int], Array]] = {
    "smooth": smooth,
    "normal": lambda rng, n: rng.normal(0, 10 ** rng.uniform(-3, 3), n),
    "uniform": lambda rng, n: rng.uniform(0, 1, n),
    "spread": lambda rng, n: rng.lognormal(0, 5, n),
    "whole": lambda rng, n: rng.integers(-50, 5000, n).astype(float),
    "zeros": lambda rng, n: np.zeros(n),
    "partly NaN": lambda rng, n: np.where(rng.random(n) < 0.2, np.nan, smooth(rng, n)),
    "partly zero": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n)),
}
INTEGER_VALUES: dict[str, Callable[[Generator, int], Array]] = {
    "indices": lambda rng, n: np.arange(1, n + 1),
    "few": lambda rng, n: rng.integers(0, 6, n),
    "connectivity": lambda rng, n: rng.integers(1, max(2, n // 3), n),
    "counts": lambda rng, n: rng.poisson(40, n),
    "signed": lambda rng, n: rng.integers(-30_000, 30_000, n),
}
_WORDS = (
    "run",
    "temperature",
    "pressure",
    "density",
    "velocity",
    "step",
    "snapshot",
    "ocean",
    "plasma",
    "Omega",
    "A01",
)


def text(rng: Generator, n: int) -> Array:
    """Words and blanks, padded with blanks, as a CHARACTER variable has them."""
    words = " ".join(str(rng.choice(_WORDS)) for _ in range(max(1, n // 8)))
    return np.frombuffer(words.encode()[:n].ljust(n), dtype="S1")


def item(rng: Generator, kind: str, count: int, values: str = "") -> Item:
    """`count` values of a Fortran type; `values` names a distribution, else one is drawn.

    Zeros and NaN, of which no type can be told, are only had by name.
    """
    if kind == "character":
        return Item(kind, text(rng, count))
    if kind == "logical32":
        return Item(kind, rng.integers(0, 2, count).astype(TYPES[kind]))
    if kind.startswith("complex"):
        return Item(kind, (rng.normal(size=count) + 1j * rng.normal(size=count)).astype(TYPES[kind]))
    if kind in REALS:
        name = values or str(rng.choice(["smooth", "normal", "uniform", "spread", "whole", "partly zero"]))
        with np.errstate(over="ignore"):
            return Item(kind, REAL_VALUES[name](rng, count).astype(TYPES[kind]))
    name = values or str(rng.choice(list(INTEGER_VALUES)))
    limits = np.iinfo(TYPES[kind])
    return Item(kind, np.clip(INTEGER_VALUES[name](rng, count), limits.min, limits.max).astype(TYPES[kind]))


def integers(*values: int, kind: str = "int32") -> Item:
    """Header integers."""
    return Item(kind, np.array(values, dtype=TYPES[kind]))


def series(rng: Generator, steps: int, shape: Sequence[int], kind: str = "real64", values: str = "smooth") -> Records:
    """A time series: at each step the shape, the time and the field, a record each."""
    count = int(np.prod(shape))
    records = []
    for step in range(steps):
        time = Item("real64", np.array([0.25 * step], dtype="<f8"))
        records += [[integers(*shape)], [time], [item(rng, kind, count, values)]]
    return Records(records, list(shape))


def array(rng: Generator, shape: Sequence[int], kind: str = "real64", values: str = "") -> Records:
    """One array in one record."""
    return Records([[item(rng, kind, int(np.prod(shape)), values)]], list(shape))


def rows(rng: Generator, count: int, kinds: Sequence[tuple[str, int]]) -> Records:
    """`count` records with the same items: a loop that writes its variables."""
    columns = [(item(rng, kind, n * count), n) for kind, n in kinds]
    return Records([[Item(c.type, c.data[i * n : (i + 1) * n]) for c, n in columns] for i in range(count)])


def snapshot(rng: Generator, n: int, kind: str = "real64") -> Records:
    """A title, sizes and parameters, then arrays of several types: a restart file."""
    return Records(
        [
            [Item("character", text(rng, 80))],
            [integers(n, 3, 1)],
            [item(rng, "real64", 4, "uniform")],
            [item(rng, kind, 3 * n, "normal")],
            [item(rng, kind, 3 * n, "smooth")],
            [item(rng, "int32", n, "indices")],
            [item(rng, "logical32", n)],
        ],
        [3, n],
    )


def mesh(rng: Generator, nodes: int, cells: int) -> Records:
    """An unstructured mesh: sizes, coordinates, connectivity."""
    return Records(
        [
            [integers(nodes, cells)],
            [item(rng, "real64", 2 * nodes, "uniform")],
            [item(rng, "int32", 3 * cells, "connectivity")],
            [item(rng, "real32", nodes, "normal")],
        ],
        [3, cells],
    )


def ragged(rng: Generator, count: int, longest: int, kind: str = "real64") -> Records:
    """Records of any length: a count and as many values, in one record."""
    sizes = rng.integers(1, longest, count)
    return Records([[integers(int(n)), item(rng, kind, int(n), "normal")] for n in sizes])
