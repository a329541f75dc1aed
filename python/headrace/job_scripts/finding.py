"""A finding, and what a check gets to see. Next: launch.py."""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from headrace.job_scripts.hints import KnownHint, names
from headrace.job_scripts.launch import JobSize, Launch, family, launches
from headrace.job_scripts.mpi import Mpi, mpi_of
from headrace.job_scripts.script import Assignment, Command, Script
from headrace.rules.catalogue import BY_CODE
from headrace.rules.rule import Rule


@dataclass(frozen=True)
class Finding:
    """One thing to change."""

    code: str
    path: Path
    line: int
    what: str
    """What stands there, and what becomes of it."""
    instead: str
    """What to write: a line to paste, or words if it depends on the program."""

    @property
    def rule(self) -> Rule:
        return BY_CODE[self.code]


_SAFE = re.compile(r"[\w@%+=:,./~*?{}$-]+")

# Commands that run no program of the user's and write no results.
_PLAIN = names(
    """
    echo printf print cd pushd popd set unset export module ml true false : test [ exit return shift wait sleep date
    hostname pwd ls rm mkdir rmdir touch cat head tail grep egrep sed awk cut tr sort uniq wc tee cp mv ln rsync scp tar
    gzip gunzip zip unzip chmod chown ulimit trap read let expr seq basename dirname readlink realpath env printenv
    which type lfs df du sync find xargs diff cmp squeue scontrol sacct sstat sbcast sbatch qsub qstat ssh mapfile
    readarray declare local kill uname whoami id limit stat file ldd nproc lscpu numactl free break continue getopts
    alias unalias umask times mail md5sum sha256sum
    """
)

# Variables that a Fortran or MPI program's I/O looks at. OMP_NUM_THREADS and the like are not of this project.
_OF_IO = (
    *("GFORTRAN_", "FORT_", "FOR_", "FLANG_", "F_UFMTENDIAN", "DECFORT_", "NAMELIST_", "HEADRACE_"),
    *("MPICH_MPIIO_", "ROMIO_", "PNETCDF_", "OMPI_MCA_", "I_MPI_", "MPICH_", "FI_", "UCX_"),
    *("HDF5_", "NETCDF_", "DARSHAN_", "IBM_largeblock_io"),
)


def is_of_io(name: str) -> bool:
    """Whether a program's I/O looks at a variable of this name."""
    return name.startswith(_OF_IO)


@dataclass
class Facts:
    """A script and what is known of it."""

    script: Script
    known: Mapping[str, KnownHint] = field(default_factory=dict)
    read_hint_files: bool = True

    @property
    def path(self) -> Path:
        return self.script.path

    @cached_property
    def launches(self) -> list[Launch]:
        return launches(self.script)

    @cached_property
    def mpi(self) -> Mpi:
        return mpi_of(self.script)

    @cached_property
    def size(self) -> JobSize:
        return JobSize.of(self.script)

    @cached_property
    def commands(self) -> list[Command]:
        return list(self.script.commands)

    def finding(self, code: str, line: int, what: str, instead: str) -> Finding:
        return Finding(code, self.path, line, what, instead)

    def is_program(self, command: Command) -> bool:
        """Whether a command may be, or start, a program of the user's."""
        return bool(command.words) and command.name not in _PLAIN

    def value_at_the_end(self, name: str) -> Assignment | None:
        """The last value that a variable gets."""
        found = [one for one in self.script.assignments if one.name == name and one.value is not None]
        return found[-1] if found else None

    def is_many_nodes(self) -> bool:
        """Whether the job asks for more than one node, as far as it says."""
        if self.size.nodes is not None:
            return self.size.nodes > 1
        return self.size.ranks is not None and self.size.ranks > 256  # no node has so many cores


def is_launcher(command: Command) -> bool:
    """Whether a command starts MPI ranks."""
    return family(command.name) in ("srun", "aprun", "mpirun", "mpiexec", "mpirun_rsh", "orterun", "prterun", "ibrun")


def shown(words: Iterable[str]) -> str:
    """Words as a shell takes them: quoted if they must be; variables and patterns stay what they are."""
    return " ".join(
        word if _SAFE.fullmatch(word) else f'"{word}"' if "$" in word and '"' not in word else shlex.quote(word)
        for word in words
    )


def is_known(text: str) -> bool:
    """Whether nothing in a text is left to the shell."""
    return not any(sign in text for sign in "$`<")
