"""The arrays that benchmarks of their own write and read: type, shape, and what the values are like."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["real64", "real32", "int32", "int64"]
Distribution = Literal["normal", "uniform", "integers", "bits"]

TYPES: dict[Kind, str] = {"real64": "float64", "real32": "float32", "int32": "int32", "int64": "int64"}
MEANING: dict[Distribution, str] = {
    "normal": "normally distributed, mean 0, deviation 1",
    "uniform": "uniform in 0..1",
    "integers": "whole numbers, uniform in -999,999..999,999",
    "bits": "random bits (finite)",
}


@dataclass(frozen=True)
class Case:
    """One array: its type, its shape, and what its values are like."""

    name: str
    kind: Kind = "real64"
    rows: int = 1_000_000
    columns: int = 10
    distribution: Distribution = "normal"

    @property
    def count(self) -> int:
        return self.rows * self.columns

    @property
    def payload_bytes(self) -> int:
        return self.count * np.dtype(TYPES[self.kind]).itemsize

    @property
    def title(self) -> str:
        return f"{self.kind}, {self.rows:,} rows of {self.columns:,}, {MEANING[self.distribution]}"


def make_values(case: Case, seed: int) -> NDArray[Any]:
    """The array of a case; the same for the same seed."""
    generator = np.random.default_rng(seed)
    shape = (case.rows, case.columns)
    dtype = np.dtype(TYPES[case.kind])
    if case.distribution == "integers":
        return generator.integers(-999_999, 999_999, shape, endpoint=True).astype(dtype)
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    if case.distribution == "normal":
        return generator.standard_normal(shape, dtype=np.float64).astype(dtype)
    if case.distribution == "uniform":
        return generator.random(shape, dtype=np.float64).astype(dtype)
    bits = np.dtype(f"u{dtype.itemsize}")
    values = generator.integers(0, np.iinfo(bits).max, shape, dtype=bits, endpoint=True).view(dtype)
    values[~np.isfinite(values)] = 1.5
    return values
