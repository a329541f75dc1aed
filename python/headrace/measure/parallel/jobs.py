"""`headrace bench parallel --write-job slurm`: a batch script, and a ReFrame test that runs it. Next: job_texts.py.

Within one allocation the script runs `headrace bench parallel` on every number of MPI ranks, once for each condition,
and leaves results and a report of each. Everything in it is ASCII: quotes that a word processor has rounded, as in the
hint line of ARCHER2's page, end a shell script with a syntax error.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.parallel.job_texts import reframe_test, slurm_script
from headrace.nearest import did_you_mean
from headrace.whole_files import write_whole

_OF_ONE_NODE = ("/dev/shm", "/tmp", "/var/tmp")
SCRIPT = "headrace-job.sh"
TEST = "headrace_reframe.py"
_KNOWN = (
    *("per_node", "account", "partition", "qos", "time", "name", "directory", "module", "stripe", "srun", "profile"),
)
CONDITIONS = ("cached", "synced", "warm", "cold")


@dataclass(frozen=True)
class Profile:
    """What a centre advises. The variables are taken from its documentation, with plain quotes."""

    variables: Mapping[str, str]
    per_node: int
    stripes: tuple[int, ...] = ()
    srun: tuple[str, ...] = ()
    partition: str = ""
    qos: str = ""


PROFILES = {
    # "I/O performance and tuning": single shared files with collective writes; one file a process needs no variables.
    "archer2": Profile(
        variables={
            "FI_OFI_RXM_SAR_LIMIT": "64K",
            "MPICH_MPIIO_HINTS": "*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4",
        },
        per_node=128,
        stripes=(1, -1),
        srun=("--hint=nomultithread", "--distribution=block:block"),
        partition="standard",
        qos="standard",
    ),
}


@dataclass(frozen=True)
class Job:
    """What the script does. `arguments` go to `headrace bench parallel` beside those that the script sets itself."""

    ranks: tuple[int, ...]
    per_node: int = 1  # MPI ranks on a full node
    arguments: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ("cached",)
    directory: str = ""  # on the file system to measure; "": where the job is submitted
    stripes: tuple[int, ...] = ()  # stripe counts, each a directory of its own
    variables: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    srun: tuple[str, ...] = ()
    name: str = "headrace"
    time: str = "00:30:00"
    account: str = ""
    partition: str = ""
    qos: str = ""
    command: tuple[str, ...] = (sys.executable, "-m", "headrace")

    def __post_init__(self) -> None:
        if not self.ranks or min(self.ranks) < 1:
            raise HeadraceError("a job needs numbers of MPI ranks from 1 on", "for example --ranks 128,256")
        if self.per_node < 1:
            raise HeadraceError(f"{self.per_node} MPI ranks on a node: expected 1 or more")
        for condition in self.conditions:
            if condition not in CONDITIONS:
                raise HeadraceError(
                    f'condition "{condition}" is not known',
                    did_you_mean(condition, CONDITIONS, f"choose from {', '.join(CONDITIONS)}"),
                )
        if not self.conditions:
            raise HeadraceError("a job needs at least one condition", "for example --condition synced")
        if not re.fullmatch(r"(\d+-)?\d+(:\d\d){0,2}", self.time):
            raise HeadraceError(f'time "{self.time}" is not what Slurm takes', "write for example 00:30:00")
        for option in ("name", "account", "partition", "qos"):
            if not re.fullmatch(r"[\w.@:/+-]*", getattr(self, option), re.ASCII):
                raise HeadraceError(f'{option} "{getattr(self, option)}" is no word that Slurm takes')
        for variable in self.variables:
            if not re.fullmatch(r"[A-Za-z_]\w*", variable, re.ASCII):
                raise HeadraceError(f'"{variable}" cannot be the name of an environment variable')
        for member in fields(self):
            for text in _texts(getattr(self, member.name)):
                _require_ascii(member.name, text)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Nodes and MPI ranks of each measurement, the smallest first."""
        return [(-(-count // self.per_node), count) for count in sorted(set(self.ranks))]

    @property
    def nodes(self) -> int:
        return self.sizes[-1][0]

    @property
    def tasks_a_node(self) -> int:
        return min(self.per_node, max(self.ranks))


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
            members, variables = _profile(value) | members, dict(PROFILES[value].variables) | variables
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
    job: Job, folder: Path, force: bool = False, say: Callable[[str], object] = lambda text: None
) -> list[Path]:
    """Write the Slurm script and the ReFrame test into `folder`, which is made; returns both.

    Files of these names with other contents are replaced only with `force`; otherwise nothing is written. `say` hears
    of each thing that is done. Raises HeadraceError.
    """
    texts = {folder / SCRIPT: slurm_script(job), folder / TEST: reframe_test(job, SCRIPT)}
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


def _profile(name: str) -> dict[str, object]:
    if name not in PROFILES:
        raise HeadraceError(
            f'profile "{name}" is not known', did_you_mean(name, PROFILES, f"known: {', '.join(PROFILES)}")
        )
    profile = PROFILES[name]
    return {
        "per_node": profile.per_node,
        "stripes": profile.stripes,
        "srun": profile.srun,
        "partition": profile.partition,
        "qos": profile.qos,
    }


def _number(key: str, value: str) -> int:
    if not re.fullmatch(r"-?\d+", value, re.ASCII):
        raise HeadraceError(f"{key}={value}: expected a whole number")
    return int(value)


def _texts(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [*map(str, value), *map(str, value.values())]
    return [str(item) for item in value] if isinstance(value, tuple) else [str(value)]


def _require_ascii(member: str, text: str) -> None:
    """A typographic quote from a web page, or a line break, would break the script where it runs."""
    for place, letter in enumerate(text):
        if not " " <= letter <= "~":
            raise HeadraceError(
                f"{member}: character {place + 1} of {text!a} is U+{ord(letter):04X},"
                " and a job script holds printable ASCII only",
                "type quotes by hand instead of copying them from a page",
            )
