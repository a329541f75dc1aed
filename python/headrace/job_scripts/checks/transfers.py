"""HR951, HR952 and HR953: archives, many small files, and input that every MPI rank reads."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from headrace.job_scripts.finding import Facts, Finding, shown
from headrace.job_scripts.launch import Launch, number
from headrace.job_scripts.places import is_on_the_node, place_of
from headrace.job_scripts.script import Command, Loop
from headrace.job_scripts.shell import joined, read

BLOCKS = 2048  # of 512 bytes: a MiB
MANY = 1000  # files
_TAR_VALUED = "bfCTXgHIKLNV"  # options of one letter that have a value
_COMPRESSORS = ("gzip", "bzip2", "xz", "lzma", "lzip", "lzop", "zstd", "compress", "use-compress-program")
_COPIERS = {"cp", "rsync", "scp", "mv", "dd", "gsutil", "globus", "sftp", "bbcp"}


@dataclass
class _Tar:
    mode: str = ""
    archive: str = ""
    directory: str = ""
    blocks: int | None = None
    blocks_given: bool = False
    compresses: bool = False
    by_name: bool = False


def tar_blocks(facts: Facts) -> Iterator[Finding]:
    """tar -x or -c on a shared file system, without large blocks."""
    for command in facts.commands:
        if command.name not in ("tar", "gtar") or len(command.words) < 2:
            continue
        tar = _tar(command.words[1:])
        if tar.mode not in ("x", "c") or (tar.blocks_given and (tar.blocks is None or tar.blocks >= BLOCKS)):
            continue
        if tar.mode == "x":
            place = joined(command.cwd, tar.directory)
            verb = "writes to"
        else:
            place = joined(command.cwd, tar.archive)
            verb = "writes"
            if tar.archive in ("", "-") or ":" in tar.archive:  # to another command, or another machine
                continue
            # What compresses writes the archive, in blocks of its own whatever -b says.
            if tar.compresses or (tar.by_name and not tar.archive.endswith(".tar")):
                continue
        if place_of(place) != "other":  # the guide's advice is for parallel file systems
            continue
        blocks = f"blocks of {tar.blocks * 512 / 1024:g} KiB" if tar.blocks else "blocks of 10 KiB"
        what = f"tar {verb} {place or 'the directory of the job'} in {blocks}; on Lustre it should be 1 MiB"
        yield facts.finding("HR951", command.line, what, _with_blocks(command, tar))


def _with_blocks(command: Command, tar: _Tar) -> str:
    """The line of the script, with large blocks."""
    if tar.blocks_given:
        return re.sub(rf"(?<!\d){tar.blocks}(?!\d)", str(BLOCKS), command.raw, count=1)
    match = re.search(r"\bg?tar\s+(-?)", command.raw)
    if not match:  # its name is in a variable
        first = command.words[1] if command.words[1].startswith("-") else f"-{command.words[1]}"
        return shown([command.words[0], "-b", str(BLOCKS), first, *command.words[2:]])
    return f"{command.raw[: match.start(1)]}-b {BLOCKS} -{command.raw[match.end() :]}"


def _tar(words: tuple[str, ...]) -> _Tar:
    """tar's options, in all three styles."""
    tar, rest = _Tar(), list(words)
    first = rest[0]
    if not first.startswith("-"):  # the old style: all letters first, then their values
        rest = rest[1:]
        for letter in first:
            value = rest.pop(0) if letter in _TAR_VALUED and rest else ""
            _take(tar, letter, value)
    while rest:
        word = rest.pop(0)
        if word.startswith("--"):
            name, given, value = word[2:].partition("=")
            letter = {"extract": "x", "get": "x", "create": "c", "list": "t", "file": "f", "directory": "C"}.get(
                name, ""
            )
            letter = "b" if name == "blocking-factor" else letter
            tar.compresses |= name in _COMPRESSORS
            tar.by_name |= name == "auto-compress"
            if letter and letter in _TAR_VALUED and not given and rest:
                value = rest.pop(0)
            _take(tar, letter, value)
        elif word.startswith("-") and len(word) > 1:
            for at, letter in enumerate(word[1:], 2):
                if letter in _TAR_VALUED:
                    _take(tar, letter, word[at:] or (rest.pop(0) if rest else ""))
                    break
                _take(tar, letter, "")
    return tar


def _take(tar: _Tar, letter: str, value: str) -> None:
    if letter and letter in "xct" and not tar.mode:
        tar.mode = letter
    elif letter == "f":
        tar.archive = value
    elif letter == "C":
        tar.directory = value
    elif letter and letter in "zjJZI":
        tar.compresses = True
    elif letter == "a":  # by the ending of the name
        tar.by_name = True
    elif letter == "b":
        tar.blocks, tar.blocks_given = number(value), True


def files_one_by_one(facts: Facts) -> Iterator[Finding]:
    """A command for each of many files: find -exec, xargs -n 1, loops over names."""
    told = set[int]()
    for command in facts.commands:
        found = _by_find(command) or _by_xargs(command) or _by_loop(command)
        if found and command.line not in told and command.name != "mv":
            told.add(command.line)
            what, instead = found
            yield facts.finding("HR952", command.line, what, instead)


