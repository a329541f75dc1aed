"""What is seen of the machine: each fact with how it was seen, nothing guessed silently. First: advise.py."""

import contextlib
import os
import re
import shutil
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure import provenance
from headrace.measure.compilers import find_compilers, identify, runtime_variables
from headrace.measure.parallel.launcher import WRAPPER, beside, flavour_of, romio_module
from headrace.nearest import did_you_mean
from headrace.results.advised import Fact
from headrace.results.records import of_bytes
from headrace.results.run import Compiler, Vendor
from headrace.settings import probe, storage
from headrace.settings.probe import Costs
from headrace.settings.storage import Storage
from headrace.settings.tools import LIMIT, ask
from headrace.sites.schema import MpiIo, Site

VENDORS: tuple[Vendor, ...] = ("gnu", "llvm", "intel", "nvidia", "nag", "cray")
# Beside those that runtime_variables() finds.
_MODULE = "OMPI_MCA_io"
_TEMPORARY = (Path("/dev/shm"), Path("/tmp"))  # of a node, for files that only one process sees
COSTS, NOT_MEASURED = "cost of calls", "not measured"  # a fact, if they could not be measured
_PREFIXES = ("FI_", "UCX_", "FLANG_", "PNETCDF_", "HDF5_USE_FILE_LOCKING", "LUSTRE_")


@dataclass(frozen=True)
class Place:
    """The machine and the directory, or what the user said of another machine."""

    storage: Storage = field(default_factory=Storage)
    mpi: str = ""  # "Open MPI 4.1.4"; "": none
    mpi_io: MpiIo | None = None  # whose hints are heeded
    romio: str = ""  # the name of Open MPI's ROMIO module, if it is not in force but there
    vendors: tuple[Vendor, ...] = ()  # of the compilers
    compilers: tuple[Compiler, ...] = ()
    cores: int = 0
    memory_bytes: int = 0
    variables: Mapping[str, str] = field(default_factory=dict)
    is_here: bool = True  # False: described by --site
    facts: list[Fact] = field(default_factory=list)
    costs: Costs | None = None  # of calls in the directory; None: not measured
    scratch_costs: Costs | None = None  # where the program made its scratch files
    temporary: str = ""  # a better place for them: of this node
    temporary_costs: Costs | None = None


@dataclass(frozen=True)
class Asked:
    """What the command line says of the place."""

    directory: Path | None = None
    site: Site | None = None
    wrapper: str = WRAPPER
    mpi_io: MpiIo | None = None
    compilers: tuple[str, ...] = ()  # names, or vendors
    limit: float = LIMIT


def look(asked: Asked) -> Place:
    """Look at this machine; with a site and no directory, at nothing but what the site says. Raises HeadraceError."""
    if asked.site is not None and asked.directory is None:
        return _elsewhere(asked, asked.site)
    found = storage.look(asked.directory or Path(), asked.limit)
    mpi, mpi_io, romio, mpi_facts = _mpi(asked)
    compilers, vendors, compiler_facts = _compilers(asked.compilers)
    variables = _variables()
    cores, machine_facts = _machine()
    set_now = [Fact(name=name, value=value, how="set in the environment") for name, value in variables.items()]
    return Place(
        found,
        mpi,
        mpi_io,
        romio,
        vendors,
        compilers,
        cores,
        provenance.memory("MemTotal"),
        variables,
        True,
        [*found.facts, *mpi_facts, *compiler_facts, *machine_facts, *set_now],
    )


def measured(place: Place, directory: Path, scratch: str) -> Place:
    """With the costs of calls in the directory and, if the program made scratch files, where those could be.

    Nothing is measured if a directory cannot be written or has no room: that is a fact like others.
    """
    costs, facts = _costs(directory)
    place = replace(place, costs=costs, facts=[*place.facts, *facts])
    if not scratch or not Path(scratch).is_dir():
        return place
    here = Path(scratch)
    there = next((path for path in _TEMPORARY if path.is_dir() and path.stat().st_dev != here.stat().st_dev), None)
    if there is None:
        return place
    scratch_costs, _ = (costs, []) if here.stat().st_dev == directory.stat().st_dev else _costs(here)
    temporary_costs, facts = _costs(there)
    named = [fact.model_copy(update={"name": f"{fact.name}, {there}"}) for fact in facts]
    facts = [*place.facts, *named]
    return replace(
        place, scratch_costs=scratch_costs, temporary=str(there), temporary_costs=temporary_costs, facts=facts
    )


def _costs(directory: Path) -> tuple[Costs | None, list[Fact]]:
    try:
        found = probe.probe(directory)
    except HeadraceError as error:
        return None, [Fact(name=COSTS, value=NOT_MEASURED, how=error.message)]
    return found, probe.facts(found)


def _elsewhere(asked: Asked, site: Site) -> Place:
    """Another machine: what is set or installed here says nothing about it."""
    machine, how = site.machine, f"the profile {site.name}"
    kind = "unknown" if site.file_system == "any" else site.file_system
    facts = [Fact(name="file system", value=kind, how=how)]
    for name in ("cores_per_node", "storage_targets", "stripe_count", "stripe_bytes"):
        value = getattr(machine, name)
        if value is not None:
            facts.append(Fact(name=name.replace("_", " "), value=str(value.value), how=how))
    mpi_io = asked.mpi_io or site.mpi_io
    facts.append(
        Fact(name="MPI-IO", value=mpi_io or "not known", how="--mpi-io" if asked.mpi_io else how if mpi_io else "")
    )
    compilers, vendors, compiler_facts = _compilers(asked.compilers) if asked.compilers else ((), (), [])
    held = Storage(
        None,
        kind,
        machine.stripe_count.value if machine.stripe_count else None,
        machine.stripe_bytes.value if machine.stripe_bytes else None,
        machine.storage_targets.value if machine.storage_targets else None,
    )
    cores = machine.cores_per_node.value if machine.cores_per_node else 0
    return Place(held, "", mpi_io, "", vendors, compilers, cores, 0, {}, False, [*facts, *compiler_facts])


