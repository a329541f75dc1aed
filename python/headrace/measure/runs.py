"""What every benchmark does before and after its campaigns: compilers, directory, the end of a run, its file."""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headrace.measure import compilers as fortran
from headrace.results.run import Compiler, Results

INTERRUPTION = "The run was interrupted: what had been measured by then is shown."


@dataclass(kw_only=True)
class BenchOptions:
    """What the command line asked of a benchmark of tools; times in seconds."""

    compilers: list[str]
    flags: list[str] | None
    directory: Path | None
    rounds: int
    minimum_seconds: float
    time_budget: float
    limit: float
    seed: int
    json: str | None


def chosen_compilers(names: list[str], flags: list[str] | None) -> list[Compiler]:
    """Those that were named, each once, or all that are found; with these flags."""
    used = [fortran.identify(name) for name in dict.fromkeys(names)] if names else fortran.find_compilers()
    return used if flags is None else [compiler.model_copy(update={"flags": flags}) for compiler in used]


def memory_directory() -> Path:
    """A memory file system if there is one: for what a disk would hide."""
    shared = Path("/dev/shm")
    return shared if os.access(shared, os.W_OK) else Path.cwd()


@contextlib.contextmanager
def until_interrupted(found: Results, said: str = INTERRUPTION) -> Iterator[None]:
    """After Ctrl-C within the block, or if a directory is gone, the run is not complete, and says so."""
    try:
        yield
    except KeyboardInterrupt:
        found.complete = False
        found.notes.append(said)
    except OSError as error:  # what is known is not lost
        found.complete = False
        found.notes.append(f"The run ended early, what had been measured by then is shown: {error}")


def end(found: Results, begun: float) -> None:
    """The time that a run took, and what else the machine did at its end."""
    found.elapsed_seconds = time.monotonic() - begun
    found.provenance.load_after = list(os.getloadavg())
