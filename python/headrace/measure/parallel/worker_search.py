"""A worker program that is there already: where it is looked for. Next: program.py, which builds one else."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

NAME = "headrace-parallel-worker"
PARTS = ("CMakeLists.txt", "fpm.toml", "cmake", "include", "src", "mpi", "bench/parallel")  # it is made of
_BUILT_AS = Path("bench") / "parallel" / NAME  # in a build directory
_OPTIMISED = ("Release", "RelWithDebInfo")


def checkout() -> Path | None:
    """The root of the source checkout that this package runs from."""
    root = Path(__file__).resolve().parents[4]
    return root if (root / "bench" / "parallel" / "CMakeLists.txt").is_file() else None


def existing_worker(wrapper: str) -> Path | None:
    """On the PATH, in an installation, or in a build directory of the checkout; None if it has to be built."""
    found = shutil.which(NAME)
    if found is not None:
        return Path(found)
    return next((path for path in (*_installed(), *_built_by_hand(wrapper)) if _is_program(path)), None)


def _installed() -> Iterator[Path]:
    """Beside the command `headrace`, and in the installation or the build that HEADRACE_LIBRARY is of."""
    yield Path(sys.prefix) / "bin" / NAME
    named = os.environ.get("HEADRACE_LIBRARY")
    if named and "/" in named:
        folder = Path(named).absolute().parent
        yield folder / _BUILT_AS
        for prefix in list(folder.parents)[:2]:  # of lib, lib64, lib/x86_64-linux-gnu
            yield prefix / "bin" / NAME


def _built_by_hand(wrapper: str) -> list[Path]:
    """Below build/ of the checkout, the newest first: of the same MPI, optimised, and as new as the sources."""
    source = checkout()
    if source is None:
        return []
    caches = [path for depth in ("*", "*/*") for path in (source / "build").glob(f"{depth}/CMakeCache.txt")]
    made = [path.parent / _BUILT_AS for path in caches if _is_fit(path, wrapper)]
    sources = _changed(source)
    dated = [(path.stat().st_mtime, path) for path in made if path.is_file()]
    return [path for time, path in sorted(dated, reverse=True) if time >= sources]


def _is_fit(cache: Path, wrapper: str) -> bool:
    """Whether a build directory makes what is worth measuring, with the MPI of `wrapper`."""
    found = shutil.which(wrapper)
    if found is None:
        return False
    options = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(errors="replace"), re.MULTILINE))
    used = options.get("MPI_CXX_COMPILER", "")
    return (
        bool(used)
        and Path(used).resolve() == Path(found).resolve()
        and options.get("CMAKE_BUILD_TYPE") in _OPTIMISED
        and options.get("HEADRACE_SANITIZE", "OFF") == "OFF"
    )


def files_of(source: Path) -> Iterator[Path]:
    """Everything that the program is made of, in a fixed order."""
    for part in PARTS:
        found = source / part
        yield from (file for file in (sorted(found.rglob("*")) if found.is_dir() else [found]) if file.is_file())


def _changed(source: Path) -> float:
    return max((file.stat().st_mtime for file in files_of(source)), default=0.0)


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
