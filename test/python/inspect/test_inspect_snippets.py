"""The statements that `headrace inspect` prints give the bytes of the file back: compiled, run, compared."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.inspect import inspect_file
from headrace.inspect.findings import Report
from headrace.inspect.schema import schema_text
from headrace.layout.schema import parse_schema
from headrace.results.run import Compiler

RNG = np.random.default_rng(20)
FIELD = RNG.normal(size=40)
ORDERS = ("<", ">")


def parts(order: str) -> dict[str, list[list[Any]]]:
    """Records by name: each a list of arrays, as a WRITE statement has them."""

    def ints(*values: int) -> Any:
        return np.array(values, f"{order}i4")

    def zeros(count: int) -> Any:
        return np.zeros(count, "u1")

    field, single = FIELD.astype(f"{order}f8"), FIELD.astype(f"{order}f4")
    text = np.frombuffer(b"TEMPERATURE     PRESSURE        ", "u1")
    return {
        "32 zeros behind text": [[text, zeros(32), field]] * 3,
        "32 zeros between two types": [[ints(7, 9, 40), zeros(32), field]] * 4,
        "zeros at the end": [[text, field, zeros(36)]] * 3,
        "zeros at the beginning": [[zeros(32), single]] * 3,
        "zeros of no whole number of values": [[text, zeros(21), single]] * 3,
        "zeros alone": [[zeros(32)]] * 3,
        "zeros between other records": [[ints(3, 4)], [zeros(96)], [field]] * 5,
        "a header of mostly zeros": [[ints(5, 6, *[0] * 62)], [field]],
        "many zeros": [[text, zeros(4000), field]] * 2,
        "CORD": [[np.frombuffer(b"CORD", "u1"), ints(*range(100, 120))], [single], [single]],
        "a mask": [[ints(*(RNG.integers(0, 2, 60)))], [field]],
        "integers of 8 bytes": [[(2**40 + np.arange(50)).astype(f"{order}i8")], [field]],
        "a step of 44 records": [[ints(*range(k + 1))] for _ in range(3) for k in range(44)],
        "reals of both kinds": [[ints(1), single, field]] * 6,
    }


def payload(records: list[list[Any]]) -> list[bytes]:
    return [b"".join(part.tobytes() for part in record) for record in records]


def write(path: Path, records: list[list[Any]], order: str) -> bytes:
    data = payload(records)
    with path.open("wb") as file:
        for one in data:
            marker = np.array(len(one), f"{order}i4").tobytes()
            file.write(marker + one + marker)
    return b"".join(data)


def copying(source: str) -> str:
    """The program, which also writes what it has read to the file copy."""
    lines = []
    for line in re.sub(r" &\n\s*", " ", source).splitlines():
        if match := re.match(r"(\s*)read \((unit[^)]*)\) (.*)", line):
            lines += [line, f"{match[1]}write (copy) {match[3]}"]
        elif "integer :: unit" in line:
            lines.append(line.replace("integer :: unit", "integer :: copy, unit"))
        elif line.strip().startswith("open ("):
            convert = re.search(r'convert="\w+"', line)
            assert convert
            lines.append(
                f'   open (newunit=copy, file="copy", access="stream", form="unformatted", {convert[0]}, status="new")'
            )
            lines.append(line)
        else:
            lines.append(line)
    return "\n".join(lines).replace(", convert", ", &\n      convert") + "\n"


def fortran_copy(report: Report, folder: Path, compiler: Compiler) -> bytes:
    """The bytes that the Fortran program reads."""
    folder.mkdir()
    (folder / "read.f90").write_text(copying(report.snippets["fortran"]))
    for command in ([compiler.path, "-O0", "-ffree-line-length-none", "read.f90", "-o", "read"], ["./read"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"{done.stderr}\n{(folder / 'read.f90').read_text()}"
    return (folder / "copy").read_bytes()


def python_copy(report: Report, order: str) -> bytes:
    """The bytes that the Python statements read, in the byte order of the file."""
    source = re.sub(r"^(\s*)(\w+) = (file\.read.*)$", r"\1\2 = \3\n\1seen(\2)", report.snippets["python"], flags=re.M)
    found: list[bytes] = []

    def seen(array: Any) -> None:
        whole = np.array([array])  # of one record of several items the text keeps its zeros so
        for part in [whole[name] for name in array.dtype.names] if array.dtype.names else [np.asarray(array)]:
            size = part.dtype.itemsize
            values = part if part.dtype.kind == "S" or size == 1 else part.astype(part.dtype.newbyteorder(order))
            found.append(values.tobytes(order="F"))

    exec(compile(source, "snippet", "exec"), {"seen": seen})
    return b"".join(found)


@pytest.mark.parametrize("order", ORDERS)
def test_the_python_statements_give_the_bytes_of_every_record(tmp_path: Path, order: str) -> None:
    for number, (name, records) in enumerate(parts(order).items()):
        path = tmp_path / f"{number}.dat"
        expected = write(path, records, order)
        report = inspect_file(path)
        assert report.verdict.format == f"record4-{'little' if order == '<' else 'big'}", name
        assert python_copy(report, order) == expected, f"{name}\n{report.snippets['python']}"


@pytest.mark.parametrize("order", ORDERS)
def test_the_fortran_program_gives_the_bytes_of_every_record(tmp_path: Path, gnu: Compiler, order: str) -> None:
    jobs = []
    for number, (name, records) in enumerate(parts(order).items()):
        path = tmp_path / f"{number}.dat"
        expected = write(path, records, order)
        jobs.append((name, inspect_file(path), tmp_path / f"run{number}", expected))
    with ThreadPoolExecutor(max_workers=2) as pool:
        copies = pool.map(lambda job: fortran_copy(job[1], job[2], gnu), jobs)
        for (name, report, _, expected), copy in zip(jobs, copies, strict=True):
            assert copy == expected, f"{name}\n{report.snippets['fortran']}"


def test_zeros_count_in_bytes_everywhere(tmp_path: Path) -> None:
    records = parts("<")["32 zeros behind text"]
    write(tmp_path / "x.dat", records, "<")
    report = inspect_file(tmp_path / "x.dat")
    items = report.verdict.runs[0].slots[0].items
    assert [(item.type, item.count) for item in items[:2]] == [("character", 32), ("zeros", 32)] or (
        [(item.type, item.offset, item.count) for item in items[1:]] == [("real64", 32, 44)]
    )
    schema = parse_schema(schema_text(report))
    assert schema.file.byte_order == "little"


@pytest.mark.parametrize("count", [33, 38, 44, 100, 500])
def test_a_step_of_many_records_is_recognised(tmp_path: Path, count: int) -> None:
    """Eclipse's UNRST files have 38 and more, RFT files 44."""
    step = [[np.arange(1 + k % 97, dtype="<i4") + 1] for k in RNG.permutation(count)]
    write(tmp_path / "x.dat", [[np.arange(3, dtype="<i4")], *step * 4], "<")
    runs = inspect_file(tmp_path / "x.dat").verdict.runs
    assert [(run.times, len(run.lengths)) for run in runs] == [(1, 1), (4, count)]
    assert all(slot.items[0].type == "int32" for slot in runs[1].slots)
