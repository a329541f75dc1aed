"""Fortran compilers: where they are, what they are, and the variables that steer their run time."""

import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.results.run import Compiler, Vendor

# Tried in this order when no --fc is given; the first of each line that exists is taken.
CANDIDATES: tuple[tuple[str, ...], ...] = (
    ("gfortran", "gfortran-15", "gfortran-14", "gfortran-13", "gfortran-12"),
    ("flang", "flang-21", "flang-20", "flang-19", "flang-new", "flang-new-20", "flang-new-19"),
    ("ifx",),
    ("ifort",),
    ("nvfortran",),
    ("nagfor",),
    ("crayftn", "ftn"),
)

_VENDORS: tuple[tuple[str, Vendor, str], ...] = (
    (r"GNU Fortran.*?(\d+\.\d+\.\d+)", "gnu", "gfortran"),
    (r"flang(?:-new)? version (\d+\.\d+\.\d+)", "llvm", "flang"),
    (r"\(IFX\) (\d+\.\d+\.\d+)", "intel", "ifx"),
    (r"\(IFORT\) (\d+(?:\.\d+)+)", "intel", "ifort"),
    (r"nvfortran (\d+\.\d+)", "nvidia", "nvfortran"),
    (r"NAG Fortran Compiler Release (\d+\.\d+)", "nag", "nagfor"),
    (r"Cray Fortran : Version (\d+(?:\.\d+)+)", "cray", "crayftn"),
)


def find_compilers() -> list[Compiler]:
    """Every Fortran compiler on the PATH, one a vendor."""
    found: list[Compiler] = []
    for names in CANDIDATES:
        for name in names:
            if shutil.which(name):
                found.append(identify(name))
                break
    return found


def identify(name: str, flags: list[str] | None = None) -> Compiler:
    """The compiler called `name` (a name on the PATH, a path, or a wrapper such as mpifort).

    Raises HeadraceError when there is no such program or it does not answer `--version`.
    """
    found_path = shutil.which(name)
    if found_path is None:
        known = ", ".join(c.name for c in find_compilers()) or "none on the PATH"
        raise HeadraceError(
            f"compiler '{name}' was not found",
            f"give a name on the PATH or a full path with --fc; found here: {known}",
        )
    path = os.path.abspath(found_path)  # noqa: PTH100 - links stay: the name of a wrapper matters
    text = _version_text(path)
    for pattern, vendor, product in _VENDORS:
        match = re.search(pattern, text)
        if match:
            return Compiler(
                name=Path(name).name,
                path=path,
                vendor=vendor,
                version=match[1],
                identifier=f"{product} {match[1]}",
                version_text=text.strip().splitlines()[0],
                flags=["-O2"] if flags is None else flags,
            )
    raise HeadraceError(
        f"'{path} --version' does not name a Fortran compiler that headrace knows; "
        f"it said: {text.strip()[:200] or 'nothing'}",
        "known: gfortran, flang, ifx, ifort, nvfortran, nagfor, crayftn and MPI wrappers of these",
    )


def _version_text(path: str) -> str:
    for option in ("--version", "-V"):
        try:
            done = subprocess.run([path, option], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HeadraceError(f"'{path} {option}' could not be run: {error}") from error
        text = done.stdout + done.stderr
        if any(re.search(pattern, text) for pattern, _, _ in _VENDORS):
            return text
    return text


def runtime_variables() -> dict[str, str]:
    """Variables of this environment that change how Fortran, OpenMP or MPI do I/O, and libraries that are preloaded."""
    prefixes = ("GFORTRAN_", "FORT_", "FORTRAN_", "F_UFMTENDIAN", "OMP_", "OMPI_MCA_", "ROMIO_", "MPICH_", "NO_STOP")
    names = {key for key in os.environ if key.startswith(prefixes)} | (os.environ.keys() & {"LD_PRELOAD", "LD_AUDIT"})
    found = {key: os.environ[key] for key in sorted(names)}
    with contextlib.suppress(OSError):  # preloaded into every process of the machine
        found["/etc/ld.so.preload"] = Path("/etc/ld.so.preload").read_text().strip()
    return found
