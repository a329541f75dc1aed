"""HR961 and HR962: output to a directory of the node, or to the home file system."""

import re
from collections.abc import Iterator

from headrace.job_scripts.finding import Facts, Finding
from headrace.job_scripts.launch import Launch
from headrace.job_scripts.places import is_below, place_of
from headrace.job_scripts.shell import joined

_SAYS_OUTPUT = re.compile(r"--?(o|out\w*|output[\w-]*|outdir|result\w*|write[\w-]*|checkpoint[\w-]*|dump[\w-]*)$")
_SAID = re.compile(r"(?:--?)?(?:out|output|outdir|outfile|output[_-]\w+|checkpoint\w*|dump\w*)=(.+)", re.I)
_CARRIERS = {"cp", "mv", "rsync", "tar", "scp", "zip", "gzip", "sgather", "globus", "dd", "zstd", "pigz"}
_LOG = re.compile(r"(\.(log|out|err|txt|stdout|stderr|o|e|lis|time|prof)\b|log|out$|err$|%j|/dev/)", re.I)


def _outputs(launch: Launch) -> Iterator[tuple[str, str]]:
    """Where a program writes, as its line says: the path, and in words why."""
    command = launch.command
    if command.cwd:
        yield command.cwd, f"the program runs in {command.cwd}"
    for one in command.redirects:
        if one.operator.startswith((">", "&>")) and not one.target.isdigit() and not _LOG.search(one.target):
            yield joined(command.cwd, one.target), f"the program's output goes to {one.target}"
    words = launch.program[1:]
    for before, word in zip(("", *words), words, strict=False):
        said = _SAID.fullmatch(word)
        if said:
            yield joined(command.cwd, said.group(1)), f"the program is told to write to {said.group(1)}"
        elif _SAYS_OUTPUT.fullmatch(before) and not word.startswith("-"):
            yield joined(command.cwd, word), f"the program is told to write to {word}"


def output_to_tmp(facts: Facts) -> Iterator[Finding]:
    """/tmp, /var/tmp and /dev/shm, if nothing carries the files away."""
    for launch in facts.launches:
        for path, why in _outputs(launch):
            if place_of(path) == "temporary" and not _is_carried(facts, launch, path):
                nodes = "of each node" if facts.is_many_nodes() else "of the node"
                yield facts.finding(
                    "HR961",
                    launch.command.line,
                    f"{why}, a directory {nodes}, and nothing copies it back",
                    f'cp -r --backup=numbered {path} "{_submitted(facts)}"',
                )
                break


def _submitted(facts: Facts) -> str:
    """Where the job came from, in the scheduler's word."""
    schedulers = {one.scheduler for one in facts.script.directives}
    return "$SLURM_SUBMIT_DIR" if "SBATCH" in schedulers else "$PBS_O_WORKDIR" if schedulers else "$OLDPWD"


def _is_carried(facts: Facts, launch: Launch, path: str) -> bool:
    """Whether a later command names the directory, or works in it."""
    for command in facts.commands:
        if command.order <= launch.command.order:
            continue
        mover = command.name in _CARRIERS or facts.is_program(command)
        near = [joined(command.cwd, word) for word in command.words[1:]]
        if mover and (
            is_below(command.cwd, path) or any(is_below(word, path) or is_below(path, word) for word in near)
        ):
            return True
    return False


def output_to_home(facts: Facts) -> Iterator[Finding]:
    """The working directory, or files that are named: on more than one node."""
    if not facts.is_many_nodes():
        return
    told = set[str]()
    for launch in facts.launches:
        for path, why in _outputs(launch):
            if place_of(path) == "home" and path not in told:
                told.add(path)
                yield facts.finding(
                    "HR962",
                    launch.command.line,
                    f"{why}, on the home file system, as its name says",
                    "cd to the directory of the parallel file system that the site names for jobs",
                )
                break
