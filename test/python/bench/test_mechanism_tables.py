"""The table of mechanisms: columns that never run together, equal rows in one."""

import io
import itertools
import re

import pytest
from rich.console import Console

from headrace.reporters.mechanism_tables import HEADS, families, line, print_mechanisms
from headrace.results.records import Operation, Sample, Verdict
from headrace.results.run import Row
from headrace.results.statistics import describe

MB = 1_000_000


def row(
    operation: Operation,
    speed: float,
    mechanism: str = "whole",
    spread: float = 0.004,
    verdict: Verdict = "valid",
    touch: float | None = None,
    calls: float = 12,
    file_bytes: int = 64 * MB,
    shape: str = "real64 (n)",
) -> Row:
    speeds = [speed * (1 + spread * i) for i in range(6)]
    samples = [
        Sample(round=i, passes=1, total=64 / s, user=0, system=0, system_calls=calls) for i, s in enumerate(speeds)
    ]
    return Row(
        compiler="gfortran 12",
        directory="/d",
        family="unformatted",
        mechanism=mechanism,
        statement=f"{operation} (unit) array",
        shape=shape,
        operation=operation,
        condition="cached" if operation == "write" else "warm",
        count=8 * MB,
        payload_bytes=64 * MB,
        file_bytes=file_bytes,
        samples=samples,
        bandwidths=dict(enumerate(speeds)),
        statistics=describe(speeds),
        verdict=verdict,
        ceiling_fraction=speed / 3000,
        peak_memory_bytes=131_072,
        first_touch_share=touch,
    )


def both(speed: float, mechanism: str, **more: object) -> dict[Operation, Row]:
    return {op: row(op, speed, mechanism, **more) for op in ("write", "read")}  # type: ignore[arg-type]


def printed(pairs: dict[str, dict[Operation, Row]], expanded: bool = False) -> str:
    out = io.StringIO()
    print_mechanisms("gfortran 12, /d", pairs, Console(file=out, width=100), True, expanded)
    return out.getvalue()


SPEEDS = (0.0123, 4.56, 99.96, 12_345.6, 98_765.4)
VERDICTS: tuple[Verdict, ...] = ("valid", "noisy", "too-short", "cache-suspect")


@pytest.mark.parametrize(("write", "read"), list(itertools.product(SPEEDS, SPEEDS)))
def test_columns_never_run_together(write: float, read: float) -> None:
    for calls, size, verdict in itertools.product((3.0, 2_412.0, 332_400.0, -1.0), (64, 202, 25_330), VERDICTS):
        pair: dict[Operation, Row] = {
            "write": row("write", write, calls=calls, file_bytes=size * MB // 8, verdict=verdict),
            "read": row("read", read, calls=2_400.0, file_bytes=size * MB // 8, verdict="unverified"),
        }
        text = printed({"unformatted:whole": pair}).splitlines()[4]
        cells = text.split()
        assert len(cells) == len(HEADS) + 1, text
        assert float(cells[0]) == pytest.approx(write, rel=0.02) and float(cells[2]) == pytest.approx(read, rel=0.02)
        assert all(cell.count(".") <= 1 for cell in cells[6].split("/")) and cells[6].endswith("/2.4k"), text
        assert len(text) <= 100 or write > 90_000 or read > 90_000, text


def test_the_head_has_the_columns_of_the_lines() -> None:
    head = line(*HEADS, "verdict")
    assert len(re.split(" +", head.replace("ceiling %", "ceiling%").strip())) == len(HEADS) + 1


def test_equal_rows_share_the_lines_of_one() -> None:
    pairs = {
        "unformatted:whole": both(1000, "whole"),
        "stream:whole": both(1003, "whole"),
        "unformatted:section": both(1001, "section"),
        "unformatted:element": both(50, "element"),
    }
    text = printed(pairs)
    assert families(pairs) == [
        ["unformatted:element"],
        ["unformatted:whole", "unformatted:section", "stream:whole"],
    ]
    assert "the intervals of these overlap with it: unformatted:section, stream:whole" in text
    assert text.count(" valid") == 2 and printed(pairs, expanded=True).count(" valid") == 4


@pytest.mark.parametrize(
    "other",
    [
        both(1100, "b"),
        both(1001, "b", verdict="noisy"),
        both(1001, "b", file_bytes=70 * MB),
        both(1001, "b", shape="int32 (n)"),
        {"write": row("write", 1001, "b")},
        {"write": row("write", 1001, "b"), "read": row("read", 1500, "b")},
    ],
    ids=["other speed", "noisy", "larger file", "other type", "no read", "other read"],
)
def test_rows_that_may_differ_are_not_folded(other: dict[Operation, Row]) -> None:
    assert len(families({"a": both(1000, "a"), "b": other})) == 2


def test_the_first_touch_of_memory_is_said_in_the_row() -> None:
    text = printed(
        {"unformatted:whole": {"write": row("write", 477, touch=0.61), "read": row("read", 900, touch=0.02)}}
    )
    assert "first touch of new memory, not the statement: 61% of the time of a write\n" in text
    assert "first touch" not in printed({"a": both(900, "a", touch=0.05)})
