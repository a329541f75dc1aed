"""`headrace bench parallel --write-job slurm|pbs`: a batch script, and a ReFrame test that runs it. Next: job.py.

Within one allocation the script runs `headrace bench parallel` on every number of MPI ranks, once for each condition,
and leaves results and a report of each. Everything in it is ASCII: quotes that a word processor has rounded, as in the
hint line of ARCHER2's page, end a shell script with a syntax error.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.parallel.job import Job
from headrace.measure.parallel.job_texts import Scheduler, batch_script, reframe_test
from headrace.nearest import did_you_mean
from headrace.sites.load import every_site, site
from headrace.sites.schema import Site
from headrace.whole_files import write_whole

_OF_ONE_NODE = ("/dev/shm", "/tmp", "/var/tmp")
SCRIPT = "headrace-job.sh"
TEST = "headrace_reframe.py"
_SHARED = "shared_collective"
_KNOWN = (
    *("per_node", "account", "partition", "qos", "time", "name", "directory", "module", "stripe", "srun", "profile"),
)


def read_job(words: Iterable[str], **given: object) -> Job:
    """A job from `name=value` words, as the command line takes them; `given` are members that are known already.

    per_node=128, account=z19, partition=standard, qos=standard, time=00:30:00, name=io, module=A, stripe=4, srun=--x,
    directory=/scratch/me and env:NAME=VALUE; module, stripe, srun and env may come again. profile=archer2 sets
    what that centre advises; other words override it.
    """
    members: dict[str, object] = {}
    repeated: dict[str, list[str]] = {"module": [], "stripe": [], "srun": []}
    variables: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise HeadraceError(f"{word}: a name, '=' and a value are expected", "for example account=z19")
        if key == "profile":
            profile = _profile(value)
            members, variables = _advised(profile) | members, variables_of(profile) | variables
        elif key.startswith("env:"):
            variables[key.removeprefix("env:")] = value
        elif key in repeated:
            repeated[key].append(value)
        elif key == "per_node":
            members[key] = _number(key, value)
        elif key in ("account", "partition", "qos", "time", "name", "directory"):
            members[key] = value
        else:
            raise HeadraceError(
                f'{word}: "{key}" is not known',
                did_you_mean(key, _KNOWN, f"known are {', '.join(_KNOWN)} and env:NAME"),
            )
    if repeated["stripe"]:
        members["stripes"] = tuple(_number("stripe", value) for value in repeated["stripe"])
    if repeated["module"]:
        members["modules"] = tuple(repeated["module"])
    if repeated["srun"]:
        members["srun"] = tuple(repeated["srun"])
    return Job(**(members | given | {"variables": variables}))  # type: ignore[arg-type]


def check_scheduler(words: Iterable[str], scheduler: Scheduler) -> None:
    """Raises HeadraceError if a profile is for another one: its words for the launcher would be misunderstood."""
    for word in words:
        key, _, value = word.partition("=")
        batch = _profile(value).batch if key == "profile" else None
        if batch is not None and batch.scheduler != scheduler:
            raise HeadraceError(
                f"--job {word}: that centre has {batch.scheduler}, and --write-job says {scheduler}",
                f"write --write-job {batch.scheduler}, or leave the profile out",
            )


def warning_of(job: Job) -> str:
    """What is wrong with its directory on several nodes, as far as its name says so; else ""."""
    own = [place for place in _OF_ONE_NODE if Path(job.directory).is_relative_to(place)] if job.directory else []
    if job.nodes < 2 or not own:
        return ""
    return (
        f"{job.directory} is below {own[0]}, which each node has for itself, and the job asks for {job.nodes} nodes: "
        "name a directory that they share"
    )


def write_job(
    job: Job,
    folder: Path,
    force: bool = False,
    say: Callable[[str], object] = lambda text: None,
    scheduler: Scheduler = "slurm",
) -> list[Path]:
    """Write the script and the ReFrame test into `folder`, which is made; returns both.

    Files of these names with other contents are replaced only with `force`; otherwise nothing is written. `say` hears
    of each thing that is done. Raises HeadraceError.
    """
    texts = {folder / SCRIPT: batch_script(job, scheduler), folder / TEST: reframe_test(job, SCRIPT, scheduler)}
    states = {path: _state(path, text) for path, text in texts.items()}
    _refuse_others(folder, [path for path, state in states.items() if state == "other"], force)
    path = folder
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            say(f"made the directory {folder}")
        for path, text in texts.items():
            if states[path] != "same":
                write_whole(path, text, "--job-dir")
            path.chmod(0o755 if path.name == SCRIPT else 0o644)
            say(f"{_DONE[states[path]]} {path}")
    except OSError as error:
        raise HeadraceError(f"{error.filename or path}: cannot be written: {error.strerror}", _ELSEWHERE) from error
    return list(texts)


_DONE = {"absent": "wrote", "same": "unchanged:", "other": "replaced"}
_ELSEWHERE = "name another directory with --job-dir"


def _state(path: Path, text: str) -> str:
    """What stands under the name of a file that is to be written: of _DONE. Raises HeadraceError."""
    try:
        return "same" if path.read_bytes() == text.encode("ascii") else "other"
    except FileNotFoundError:
        return "other" if path.is_symlink() else "absent"
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be written: {error.strerror}", _ELSEWHERE) from error


def _refuse_others(folder: Path, others: list[Path], force: bool) -> None:
    """Nobody's changes to a job are lost unasked."""
    if others and not force:
        names = " and ".join(path.name for path in others)
        is_one = len(others) == 1
        raise HeadraceError(
            f"{folder}: {names} {'is' if is_one else 'are'} there already, with other contents; nothing was written",
            f"replace {'it' if is_one else 'them'} with --force, or {_ELSEWHERE}",
        )


def _profile(name: str) -> Site:
    """A site that says what its jobs need."""
    known = [one.name for one in every_site() if one.batch is not None]
    if name not in known:
        raise HeadraceError(f'profile "{name}" is not known', did_you_mean(name, known, f"known: {', '.join(known)}"))
    return site(name)


def _advised(profile: Site) -> dict[str, object]:
    """Members of the job; the stripe counts of files that many MPI ranks share come last."""
    batch, cores = profile.batch, profile.machine.cores_per_node
    stripes = [rule.count for rule in profile.stripes if isinstance(rule.count, int)]
    found: dict[str, object] = {"stripes": tuple(sorted(set(stripes), reverse=True))}
    if cores is not None:
        found["per_node"] = cores.value
    if batch is not None:
        found |= {"srun": batch.launch, "partition": batch.partition, "qos": batch.qos}
    return found


def variables_of(profile: Site) -> dict[str, str]:
    """The variables of a site for one shared file with collective writes; a file for each process needs none."""
    found = {one.name: one.value for one in profile.settings if one.name and _SHARED in one.patterns}
    for hints in profile.hints:
        if hints.mpi_io == "cray" and _SHARED in hints.patterns:
            found["MPICH_MPIIO_HINTS"] = cray_hints(hints.values)
    return found


def cray_hints(values: Mapping[str, str]) -> str:
    """The value of MPICH_MPIIO_HINTS that gives these hints to every file."""
    return ",".join(f"*:{name}={value}" for name, value in values.items())


def _number(key: str, value: str) -> int:
    if not re.fullmatch(r"-?\d+", value, re.ASCII):
        raise HeadraceError(f"{key}={value}: expected a whole number")
    return int(value)
