#!/usr/bin/env python3
"""Does the confidence that `headrace inspect` states hold? Stated confidence against the share that is right.

    python test/corpus/calibration.py --set programs --seed N --count 3000 --json curve.json  measure
    python test/corpus/calibration.py --set generic --seed N --count 6000 --fit  print the table to fit

Files are drawn from a seed (fresh.py, codes.py, programs.py), inspected one by one, and forgotten. Two claims are
judged: the format of the file, and what each record of its pattern holds. Bytes that are zero in all records looked at
have every type.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng
from scipy.optimize import minimize
from scipy.special import bdtr, betaincinv

from codes import code_file, layout_file
from content import Array, Record, record_bytes
from fresh import Fresh, generic_file
from headrace.inspect import inspect_file
from headrace.inspect.confidence import features
from headrace.inspect.findings import Report, Run, Slot
from programs import program_file

SETS: dict[str, Callable[[Generator], Fresh]] = {
    "generic": generic_file,
    "layouts": layout_file,
    "codes": code_file,
    "programs": program_file,
}
EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
CLAIMS = ("format", "types")
_NAMES = (
    "character", "zeros", "int8", "int16", "int32", "int64", "real32", "real64", "real128", "logical32", "logical64",
)  # fmt: skip
_PAIRS = {"complex64": "real32", "complex128": "real64"}
_MOST_SLOTS = 12  # of one file
_CHANCE = 1e-3  # that a bin is called false although what it states holds


@dataclass(frozen=True)
class Claim:
    """Something that inspect stated, and whether it is right."""

    family: str
    claim: str  # of CLAIMS
    stated: float
    right: bool
    said: str
    truth: str
    margin: float = 0.0  # what the statement was made from
    group: str = ""
    values: int = 0


def _types(items: Sequence[tuple[str, int, int]], size: int) -> Array:
    """The type of each byte and whether a value begins there: items of one type behind each other are one item."""
    result = np.zeros(size, np.int32)
    for name, offset, end in items:
        width = 1 if name in ("character", "zeros") else int(name.lstrip("abcdefghijklmnopqrstuvwxyz")) // 8
        code = 2 * (1 + _NAMES.index(name))
        result[offset:end] = code
        result[offset:end:width] = code + 1
    return result


def _truth(record: Record) -> list[tuple[str, int, int]]:
    found, at = [], 0
    for one in record:
        found.append((_PAIRS.get(one.type, one.type), at, at + one.data.nbytes))
        at += one.data.nbytes
    return found


def _said(slot: Slot) -> list[tuple[str, int, int]]:
    return [(one.type, one.offset, one.offset + one.count * one.size) for one in slot.items]


def _masks(record: Record) -> Record:
    """Integers 0 and 1 are what logicals are: either is right."""
    return [
        replace(one, type="int32" if one.type == "logical32" else "logical32")
        if one.type in ("int32", "logical32") and np.isin(one.data, (0, 1)).all()
        else one
        for one in record
    ]


def same_types(slot: Slot, records: Sequence[Record], order: str) -> bool:
    """Whether the slot says of each of the records what it holds. Zeros in all of them have every type."""
    data = [np.frombuffer(record_bytes(one, order), np.uint8) for one in records]
    if any(len(one) != slot.bytes for one in data):
        return False
    zero = ~np.logical_or.reduce([one != 0 for one in data])
    said = _types(_said(slot), slot.bytes)
    for record in records:
        good = (
            zero | (said == _types(_truth(record), slot.bytes)) | (said == _types(_truth(_masks(record)), slot.bytes))
        )
        if not good.all():
            return False
    return True


def _records_of(run: Run, slot: int, first: int, records: Sequence[Record]) -> list[Record]:
    numbers = range(first + slot, first + run.times * len(run.lengths), len(run.lengths))
    some = sorted({0, len(numbers) // 2, len(numbers) - 1, *range(min(8, len(numbers)))})
    return [records[numbers[k]] for k in some if numbers[k] < len(records)]


def _format_right(file: Fresh, report: Report) -> bool:
    best = report.verdict
    detail = best.detail
    if best.format not in file.formats and not (report.tie and file.tie_is_right and set(report.tied) & file.formats):
        return False
    if not any(name == "damage" for name, _ in file.detail) and detail.get("damage"):
        return False
    return all(detail.get(name) == value for name, value in file.detail)


def claims_of(file: Fresh, report: Report) -> Iterator[Claim]:
    """Everything that is stated of a file. A tie states nothing of the format."""
    best = report.verdict
    right = _format_right(file, report)
    wanted = "/".join(sorted(file.formats))
    said = best.format + (f" {best.detail}" if not right else "")
    if not report.tie:
        yield Claim(file.family, "format", best.confidence, right, said, wanted, best.bits, best.format)
    elif not file.tie_is_right:
        yield Claim(file.family, "format", 0.0, False, f"tie {report.tied}", wanted, best.bits, "tie")
    if not file.records or not right or best.format.startswith("direct"):
        return
    number = shown = 0
    stated = set[tuple[object, ...]]()  # the same of the same file counts once
    for run in best.runs:
        for index, slot in enumerate(run.slots):
            records = _records_of(run, index, number, file.records)
            if not slot.bytes or not records or shown >= _MOST_SLOTS:
                continue
            same = (*(one.type for one in slot.items), "", *(one.type for one in records[0]))
            if same in stated:
                continue
            stated.add(same)
            shown += 1
            truth = " + ".join(str(one) for one in records[0])
            items = " + ".join(f"{one.type} {one.count}" for one in slot.items)
            good = same_types(slot, records, file.order)
            yield Claim(
                file.family,
                "types",
                slot.confidence,
                good,
                items,
                truth,
                getattr(slot, "margin", 0.0),
                getattr(slot, "group", ""),
                getattr(slot, "values", 0),
            )
        number += run.times * len(run.lengths)


def _one(name: str, seed: int, folder: str, number: int) -> list[Claim]:
    file = SETS[name](default_rng([seed, number]))
    path = Path(folder) / f"{seed}-{name}-{number}.dat"
    path.write_bytes(file.data)
    try:
        return list(claims_of(file, inspect_file(path)))
    finally:
        path.unlink()


def measured(name: str, seed: int, count: int, processes: int = 1) -> list[Claim]:
    """The claims about `count` files of a set."""
    with tempfile.TemporaryDirectory() as folder:
        one = partial(_one, name, seed, folder)
        if processes == 1:
            return [claim for number in range(count) for claim in one(number)]
        with ProcessPoolExecutor(processes) as pool:
            return [claim for some in pool.map(one, range(count), chunksize=20) for claim in some]


_LEAST_CLAIMS = 8  # of a way to find types that has a constant of its own
_RARE = "other"  # ways that occur more seldom have one together
_RIDGE = 0.3  # keeps weights small if nothing speaks for them
_ALIKE = 0.5  # n records that one program lays out alike count as n**0.5: they are right or wrong together


def fitted(claims: Sequence[Claim]) -> str:
    """The lines of python/headrace/inspect/confidence.py that hold the curve, fitted to claims about types.

    With such weights the curve also held for each program that was left out of the fit.
    """
    some = [one for one in claims if one.claim == "types" and one.group]
    counts = Counter(one.group for one in some)
    ways = [*sorted(name for name, count in counts.items() if count >= _LEAST_CLAIMS), _RARE]
    group_of = {name: name if name in ways else _RARE for name in counts}
    columns = np.array([[group_of[one.group] == name for name in ways] for one in some], float)
    design = np.column_stack(
        [columns, np.array([features(one.group, one.margin, one.values) for one in some]), np.ones(len(some))]
    )
    right = np.array([one.right for one in some], float)
    kinds = [(one.family, one.group, re.sub(r"\d+", "", one.truth)) for one in some]
    alike = Counter(kinds)
    weights = np.array([alike[kind] ** -_ALIKE for kind in kinds])
    # No weight of a margin is negative: more evidence is never a reason for less confidence.
    signs = [(None, None)] * len(ways) + [(0, None), (0, None), (0, 0), (None, 0), (None, None)]

    def loss(slopes: Array) -> tuple[float, Array]:
        total = design @ slopes
        chance = 1 / (1 + np.exp(-total))
        value = weights @ (np.logaddexp(0, total) - right * total) + _RIDGE * slopes @ slopes
        return float(value), design.T @ (weights * (chance - right)) + 2 * _RIDGE * slopes

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, bounds=signs, method="L-BFGS-B").x
    constant, (margin, each, values, behind) = found[-1], found[-5:-1]
    constants = {name: constant + weight for name, weight in zip(ways, found, strict=False)}
    other = constants.pop(_RARE)
    table = ", ".join(f'"{name}": {value:.2f}' for name, value in constants.items())
    return (
        f"_WAYS: dict[str, float] = {{{table}}}\n"
        f"_MARGIN, _EACH, _VALUES, _BEHIND = {margin:.3f}, {each:.3f}, {values:.3f}, {behind:.3f}\n"
        f"_OTHER = {other:.2f}"
    )


@dataclass(frozen=True)
class Bin:
    """Claims whose confidence is from `low` to `high`."""

    low: float
    high: float
    claims: int
    right: int
    stated: float  # the mean
    least: float  # 95 % interval of the share that is right (Clopper and Pearson)
    most: float

    @property
    def holds(self) -> bool:
        """Whether so few right ones may be chance if what is stated is true."""
        return bool(bdtr(self.right, self.claims, min(self.stated, 1.0)) >= _CHANCE)


def curve(claims: Sequence[Claim], claim: str) -> list[Bin]:
    """Stated confidence against the share that is right."""
    bins = []
    for low, high in pairwise(EDGES):
        some = [one for one in claims if one.claim == claim and (low <= one.stated < high or one.stated == high == 1.0)]
        if not some:
            continue
        n, right = len(some), sum(one.right for one in some)
        least = float(betaincinv(right, n - right + 1, 0.025)) if right else 0.0
        most = float(betaincinv(right + 1, n - right, 0.975)) if right < n else 1.0
        bins.append(Bin(low, high, n, right, float(np.mean([one.stated for one in some])), least, most))
    return bins


def as_table(claims: Sequence[Claim]) -> str:
    """The curves as Markdown."""
    lines = [
        "| claim | stated, % | claims | mean stated, % | right, % | 95 % interval |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for claim in CLAIMS:
        for one in curve(claims, claim):
            lines.append(
                f"| {claim} | {100 * one.low:.0f} to {100 * one.high:.0f} | {one.claims:,} | {100 * one.stated:.1f} | "
                f"{100 * one.right / one.claims:.1f} | {100 * one.least:.1f} to {100 * one.most:.1f} |"
            )
    return "\n".join(lines)


def as_results(name: str, seed: int, count: int, claims: Sequence[Claim]) -> dict[str, Any]:
    """For a results file."""
    some = {claim: [one for one in claims if one.claim == claim] for claim in CLAIMS}
    return {
        "set": name, "seed": seed, "files": count,
        "right": {claim: sum(one.right for one in part) for claim, part in some.items()},
        "claims": {claim: len(part) for claim, part in some.items()},
        "curve": {claim: [asdict(one) | {"holds": one.holds} for one in curve(claims, claim)] for claim in CLAIMS},
    }  # fmt: skip


def main() -> int:
    """The command: exit code 1 when a bin does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="programs")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--fit", action="store_true", help="print the table of confidence.py, fitted to these")
    parser.add_argument("--claims", type=Path, help="write every claim there")
    parser.add_argument("--wrong", type=int, default=0, help="list so many of the surest mistakes")
    options = parser.parse_args()
    claims = measured(options.set, options.seed, options.count, options.processes)
    if options.fit:  # files in the layouts of programs beside those of generic loops
        for name in ("layouts", "codes"):
            claims += measured(name, options.seed, options.count, options.processes)
    results = as_results(options.set, options.seed, options.count, claims)
    print(as_table(claims))
    print({claim: f"{results['right'][claim]} of {results['claims'][claim]} right" for claim in CLAIMS})
    for one in sorted((c for c in claims if not c.right), key=lambda c: -c.stated)[: options.wrong]:
        print(
            f"{one.stated:.3f} {one.margin:6.1f} {one.group:8} {one.family:12} {one.claim}: "
            f"{one.said[:120]}   NOT   {one.truth[:100]}"
        )
    if options.fit:
        print(fitted(claims))
    if options.claims:
        options.claims.write_text(json.dumps([asdict(one) for one in claims]))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(one.holds for claim in CLAIMS for one in curve(claims, claim)) else 1


if __name__ == "__main__":
    sys.exit(main())
