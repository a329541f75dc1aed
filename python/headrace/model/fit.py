"""Coefficients from micro-runs: non-negative least squares on relative errors."""

from pathlib import Path
from typing import TYPE_CHECKING

from headrace.later import later
from headrace.model.counts import MEANING, Counts, count
from headrace.model.microruns import FRESH, MicroTime
from headrace.results.records import Operation
from headrace.results.run import Compiler, CostModel, CostTerm
from headrace.results.solvers import non_negative

if TYPE_CHECKING:
    import numpy as np
else:
    np = later("numpy")

DEFAULT_CACHE = 32 << 20  # bytes, if the kernel does not say


def fit(compiler: Compiler, directory: Path, times: list[MicroTime], operation: Operation, cache: float) -> CostModel:
    """The model of one operation. Rows are divided by their time, so that each counts by its relative error."""
    fresh = fresh_memory(times)
    used = [time for time in times if time.operation == operation]
    counted = [count(time.run.transfer(compiler.vendor), compiler.vendor, operation, cache) for time in used]
    names = [name for name in MEANING if name != "fresh byte" and any(c.terms[name] for c in counted)]
    edits = sorted({edit for c in counted for edit in c.text})
    matrix = np.array([_row(c, names, edits) for c in counted])
    seconds = np.array([time.seconds for time in used])
    known = np.array([c.terms["fresh byte"] * fresh for c in counted])
    solution = non_negative(matrix / seconds[:, None], 1 - known / seconds)
    nanoseconds = dict(zip(names, 1e9 * solution, strict=False))
    nanoseconds["fresh byte"] = 1e9 * fresh
    pairs = 1e9 * solution[len(names) :].reshape(-1, 2)
    return CostModel(
        compiler=compiler.identifier,
        operation=operation,
        vendor=compiler.vendor,
        directory=str(directory),
        cache_bytes=cache,
        terms=[CostTerm(name=n, nanoseconds=float(v), meaning=MEANING[n]) for n, v in nanoseconds.items()],
        formatted={edit: (float(pair[0]), float(pair[1])) for edit, pair in zip(edits, pairs, strict=True)},
        fitted_on=len(used),
    )


def fresh_memory(times: list[MicroTime]) -> float:
    """Seconds to take, touch and give back one byte of new memory."""
    found = [time.seconds / (8 * FRESH * time.run.statements) for time in times if time.operation == "memory"]
    return min(found, default=0.0)


def cache_size() -> float:
    """Bytes of the last-level cache."""
    for index in (3, 2):
        path = Path(f"/sys/devices/system/cpu/cpu0/cache/index{index}/size")
        try:
            text = path.read_text().strip()
        except OSError:
            continue
        unit = {"K": 1 << 10, "M": 1 << 20}.get(text[-1:], 1)
        if text.rstrip("KM").isdigit():
            return float(int(text.rstrip("KM")) * unit)
    return float(DEFAULT_CACHE)


def _row(counts: Counts, names: list[str], edits: list[str]) -> list[float]:
    text = [number for edit in edits for number in counts.text.get(edit, (0.0, 0.0))]
    return [counts.terms[name] for name in names] + text
