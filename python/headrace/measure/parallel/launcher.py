"""How programs are started on many MPI ranks here. Next: sessions.py."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.build import cache_directory
from headrace.measure.parallel.worker_search import NAME

_FLAVOURS = {"open mpi": r"Open MPI|OpenRTE|PRRTE", "mpich": r"HYDRA|MPICH|Intel\(R\) MPI"}
_WRAPPERS = {"Open MPI": "mpicxx.openmpi", "MPICH": "mpicxx.mpich"}  # as Debian names them beside each other
_BY_HAND = "try the command by hand, or name another one with --launcher"
WRAPPER = "mpicxx"  # of --mpi; it may be missing if the worker is there
MOST_DEFAULT = 8
MOST_A_CORE = 32  # more hardly start, and the machine answers nobody else


@dataclass
class Launcher:
    """A command with {ranks} in it, and what its MPI needs beside it."""

    template: list[str]
    flavour: str = ""  # "open mpi", "mpich", "slurm" or ""
    given: bool = False  # by the user: its words stay as they are
    cores: int = 1
    is_root: bool = False

    def command(self, ranks: int, program: list[str], environment: Mapping[str, str] | None = None) -> list[str]:
        """The words that start `program` on `ranks` MPI ranks."""
        words = [word.replace("{ranks}", str(ranks)) for word in self.template]
        extra: list[str] = []
        if self.flavour == "open mpi":
            # Other nodes get only what is named.
            extra += [word for name in environment or {} for word in ("-x", name)]
            if not self.given:
                extra += ["--oversubscribe"] if ranks > self.cores else []
                extra += ["--allow-run-as-root"] if self.is_root else []
        return [words[0], *extra, *words[1:], *program]

    def added(self, ranks: int) -> list[str]:
        """A sentence for each word that `command` adds and the user has not said."""
        if self.flavour != "open mpi" or self.given:
            return []
        said = []
        if ranks > self.cores:
            cores = f"{self.cores} core{'s' * (self.cores > 1)}"
            said.append(f"Open MPI is started with --oversubscribe, because {ranks} MPI ranks have {cores}.")
        if self.is_root:
            said.append("Open MPI is started with --allow-run-as-root, because this is root.")
        return said

    @property
    def name(self) -> str:
        return " ".join(self.template)

    def hint(self, said: str = "") -> str:
        """What to do about an error of the launcher."""
        if re.search(r"allow-run-as-root", said):
            return 'Open MPI refuses root: add --allow-run-as-root, as in --launcher "mpirun --allow-run-as-root ..."'
        if re.search(r"not enough slots|oversubscribe", said, re.IGNORECASE):
            return "there are fewer slots than MPI ranks: add --oversubscribe to --launcher, or choose fewer --ranks"
        return _BY_HAND


def start_hint(launcher: Launcher, said: str, program: Path) -> str:
    """What to do if `program` did not start."""
    missing = re.search(r"error while loading shared libraries: ([^\s:]+): cannot open", said)
    if missing is None:
        hint = launcher.hint(said)
        is_other = hint == _BY_HAND and program.name != NAME  # only --worker gives a program of another name
        return f"is {program} a {NAME}? name another one with --worker, or leave it out\n  {hint}" if is_other else hint
    again = "build the worker again and name it with --worker"
    if program.is_relative_to(cache_directory()):
        again = f"remove {program} to have it built again"
    return (
        f"the worker needs the library {missing[1]}, which is not found: load its module, or add its directory to "
        f"LD_LIBRARY_PATH; if it is not there any more, {again}"
    )


def other_mpi_hint(launcher: Launcher, mpi: str) -> str:
    """What to do if the launcher belongs to another MPI than the worker, which says of which one it is."""
    name = next((name for name in _WRAPPERS if name in mpi), "")
    wrapper = _WRAPPERS.get(name, "")
    named = f"--mpi {wrapper if wrapper and shutil.which(wrapper) else 'WRAPPER'} (the compiler wrapper of that MPI)"
    first = "name its --launcher, or leave --launcher out and add" if launcher.given else "name its --launcher, or add"
    return f"the worker needs {name or mpi}: {first} {named}"


def find_launcher(given: str | None, wrapper: str) -> Launcher:
    """The launcher that the user named, else Slurm's in an allocation, else that of the MPI of the wrapper.

    Raises HeadraceError.
    """
    if wrapper != WRAPPER and shutil.which(wrapper) is None:
        raise HeadraceError(
            f"--mpi {wrapper}: there is no such compiler wrapper on the PATH",
            "load the module of the MPI, or give the wrapper's full path",
        )
    cores = len(os.sched_getaffinity(0))
    is_root = os.geteuid() == 0
    if given is not None:
        words = _words(given)
        return Launcher(words, flavour_of(words[0]), True, cores, is_root)
    if os.environ.get("SLURM_JOB_ID") and shutil.which("srun"):
        # Without --input=0 every task gets the requests.
        return Launcher(["srun", "--input=0", "-n", "{ranks}"], "slurm", False, cores, is_root)
    program = beside(wrapper, ("mpirun", "mpiexec")) or shutil.which("mpirun") or shutil.which("mpiexec")
    if program is None:
        raise HeadraceError(
            "no mpirun, mpiexec or (inside a Slurm job) srun was found",
            'load an MPI module, or name the command: --launcher "mpirun -n {ranks}"',
        )
    return Launcher([program, "-n", "{ranks}"], flavour_of(program), False, cores, is_root)


def _words(given: str) -> list[str]:
    try:
        words = shlex.split(given)
    except ValueError as error:
        raise HeadraceError(f"--launcher '{given}': {error}", 'for example --launcher "mpirun -n {ranks}"') from error
    if not words or "{ranks}" not in given:
        raise HeadraceError(
            f"--launcher '{given}' has no place for the number of MPI ranks",
            'for example --launcher "mpirun -n {ranks}" or --launcher "srun -n {ranks}"',
        )
    if shutil.which(words[0]) is None:
        raise HeadraceError(f"--launcher: there is no program '{words[0]}' on the PATH", "give its full path")
    return words


def beside(wrapper: str, names: tuple[str, ...]) -> str | None:
    """A program of the same MPI as a compiler wrapper: mpirun.mpich of mpicxx.mpich, in the same directory."""
    found = shutil.which(wrapper)
    if found is None:
        return None
    path = Path(found)
    chain = [path]
    while path.is_symlink() and len(chain) < 10:
        target = path.readlink()
        path = target if target.is_absolute() else path.parent / target
        chain.append(path)
    for link in reversed(chain):
        ending = re.search(r"\.(openmpi|mpich)[\w.-]*$", link.name)
        for name in names:
            candidate = link.parent / f"{name}{ending[0] if ending else ''}"
            if os.access(candidate, os.X_OK):
                return str(candidate)
    return None


def flavour_of(program: str) -> str:
    """Whose launcher it is, from what it says about itself."""
    if Path(program).name == "srun":
        return "slurm"
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    said = done.stdout + done.stderr
    return next((name for name, pattern in _FLAVOURS.items() if re.search(pattern, said)), "")


def require_few(ranks: list[int], launcher: Launcher) -> None:
    """Raises HeadraceError for numbers of MPI ranks that would keep one node from doing anything else."""
    most = MOST_A_CORE * launcher.cores
    if launcher.given or launcher.flavour == "slurm" or max(ranks) <= most:
        return
    raise HeadraceError(
        f"--ranks {max(ranks)}: {max(ranks):,} MPI ranks on {launcher.cores} core{'s' * (launcher.cores > 1)} of one "
        f"node; at most {most} are started by default",
        f"on several nodes, or if you mean it, name the command: --launcher {shlex.quote(launcher.name)}",
    )


def default_ranks(launcher: Launcher) -> list[int]:
    """2, 4 and 8 MPI ranks, as far as they fit: MPICH waits actively, so twice the cores are its limit."""
    limit = MOST_DEFAULT
    if launcher.flavour == "mpich":
        limit = max(2, 2 * launcher.cores)
    elif launcher.flavour == "slurm":
        limit = int(os.environ.get("SLURM_NTASKS", limit))
    counts = [count for count in (2, 4, 8) if count <= limit]
    return counts or [max(1, limit)]


def romio_module(wrapper: str) -> str | None:
    """Open MPI's module that is ROMIO (romio321 in 4.x, romio341 in 5.x); None if it has none."""
    program = beside(wrapper, ("ompi_info",)) or shutil.which("ompi_info")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "--parsable"], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.findall(r"^mca:io:(romio\d*):version", done.stdout, re.MULTILINE)
    return found[0] if found else None
