"""The lines of a script that start an MPI program: how many MPI ranks, and which variables they get. Next: mpi.py."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from headrace.job_scripts.script import Command, Script

LAUNCHERS = {"srun", "aprun", "mpirun", "mpiexec", "mpirun_rsh", "orterun", "prterun", "ibrun", "jsrun", "ccc_mprun"}
# What of the option is left without its value: everything else of srun has one.
_SRUN_FLAGS = {
    *("--exclusive", "--label", "-l", "--unbuffered", "-u", "--multi-prog", "--oversubscribe", "-s", "--overcommit"),
    *("-O", "--pty", "--quiet", "-Q", "--verbose", "-v", "-vv", "-vvv", "--no-kill", "-k", "--propagate", "--overlap"),
    *("--exact", "--contiguous", "-X", "--disable-status", "--kill-on-bad-exit", "-K", "-I", "--immediate", "-H"),
    *("--spread-job", "--use-min-nodes", "--hold", "--reboot", "-E", "--preserve-env", "-Z", "--no-allocate"),
    *("--slurmd-debug", "--bcast", "--het-group", "-V", "--whole", "--send-libs"),
}
_MPIRUN_VALUED = {
    *("-n", "-np", "-c", "-x", "-H", "-N", "-host", "-hostfile", "-machinefile", "-f", "-hosts", "-ppn", "-perhost"),
    *("-map-by", "-bind-to", "-rank-by", "-npernode", "-npersocket", "-wdir", "-wd", "-path", "-prefix", "-app"),
    *("-output-filename", "-stdin", "-timeout", "-tune", "-am", "-cpu-set", "-cpu-bind", "-depth", "-d", "-mem-bind"),
    *("-genvlist", "-envlist", "-outfile-pattern", "-errfile-pattern", "-configfile", "-rmk", "-launcher", "-iface"),
    *("-bootstrap", "-launcher-exec", "-bootstrap-exec", "-tag-output-file", "-report-uri", "-rf", "-rankfile"),
    *("-pernode-list", "-cpus-per-proc", "-cpus-per-rank", "-num-cores", "-max-restarts", "-dvm-uri", "-j", "-cc"),
    *("-binding", "-output", "-rsh-option", "-env-file"),
}
_PAIRS = {"-mca", "-gmca", "-omca", "-prtemca", "-pmixmca", "-genv", "-env", "-param"}
_APRUN_VALUED = {*("-n", "-N", "-d", "-S", "-sn", "-sl", "-j", "-cc", "-cp", "-e", "-r", "-m", "-a", "-L", "-l", "-p")}
_UNKNOWN_VALUE = re.compile(r"[\d$]")


@dataclass(frozen=True)
class Launch:
    """One line that starts a program on MPI ranks."""

    command: Command
    ranks: int | None
    per_node: int | None
    passed: frozenset[str]
    """Names that options pass, whatever else is passed."""
    export: str | None
    """srun --export, in its own words."""
    none_passed: bool
    """An option says that the script's environment stays here."""
    hosts: bool
    """It names the nodes itself."""
    mca: dict[str, str]
    outputs: tuple[str, ...]
    """What it is told to write the program's output to, with %t or the like for the MPI rank."""
    program: tuple[str, ...]

    @property
    def launcher(self) -> str:
        return family(self.command.name)


def family(name: str) -> str:
    """mpirun of mpirun.openmpi, mpiexec of mpiexec.hydra."""
    return name.split(".")[0]


def launches(script: Script) -> list[Launch]:
    """All of a script, in order."""
    size = JobSize.of(script)
    return [launch for command in script.commands for launch in _launch(command, size)]


def launch_of(command: Command) -> Launch | None:
    """How a command starts MPI ranks, if it does."""
    return next(_launch(command, JobSize()), None)


@dataclass(frozen=True)
class JobSize:
    """What the directives ask for; None if they do not say."""

    nodes: int | None = None
    per_node: int | None = None
    ranks: int | None = None

    @staticmethod
    def of(script: Script) -> "JobSize":
        nodes = number(script.option("--nodes", "-N") if _is_slurm(script) else None)
        per_node = number(script.option("--ntasks-per-node"))
        ranks = number(script.option("--ntasks", "-n")) if _is_slurm(script) else None
        for one in script.directives:
            if one.scheduler == "PBS" and one.option == "-l":
                nodes, per_node, ranks = _of_pbs(one.value, (nodes, per_node, ranks))
        if ranks is None and nodes is not None and per_node is not None:
            ranks = nodes * per_node
        return JobSize(nodes, per_node, ranks)


def _is_slurm(script: Script) -> bool:
    return any(one.scheduler == "SBATCH" for one in script.directives)


