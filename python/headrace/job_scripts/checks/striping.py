"""HR931, HR932 and HR941: stripes of Lustre, and files of each MPI rank."""

import re
from collections.abc import Iterator

from headrace.job_scripts.finding import Facts, Finding, is_launcher
from headrace.job_scripts.hints import Hint, of_cray
from headrace.job_scripts.launch import number
from headrace.job_scripts.places import is_below
from headrace.job_scripts.script import Command
from headrace.job_scripts.shell import joined, read

MANY = 2000  # files in a directory, and MPI ranks that write one each: "thousands" of the guide
_RANK = re.compile(
    r"\$\{?(SLURM_PROCID|PMI_RANK|PMIX_RANK|OMPI_COMM_WORLD_RANK|PMI_ID|ALPS_APP_PE|MPI_RANK|PALS_RANKID|MV2_COMM_WORLD_RANK)\b"
)
_COUNT = ("-c", "--stripe-count", "--count")
_OTHERS = ("-S", "-s", "--stripe-size", "-i", "--stripe-index", "-o", "--offset", "--ost", "-p", "--pool", "-C", "-E")
_MAKERS = {"cp", "mv", "rsync", "tar", "scp", "touch", "wget", "curl", "unzip", "dd"}


def _setstripes(facts: Facts) -> Iterator[tuple[Command, int | None, list[str]]]:
    """Each lfs setstripe: its count, and the paths."""
    for command in facts.commands:
        if command.name != "lfs" or command.words[1:2] != ("setstripe",):
            continue
        count, paths, words = None, [], list(command.words[2:])
        while words:
            word = words.pop(0)
            name, given, value = word.partition("=")
            if re.fullmatch(r"-c-?\d+", word):
                name, given, value = "-c", "=", word[2:]
            if name in _COUNT:
                text = value if given else words.pop(0) if words else ""
                count = int(text) if re.fullmatch(r"-?\d+", text) else None
            elif name in _OTHERS:
                if not given and words:
                    words.pop(0)
            elif not word.startswith("-"):
                paths.append(joined(command.cwd, word))
        yield command, count, paths


def striping_after_files(facts: Facts) -> Iterator[Finding]:
    """Files came first: written by a program, or copied."""
    makers = [one for one in facts.commands if one.name in _MAKERS or is_launcher(one)]
    last = max((launch.command.order for launch in facts.launches), default=-1)
    for command, _, paths in _setstripes(facts):
        for path in paths:
            maker = next((one for one in makers if _comes_first(one, command) and _makes_files_in(one, path)), None)
            if maker is None or (is_launcher(maker) and last > command.order):
                continue
            what = f"lfs setstripe of {path or 'the directory'} comes after line {maker.line} has made files there"
            instead = f"{command.raw} before line {maker.line}"
            yield facts.finding("HR931", command.line, what, f"{instead}; for what exists: lfs migrate")


def _comes_first(one: Command, other: Command) -> bool:
    return one.order < other.order and not set(one.loops) & set(other.loops)


def _makes_files_in(command: Command, path: str) -> bool:
    if is_launcher(command):
        return bool(path) and command.cwd == path
    if command.name == "tar":
        where = [command.words[at + 1] for at, word in enumerate(command.words[:-1]) if word == "-C"]
        extracts = len(command.words) > 1 and "x" in command.words[1].lstrip("-")[:4]
        return extracts and is_below(joined(command.cwd, where[0] if where else ""), path) and bool(path)
    words = [word for word in command.words[1:] if not word.startswith("-")]
    targets = words if command.name == "touch" else words[-1:]
    return any(is_below(joined(command.cwd, word), path) for word in targets if path) and bool(words)


def one_stripe_shared(facts: Facts) -> Iterator[Finding]:
    """Hints for a shared file, and one stripe."""
    if not facts.is_many_nodes():
        return
    shared = [one for one in facts.script.assignments if one.name in ("MPICH_MPIIO_HINTS", "ROMIO_HINTS") and one.value]
    for one in shared:
        for hint in of_cray(one.value or "", one.line) if one.name == "MPICH_MPIIO_HINTS" else ():
            if isinstance(hint, Hint) and hint.name == "striping_factor" and hint.value == "1":
                what = "striping_factor=1 puts a file that all MPI ranks write on one server"
                yield facts.finding("HR932", hint.line, what, "striping_factor=-1, or the number of nodes")
    if not shared:
        return
    for command, count, paths in _setstripes(facts):
        runs_there = any(
            is_below(launch.command.cwd, path) or any(path in word for word in launch.program if path)
            for launch in facts.launches
            for path in paths
        )
        others = {each for _, each, _ in _setstripes(facts)}
        if count == 1 and runs_there and others == {1}:
            what = f"one stripe, and the hints of line {shared[0].line} are for one file that all MPI ranks write"
            words = " ".join(command.words)
            yield facts.finding(
                "HR932", command.line, what, re.sub(r"(-c|--stripe-count)([ =]?)1\b", r"\1\g<2>-1", words)
            )


def file_per_rank_directory(facts: Facts) -> Iterator[Finding]:
    """Output names with the number of the MPI rank, on thousands of them."""
    for launch in facts.launches:
        if (launch.ranks or 0) < MANY:
            continue
        names = [name for name in launch.outputs if re.search(r"%\d*[tr]", name)]
        if launch.launcher in ("mpirun", "orterun"):  # Open MPI adds the number itself
            names += [name for name in launch.outputs if "-output-filename" in " ".join(launch.command.words)]
        names += [word for text in _shell_texts(launch.program) for word in _written_in(facts, text)]
        for name in dict.fromkeys(names):
            if _RANK.search(name.rpartition("/")[0]) or re.search(r"%\d*[tn].*/", name):
                continue  # a directory for each of them, or for each node
            what = f"'{name}' is a file for each of {launch.ranks:,} MPI ranks, all in one directory"
            yield facts.finding("HR941", launch.command.line, what, _fewer_files(launch.launcher))


def _fewer_files(launcher: str) -> str:
    if launcher == "srun":
        return "srun --output=out.%N for a file of each node, or --label and one file"
    return "one file, with the MPI rank before each line, or one for each node"


def _shell_texts(program: tuple[str, ...]) -> Iterator[str]:
    """What `bash -c` gets to run."""
    if program and program[0].rsplit("/", 1)[-1] in ("sh", "bash") and len(program) > 2 and program[1] in ("-c", "-lc"):
        yield program[2]


def _written_in(facts: Facts, text: str) -> Iterator[str]:
    for command in read(facts.path, text).commands:
        for one in command.redirects:
            if one.operator.startswith((">", "&>")) and number(one.target) is None and _RANK.search(one.target):
                yield one.target
