"""The corpus of `headrace inspect` is what its truth says, read here by other readers than those it tests."""

import gzip
import importlib.util
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import FortranFile

from cases import CLASSES, Case, Pattern, find_pattern, read_truth
from conftest import COMPILERS
from generate import generate_hidden, generate_known, usable
from score import Answer, as_markdown, as_text, judge, score, summary

TYPES = {"int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "logical32": "i4", "character": "S1"}
TYPES |= {"real32": "f4", "real64": "f8", "complex64": "c8", "complex128": "c16"}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Case]]:
    """The named set, by the compilers of this machine."""
    out = tmp_path_factory.mktemp("known")
    return out, generate_known(out, COMPILERS)


@pytest.fixture(scope="module")
def both(known: tuple[Path, list[Case]]) -> tuple[Path, list[Case]]:
    """The named set, and some random files in hidden/ below it."""
    random = generate_hidden(known[0] / "hidden", 11, 80, COMPILERS)
    return known[0], [*known[1], *(replace(case, file=f"hidden/{case.file}") for case in random)]


def of_kind(known: tuple[Path, list[Case]], *kinds: str) -> Iterator[tuple[Path, Case]]:
    found = [(known[0] / case.file, case) for case in known[1] if case.kind in kinds]
    assert found
    return iter(found)


def lengths_of(case: Case) -> list[int]:
    """Bytes of each record as the truth has them."""
    if case.pattern:
        return case.pattern.start + case.pattern.lengths * case.pattern.times
    return [sum(int(n) * np.dtype(TYPES[t]).itemsize for t, n in map(str.split, one)) for one in case.record_types]


def lines_of(path: Path) -> list[str]:
    """The numbers of a text, without its header."""
    lines = path.read_text().replace(",", " ").replace(";", " ").splitlines()
    return [line for line in lines if line.strip() and line.strip()[0] in "-.0123456789"]


def markers(path: Path, size: int, order: str) -> list[int]:
    """Lengths of the records of a sound file; fails if two markers differ."""
    code, data, at, found = ("<" if order == "little" else ">") + {4: "i", 8: "q"}[size], path.read_bytes(), 0, []
    while at < len(data):
        (length,) = struct.unpack_from(code, data, at)
        assert struct.unpack_from(code, data, at + size + length) == (length,)
        found.append(length)
        at += 2 * size + length
    return found


def test_every_class_has_a_named_case(known: tuple[Path, list[Case]]) -> None:
    optional = {"hdf5", "parquet"}  # their packages may be missing
    if not COMPILERS:
        optional |= {"text-list-directed", "text-formatted"}
    expected = set(CLASSES) - {case.kind for case in known[1]} - optional
    assert not expected
    assert read_truth(known[0]) == known[1]
    assert len({case.file for case in known[1]}) == len(known[1])


def test_the_files_are_there_with_the_size_that_truth_says(both: tuple[Path, list[Case]]) -> None:
    for case in both[1]:
        path = both[0] / case.file
        files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
        assert sum(one.stat().st_size for one in files) == case.size
        assert sum(one.stat().st_blocks for one in files) * 512 < 50_000_000, f"{case.file} is not sparse"


def test_records_have_the_markers_and_lengths_of_the_truth(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "record4-little", "record4-big", "record8-little", "record8-big"):
        assert case.kind == f"record{case.marker_bytes}-{case.byte_order}"
        found = markers(path, case.marker_bytes or 0, case.byte_order or "")
        assert len(found) == case.records
        if case.pattern or len(found) <= 50:
            assert found == lengths_of(case)
        else:
            assert found[:50] == lengths_of(case)


