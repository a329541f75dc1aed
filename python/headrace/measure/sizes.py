"""How large the array of each mechanism is, and how often it is transferred: from one short transfer each.

A first pass with a small array tells the speed. From that follow the array, whose slower transfer lasts the shortest
time that is measured, and the passes of a sample. The ceilings come first, because nothing is expected to be faster for
long. A first sample that turns out much too short or too long is dropped and corrects the passes: engine/state.py.
"""

from collections.abc import Mapping
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.plan import CEILING, STAPLES, Variant
from headrace.measure.provenance import memory
from headrace.measure.scratch import free_bytes
from headrace.results.conclusions import PART_FAMILY
from headrace.results.records import Operation

PILOT_VALUES = 49_152
PILOT_VALUES_BINARY = 262_144  # what text takes 0.2 s for is nothing for records
SLOW_KNOB = "unbuffered"
GROWTH = 1.15  # the array is made so much larger than the shortest time asks for


def pilot_values(variant: Variant) -> int:
    """Array elements of the first transfer."""
    slow = variant.knob.name == SLOW_KNOB or "seek" in variant.mechanism.name
    text = variant.mechanism.family in ("formatted", "derived_type_io") or variant.mechanism.key == "headrace:text"
    return PILOT_VALUES if slow or text else PILOT_VALUES_BINARY


def value_bytes(variant: Variant) -> int:
    return 4 if variant.mechanism.shape == "integer" else 8


def grown(count: int, seconds: float, least: float, most: int) -> int:
    """Array elements whose transfer lasts `least` if `count` lasted `seconds`; at most `most`."""
    if seconds <= 0:
        return most
    return max(3, min(most, int(count * GROWTH * least / seconds) + 3))


def seconds_at(count: int, pilot: int, seconds: float, bytes_a_value: int, ceiling: float) -> float:
    """What a transfer of `count` elements takes if `pilot` took `seconds`; `ceiling` in MB/s, 0: not known."""
    linear = seconds * count / max(pilot, 1)
    return max(linear, count * bytes_a_value / ceiling / 1e6) if ceiling > 0 else linear


def extremes(speeds: Mapping[int, Mapping[Operation, float]]) -> set[int]:
    """Who is fastest and slowest in an operation, after the first transfers: what a conclusion is about."""
    found: set[int] = set()
    for operation in ("write", "read"):
        known = {key: rates[operation] for key, rates in speeds.items() if rates.get(operation, 0) > 0}
        if known:
            found |= {max(known, key=lambda key: known[key]), min(known, key=lambda key: known[key])}
    return found


def rank_of(variant: Variant, first: str) -> int:
    """Which rows come first if time is short: those of one compiler with the run time as it comes."""
    if variant.mechanism.key == CEILING and variant.processes == 1 and variant.ceiling:
        return 0
    if variant.knob.name != "default":
        return 4
    if variant.mechanism.family == PART_FAMILY or variant.processes > 1:
        return 5
    if variant.compiler.identifier != first:
        return 3
    return 1 if variant.mechanism.key in STAPLES else 2


def is_statement(variant: Variant) -> bool:
    """Whether a conclusion may be about it: a statement of Fortran's on reals."""
    no_statements = ("c_library", "headrace", "memory", "null")
    return variant.mechanism.shape != "integer" and variant.mechanism.family not in no_statements


def largest_payload(directories: list[Path], wanted: int) -> int:
    """Bytes of payload that fit: a quarter of the free space, an eighth of the free memory (flang 19 needs 3 times)."""
    free = min(free_bytes(path) for path in directories)
    largest = min(wanted, free // 4, (memory("MemAvailable") or wanted * 8) // 8)
    if largest < min(wanted, 1_000_000):
        raise HeadraceError(
            f"only {largest / 1e6:.2f} MB a transfer would fit (free space {free / 1e6:,.0f} MB, "
            f"free memory {memory('MemAvailable') / 1e6:,.0f} MB)",
            "free some space or choose another --dir",
        )
    return largest
