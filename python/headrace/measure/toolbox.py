"""The tools that a benchmark of its own compares, and how the worker of each is started. Next: workers.py."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headrace.measure.build import build_program
from headrace.measure.cases import TYPES, Case
from headrace.measure.catalogue import sources_directory
from headrace.measure.engine.state import State
from headrace.measure.workers import Worker
from headrace.results.run import Compiler

Start = Callable[[Case, Path, Path], tuple[list[str], dict[str, str]]]


@dataclass
class Tool:
    """One that writes and reads. `command` gives its worker for a case, the file of the values, and the scratch."""

    key: str
    title: str
    command: Start
    kinds: tuple[str, ...] = tuple(TYPES)
    version: str = ""


@dataclass
class Toolbox:
    """What is there, and why the rest is not."""

    tools: dict[str, Tool] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def start(self, key: str, case: Case, values: Path, limit: float) -> Worker:
        """A worker of a tool, with the values of a case. Raises WorkerError, or CompileError of a program."""
        tool = self.tools[key]
        command, environment = tool.command(case, values, values.parent)
        worker = Worker(command, environment, values.parent, limit)
        tool.version = tool.version or worker.version
        return worker


def fields_of(state: State[Any], tool: Tool) -> dict[str, Any]:
    """What the row of a tool takes from what is known of its way."""
    way = state.way
    return {
        "tool": way.tool,
        "title": tool.title,
        "version": tool.version,
        "operation": way.operation,
        "way": way.name,
        "file_state": "in place" if way.in_place else "fresh",
        "samples": state.samples,
        "outcome": state.outcome,
        "message": state.message,
    }


def fortran_key(compiler: Compiler, compilers: list[Compiler]) -> str:
    """The vendor, for the first compiler of a vendor; the ratios name it."""
    first = next(c for c in compilers if c.vendor == compiler.vendor)
    return compiler.vendor if first is compiler else compiler.identifier


def fortran_worker(compiler: Compiler, ways: list[Path], libraries: list[str] | None = None) -> Start:
    """How the program of a module `worker_ways`, the last of the files `ways`, is built and started."""

    def command(case: Case, values: Path, scratch: Path) -> tuple[list[str], dict[str, str]]:
        harness = sources_directory() / "harness"
        sources = [harness / "posix.f90", harness / f"values_{case.kind}.f90", *ways, harness / "worker.f90"]
        program = build_program(compiler, sources, f"{ways[-1].parent.name}-{case.kind}", libraries)
        return [str(program), f"data={values}", f"columns={case.columns}", f"rows={case.rows}"], {}

    return command
