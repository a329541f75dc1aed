"""Every mechanism with every compiler: contents come back, and files are identical where they must be."""

from pathlib import Path

import numpy as np
import pytest

from headrace.measure.build import build_family
from headrace.measure.catalogue import Mechanism, all_mechanisms, family_files
from headrace.measure.process import Report, Request, run_process
from headrace.results.run import Compiler

COUNT = 30_000

# Defects of compilers and run times that the table shows as they are: (vendor, first version part): outcome.
KNOWN = {
    ("gnu", "12", "derived_type_io:list_directed_child"): ("wrong", "failed"),
    ("gnu", "13", "derived_type_io:list_directed_child"): ("wrong", "failed", "measured"),
    ("gnu", "14", "derived_type_io:list_directed_child"): ("wrong", "failed", "measured"),
}

# Mechanisms whose files must hold the same bytes.
IDENTICAL = [
    [
        "unformatted:whole",
        "unformatted:section",
        "unformatted:nested_natural",
        "actual_arguments:pointer_array",
        "actual_arguments:component",
        "actual_arguments:strided_section",
        "actual_arguments:derived_type_array",
        "actual_arguments:vector_subscript",
        "actual_arguments:flat",
        "meta_and_bin:pair_sequential",
        "headrace:unformatted",
    ],
    ["unformatted:whole_columns", "unformatted:nested_columns"],
    ["unformatted:integer_whole", "unformatted:integer_implied"],
    [
        "stream:whole",
        "stream:element",
        "stream:row",
        "stream:blocks_64k",
        "stream:blocks_1m",
        "stream:seek_forward",
        "stream:seek_backward",
        "stream:seek_random",
        "direct:element",
        "direct:row",
        "c_library:fwrite_element",
        "c_library:fwrite_row",
        "c_library:system_1m",
        "meta_and_bin:pair_stream",
    ],
    ["formatted:constant_format", "formatted:labelled_format", "formatted:variable_format"],
]
# Text of both compilers may differ (list-directed, g0); records and bytes may not.
SAME_FOR_ALL_COMPILERS = [
    "unformatted:whole",
    "unformatted:element",
    "unformatted:short_records",
    "stream:whole",
    "direct:row",
    "byte_order:whole",
    "formatted:exact",
    "formatted:constant_format",
]

MECHANISMS = {m.key: m for m in all_mechanisms()}


def transfer(compiler: Compiler, mechanism: Mechanism, file: Path, keep: bool = False, count: int = COUNT) -> Report:
    program = build_family(compiler, mechanism.family)
    if program.executable is None or mechanism.name in program.refused:
        return Report(outcome="refused", message=program.message)
    return run_process(program.executable, Request(mechanism.name, count, file, passes=1, keep=keep), {}, 60)


@pytest.mark.parametrize("family", sorted(set(family_files()) - {"vendor_open"}))
def test_contents_come_back(compiler: Compiler, family: str, tmp_path: Path) -> None:
    for mechanism in MECHANISMS.values():
        if mechanism.family != family:
            continue
        for count in (3, COUNT):
            report = transfer(compiler, mechanism, tmp_path / "file.dat", count=count)
            allowed = KNOWN.get((compiler.vendor, compiler.version.split(".")[0], mechanism.key), ("measured",))
            assert report.outcome in allowed, f"{mechanism.key}, {count} values: {report.outcome}: {report.message}"
            if report.outcome == "measured":
                assert report.verified, mechanism.key
                assert len(report.passes["write"]) == len(report.passes["read"]) == 1
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("group", IDENTICAL, ids=lambda group: str(group[0]))
def test_files_of_equivalent_mechanisms_are_identical(compiler: Compiler, group: list[str], tmp_path: Path) -> None:
    contents = {}
    for key in group:
        file = tmp_path / "file.dat"
        report = transfer(compiler, MECHANISMS[key], file, keep=True)
        assert report.outcome == "measured", f"{key}: {report.message}"
        contents[key] = file.read_bytes()
        file.unlink()
    assert len(contents[group[0]]) >= 4 * COUNT
    different = [key for key in group if contents[key] != contents[group[0]]]
    assert different == []


