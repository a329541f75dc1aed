"""What `headrace inspect` takes values for: texts, large integers, masks; lengths of records; ends of files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.containers.records import survey
from headrace.inspect import inspect_file
from headrace.inspect.findings import Report

RNG = np.random.default_rng(3)
ORDERS = ("<", ">")


def record(data: bytes, order: str = "<", size: int = 4) -> bytes:
    marker = np.array(len(data), f"{order}i{size}").tobytes()
    return marker + data + marker


def verdict(path: Path, data: bytes) -> Report:
    path.write_bytes(data)
    return inspect_file(path)


def items(report: Report, slot: int = 0) -> list[str]:
    return [str(item).partition(" (")[0] for run in report.verdict.runs for one in run.slots for item in one.items][
        slot:
    ]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "text", [b"CORD", b"TEMP", b"PRESSURE", b"TEMP    ", b"SWAT    PERMX   ", b"velocity", b"POS "]
)
def test_names_are_texts(tmp_path: Path, order: str, text: bytes) -> None:
    field = RNG.normal(size=50).astype(f"{order}f8").tobytes()
    report = verdict(tmp_path / "x", (record(text, order) + record(field, order)) * 6)
    assert items(report) == [f"character {len(text)}", "real64 50"]


@pytest.mark.parametrize("order", ORDERS)
def test_a_name_in_front_of_integers_is_a_text(tmp_path: Path, order: str) -> None:
    control = np.array([10, 0, 100, 1000, 0, 0, 0, 300, 0, 1025500357, 1, *[0] * 8, 24], f"{order}i4").tobytes()
    assert items(verdict(tmp_path / "x", record(b"HEAD" + control, order)))[0] == "character 4"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("count", [5, 40, 2000])
def test_large_integers_are_integers(tmp_path: Path, order: str, count: int) -> None:
    near = {"i8": 2**40 + RNG.integers(0, 1000, count), "i4": 10**9 + RNG.integers(-500, 500, count)}
    near["i8 of steps"] = 2**40 + np.arange(count)
    near["i4 of seconds"] = 1_262_304_000 + 3600 * np.arange(count)
    for kind, values in near.items():
        data = record(values.astype(order + kind[:2]).tobytes(), order)
        slot = verdict(tmp_path / "x", data).verdict.runs[0].slots[0]
        right = [str(item).partition(" (")[0] for item in slot.items] == [f"int{8 * int(kind[1])} {count}"]
        assert right or (count == 5 and slot.confidence < 0.9), (kind, slot)


@pytest.mark.parametrize("values", [(0, 1), (0, -1)])
def test_a_mask_may_be_integers_or_logicals(tmp_path: Path, values: tuple[int, int]) -> None:
    mask = RNG.choice(np.array(values, "<i4"), 600)
    slot = verdict(tmp_path / "x", record(mask.tobytes())).verdict.runs[0].slots[0]
    assert slot.items[0].type == "int32" and "logical32" in slot.items[0].note
    assert 0.4 <= slot.confidence <= 0.6


def test_records_of_one_length_and_several_types_are_told_apart(tmp_path: Path) -> None:
    counts, field = np.arange(1000, dtype="<i4") * 7, RNG.normal(size=1000).astype("<f4")
    report = verdict(tmp_path / "x", record(counts.tobytes()) + record(field.tobytes()))
    assert items(report) == ["int32 1000", "real32 1000"]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("width", [50, 80, 100])
def test_arrays_behind_lines_of_text_are_no_direct_access(tmp_path: Path, order: str, width: int) -> None:
    """As MODFLOW 6 writes its grids, and legacy VTK its fields."""
    lines = [f"ARRAY{k} DOUBLE NDIM 1 {300 + k}".ljust(width - 1) + "\n" for k in range(8)]
    arrays = [np.arange(300, dtype=f"{order}i4"), RNG.normal(size=400).astype(f"{order}f8")]
    head = "".join(lines).encode()
    report = verdict(tmp_path / "x", head + b"".join(array.tobytes() for array in arrays))
    best = report.verdict
    assert best.format == "raw" and not report.tie and best.confidence > 0.9
    assert best.detail["text_bytes"] == len(head) and best.detail["text_lines"] == 8
    assert items(report)[0] == f"character {len(head)}"
    assert best.detail["byte_order"] == ("little" if order == "<" else "big")


@pytest.mark.parametrize("count", [12, 14, 16, 40, 63])
def test_a_record_length_with_padding_is_not_doubled(tmp_path: Path, count: int) -> None:
    for used, padding in ((20, 44), (104, 24), (52, 12), (200, 56), (36, 28)):
        rows = []
        for k in range(count):
            row = f"STN{k:05d}    ".encode() + np.array([k + 1, k % 4], "<i4").tobytes()
            values = (280 + RNG.normal(size=(used - 20) // 4)).astype("<f4").tobytes()
            rows.append((row + values).ljust(used + padding, b"\0"))
        best = verdict(tmp_path / "x", b"".join(rows)).verdict
        assert best.format == "direct", (used, padding, best)
        assert best.detail["record_length"] == used + padding


def second(n: int) -> dict[str, Any]:
    return {
        "zeros": np.zeros(n, "u1"),
        "from zero": np.arange(n // 4, dtype="<i4"),
        "reals": np.linspace(0, 1, n // 8).astype("<f8"),
        "noise": RNG.normal(size=n // 4).astype("<f4"),
    }


@pytest.mark.parametrize("n", [8, 40, 400, 4000])
def test_a_whole_record_and_the_beginning_of_another_have_4_byte_markers(tmp_path: Path, n: int) -> None:
    for name, values in second(n).items():
        data = values.tobytes()
        for kept in (5, 8, 4 + len(data) // 2, len(data) + 3, len(data) + 7):
            report = verdict(tmp_path / "x", record(data) + record(data)[:kept])
            best = report.verdict
            assert report.tie or best.format == "record4-little", (name, kept, best)
            assert not (best.format.startswith("record8") and best.confidence > 0.6 and not report.tie)


@pytest.mark.parametrize("order", ORDERS)
def test_records_with_8_byte_markers_stay_such(tmp_path: Path, order: str) -> None:
    for values in second(400).values():
        for times in (1, 2, 5):
            report = verdict(tmp_path / "x", record(values.tobytes(), order, 8) * times)
            assert report.verdict.format == f"record8-{'little' if order == '<' else 'big'}", (times, values[:3])


@pytest.mark.parametrize("size", [8, 16, 64, 65, 72, 100, 1000, 262144, 262144 + 64, 700_001])
@pytest.mark.parametrize("behind", [b"", b"\1", b"\4\0\0\0data\4\0\0\0"])
def test_zeros_at_the_beginning_are_records_without_data_in_every_dialect(
    tmp_path: Path, size: int, behind: bytes
) -> None:
    (tmp_path / "x").write_bytes(bytes(size) + behind)
    surveys, _ = survey.survey_records(tmp_path / "x")
    for one in surveys:
        if one.long_records == survey.SEGMENTED:
            assert one.records == 0
            continue
        assert one.empty >= size // (2 * one.marker_bytes) - (1 if behind else 0)
        assert one.records == one.empty + (one.longest > 0)
    plain = next(one for one in surveys if (one.marker_bytes, one.big_endian) == (4, 0))
    if size % 8 == 0 and len(behind) == 12:
        assert (plain.end, plain.records, plain.longest) == (survey.WHOLE, size // 8 + 1, 4)


def test_bytes_of_ones_are_no_records(tmp_path: Path) -> None:
    """Each 5 of them look like a piece of one byte that goes on."""
    report = verdict(tmp_path / "x", b"\xff" * 1_000_000)
    assert report.tie and set(report.tied) == {"raw", "direct"}
    surveys, _ = survey.survey_records(tmp_path / "x")
    assert all(one.bytes == 0 for one in surveys if one.long_records == survey.SUBRECORDS)
