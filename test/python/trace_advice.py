"""For the tests of the advice of headrace trace: a cost model, a results file with it, programs, and made-up traces."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from headrace.results.files import save
from headrace.results.records import Operation
from headrace.results.run import Compiler, CostModel, CostTerm, Provenance, Run, Vendor
from headrace.trace.results import Calls, File, Line, Process, Totals, Trace

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"

# Nanoseconds, as measured with gfortran 12.2 and flang 19.1
_TERMS = {
    "statement sequential": 70.0,
    "statement stream": 40.0,
    "statement direct": 50.0,
    "scalar item": 12.0,
    "array item": 5.0,
    "run": 9.0,
    "byte small": 0.33,
    "byte large": 0.3,
    "byte uncached": 0.06,
    "byte converted": 0.2,
    "text record": 30.0,
    "fresh byte": 0.6,
}


def cost_model(operation: Operation, vendor: Vendor = "gnu") -> CostModel:
    """A cost model that nobody measured."""
    return CostModel(
        compiler="gfortran 12.2.0" if vendor == "gnu" else "flang 19.1.7",
        operation=operation,
        vendor=vendor,
        cache_bytes=32e6,
        terms=[CostTerm(name=name, nanoseconds=value) for name, value in _TERMS.items()],
        formatted={"e15.5": (180.0, 340.0), "es24.16e3": (180.0, 480.0), "z17": (170.0, 50.0), "*": (140.0, 400.0)},
    )


def results_file(path: Path, host: str, processor: str, vendor: Vendor = "gnu") -> Path:
    """A file of headrace bench with that model."""
    name = "gfortran" if vendor == "gnu" else "flang"
    compiler = Compiler(
        name=name, path=f"/usr/bin/{name}", vendor=vendor, version="1", identifier=name, version_text=name, flags=[]
    )
    run = Run(
        provenance=Provenance(
            date="2026-01-01", headrace_version="1", command=[], host=host, system="Linux", processor=processor
        ),
        compilers=[compiler],
        cost_models=[cost_model("write", vendor), cost_model("read", vendor)],
    )
    save(run, path)
    return path


def benchmark(name: str) -> ModuleType:
    """A module of test/benchmarks."""
    if str(BENCHMARKS) not in sys.path:
        sys.path.append(str(BENCHMARKS))
    return importlib.import_module(name)


def a_line(**members: Any) -> Line:
    """A line of a made-up trace: 1 s, unless `members` say otherwise."""
    known: dict[str, Any] = {
        "id": 0,
        "place": "model.f90:10",
        "file": "model.f90",
        "line": 10,
        "statement": "write",
        "form": "unformatted",
        "traits": [],
        "internal": False,
        "name": "",
        "formats": [],
        "files": [0],
        "opened_at": [],
        "processes": 1,
        "statements": 1,
        "items": 1,
        "elements": 1,
        "payload_bytes": 8,
        "payload_smallest": 8,
        "payload_largest": 8,
        "seconds": 1.0,
        "seconds_exclusive": 1.0,
        "seconds_in_system": 0.1,
        "longest_seconds": 0.1,
        "largest_of_a_rank": None,
        "largest_rank": None,
        "imbalance": None,
        "calls": Calls(write=1, read=0, seek=0, other=0),
        "bytes_written": 0,
        "bytes_read": 0,
        "errors": 0,
        "ends": 0,
    }
    return Line(**(known | members))


def a_file(**members: Any) -> File:
    """A regular file."""
    texts = dict.fromkeys(("form", "access", "action", "convert"), "")
    counts = dict.fromkeys(
        ("record_length", "opens", "closes", "write_calls", "read_calls", "seek_calls", "bytes_written", "bytes_read"),
        0,
    )
    known: dict[str, Any] = {"id": 0, "path": "/data/a.dat", "opened_at": [], "kind": "regular", "seconds": 1.0}
    return File(**(known | texts | counts | {"processes": 1} | members))


def a_trace(lines: list[Line], files: list[File] | None = None, ranks: int = 0, wall: float = 2.0) -> Trace:
    """A run with these lines, the ids of which are set."""
    for number, line in enumerate(lines):
        line.id = number
    seconds = sum(line.seconds_exclusive for line in lines if line.statement != "library call")
    return Trace(
        tool_version="1",
        command=["./model"],
        date="2026-01-01",
        host="here",
        wall=wall,
        exit_code=0,
        signal="",
        mpi_ranks=ranks,
        totals=Totals(
            io_seconds=seconds,
            io_seconds_internal=0,
            io_seconds_in_system=0,
            at_once=max(1, ranks),
            share=0.5,
            bytes_written=0,
            bytes_read=0,
        ),
        processes=[
            Process(
                program="/nowhere/model",
                host="here",
                process=1,
                parent=0,
                mpi_rank=None,
                forked=False,
                families=["libgfortran.so.5"],
                threads=1,
                begun=0,
                seconds=wall,
                io_seconds=seconds,
                ending="exit",
                in_progress=[],
                last_line=None,
                bytes_read=0,
                bytes_written=0,
            )
        ],
        files=files if files is not None else [a_file()],
        lines=lines,
        notes=[],
    )
