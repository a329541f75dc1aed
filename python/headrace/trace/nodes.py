"""Changes the command of a launcher such that MPI ranks on other nodes get our variables, beside those of the user.

Hydra (MPICH) and srun hand all variables on, if they are not told otherwise; Open MPI only those that it is told, in
one of two ways that exclude each other. Launchers inside of scripts: intercept/environment.c.
"""

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from headrace.errors import HeadraceError

NAMES = ("LD_PRELOAD", "ASAN_OPTIONS", "HEADRACE_TRACE_DIRECTORY", "HEADRACE_TRACE_LAUNCHER")
RUN = "HEADRACE_RUN"
RUN_NAMES = (
    RUN,
    "HEADRACE_RUN_STRICT",
    "HEADRACE_RUN_STATISTICS",
    "HEADRACE_RUN_BATCH",
    "HEADRACE_RUN_CHECK",
    "HEADRACE_RUN_AFTER",
)
_OPEN_MPI_LIST = "OMPI_MCA_mca_base_env_list"
_SLURM_LIST = "SLURM_EXPORT_ENV"  # what srun takes for --export; sbatch --export=NONE leaves NONE in it
_SUBMITS = {"sbatch": ("-W", "--wait"), "qsub": (), "bsub": ("-K", "-I"), "msub": ()}  # and what makes them wait


def names_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Of our variables those that are there: launchers complain of others."""
    return tuple(name for name in (*NAMES, *RUN_NAMES) if name in environment)


def for_all_nodes(
    program: Path, command: Sequence[str], environment: dict[str, str], names: Sequence[str] = NAMES
) -> list[str]:
    """The command to start, for `environment`, which may be changed too; `names` are handed on.

    Raises HeadraceError for a command that returns before its program runs.
    """
    _refuse_to_submit(program, command)
    if environment.get(_SLURM_LIST):  # also of an srun in a script
        environment[_SLURM_LIST] = _exported(environment[_SLURM_LIST], environment, names)
    if program.name == "srun":
        return _srun(command, environment, names)
    if not program.name.startswith(("mpirun", "mpiexec", "orterun", "prterun")):
        return list(command)
    if not _is_open_mpi(program):
        return _hydra(command, environment, names)
    named = environment.get(_OPEN_MPI_LIST)
    if named:
        environment[_OPEN_MPI_LIST] = ";".join((named, *names))
        return list(command)
    words = _preloaded_by(command, ("-x", "--x"), environment)
    if "mca_base_env_list" in words[:-1]:
        place = words.index("mca_base_env_list") + 1
        words[place] = ";".join((words[place], *names))
        return words
    return [words[0], *(word for name in names for word in ("-x", name)), *words[1:]]


def _refuse_to_submit(program: Path, command: Sequence[str]) -> None:
    if program.name not in _SUBMITS or any(word in _SUBMITS[program.name] for word in command):
        return
    raise HeadraceError(
        f"{program.name} only submits a job and returns before it runs: nothing would be in it",
        "in the job script write headrace and its command in front of srun or mpirun, or of the program",
    )


def _is_open_mpi(program: Path) -> bool:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"Open MPI" in said or b"OpenRTE" in said or b"PRTE" in said


def _with_ours(preloaded: str, environment: dict[str, str]) -> str:
    """LD_PRELOAD of ours, in front of what the user preloads into the program alone."""
    ours = environment["LD_PRELOAD"].split(":")[0]
    theirs = [word for word in re.split("[ :]+", preloaded) if word not in ("", ours)]
    return ":".join((ours, *theirs))


def _preloaded_by(command: Sequence[str], options: Sequence[str], environment: dict[str, str]) -> list[str]:
    """With the values of `-x LD_PRELOAD=...` joined with ours."""
    words = list(command)
    for place, word in enumerate(words[1:], 1):
        if words[place - 1] in options and word.startswith("LD_PRELOAD="):
            words[place] = "LD_PRELOAD=" + _with_ours(word.partition("=")[2], environment)
    return words


def _hydra(command: Sequence[str], environment: dict[str, str], names: Sequence[str]) -> list[str]:
    words = list(command)
    for place in range(1, len(words) - 1):
        option, value = words[place].lstrip("-"), words[place + 1]
        if not words[place].startswith("-"):
            continue
        if option in ("genvlist", "envlist"):
            words[place + 1] = ",".join((value, *names))
        elif option in ("genv", "env") and value == "LD_PRELOAD" and place + 2 < len(words):
            words[place + 2] = _with_ours(words[place + 2], environment)
    return words


def _srun(command: Sequence[str], environment: dict[str, str], names: Sequence[str]) -> list[str]:
    words = list(command)
    for place, word in enumerate(words[1:], 1):
        if word.startswith("--export="):
            words[place] = "--export=" + _exported(word.partition("=")[2], environment, names)
        elif words[place - 1] == "--export":
            words[place] = _exported(word, environment, names)
    return words


def _exported(value: str, environment: dict[str, str], names: Sequence[str]) -> str:
    """A list of srun: ALL, NONE, or names and NAME=VALUE, whose values may stand between quotes."""
    parts = [
        part for part in re.findall(r"(?:[^,'\"]|'[^']*'|\"[^\"]*\")+", value) if part.upper() not in ("NONE", "NIL")
    ]
    for place, part in enumerate(parts):
        name, equals, text = part.partition("=")
        if name == "LD_PRELOAD" and equals:
            parts[place] = f"{name}={_with_ours(text.strip(chr(39) + chr(34)), environment)}"
    has_all = any(part.upper() == "ALL" for part in parts)
    known = {part.partition("=")[0] for part in parts}
    return ",".join((*parts, *(name for name in names if not has_all and name not in known)))
