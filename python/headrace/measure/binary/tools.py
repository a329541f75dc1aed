"""Which tools this machine has for each case, and how the worker of each is started. Next: ../toolbox.py."""

import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from headrace.measure.binary.ways import GFORTRAN_SHARE, NUMPY_SHARE, SCIPY_SHARE
from headrace.measure.cases import TYPES, Case
from headrace.measure.catalogue import sources_directory
from headrace.measure.toolbox import Start, Tool, Toolbox, fortran_key, fortran_worker
from headrace.results.run import Compiler

__all__ = ["array_tools", "command_tools", "fortran_key", "part_of", "record_tools"]

_MODULE = "headrace.measure.binary.python_worker"
# Every array lies in memory as malloc gives it: numpy would ask for large pages, which Fortran does not.
_SAME_MEMORY = {"NUMPY_MADVISE_HUGEPAGE": "0"}


def array_tools(compilers: Sequence[Compiler]) -> Toolbox:
    """Whole arrays."""
    box = Toolbox()
    _add(box, "headrace", "headrace", _python("headrace"))
    _add(box, "system", "system", _python("system"))
    _add(box, "numpy", "numpy", _python("numpy"))
    _add(box, "memory", "memory", _python("memory"))
    for compiler in compilers:
        _add(box, fortran_key(compiler, list(compilers)), compiler.identifier, _fortran(compiler))
    _explain_gnu(box)
    return box


def record_tools(compilers: Sequence[Compiler]) -> Toolbox:
    """Many short records."""
    box = Toolbox()
    _add(box, "headrace", "headrace", _python("headrace-records"))
    _add(box, "numpy", "numpy", _part(_python("numpy"), NUMPY_SHARE))
    _add(box, "scipy", "scipy", _part(_python("scipy"), SCIPY_SHARE))
    gnu = next((compiler for compiler in compilers if compiler.vendor == "gnu"), None)
    if gnu is not None:
        _add(box, "gnu", gnu.identifier, _part(_fortran(gnu), GFORTRAN_SHARE))
    _explain_gnu(box)
    return box


def command_tools() -> Toolbox:
    """Programs, as a user starts them."""
    box = Toolbox()
    _add(box, "convert", "headrace convert", _python("command", has_values=False))
    _add(box, "library", "headrace, no command", _python("convert", has_values=False))
    _add(box, "inspect", "headrace inspect", _python("command", has_values=False))
    if shutil.which("cp"):
        _add(box, "cp", "cp", _python("cp", has_values=False))
    else:
        box.absent["cp"] = "there is no cp on the PATH"
    return box


def _add(box: Toolbox, key: str, title: str, start: Start) -> None:
    box.tools[key] = Tool(key, title, start)


def _explain_gnu(box: Toolbox) -> None:
    if "gnu" not in box.tools:
        box.absent["gnu"] = "gfortran is not measured here"


def _python(worker: str, has_values: bool = True) -> Start:
    def command(case: Case, values: Path, scratch: Path) -> tuple[list[str], dict[str, str]]:
        rows = case.rows if has_values else 0
        shape = [TYPES[case.kind], str(rows), str(case.columns)]
        return [sys.executable, "-m", _MODULE, worker, str(values), *shape], _SAME_MEMORY

    return command


def _fortran(compiler: Compiler) -> Start:
    return fortran_worker(compiler, [sources_directory() / "binary" / "fortran_ways.f90"])


def _part(start: Start, share: int) -> Start:
    """With the first 1/share of the rows alone."""

    def command(case: Case, values: Path, scratch: Path) -> tuple[list[str], dict[str, str]]:
        return start(replace(case, rows=part_of(case.rows, share)), values, scratch)

    return command


def part_of(count: int, share: int) -> int:
    """Values of the first 1/share."""
    return max(1, count // share)