def _mpi(asked: Asked) -> tuple[str, MpiIo | None, str, list[Fact]]:
    """The MPI's name, whose hints it heeds, and Open MPI's other module."""
    if asked.wrapper != WRAPPER and shutil.which(asked.wrapper) is None:
        raise HeadraceError(
            f"--mpi {asked.wrapper}: there is no such compiler wrapper on the PATH",
            "load the module of the MPI, or give the wrapper's full path",
        )
    if os.environ.get("CRAY_MPICH_VERSION"):
        name, how = f"Cray MPICH {os.environ['CRAY_MPICH_VERSION']}", "CRAY_MPICH_VERSION"
        return name, asked.mpi_io or "cray", "", [Fact(name="MPI", value=name, how=how), _io("cray", how, asked)]
    launcher = beside(asked.wrapper, ("mpirun", "mpiexec")) or shutil.which("mpirun") or shutil.which("mpiexec")
    if launcher is None:
        facts = [Fact(name="MPI", value="none", how="no mpirun or mpiexec on the PATH")]
        return "", asked.mpi_io, "", [*facts, *([_io(None, "", asked)] if asked.mpi_io else [])]
    said = ask([launcher, "--version"], asked.limit).text.splitlines()
    flavour, how = flavour_of(launcher), f"{launcher} --version"
    version = next(iter(re.findall(r"\d+\.\d+(?:\.\d+)?", " ".join(said))), "")
    name = {"open mpi": f"Open MPI {version}", "mpich": f"MPICH {version}"}.get(flavour, said[0] if said else launcher)
    facts = [Fact(name="MPI", value=name, how=how)]
    if flavour != "open mpi":
        guess: MpiIo | None = "romio" if flavour == "mpich" else None
        return name, asked.mpi_io or guess, "", [*facts, _io(guess, f"{name} has no other", asked)]
    romio = romio_module(asked.wrapper) or ""
    choice = os.environ.get(_MODULE, "")
    in_force: MpiIo = "romio" if ("romio" in choice and not choice.startswith("^")) or choice == "^ompio" else "ompio"
    said_by = f"OMPI_MCA_io={choice}" if choice else "Open MPI's default"
    if romio:
        facts.append(Fact(name="MPI-IO, also there", value=romio, how="ompi_info"))
    return name, asked.mpi_io or in_force, romio, [*facts, _io(in_force, said_by, asked)]


def _io(found: MpiIo | None, how: str, asked: Asked) -> Fact:
    if asked.mpi_io:
        return Fact(name="MPI-IO", value=asked.mpi_io, how="--mpi-io")
    return Fact(name="MPI-IO", value=found or "not known", how=how or "it is none that headrace knows")


def _compilers(asked: tuple[str, ...]) -> tuple[tuple[Compiler, ...], tuple[Vendor, ...], list[Fact]]:
    """Those that were asked for by name or vendor; else all that are there."""
    found: list[Compiler] = []
    vendors: list[Vendor] = []
    facts: list[Fact] = []
    for name in asked:
        vendor = next((known for known in VENDORS if known == name), None)
        if vendor is not None:
            vendors.append(vendor)
            facts.append(Fact(name="compiler", value=vendor, how="--fc"))
            continue
        try:
            found.append(identify(name))
        except HeadraceError as error:
            words = did_you_mean(name, VENDORS, f"or name only its vendor: {', '.join(VENDORS)}")
            raise HeadraceError(error.message, f"{error.hint}\n  {words}") from error
    if not asked:
        found = find_compilers()
        if not found:
            facts.append(Fact(name="compiler", value="none", how="no Fortran compiler is on the PATH"))
    facts += [Fact(name="compiler", value=one.identifier, how=f"{one.path} --version") for one in found]
    vendors += [one.vendor for one in found if one.vendor not in vendors]
    return tuple(found), tuple(vendors), facts


def _variables() -> dict[str, str]:
    """Those of the environment that change how I/O is done."""
    found = {name: value for name, value in runtime_variables().items() if value}
    return found | {name: value for name, value in os.environ.items() if name.startswith(_PREFIXES)}


def _machine() -> tuple[int, list[Fact]]:
    cores = len(os.sched_getaffinity(0))
    facts = [
        Fact(name="host", value=socket.gethostname(), how="gethostname"),
        Fact(name="processor", value=provenance.processor() or "not known", how="/proc/cpuinfo"),
        Fact(name="cores", value=str(cores), how="sched_getaffinity: those that this process may use"),
        Fact(name="memory", value=of_bytes(provenance.memory("MemTotal")), how="/proc/meminfo"),
    ]
    limits = {"cpu.max": "cgroup processor limit", "memory.max": "cgroup memory limit"}
    for name, words in limits.items():
        for path in _control_files(name):
            with contextlib.suppress(OSError):
                facts.append(Fact(name=words, value=path.read_text().strip(), how=str(path)))
                break
    return cores, facts


def _control_files(name: str) -> list[Path]:
    """Of this process's control group, version 2, from its own up to the root."""
    root = Path("/sys/fs/cgroup")
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::"):
                own = root / line.removeprefix("0::").lstrip("/")
                return [folder / name for folder in (own, *own.parents) if folder.is_relative_to(root)]
    return []