def test_scipy_reads_the_records_of_the_compilers(known: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(known, "record4-little", "record4-big"):
        if "-series-" not in case.file:
            continue
        order = "<" if case.byte_order == "little" else ">"
        with FortranFile(path, "r", f"{order}u4") as file:
            shape = file.read_ints(f"{order}i4")
            time = file.read_reals(f"{order}f8")
            field = file.read_reals(order + TYPES[case.record_types[2][0].split()[0]])
        assert list(shape) == case.shape
        assert time == [0.0]
        assert field.size == np.prod(shape)
        assert np.isfinite(field).all() and np.abs(np.diff(field)).max() < 1000


def test_subrecords_have_the_signs_that_gfortran_documents(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "record4-subrecords"):
        if "negative" in case.file:
            continue
        code = "<i" if case.byte_order == "little" else ">i"
        records, expects, biggest = 0, False, 0
        with path.open("rb") as file:
            while head := file.read(4):
                (leading,) = struct.unpack(code, head)
                file.seek(abs(leading), 1)
                (trailing,) = struct.unpack(code, file.read(4))
                assert abs(trailing) == abs(leading)
                assert (trailing < 0) == expects
                expects = leading < 0
                records += not expects
                biggest = max(biggest, abs(leading))
            assert file.tell() == case.size
        assert records == case.records and not expects
        assert biggest in (16, 32, 100, 1024, 65_536, 2_147_483_639)


def test_long_records_of_pgi_and_flang_have_unsigned_markers(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "record4-pgi-high-bit", "record4-flang-unsigned"):
        code = "<I" if case.byte_order == "little" else ">I"
        pgi, records, lengths = "pgi" in case.kind, 0, []
        with path.open("rb") as file:
            while head := file.read(4):
                (leading,) = struct.unpack(code, head)
                length = leading & 0x7FFFFFFF if pgi else leading
                file.seek(length, 1)
                (trailing,) = struct.unpack(code, file.read(4))
                assert (trailing & 0x7FFFFFFF if pgi else trailing) == length
                records += not (pgi and leading >> 31)
                lengths.append(length)
            assert file.tell() == case.size
        assert records == case.records
        assert max(lengths) == 2_147_483_639 if pgi else 2**31 <= max(lengths) < 2**32


def test_segments_join_to_the_records_of_the_truth(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "intel-segmented"):
        data, at, found, inside = path.read_bytes(), 0, [0], False
        while at < len(data):
            length, flags = struct.unpack_from("<HH", data, at)
            assert bool(flags & 1) == (not inside)
            found[-1] += length - 2
            inside = not flags & 2
            if not inside:
                found.append(0)
            at += 2 + length + length % 2
        assert at == len(data)
        assert len(found) - 1 == case.records
        expected = lengths_of(case)
        assert found[: len(expected)] == expected


def test_damage_is_where_the_truth_says(both: tuple[Path, list[Case]]) -> None:
    damaged = of_kind(both, "record4-truncated", "record8-truncated", "record4-trailing", "record8-trailing")
    for path, case in damaged:
        size, at, count, data = case.marker_bytes or 0, 0, 0, path.read_bytes()
        code = ("<" if case.byte_order == "little" else ">") + {4: "i", 8: "q"}[size]
        if case.damage_offset is None:
            continue
        while at < case.damage_offset:
            (length,) = struct.unpack_from(code, data, at)
            at += 2 * size + length
            count += 1
        assert at == case.damage_offset and count == case.records
        rest = data[at:]
        assert rest
        if case.kind.endswith("truncated") and len(rest) >= size:
            (length,) = struct.unpack_from(code, rest)
            assert length + 2 * size > len(rest)


def test_mixed_files_change_their_byte_order_at_the_offset(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "mixed-byte-order"):
        data, at = path.read_bytes(), case.damage_offset or 0
        first, second = ("<i", ">i") if case.byte_order == "little" else (">i", "<i")
        for code, start in ((first, 0), (second, at)):
            (length,) = struct.unpack_from(code, data, start)
            assert struct.unpack_from(code, data, start + 4 + length) == (length,)


def test_fixed_records_have_the_length_and_the_gaps_of_the_truth(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "direct", "direct-word-recl"):
        assert case.record_length and case.size % case.record_length == 0
        table = np.frombuffer(path.read_bytes(), "u1").reshape(-1, case.record_length)
        if case.kind == "direct-word-recl":
            quarter = case.record_length // 4
            assert not table[:, quarter:].any() and table[:, :quarter].any(axis=1).all()
        else:
            written = int(case.note.split()[0]) if case.note else case.records
            assert int(table.any(axis=1).sum()) == written and len(table) == case.records


def test_raw_files_hold_the_values_and_nothing_else(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "raw"):
        assert case.size == sum(lengths_of(case))
        kind = case.record_types[0][0].split()[0]
        if kind == "real64" and case.shape:
            values = np.fromfile(path, "<f8" if case.byte_order == "little" else ">f8")
            assert np.isfinite(values).all() and values.size == np.prod(case.shape)


def test_texts_have_the_rows_and_columns_of_the_truth(both: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(both, "text-list-directed", "text-formatted", "text-delimited"):
        if case.shape is None or "touching" in case.file:
            continue
        words = " ".join(lines_of(path)).replace("E", "e").split()
        if any(word.count(".") > 1 for word in words):  # fields without blanks between them
            assert case.kind == "text-formatted"
            continue
        assert len(words) == np.prod(case.shape)
        assert np.isfinite(np.array(words, dtype=float)).all()


def test_containers_open_with_their_own_readers(known: tuple[Path, list[Case]]) -> None:
    for path, case in of_kind(known, "npy", "npz", "gzip", "zarr"):
        if case.kind == "npy":
            assert list(np.load(path).shape) == case.shape
        elif case.kind == "npz":
            assert list(np.load(path)["first"].shape) == case.shape
        elif case.kind == "gzip":
            assert gzip.decompress(path.read_bytes())
        else:
            assert path.is_dir()
    if importlib.util.find_spec("zarr"):
        zarr = importlib.import_module("zarr")
        for path, case in of_kind(known, "zarr"):
            assert list(zarr.open_array(path, mode="r").shape) == case.shape


def test_a_seed_gives_the_same_random_files_again(tmp_path: Path) -> None:
    compilers = usable(COMPILERS)
    first = generate_hidden(tmp_path / "a", 7, 12, compilers)
    again = generate_hidden(tmp_path / "b", 7, 12, compilers)
    other = generate_hidden(tmp_path / "c", 8, 12, compilers)
    assert first == again and first != other
    for case in first:
        if case.size < 10_000_000 and case.kind not in (
            "gzip",
            "npz",
            "hdf5",
            "netcdf",
            "zarr",
            "tar",
            "matlab",
            "zip",
        ):
            assert (tmp_path / "a" / case.file).read_bytes() == (tmp_path / "b" / case.file).read_bytes()


def test_without_a_compiler_the_generator_writes_the_records(tmp_path: Path) -> None:
    cases = generate_known(tmp_path, [])
    assert {case.writer for case in cases} == {"generator"}
    missing = {"text-list-directed", "text-formatted", "hdf5", "parquet"}
    assert not set(CLASSES) - {case.kind for case in cases} - missing


def test_repeating_lengths_are_found_and_others_are_not() -> None:
    assert find_pattern([24, 8, 90] * 5) == Pattern(5, [24, 8, 90])
    assert find_pattern([80, 12, *[8, 90] * 4]) == Pattern(4, [8, 90], [80, 12])
    assert find_pattern([1, 2, 3, 4]) is None
    assert find_pattern([7]) is None


def answer(name: str, confidence: float = 0.8, tie: bool = False, **detail: Any) -> Answer:
    return {"verdict": {"format": name, "confidence": confidence, "detail": detail}, "runner_up": None, "tie": tie}


def test_a_verdict_is_right_wrong_or_a_tie() -> None:
    case = Case("a", "record4-little", "generator", marker_bytes=4, byte_order="little", records=3)
    assert judge(case, answer("record4-little")).outcome == "right"
    assert judge(case, answer("records", marker_bytes=4, byte_order="little")).outcome == "right"
    assert judge(case, answer("record4-big")).points == pytest.approx(-0.8)
    assert judge(case, answer("record4-big", tie=True)).outcome == "tie"
    assert judge(case, answer("record4-little", damage="truncated", marker_bytes=4)).outcome == "wrong"
    assert judge(case, {"error": "exit code 1"}).points == -1
    found = judge(case, answer("record4-little", records=4, byte_order="little"))
    assert found.details_wrong == ("records: 4, not 3",)


def test_other_right_answers_and_honest_ties_count_as_right() -> None:
    case = Case("a", "raw", "generator", accept=["direct"], tie_is_right=True)
    assert judge(case, answer("direct")).outcome == "right"
    assert judge(case, answer("record4-big", tie=True)).outcome == "right"
    cut = Case("b", "record4-truncated", "generator", marker_bytes=4)
    assert judge(cut, answer("record4-little", damage="truncated", marker_bytes=4)).outcome == "right"
    assert judge(cut, answer("record4-truncated")).outcome == "right"
    assert judge(cut, answer("record4-little")).outcome == "wrong"


def test_the_tables_show_the_shares_and_the_sure_mistakes(tmp_path: Path) -> None:
    cases = [Case("a|b", "raw", "generator"), Case("c", "npy", "generator")]
    scores = score(tmp_path, lambda path: answer("raw", 0.95), cases)
    whole = summary(scores)["all"]
    assert (whole["right"], whole["wrong"], whole["surely_wrong"]) == (1, 1, 1)
    assert whole["points"] == pytest.approx((1 - 0.95) / 2)
    assert "right: 50.0 %; 1 of 2 wrong with confidence >= 0.9; 0.03 points a file" in as_text(scores)
    assert "| a\\|b | raw | raw | 0.95 | right |" in as_markdown(scores)
