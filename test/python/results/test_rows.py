"""Verdicts, ceilings and bandwidths from what processes reported."""

from pathlib import Path

import pytest

from headrace.measure import knobs
from headrace.measure.catalogue import all_mechanisms
from headrace.measure.measurement import VariantUnit
from headrace.measure.plan import Pair, Variant
from headrace.measure.process import Report
from headrace.measure.rows import make_rows
from headrace.results.records import Operation
from headrace.results.run import Compiler, Row

COMPILER = Compiler(
    name="gfortran", path="/gfortran", vendor="gnu", version="12", identifier="gfortran 12", version_text="", flags=[]
)
MECHANISMS = {m.key: m for m in all_mechanisms()}
PAYLOAD = 100_000_000


def report(seconds: float, begin: float = 0.0, passes: int = 1, verified: bool = True, resident: float = 0.0) -> Report:
    one = dict.fromkeys(("open", "transfer", "close", "sync", "user", "system", "calls"), 0.0)
    one |= {"total": seconds, "begin": begin}
    found = Report(payload_bytes=PAYLOAD, file_bytes=PAYLOAD, values=PAYLOAD // 8, verified=verified)
    found.passes = {"write": [one] * passes, "read": [one] * passes}
    found.resident = resident
    return found


def state(
    key: str, seconds: list[float], ceiling: bool = False, processes: int = 1, pair: Pair | None = None
) -> VariantUnit:
    return unit(key, [[report(s) for _ in range(processes)] for s in seconds], ceiling, pair)


def unit(key: str, rounds: list[list[Report]], ceiling: bool = False, pair: Pair | None = None) -> VariantUnit:
    pair = pair or Pair("cached", "warm")
    both: list[Operation] = ["write", "read"]
    processes = len(rounds[0])
    variant = Variant(MECHANISMS[key], COMPILER, Path("dir"), knobs.DEFAULT, pair, both, processes, ceiling)
    made = VariantUnit(variant, program=Path("program"), count=PAYLOAD // 8)
    for number, reports in enumerate(rounds):
        made.take(number, reports)
    return made


def rows_of(*units: VariantUnit, minimum: float = 0.2) -> dict[tuple[str, str], Row]:
    return {(row.key, row.operation): row for row in make_rows(units, minimum)}


def test_steady_rounds_are_valid_and_measured_against_the_ceiling_round_by_round() -> None:
    ceiling = state("c_library:system_1m", [0.25, 0.5, 0.25], ceiling=True)
    rows = rows_of(ceiling, state("stream:whole", [0.5, 1.0, 0.5]))
    row = rows["stream:whole", "write"]
    assert row.ceiling_fraction == pytest.approx(0.5)
    assert row.bandwidths == pytest.approx({0: 200, 1: 100, 2: 200})
    assert rows_of(state("stream:whole", [0.5] * 6))["stream:whole", "write"].verdict == "valid"


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [
        ([0.5] * 6, "valid"),
        ([0.5] * 5, "noisy"),  # an interval of 95 % needs six
        ([0.5, 0.5], "noisy"),
        ([0.5, 0.5, 0.56] * 2, "noisy"),
        ([0.1, 0.1, 0.1], "too-short"),
        ([0.5] * 5 + [0.9], "noisy"),
        ([0.4] + [0.5] * 10 + [0.9], "valid"),
    ],
)
def test_verdicts(seconds: list[float], verdict: str) -> None:
    assert rows_of(state("stream:whole", seconds))["stream:whole", "write"].verdict == verdict


def test_faster_than_the_ceiling_in_every_round_is_suspect() -> None:
    ceiling = state("c_library:system_1m", [0.5] * 6, ceiling=True)
    assert rows_of(ceiling, state("stream:whole", [0.3] * 6))["stream:whole", "write"].verdict == "cache-suspect"
    assert rows_of(ceiling, state("stream:whole", [0.3, 0.3, 0.5] * 2))["stream:whole", "write"].verdict == "noisy"


def test_the_ceiling_of_one_process_is_none_for_two() -> None:
    ceiling = state("c_library:system_1m", [0.5] * 3, ceiling=True)
    assert (
        rows_of(ceiling, state("stream:whole", [0.5] * 3, processes=2))["stream:whole", "write"].ceiling_fraction
        is None
    )


def test_several_processes_are_timed_from_the_first_begin_to_the_last_end() -> None:
    made = unit("stream:whole", [[report(0.5, begin=1.0), report(0.5, begin=1.5)]])
    assert made.state("write").speeds()[0] == pytest.approx(2 * PAYLOAD / 1.0 / 1e6)
    (sample,) = rows_of(made)["stream:whole", "write"].samples
    assert (sample.first_done, sample.last_done) == pytest.approx((0.5, 1.0))


def test_passes_of_several_processes_are_added_up() -> None:
    made = unit("part_of_file:stream_position", [[report(0.1, passes=3), report(0.05, passes=3)]])
    assert made.state("read").speeds()[0] == pytest.approx(PAYLOAD / 0.1 / 1e6)


def test_pages_that_stayed_make_a_cold_read_unknown() -> None:
    made = unit("stream:whole", [[report(0.5, resident=0.4)]] * 3, pair=Pair("cached", "cold"))
    row = rows_of(made)["stream:whole", "read"]
    assert row.verdict == "unknown" and "40%" in row.message


def test_what_was_not_compared_is_unverified() -> None:
    made = unit("stream:whole", [[report(0.5)], [report(0.5, verified=False)], [report(0.5)]])
    assert rows_of(made)["stream:whole", "write"].verdict == "unverified"


def test_wrong_contents_have_no_verdict() -> None:
    bad = report(0.5)
    bad.outcome, bad.message = "wrong", "value 7 differs"
    made = unit("stream:whole", [[report(0.5)], [report(0.5)], [bad]])
    row = rows_of(made)["stream:whole", "read"]
    assert (row.outcome, row.verdict, row.message) == ("wrong", None, "value 7 differs")
