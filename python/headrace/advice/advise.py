"""Puts the advice of a trace together: all rules on all lines, what is worth it, the largest saving first."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from headrace.advice.around import around
from headrace.advice.costs import Costs, Inputs
from headrace.advice.facts import Facts, Found
from headrace.advice.internal import internal
from headrace.advice.libraries import libraries
from headrace.advice.parallel import parallel
from headrace.advice.sources_of_costs import calibrated, named_inputs, results_here, vendor_of
from headrace.advice.text import text
from headrace.advice.unformatted import unformatted
from headrace.rules.catalogue import BY_CODE
from headrace.trace.results import Advice, Line, Trace
from headrace.trace.sources import Sources

RULES: tuple[Callable[[Line, Facts], Iterator[Found]], ...] = (
    *(unformatted, text, around, internal, parallel, libraries),
)
SMALLEST_SAVING = 0.005  # seconds: nobody changes a program for less
SHARE_OF_IO = 0.02
SHARE_OF_RUN = 0.002  # of the wall time
SHARE_OF_LINE = 0.05  # a saving below is within the noise
WITHOUT_ESTIMATE = 0.02  # seconds that a line takes whose saving is not known

_FILES_KEPT = 200
COARSE = "the seconds in this trace and coarse costs of a copy"

_EFFECTS = {
    "identical": "the same bytes",
    "reader": "other bytes: what reads the file must change",
    "durability": "the same bytes at the end; less is on disk after a crash",
    "none": "nothing changes in the file",
}


def advise_here(
    trace: Trace, sources: Sources, results: Path | None, folder: Path, say: Callable[[str], None]
) -> Inputs:
    """Advice for a program that has just run on this machine; measures costs if they are needed and not known."""
    known = Inputs(source=COARSE)
    vendor = vendor_of(trace)
    if results:
        known = named_inputs(results, vendor)
    elif advise(trace, known, sources) and vendor:
        known = results_here(folder, vendor) or calibrated(vendor, say)
    known.vendor = vendor
    known.file_sizes = _sizes(trace)
    advise(trace, known, sources)
    return known


def advise_again(trace: Trace, sources: Sources, kept: dict[str, Any], results: Path | None) -> None:
    """Advice for a trace from anywhere: from what is kept with it, or a results file; nothing is measured."""
    inputs = Inputs(source=COARSE)
    with contextlib.suppress(ValidationError):
        inputs = Inputs.model_validate({"source": COARSE} | kept)
    if results:  # the program itself may be gone
        sizes, vendor = inputs.file_sizes, inputs.vendor or vendor_of(trace)
        inputs = named_inputs(results, vendor)
        inputs.file_sizes = sizes
    advise(trace, inputs, sources)


def _sizes(trace: Trace) -> dict[str, int]:
    """Of the files that several processes read; they may be gone, or out of reach."""
    sizes: dict[str, int] = {}
    for file in trace.files:
        if file.bytes_read and file.processes > 1 and len(sizes) < _FILES_KEPT:
            with contextlib.suppress(OSError):
                sizes[file.path] = Path(file.path).stat().st_size
    return sizes


def advise(trace: Trace, inputs: Inputs, sources: Sources) -> bool:
    """Put the advice into the trace. Whether estimates in it came, or would come, from a cost model."""
    costs = Costs(inputs)
    facts = Facts(trace, costs, sources)
    found: list[Found] = []
    wants_model = False
    for line in trace.lines:
        costs.asked_model = False
        worth = [one for one in matches(line, facts) if _is_worth_it(one, facts)]
        wants_model |= costs.asked_model and bool(worth)
        found += worth
    found.sort(key=lambda one: (one.after is None, -one.saving, -one.before))
    trace.advice = [_advice(one) for one in found]
    trace.predicted_from = inputs.source if any(one.after for one in trace.advice) else ""
    return wants_model


def matches(line: Line, facts: Facts) -> list[Found]:
    """What the rules find on a line, worth a change or not."""
    return [found for rule in RULES for found in rule(line, facts)]


def _is_worth_it(found: Found, facts: Facts) -> bool:
    """Correctness always is; time only if there is something to be gained."""
    if found.code.startswith("HR4") and found.after is None:
        return True
    if found.code == "HR504":  # its cost is in the file system, not in these lines
        return True
    saved = found.before - (found.after.high if found.after else 0.0)
    of_run = found.at_stake if found.at_stake is not None else saved * _share_of_longest(found.line, facts.trace)
    return (
        saved >= (SMALLEST_SAVING if found.after else WITHOUT_ESTIMATE)
        and of_run >= SHARE_OF_RUN * facts.trace.wall
        and (found.at_stake is not None or saved >= SHARE_OF_IO * facts.io_seconds)
        and saved >= SHARE_OF_LINE * found.before
    )


def _share_of_longest(line: Line, trace: Trace) -> float:
    """What a second of the sum over processes is of the run's wall time, at least: that of the MPI rank with most."""
    if line.largest_of_a_rank is not None and line.seconds_exclusive > 0:
        return line.largest_of_a_rank / line.seconds_exclusive
    return 1 / max(1, trace.totals.at_once)


def _advice(found: Found) -> Advice:
    rule = BY_CODE[found.code]
    effect = found.effect or rule.effect
    return Advice(
        rule=rule.code,
        name=rule.name,
        place=found.line.place,
        lines=[line.id for line in (found.line, *found.others)],
        finds=found.finds,
        instead=rule.instead,
        reason=rule.reason,
        now=found.line.source,
        better=found.better,
        effect=effect,  # type: ignore[arg-type]
        effect_words=found.effect_words or _EFFECTS[effect],
        before=found.before,
        after=found.after,
        why_no_estimate=found.why_no_estimate,
        evidence={name: float(value) for name, value in found.evidence.items()},
    )
