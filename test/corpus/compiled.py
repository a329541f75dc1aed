"""Files written by Fortran compilers: the programs beside this file, compiled once, told what to write by a plan."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import dialects
from cases import ByteOrder
from content import TYPES, Item, Record
from headrace.measure.build import build_program
from headrace.results.run import Compiler

HERE = Path(__file__).resolve().parent
LIMIT = 120  # seconds that one file may take


class WriterError(Exception):
    """A compiled writer failed; the message holds what it said."""


def _program(compiler: Compiler, name: str, flags: Sequence[str]) -> Path:
    sources = [HERE / "record_values.f90"] if name == "write_records" else []
    cheap = compiler.model_copy(update={"flags": ["-O0", *flags]})
    return build_program(cheap, [*sources, HERE / f"{name}.f90"], name)


def _run(program: Path, plan: str, payload: bytes, output: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="corpus-") as folder:
        plan_file, payload_file = Path(folder, "plan.txt"), Path(folder, "payload.bin")
        plan_file.write_text(plan)
        payload_file.write_bytes(payload)
        command = [str(program), str(plan_file), str(payload_file), str(output.absolute())]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise WriterError(f"{program.name} could not write {output.name}: {done.stderr}{done.stdout}")


def _groups(record: Record) -> list[list[Item]]:
    """The items in groups whose types stand in the order of TYPES, each type once."""
    order = list(TYPES)
    groups: list[list[Item]] = [[]]
    for item in record:
        if groups[-1] and order.index(item.type) <= order.index(groups[-1][-1].type):
            groups.append([])
        groups[-1].append(item)
    if len(groups) > 2:
        raise WriterError(f"write_records.f90 cannot order the items {[str(item) for item in record]}")
    return [*groups, []][:2]


def _plan_line(number: int, record: Record) -> str:
    counts = []
    for group in _groups(record):
        sizes = {item.type: item.data.size for item in group}
        counts += [sizes.get(name, 0) for name in TYPES]
    return f"{number} " + " ".join(map(str, counts))


def write_unformatted(
    path: Path,
    records: Sequence[Record],
    compiler: Compiler,
    order: ByteOrder = "little",
    access: str = "sequential",
    record_length: int = 0,
    numbers: Sequence[int] | None = None,
    flags: Sequence[str] = (),
) -> None:
    """`records` as WRITE statements of a program that `compiler` made, with CONVERT= for the byte order.

    `record_length` in bytes and `numbers`, the records' numbers from 1, are for access "direct".
    Raises WriterError, or CompileError of headrace.measure.build.
    """
    numbers = numbers or range(1, len(records) + 1)
    lines = [f"{access} {order}_endian {record_length} {len(records)}"]
    lines += [_plan_line(number, record) for number, record in zip(numbers, records, strict=True)]
    payload = b"".join(item.to_bytes() for record in records for item in record)
    _run(_program(compiler, "write_records", flags), "\n".join(lines) + "\n", payload, path)


def write_sequential(
    path: Path,
    records: Sequence[Record],
    compiler: Compiler | None,
    order: ByteOrder = "little",
    marker_bytes: int = 4,
) -> str:
    """A sequential file by the compiler or, if it cannot or there is none, by the generator. Returns the writer."""
    if compiler is None or (marker_bytes == 8 and compiler.vendor != "gnu"):
        dialects.write_markers(path, records, marker_bytes, order)
        return "generator"
    flags = ["-frecord-marker=8"] if marker_bytes == 8 else []
    write_unformatted(path, records, compiler, order, flags=flags)
    return compiler.identifier


def write_text(
    path: Path,
    items: tuple[Item | None, Item | None],
    rows: int,
    compiler: Compiler,
    form: str = "*",
    header: Sequence[str] = (),
) -> None:
    """`rows` WRITE statements with integers and reals (either may be None), in a format or list-directed.

    The items hold all rows, one after the other.
    """
    whole, reals = items
    count = [item.data.size // rows if item else 0 for item in items]
    kind = reals.data.itemsize if reals else 8
    plan = [form, f"{rows} {count[0]} {count[1]} {kind} {len(header)}", *header]
    payload = b"".join(item.to_bytes() for item in (whole, reals) if item)
    _run(_program(compiler, "write_texts", ()), "\n".join(plan) + "\n", payload, path)