def _of_pbs(value: str, before: tuple[int | None, int | None, int | None]) -> tuple[int | None, int | None, int | None]:
    """select=2:ncpus=128:mpiprocs=128, nodes=2:ppn=8."""
    nodes, per_node, ranks = before
    match = re.search(r"select=([^,\s]+)", value)
    if match:
        chunks = [re.match(r"(\d+)(.*)", chunk) for chunk in match.group(1).split("+")]
        counts = [(int(chunk.group(1)), re.search(r"mpiprocs=(\d+)", chunk.group(2))) for chunk in chunks if chunk]
        nodes = sum(count for count, _ in counts) or nodes
        if counts and all(each for _, each in counts):
            ranks = sum(count * int(each.group(1)) for count, each in counts if each)
            per_node = max(int(each.group(1)) for _, each in counts if each)
    match = re.search(r"nodes=(\d+)(?::ppn=(\d+))?", value)
    if match:
        nodes = int(match.group(1))
        per_node = int(match.group(2)) if match.group(2) else per_node
    return nodes, per_node, ranks


def number(text: str | None) -> int | None:
    """A count, if the text is one."""
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


@dataclass
class _Options:
    ranks: int | None = None
    per_node: int | None = None
    passed: set[str] = field(default_factory=set)
    export: str | None = None
    none_passed: bool = False
    hosts: bool = False
    mca: dict[str, str] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)

    def take(self, option: str, value: str, second: str) -> None:
        """What an option says; all are written with one dash here."""
        if option in ("-n", "-np", "-ntasks"):
            self.ranks = number(value)
        elif option in ("-ppn", "-perhost", "-npernode", "-N", "-ntasks-per-node"):
            self.per_node = number(value)
        elif option in ("-mca", "-gmca", "-omca"):
            self.mca[value] = second
        elif option in ("-x", "-genv", "-env", "-e"):
            self.passed.add(value.split("=")[0])
        elif option in ("-genvlist", "-envlist"):
            self.passed |= set(value.split(","))
            self.none_passed = True
        elif option in ("-genvnone", "-envnone"):
            self.none_passed = True
        elif option == "-export":
            self.export = value
        elif option in ("-hostfile", "-machinefile", "-host", "-H", "-hosts", "-f"):
            self.hosts = True
        elif option in ("-output-filename", "-outfile-pattern", "-output"):
            self.outputs.append(value)


def _launch(command: Command, size: JobSize) -> Iterator[Launch]:
    if family(command.name) not in LAUNCHERS or len(command.words) < 2:
        return
    options, program = _parse(family(command.name), list(command.words[1:]))
    if not program:
        return
    ranks = options.ranks
    if ranks is None and family(command.name) not in ("aprun",):
        ranks = size.ranks if options.per_node is None or size.nodes is None else size.nodes * options.per_node
    yield Launch(
        command,
        ranks,
        options.per_node or size.per_node,
        frozenset(options.passed),
        options.export,
        options.none_passed,
        options.hosts,
        options.mca,
        tuple(options.outputs),
        tuple(program),
    )


def _parse(launcher: str, words: list[str]) -> tuple[_Options, list[str]]:
    """The options, and the program with its arguments."""
    options = _Options()
    while words and (words[0].startswith("-") or (launcher == "mpirun_rsh" and re.match(r"\w+=", words[0]))):
        word = words.pop(0)
        if not word.startswith("-"):
            options.passed.add(word.split("=")[0])
            continue
        if word == "--":
            break
        name, given, value = word.partition("=")
        name = name if len(name) < 3 else "-" + name.lstrip("-")
        if launcher == "srun":
            _take_srun(options, word, words)
        elif name in _PAIRS and not given:
            first = words.pop(0) if words else ""
            option_pair = name != "-env" or "=" not in first
            options.take(name, first, words.pop(0) if words and option_pair else "")
        elif given:
            options.take(name, value, "")
        else:
            options.take(name, _value(launcher, name, words), "")
    return options, words


def _take_srun(options: _Options, word: str, words: list[str]) -> None:
    name, given, value = word.partition("=")
    if not name.startswith("--") and len(name) > 2 and name not in _SRUN_FLAGS:
        name, value, given = word[:2], word[2:], "="
    if not given and name not in _SRUN_FLAGS and words:
        value = words.pop(0)
    long = {"-n": "-n", "-N": "", "-o": "-output", "-e": ""}.get(name, "-" + name.lstrip("-"))
    if name in ("-x", "-w", "-H", "-f"):  # of Slurm: nodes to leave out, and the like
        return
    options.take(long, value, "")


def _value(launcher: str, name: str, words: list[str]) -> str:
    valued = _APRUN_VALUED if launcher == "aprun" else _MPIRUN_VALUED
    if not words:
        return ""
    if name in valued or (name not in valued and _UNKNOWN_VALUE.match(words[0]) and len(words) > 1):
        return words.pop(0)
    return ""