@pytest.mark.parametrize("key", SAME_FOR_ALL_COMPILERS)
def test_files_of_all_compilers_are_identical(key: str, tmp_path: Path) -> None:
    from conftest import COMPILERS

    if len(COMPILERS) < 2:
        pytest.skip("needs two Fortran compilers")
    contents = set()
    for compiler in COMPILERS:
        transfer(compiler, MECHANISMS[key], tmp_path / "file.dat", keep=True)
        contents.add((tmp_path / "file.dat").read_bytes())
        (tmp_path / "file.dat").unlink()
    assert len(contents) == 1


def test_numpy_reads_what_stream_wrote(compiler: Compiler, tmp_path: Path) -> None:
    file = tmp_path / "file.dat"
    transfer(compiler, MECHANISMS["stream:whole"], file, keep=True)
    values = np.fromfile(file, dtype="<f8")
    assert values.size == COUNT
    assert np.abs(values).min() >= 1e-3 and np.abs(values).max() < 1e4
    assert (values < 0).mean() == pytest.approx(0.2)
    assert np.unique(values).size == COUNT


def test_numpy_reads_what_big_endian_wrote(compiler: Compiler, tmp_path: Path) -> None:
    file, plain = tmp_path / "big.dat", tmp_path / "plain.dat"
    transfer(compiler, MECHANISMS["byte_order:whole"], file, keep=True)
    transfer(compiler, MECHANISMS["stream:whole"], plain, keep=True)
    assert np.array_equal(np.fromfile(file, dtype=">f8", offset=4, count=COUNT), np.fromfile(plain, dtype="<f8"))


def test_a_changed_byte_is_found(compiler: Compiler, tmp_path: Path) -> None:
    """The verification can fail: one byte of the file is altered between write and read."""
    mechanism, file = MECHANISMS["stream:whole"], tmp_path / "file.dat"
    transfer(compiler, mechanism, file, keep=True)
    with file.open("r+b") as stream:
        stream.seek(8 * 1234)
        stream.write(b"\xff")
    program = build_family(compiler, mechanism.family).executable
    assert program
    report = run_process(program, Request(mechanism.name, COUNT, file, passes=1, write=False), {}, 60)
    assert report.outcome == "wrong"
    assert "value 1235" in report.message


def test_parts_of_a_file_are_read_and_verified(compiler: Compiler, tmp_path: Path) -> None:
    from headrace.measure.process import run_together

    for mechanism in (m for m in MECHANISMS.values() if m.family == "part_of_file"):
        program = build_family(compiler, mechanism.family).executable
        assert program
        file = tmp_path / f"{mechanism.name}.dat"
        made = run_process(program, Request(mechanism.name, 400_000, file, passes=1, read=False, keep=True), {}, 60)
        assert made.outcome == "measured", made.message
        requests = [
            Request(mechanism.name, 400_000, file, 0, 1, write=False, keep=True, wait=True, part=part, parts=3)
            for part in (1, 2, 3)
        ]
        for report in run_together(program, requests, {}, 60):
            assert report.outcome == "measured", f"{mechanism.key}: {report.message}"
            assert report.verified


def test_the_clock_runs_over_open_transfer_and_close(compiler: Compiler, tmp_path: Path) -> None:
    report = transfer(compiler, MECHANISMS["unformatted:whole"], tmp_path / "file.dat")
    for operation in ("write", "read"):
        (run,) = report.passes[operation]
        parts = run["open"] + run["transfer"] + run["close"] + run["sync"]
        assert parts == pytest.approx(run["total"], rel=1e-6, abs=2e-6)
        assert run["calls"] >= 1
    assert report.file_bytes == 8 * COUNT + 8


def test_system_calls_are_counted_exactly(compiler: Compiler, tmp_path: Path) -> None:
    """1 MiB blocks: one call a block, and on reading none for the end; the null mechanism calls nothing."""
    blocks = 5
    report = transfer(compiler, MECHANISMS["c_library:system_1m"], tmp_path / "file.dat", count=blocks * 131_072)
    assert report.passes["write"][0]["calls"] == report.passes["read"][0]["calls"] == blocks
    report = transfer(compiler, MECHANISMS["null:nothing"], tmp_path / "file.dat")
    assert report.passes["write"][0]["calls"] == report.passes["read"][0]["calls"] == 0


def test_a_process_that_takes_too_long_is_stopped(compiler: Compiler, tmp_path: Path) -> None:
    program = build_family(compiler, "formatted").executable
    assert program
    report = run_process(program, Request("list_directed", 300_000_000, tmp_path / "file.dat"), {}, 1.0)
    assert report.outcome == "timed-out"
