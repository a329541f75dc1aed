"""Which MPI library a script uses, and who does its I/O, as far as the script tells. Next: hints.py."""

import re
from dataclasses import dataclass

from headrace.job_scripts.launch import Launch, launches
from headrace.job_scripts.script import Script

_MODULES = (
    ("cray", re.compile(r"(cray-mpich|craype-network|PrgEnv-|cray-hdf5-parallel|cray-parallel-netcdf)", re.I)),
    ("intel", re.compile(r"(intel-?mpi|impi|intel-oneapi-mpi|i_mpi)", re.I)),
    ("open mpi", re.compile(r"(openmpi|open-mpi|hpcx|\bompi\b)", re.I)),
    ("mpich", re.compile(r"(^|/)(mpich|mvapich2?)", re.I)),
)
NAMES = {"cray": "Cray MPICH", "intel": "Intel MPI", "open mpi": "Open MPI", "mpich": "MPICH", "": "this MPI"}


@dataclass(frozen=True)
class Mpi:
    """`name`: cray, intel, open mpi, mpich, or "" if the script does not tell."""

    name: str
    module: str
    """Who reads hints: cray, romio, ompio, or ""."""

    @property
    def words(self) -> str:
        module = f" ({self.module.upper()})" if self.name == "open mpi" else ""
        return NAMES[self.name] + module


def mpi_of(script: Script) -> Mpi:
    """From modules that are loaded, options of the launcher and variables; the last that is loaded counts."""
    started = launches(script)
    name = _loaded(script) or _launched(started) or _by_variables(script)
    if name == "open mpi":
        return Mpi(name, "romio" if _wants_romio(script, started) else "ompio")
    return Mpi(name, {"cray": "cray", "intel": "romio", "mpich": "romio"}.get(name, ""))


def _loaded(script: Script) -> str:
    found = ""
    for command in script.commands:
        if command.name in ("module", "ml", "spack") and len(command.words) > 1:
            if command.words[1] in ("unload", "rm", "del", "purge", "list", "avail", "use", "show"):
                continue
            for word in command.words[1:]:
                found = next((name for name, pattern in _MODULES if pattern.search(word)), found)
    return found


def _launched(started: list[Launch]) -> str:
    for launch in started:
        if launch.command.name.endswith(".openmpi") or launch.launcher in ("orterun", "prterun") or launch.mca:
            return "open mpi"
        if launch.launcher == "aprun":
            return "cray"
        if launch.command.name.endswith((".mpich", ".hydra")) or launch.launcher == "mpirun_rsh":
            return "mpich"
        if launch.launcher == "mpirun" and "-x" in launch.command.words:
            return "open mpi"
    return ""


def _by_variables(script: Script) -> str:
    for one in script.assignments:
        if one.name.startswith("OMPI_MCA_"):
            return "open mpi"
        if one.name.startswith("I_MPI_"):
            return "intel"
    return ""


def _wants_romio(script: Script, started: list[Launch]) -> bool:
    chosen = [one.value or "" for one in script.assignments if one.name == "OMPI_MCA_io"]
    chosen += [launch.mca["io"] for launch in started if "io" in launch.mca]
    return any("romio" in value or value == "^ompio" for value in chosen)
