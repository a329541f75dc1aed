"""Command-line arguments that several commands have, and their types."""

import argparse
import contextlib
import re
import shlex
from pathlib import Path
from typing import Any

from headrace.errors import HeadraceError


def add_compilers(group: "argparse._ArgumentGroup", names: str) -> None:
    """--fc and --flags; `names` says what a compiler is called by."""
    group.add_argument(
        "--fc",
        action="append",
        default=[],
        metavar="COMPILER",
        help=f"Fortran compiler, {names}; may be repeated (default: all found)",
    )
    group.add_argument(
        "--flags", type=words, metavar="FLAGS", help="flags for every compiler, in one string (default: -O2)"
    )


def add_directory(group: "argparse._ArgumentGroup") -> None:
    """--dir of the benchmarks that write in memory."""
    group.add_argument(
        "--dir",
        type=directory,
        metavar="DIR",
        help="directory to write in (default: /dev/shm if there is one, else the current one)",
    )


def add_how_long(
    group: "argparse._ArgumentGroup",
    budget: str,
    shortest: str = "0.2",
    one: tuple[str, str] = ("transfer", "transfer"),
    limit: float = 120.0,
    seed_of: str = "seed of the data and of the order",
) -> None:
    """--rounds to --seed. `budget` and `shortest` tell defaults; `one` is what is timed, and what must end in time."""
    group.add_argument("--rounds", type=positive, default=6, metavar="N", help="at least N rounds (default: 6)")
    group.add_argument("--min-time", type=seconds, metavar="S", help=f"shortest {one[0]} (default: {shortest})")
    group.add_argument(
        "--time-budget",
        type=seconds,
        metavar="S",
        help=f"no new {one[0]} after so many seconds; one round always runs (default: {budget})",
    )
    group.add_argument(
        "--limit",
        type=seconds,
        default=limit,
        metavar="S",
        help=f"longest time for one {one[1]} (default: {limit:.0f})",
    )
    group.add_argument("--seed", type=seed, default=1, help=f"{seed_of} (default: 1)")


def add_output(group: "argparse._ArgumentGroup") -> None:
    """--json and --quiet."""
    group.add_argument(
        "--json", type=results_file, metavar="FILE", help="results file (default: none; - prints it instead of tables)"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="no progress")


def common_options(arguments: argparse.Namespace, budget: float, shortest: float = 0.2) -> dict[str, Any]:
    """What all of these benchmarks take: members of BenchOptions in measure/runs.py."""
    return {
        "compilers": arguments.fc,
        "flags": arguments.flags,
        "directory": arguments.dir,
        "rounds": arguments.rounds,
        "minimum_seconds": arguments.min_time or shortest,
        "time_budget": arguments.time_budget or budget,
        "limit": arguments.limit,
        "seed": arguments.seed,
        "json": arguments.json,
    }


def words(text: str) -> list[str]:
    """Compiler flags, split as a shell would."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' cannot be split into flags: {error}") from error


def directory(text: str) -> Path:
    """A name that is not empty: that of an unset variable would be the current directory."""
    return Path(_not_empty(text, "of a directory"))


def file(text: str) -> Path:
    """The same for a file, without the slash that pathlib would take away."""
    refuse_slash(_not_empty(text, "of a file"))
    return Path(text)


def file_or_store(text: str) -> str:
    """The same for what may be a directory; the slash behind it is kept."""
    return _not_empty(text, "of a file")


def results_file(text: str) -> str:
    """The same; - is standard output."""
    if text != "-":
        file(text)
    return text


def existing(name: str) -> Path:
    """The path of what is read; raises HeadraceError for a slash behind anything but a directory."""
    path = Path(name)
    with contextlib.suppress(OSError):  # who reads it says why
        if path.exists() and not path.is_dir():
            refuse_slash(name)
    return path


def refuse_slash(name: str, format: str = "") -> None:
    """Raises HeadraceError for the name of a file with a slash behind it, in the library's words."""
    if name.endswith("/"):
        wanted = f"; {format} files are files" if format else ", not a file"
        raise HeadraceError(
            f"{name}: the name ends in a slash, which names a directory{wanted}",
            "leave out the slash, or name a file in that directory",
        )


def names(text: str) -> str:
    """One name or several with commas between; none would mean all."""
    if not all(word.strip() for word in text.split(",")):
        raise argparse.ArgumentTypeError(f"an empty name in '{text}': is a variable of the shell not set?")
    return text


def _not_empty(text: str, what: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(f"an empty name {what}: is a variable of the shell not set?")
    return text


def seed(text: str) -> int:
    """A whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None


def positive(text: str) -> int:
    """A whole number above 0."""
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return int(text)


def count(text: str) -> int:
    """A whole number from 0 on, also as 1e7."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (0 <= value < 1e12 and value == int(value)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of values; write for example 1e7")
    return int(value)


def seconds(text: str) -> float:
    """A time above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time in seconds above 0")
    return value


def size(text: str) -> int:
    """Bytes from '64MiB', '1.5GB', '4096'."""
    match = re.fullmatch(r"\s*([\d.]+(?:[eE][+-]?\d+)?)\s*([kKMGT]i?)?B?\s*", text)
    units = {
        "": 1,
        "k": 10**3,
        "K": 10**3,
        "M": 10**6,
        "G": 10**9,
        "T": 10**12,
        "ki": 2**10,
        "Ki": 2**10,
        "Mi": 2**20,
        "Gi": 2**30,
        "Ti": 2**40,
    }
    try:
        value = int(float(match[1]) * units[match[2] or ""]) if match else 0
    except (ValueError, OverflowError):
        value = 0
    if not 24 <= value < 2**62:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a size of 24 bytes or more; write for example 64MiB or 1.5GB: "
            "bytes, kB, MB, GB, TB (1000), KiB, MiB, GiB, TiB (1024)"
        )
    return value
