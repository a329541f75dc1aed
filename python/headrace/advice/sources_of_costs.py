"""Where costs come from: a results file of `headrace bench` of this machine, or a calibration, once for a compiler.

Never a table of another machine, unless the user names it. The calibration runs the micro-runs of the cost model.
"""

import contextlib
import hashlib
import mmap
import os
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from headrace.advice.costs import Inputs
from headrace.errors import HeadraceError
from headrace.measure import provenance
from headrace.measure.build import cache_directory
from headrace.measure.compilers import CANDIDATES, identify
from headrace.measure.microruns import measure
from headrace.model.fit import cache_size, fit
from headrace.model.microruns import COLD, MicroRun, chosen_runs
from headrace.results.files import load
from headrace.results.records import Operation
from headrace.results.run import Compiler, Vendor
from headrace.trace.results import Process, Trace
from headrace.whole_files import write_whole

LIMIT = 10.0  # seconds, compiling included
_VERSION = "1"  # of what is kept: change it with the micro-runs
_ROUNDS = 2.0  # seconds of micro-runs; each runs three times at least
_OPERATIONS: tuple[Operation, ...] = ("write", "read")
_LARGEST_PROGRAM = 1 << 30
_VENDORS: dict[Vendor, tuple[str, str]] = {"gnu": ("gfortran", "gfortran"), "llvm": ("flang", "LLVM flang")}
_SYMBOLS: tuple[tuple[Vendor, bytes], ...] = (("llvm", b"_FortranAio"), ("gnu", b"_gfortran_st_"))


def vendor_of(trace: Trace) -> Vendor | None:
    """Whose run time did most of the I/O."""
    for process in sorted(trace.processes, key=lambda process: -process.io_seconds):
        found = _vendor_of_process(process)
        if found:
            return found
    return None


def _vendor_of_process(process: Process) -> Vendor | None:
    for vendor, (name, _) in _VENDORS.items():
        if any(name in family for family in process.families):
            return vendor
    with contextlib.suppress(OSError, ValueError):
        path = Path(process.program)
        if path.is_file() and path.stat().st_size <= _LARGEST_PROGRAM:
            with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return next((vendor for vendor, symbol in _SYMBOLS if data.find(symbol) >= 0), None)
    return None


def named_inputs(path: Path, vendor: Vendor | None) -> Inputs:
    """The costs of a results file that the user named. Raises HeadraceError if it has none for this run time."""
    run = load(path)
    models = [model for model in run.cost_models if vendor is None or model.vendor == vendor]
    if not models:
        known = ", ".join(dict.fromkeys(model.compiler for model in run.cost_models)) or "none at all"
        wanted = _VENDORS[vendor][1] if vendor in _VENDORS else "any compiler"
        raise HeadraceError(f"{path}: holds no cost model of {wanted}", f"it has {known}")
    models = [model for model in models if model.compiler == models[0].compiler]
    here = "" if run.provenance.host == socket.gethostname() else f", measured on {run.provenance.host}"
    return Inputs(source=f"the cost model of {models[0].compiler} in {path}{here}", models=models)


def results_here(folder: Path, vendor: Vendor) -> Inputs | None:
    """The newest results file of a directory with costs of this run time, if it is of this machine."""
    for path in sorted(folder.glob("headrace-*.json"), key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            run = load(path)
        except (HeadraceError, OSError):
            continue  # of another command, or cut
        if run.provenance.host == socket.gethostname() and run.provenance.processor == provenance.processor():
            with contextlib.suppress(HeadraceError):
                return named_inputs(path, vendor)
    return None


def calibrated(vendor: Vendor, say: Callable[[str], None]) -> Inputs:
    """The costs of this machine with a compiler of that run time: kept from an earlier calibration, or measured now.

    Without a compiler, or if it takes too long, coarse costs that promise less.
    """
    compiler = _compiler(vendor)
    name = _VENDORS.get(vendor, (vendor, vendor))[1]
    if compiler is None:
        return _coarse(f"there is no {name} on this machine to measure with")
    try:
        kept = cache_directory() / f"trace-costs-{_key(compiler)}.json"
        with contextlib.suppress(OSError, ValidationError):
            return Inputs.model_validate_json(kept.read_text())
    except HeadraceError as error:
        return _coarse(error.message)
    say(f"measuring what the I/O of {compiler.identifier} costs on this machine: once, some {_ROUNDS + 2:.0f} s")
    try:
        inputs = _measured(compiler)
    except (HeadraceError, OSError) as error:
        why = error.message if isinstance(error, HeadraceError) else str(error)
        return _coarse(f"measuring failed: {why.splitlines()[0]}")
    except KeyboardInterrupt:
        return _coarse("measuring was interrupted")
    with contextlib.suppress(HeadraceError, OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, inputs.model_dump_json(indent=1) + "\n")
    return inputs


def _coarse(why: str) -> Inputs:
    return Inputs(source=f"the seconds in this trace and coarse costs of a copy, because {why}")


def _compiler(vendor: Vendor) -> Compiler | None:
    for names in CANDIDATES:
        for name in names:
            with contextlib.suppress(HeadraceError):
                if _VENDORS.get(vendor, ("",))[0] in name:
                    compiler = identify(name)
                    if compiler.vendor == vendor:
                        return compiler
    return None


def _key(compiler: Compiler) -> str:
    """What costs depend on: the machine, its kernel, the compiler and the micro-runs."""
    system = os.uname()
    parts = (
        _VERSION,
        socket.gethostname(),
        provenance.processor(),
        system.release,
        system.machine,
        compiler.identifier,
        compiler.path,
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _is_needed(run: MicroRun) -> bool:
    """What advice asks for, without the longest of each kind."""
    asked = run.style not in ("components", "integers") and run.edit not in ("g0", "z17")
    long_walk = run.span == COLD and run.statements not in (1, 45, 60)
    return asked and not long_walk and not (run.style == "scalars" and run.items >= 600_000)


def _measured(compiler: Compiler) -> Inputs:
    folder = Path(tempfile.gettempdir())
    ends = time.monotonic() + LIMIT
    runs = [run for run in chosen_runs() if _is_needed(run)]
    times = measure(compiler, folder, runs, _ROUNDS, ends)
    models = [fit(compiler, folder, times, kind, cache_size()) for kind in _OPERATIONS]
    date = time.strftime("%Y-%m-%d")
    return Inputs(
        source=f"the costs of {compiler.identifier}, measured on {socket.gethostname()} on {date}",
        models=models,
    )
