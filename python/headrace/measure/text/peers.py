"""The peers: Python packages if they are installed, Fortran libraries if they have been built."""

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.build import cache_directory

PYTHON_PEERS = ("numpy", "pandas", "polars", "pyarrow")
INSTALL_LIMIT = 900  # seconds


@dataclass(frozen=True)
class FortranPeer:
    """A library for text in Fortran, and how its tree is recognised."""

    name: str
    folders: tuple[str, ...]  # below --peer-source
    module: str  # the file that its build leaves
    driver: str  # in bench/text
    kinds: tuple[str, ...] = ("real64", "real32", "int32", "int64")


FORTRAN_PEERS = (
    FortranPeer(
        "io_fortran_lib", ("io_fortran_lib", "IO-Fortran-Library"), "io_fortran_lib.mod", "peer_io_fortran_lib.f90"
    ),
    FortranPeer("stdlib", ("stdlib",), "stdlib_io.mod", "peer_stdlib.f90"),
    FortranPeer("csv-fortran", ("csv-fortran", "csv_fortran"), "csv_module.mod", "peer_csv_fortran.f90", ("real64",)),
)


@dataclass(frozen=True)
class BuiltPeer:
    """What our own driver is compiled and linked with."""

    modules: Path  # folder of its .mod files
    archives: tuple[Path, ...]


def find_built(peer: FortranPeer, source: Path) -> BuiltPeer:
    """What the peer's own build has left in its tree below `source`: the newest of each file.

    Raises HeadraceError, with what to do, when there is no tree or it has not been built.
    """
    trees = [source / name for name in peer.folders if (source / name).is_dir()]
    if not trees:
        raise HeadraceError(f"{source} has no folder {' or '.join(peer.folders)}")
    modules = sorted(trees[0].rglob(peer.module), key=_age)
    archives: dict[str, Path] = {}
    for path in sorted(trees[0].rglob("*.a"), key=_age):
        archives[path.name] = path
    if not modules or not archives:
        missing = peer.module if not modules else "a library (*.a)"
        raise HeadraceError(
            f"{trees[0]} has been given but not built: there is no {missing} in it",
            "build it there, with the compiler that is measured, as its own README says",
        )
    return BuiltPeer(modules[-1].parent, tuple(archives.values()))


def _age(path: Path) -> float:
    return path.stat().st_mtime


def peer_environment() -> Path:
    """The folder of the virtual environment that --peers makes."""
    return cache_directory() / "text-peers"


def install_python_peers(names: Sequence[str]) -> str:
    """Install these Python peers into an environment of their own; returns what went wrong, or nothing."""
    folder = peer_environment()
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
    commands = [[*pip, "--only-binary", ":all:", *names]]
    if not python.exists():
        commands.insert(0, [sys.executable, "-m", "venv", str(folder)])
    for command in commands:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=INSTALL_LIMIT, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{' '.join(command)}: {error}"
        if done.returncode != 0:
            words = (done.stderr or done.stdout).strip().splitlines()
            return f"{' '.join(command)}: {words[-1] if words else f'exit code {done.returncode}'}"
    return ""


def python_with(package: str) -> str | None:
    """The Python that has `package`: the one of --peers, or this one."""
    own = peer_environment() / "bin" / "python"
    if own.exists() and _has(str(own), package):
        return str(own)
    return sys.executable if importlib.util.find_spec(package) else None


def _has(python: str, package: str) -> bool:
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
    return subprocess.run([python, "-c", code], stdin=subprocess.DEVNULL, capture_output=True).returncode == 0