def _by_find(command: Command) -> tuple[str, str] | None:
    words = command.words
    if command.name != "find" or "-exec" not in words:
        return None
    at = words.index("-exec")
    if len(words) > at + 1 and words[at + 1].rsplit("/", 1)[-1] in _COPIERS and words[-1] != "+":
        target = words[-2] if words[-1] == ";" else words[-1]
        if re.search(r"\.\w+$", target):  # one file
            return None
        return (
            f"find starts {words[at + 1]} once for each file",
            f"find ... -exec cp -t {target} {{}} +, or one archive: tar -b {BLOCKS} -cf all.tar DIRECTORY",
        )
    return None


def _by_xargs(command: Command) -> tuple[str, str] | None:
    words = list(command.words)
    if command.name != "xargs":
        return None
    single = any(word in ("-n1", "-L1", "-I", "-i") or re.match(r"-I.", word) for word in words) or any(
        words[at : at + 2] in (["-n", "1"], ["-L", "1"]) for at in range(len(words))
    )
    if single and any(word.rsplit("/", 1)[-1] in _COPIERS for word in words[1:]):
        return "xargs starts a command for each file", "xargs cp -t DIRECTORY, or one archive"
    return None


def _by_loop(command: Command) -> tuple[str, str] | None:
    if command.name not in _COPIERS - {"dd"} or not command.loops:
        return None
    counts = [_times(loop) for loop in command.loops]
    times = 1
    for count in counts:
        times *= count or 1
    whole = {"-r", "-R", "-a", "--recursive", "--archive"} & set(command.words) and command.name in ("cp", "scp")
    listed = [loop for loop in command.loops if _lists_files(loop, command.name)] if not whole else []
    if times >= MANY:
        return (
            f"the loop of line {command.loops[0].line} starts {command.name} {times:,} times",
            "one archive, or one rsync",
        )
    if listed:
        return (
            f"the loop of line {listed[0].line} starts {command.name} once for each file that is listed",
            "one rsync or cp of the directory; for thousands of small files an archive",
        )
    return None


def _times(loop: Loop) -> int | None:
    if loop.kind != "for":
        return None
    total = 0
    for word in loop.words:
        numbers = re.fullmatch(r"\{(\d+)\.\.(\d+)\}", word) or re.fullmatch(
            r"(?:\$\(|`)\s*seq\s+(?:-w\s+)?(\d+)\s+(\d+)\s*[)`]", word
        )
        upto = re.fullmatch(r"(?:\$\(|`)\s*seq\s+(?:-w\s+)?(\d+)\s*[)`]", word)
        if numbers:
            total += abs(int(numbers.group(2)) - int(numbers.group(1))) + 1
        else:
            total += int(upto.group(1)) if upto else 1
    return total


def _lists_files(loop: Loop, copier: str) -> bool:
    """`find` without directories; `ls` if what is copied is a file each time."""
    for word in loop.words:
        listing = re.match(r"(?:\$\(|`)\s*(find|ls)\b(.*)", word, re.DOTALL)
        directories = listing and re.search(r"-type\s+d|\s-\w*d\b|\*/", listing.group(2))
        if listing and not directories and (listing.group(1) == "find" or copier in ("cp", "scp")):
            return True
    return False


def input_by_every_rank(facts: Facts) -> Iterator[Finding]:
    """Copies, archives and redirected input on every MPI rank, from a path that all nodes share."""
    for launch in facts.launches:
        if launch.per_node == 1 or (launch.ranks is not None and launch.ranks < 2):
            continue
        if launch.ranks is None and not facts.is_many_nodes():
            continue
        for name, path in _read_by(facts, launch.program, launch.command.cwd):
            if not is_on_the_node(path):
                count = f"each of {launch.ranks:,} MPI ranks" if launch.ranks else "each MPI rank"
                yield facts.finding(
                    "HR953",
                    launch.command.line,
                    f"{name} on {count} reads {path}, which all nodes share",
                    _once_a_node(launch, path),
                )


def _once_a_node(launch: Launch, path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    if launch.launcher == "srun":
        return shown(["sbcast", path, f"/tmp/{name}"])
    once = ["-N", "1"] if launch.launcher == "aprun" else ["--map-by", "ppr:1:node"]
    return shown([launch.command.name, *once, "cp", path, "/tmp/"])


def _read_by(facts: Facts, program: tuple[str, ...], cwd: str) -> Iterator[tuple[str, str]]:
    name = program[0].rsplit("/", 1)[-1]
    arguments = [word for word in program[1:] if not word.startswith("-")]
    if name in ("cp", "rsync") and len(arguments) > 1:
        yield from ((name, joined(cwd, word)) for word in arguments[:-1])
    elif name == "tar":
        tar = _tar(program[1:]) if len(program) > 1 else _Tar()
        if tar.mode == "x" and tar.archive not in ("", "-"):
            yield name, joined(cwd, tar.archive)
    elif name in ("sh", "bash") and len(program) > 2 and program[1] in ("-c", "-lc"):
        for command in read(facts.path, program[2], cwd).commands:
            for one in command.redirects:
                if one.operator == "<":
                    yield command.name, joined(command.cwd, one.target)
            if command.words and command.name not in ("sh", "bash"):
                yield from _read_by(facts, command.words, command.cwd)
