"""What `headrace run` saved: the cost model of the run time, times what was taken over.

The library does not stop its own time, because that would cost more than it does. So the seconds lie between two
bounds: the model's, less all processor time that the program used; and the model's.
"""

import re
from collections.abc import Callable
from pathlib import Path

from headrace.advice.costs import Inputs
from headrace.advice.sources_of_costs import calibrated, named_inputs, results_here
from headrace.results.run import CostModel, Vendor
from headrace.run.statistics import FLANG, UNFORMATTED_DIRECT, UNFORMATTED_STREAM, Saved, Site, Statistics

_WORTH_MEASURING = 20_000  # values: some 10 ms
_LISTED, _INTEGER = "*", "* int32"
_OF_BYTES = {UNFORMATTED_STREAM: "statement stream", UNFORMATTED_DIRECT: "statement direct"}  # terms of the cost model
_SHORT = 14  # bytes: list-directed integers have 12, reals 17 and more
# Whose cost stands for that of others: digits cost the time, not their places. Characters count as nothing.
_STANDS_FOR = {"es": "es24.16e3", "e": "e15.5", "en": "e15.5", "d": "e15.5", "f": "e15.5", "g": "g0", "i": _INTEGER}
_EDIT = re.compile(r"(\d*)(es|en|[edfgialzob])\d+|(\d*)(a)\b")


def add_saved(
    statistics: Statistics, processor_seconds: float, results: Path | None, say: Callable[[str], None]
) -> None:
    """Put the seconds into the statistics, if a cost model is there or can be measured here. HeadraceError."""
    if not statistics.taken_over:
        return
    vendor: Vendor = "llvm" if any(process.run_time == FLANG for process in statistics.processes) else "gnu"
    if results is not None:
        inputs = named_inputs(results, vendor)
    else:
        inputs = results_here(Path.cwd(), vendor) or Inputs()
        if not inputs.models and sum(site.values for site in statistics.sites) >= _WORTH_MEASURING:
            inputs = calibrated(vendor, say)
    if not inputs.models:
        return
    models = {model.operation: model for model in inputs.models}
    total, unknown = 0.0, 0
    for site in statistics.sites:
        seconds = _seconds(site, models.get("read" if site.statement == "read" else "write"))
        total += seconds or 0.0
        unknown += site.taken_over if seconds is None else 0
    statistics.saved = Saved(
        compiler="flang" if vendor == "llvm" else "gfortran",
        run_time_alone=total,
        processor_seconds=processor_seconds,
        at_least=max(0.0, total - processor_seconds),
        at_most=total,
        known_from=inputs.source,
        without_costs=unknown,
    )


def _seconds(site: Site, model: CostModel | None) -> float | None:
    """Of the run time for what was taken over at a site; None if the model has no formats."""
    if not site.taken_over:
        return 0.0
    if model is not None and site.form in _OF_BYTES:
        return _of_bytes(site, {term.name: term.nanoseconds for term in model.terms})
    if model is None or not model.formatted:
        return None
    edits = _edits(site)
    known = [model.formatted[edit] for edit in edits if edit in model.formatted]
    of_value = sum(value for _, value in known) / len(edits) if known else 0.0
    of_statement = min(statement for statement, _ in known or _with_format(model))
    return 1e-9 * (of_statement * site.taken_over + of_value * site.values)


def _with_format(model: CostModel) -> list[tuple[float, float]]:
    """The costs of all descriptors: a statement with nothing but characters needs the least of them, at least."""
    costs = model.formatted
    return [costs[edit] for edit in costs if not edit.startswith("*")] or list(costs.values())


def _of_bytes(site: Site, terms: dict[str, float]) -> float | None:
    """The same of statements without a format."""
    statement = _OF_BYTES[site.form]
    if not {statement, "scalar item", "byte small"} <= terms.keys():
        return None
    nanoseconds = terms[statement] * site.taken_over + terms["scalar item"] * site.values
    return 1e-9 * (nanoseconds + terms["byte small"] * site.bytes)


def _edits(site: Site) -> list[str]:
    """Edit descriptors of the model that stand for a site's, one for each value; empty for one that has none."""
    if site.form.endswith("list-directed"):
        return [_INTEGER if site.bytes < _SHORT * site.values else _LISTED]
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", site.format.lower())
    found: list[str] = []
    for match in _EDIT.finditer(plain):
        count = match[1] or match[3] or "1"
        found += [_STANDS_FOR.get(match[2] or match[4], "")] * min(int(count), 1000)
    return found
