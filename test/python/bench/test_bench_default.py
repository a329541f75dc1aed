"""What the default run of `headrace bench` leaves out if the time is short, and headrace's own calls in it."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from headrace.measure import knobs
from headrace.measure.catalogue import all_mechanisms
from headrace.measure.compilers import find_compilers
from headrace.measure.plan import CEILING, DEFAULT_MECHANISMS, REFERENCES, STAPLES, Pair, Variant
from headrace.measure.sizes import extremes, grown, rank_of, seconds_at
from headrace.results.files import load
from headrace.results.run import Compiler

Command = Callable[..., "subprocess.CompletedProcess[str]"]
SMALL = ("--size", "300kB", "--min-time", "0.001", "--rounds", "1", "--time-budget", "0.1", "--quiet", "--no-report")

needs_compiler = pytest.mark.skipif(not find_compilers(), reason="no Fortran compiler is installed")


@needs_compiler
def test_what_does_not_fit_into_the_time_is_named_not_measured(headrace: Command, tmp_path: Path) -> None:
    done = headrace("bench", "--fc", find_compilers()[0].name, "--time-budget", "2", "--quiet", "--json", "r.json")
    assert done.returncode == 0, done.stderr
    rows = load(tmp_path / "r.json").rows
    left_out = {row.message for row in rows if row.outcome == "skipped"}
    assert left_out and all("the time budget ended" in message for message in left_out)
    assert "not measured: " in done.stdout and "and " in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 100


@needs_compiler
def test_headraces_own_calls_are_built_with_the_users_compiler(headrace: Command, tmp_path: Path) -> None:
    done = headrace("bench", "--select", "headrace", *SMALL, "--json", "r.json")
    assert done.returncode == 0, done.stderr
    rows = [row for row in load(tmp_path / "r.json").rows if row.family == "headrace"]
    assert {row.mechanism for row in rows} == {"text", "unformatted", "npy"}
    assert {row.compiler for row in rows} == {compiler.identifier for compiler in find_compilers()}
    for row in rows:
        assert row.outcome == "measured", row.message
        assert row.statement.startswith(f"call {row.operation}_array(name, array, format=")
    sizes = {row.mechanism: row.file_bytes - row.payload_bytes for row in rows}
    assert sizes["unformatted"] == 8 and sizes["npy"] == 128


@needs_compiler
def test_without_the_library_the_rows_say_why(headrace: Command, tmp_path: Path) -> None:
    done = headrace("bench", "--select", "headrace", *SMALL, "--json", "r.json", HEADRACE_LIBRARY="/nowhere/lib.so")
    assert done.returncode == 0, done.stderr
    rows = [row for row in load(tmp_path / "r.json").rows if row.family == "headrace"]
    assert rows and all(row.outcome == "refused" and "/nowhere/lib.so" in row.message for row in rows)


def test_what_headrace_would_give_is_part_of_the_default_run() -> None:
    assert {"headrace:text", "headrace:unformatted", "headrace:npy"} <= set(DEFAULT_MECHANISMS)
    assert set(STAPLES) <= set(DEFAULT_MECHANISMS) and "memory:first_touch" in REFERENCES


def variant(key: str, compiler: str = "gfortran 12", knob: str = "default", ceiling: bool = False) -> Variant:
    made = Compiler(name="f", path="f", vendor="gnu", version="1", identifier=compiler, version_text="", flags=[])
    mechanism = next(m for m in all_mechanisms() if m.key == key)
    setting = knobs.DEFAULT.model_copy(update={"name": knob})
    return Variant(mechanism, made, Path(), setting, Pair("cached", "warm"), ["write", "read"], 1, ceiling)


def test_a_short_time_goes_to_staples_of_one_compiler_first() -> None:
    order = [
        variant(CEILING, ceiling=True),
        variant("unformatted:whole"),
        variant("unformatted:section"),
        variant("unformatted:whole", compiler="flang 19"),
        variant("unformatted:whole", knob="unbuffered"),
        variant("part_of_file:array_dummy"),
    ]
    ranks = [rank_of(each, "gfortran 12") for each in order]
    assert ranks == sorted(set(ranks))


def test_the_first_transfers_tell_who_is_fastest_and_slowest() -> None:
    assert extremes({0: {"write": 5, "read": 9}, 1: {"write": 1, "read": 3}, 2: {"write": 3, "read": 1}}) == {0, 1, 2}
    assert extremes({0: {"write": 5}, 1: {"write": 6}, 2: {"write": 7}}) == {0, 2}
    assert extremes({}) == set()


def test_a_size_follows_from_one_short_transfer_and_the_ceiling() -> None:
    assert grown(1000, 0.01, 0.2, 10**9) == 23_003  # 0.23 s
    assert grown(1000, 0.01, 0.2, 5000) == 5000 and grown(1000, 0.0, 0.2, 77) == 77
    assert seconds_at(2000, 1000, 0.1, 8, ceiling=0) == pytest.approx(0.2)
    assert seconds_at(10**6, 10**5, 0.0001, 8, ceiling=4000) == pytest.approx(0.002)  # from memory, not from a cache
