"""A trace as one file, NAME.headrace-trace: a zip file with the profiles of all processes, and run.json about the run.

Profiles are kept as they are, so that a later headrace sees in them what this one does not show yet.
"""

import contextlib
import datetime
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from headrace.errors import HeadraceError
from headrace.trace.callers.find import Callers, packed, unpacked
from headrace.trace.launch import ENDING
from headrace.trace.merge import Run
from headrace.trace.profile import Profile, read_profile, used_bytes
from headrace.trace.sources import Sources

VERSION = 1
_RUN = "run.json"
_PROFILE_ENDING = ".profile"
_NAMES_TRIED = 10_000


@dataclass
class Recorded:
    """What an archive or a directory of profiles holds."""

    run: Run
    profiles: list[Profile]
    sources: Sources = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    costs: dict[str, Any] = field(default_factory=dict)  # advice/costs.py: Inputs; empty: advice was not asked for
    callers: Callers | None = None  # None: nobody has looked yet


def write_archive(recorded: Recorded, folder: Path, path: Path) -> Path:
    """Write a trace, whole or not at all; returns its name, which is NAME.2 or NAME.3 if there is a NAME.

    The profiles are files of `folder`.
    """
    about = {
        "headrace-trace": VERSION,
        **asdict(recorded.run),
        "sources": recorded.sources,
        "notes": recorded.notes,
        "costs": recorded.costs,
        "callers": packed(recorded.callers or {}),
    }
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, True, 1) as box:
                box.writestr(_RUN, json.dumps(about))
                for profile in recorded.profiles:
                    box.writestr(profile.name, used_bytes((folder / profile.name).read_bytes()))
            temporary.chmod(0o666 & ~_umask())
            return _give_free_name(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise HeadraceError(f"{path}: the trace cannot be written: {error.strerror}", "choose another place") from error


def _give_free_name(temporary: Path, path: Path) -> Path:
    stem = path.name.removesuffix(ENDING)
    for number in range(1, _NAMES_TRIED):
        free = path if number == 1 else path.with_name(f"{stem}.{number}{ENDING}")
        try:
            os.link(temporary, free)  # fails if there is one: rename would replace it
            return free
        except FileExistsError:
            continue
        except OSError:  # a file system without links
            with contextlib.suppress(FileExistsError):
                os.close(os.open(free, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                temporary.replace(free)
                return free
    raise HeadraceError(f"{path}: there are {_NAMES_TRIED:,} traces of this name", "remove some")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load(path: Path) -> Recorded:
    """Read an archive, a directory of profiles, or one profile. Raises HeadraceError that says what is wrong."""
    try:
        if path.is_dir():
            return read_directory(path)
        with path.open("rb") as file:
            start = file.read(8)
        if start.startswith(b"hrtrace"):
            return _from_profiles(path, iter([(path.name, path.read_bytes())]))
        return _read_archive(path)
    except OSError as error:
        raise HeadraceError(
            f"{path}: cannot be read: {error.strerror}", f"name a file NAME{ENDING}, or a directory of profiles"
        ) from error


def read_directory(folder: Path) -> Recorded:
    """The profiles that processes left in a directory: of a run whose launcher did not come to its end."""
    found = sorted(folder.glob(f"*{_PROFILE_ENDING}"))
    if not found:
        raise HeadraceError(
            f"{folder}: there is no profile in this directory",
            "traced programs leave HOST.PROCESS.0.profile in the directory that HEADRACE_TRACE_DIRECTORY names",
        )
    return _from_profiles(folder, ((path.name, path.read_bytes()) for path in found))


def read_profiles(pairs: Iterator[tuple[str, bytes]]) -> tuple[list[Profile], list[str]]:
    """Profiles by their names and bytes. One that cannot be read is left out with a note, unless all are such."""
    profiles: list[Profile] = []
    notes: list[str] = []
    first_error: HeadraceError | None = None
    for name, data in pairs:
        try:
            profile = read_profile(data, name)
        except HeadraceError as error:
            first_error = first_error or error
            notes.append(f"left out: {error.message}")
            continue
        if profile is None:
            notes.append(f"{name}: an empty profile: its process ended before it could write one")
        else:
            profiles.append(profile)
    if first_error and not profiles:
        raise first_error
    return profiles, notes


def _from_profiles(path: Path, pairs: Iterator[tuple[str, bytes]]) -> Recorded:
    profiles, notes = read_profiles(pairs)
    if not profiles:
        raise HeadraceError(f"{path}: there is no profile with anything in it", *notes[:1])
    begun = min(profile.begun for profile in profiles)
    wall = max(profile.begun + profile.seconds(profile.seconds_per_tick) for profile in profiles) - begun
    hosts = dict.fromkeys(profile.member("host") for profile in profiles)
    date = datetime.datetime.fromtimestamp(begun, datetime.timezone.utc).isoformat(timespec="seconds")
    notes.append("the wall time is that from the first I/O statement to the last")
    return Recorded(Run([], date, ", ".join(hosts), wall, None, ""), profiles, {}, notes)


def _read_archive(path: Path) -> Recorded:
    try:
        with zipfile.ZipFile(path) as box:
            about = json.loads(box.read(_RUN))
            names = [name for name in box.namelist() if name != _RUN]
            if not isinstance(about, dict) or not isinstance(about.get("headrace-trace"), int):
                raise KeyError(_RUN)
            if about["headrace-trace"] > VERSION:
                raise HeadraceError(
                    f"{path}: a trace of version {about['headrace-trace']}, this headrace reads up to {VERSION}",
                    "show it with the headrace that made it, or a newer one",
                )
            profiles, notes = read_profiles((name, box.read(name)) for name in names)
            return _recorded(about, profiles, notes)
    except (zipfile.BadZipFile, zlib.error, KeyError, TypeError, ValueError, AttributeError, EOFError) as error:
        raise HeadraceError(
            f"{path}: not a trace, or one that is cut off or damaged ({error})",
            f"name a file NAME{ENDING} that headrace trace wrote, or a directory of profiles",
        ) from error


def _recorded(about: dict[str, Any], profiles: list[Profile], notes: list[str]) -> Recorded:
    known: dict[str, Any] = {name: about[name] for name in Run.__dataclass_fields__}
    run = Run(**known)
    sources = {
        file: {int(line): text for line, text in lines.items()} for file, lines in about.get("sources", {}).items()
    }
    costs = about.get("costs", {})
    notes = [*about.get("notes", []), *notes]
    return Recorded(
        run, profiles, sources, notes, costs if isinstance(costs, dict) else {}, unpacked(about.get("callers", {}))
    )


def chosen_ranks(profiles: Sequence[Profile], mpi_rank: int) -> list[Profile]:
    """Those of one MPI rank. Raises HeadraceError if there is none."""
    wanted = [profile for profile in profiles if int(profile.header["mpi_rank"]) == mpi_rank]
    if not wanted:
        known = sorted({int(profile.header["mpi_rank"]) for profile in profiles if profile.header["mpi_rank"] >= 0})
        there = f"there are {_ranges(known)}" if known else "no process of the trace knows its MPI rank"
        raise HeadraceError(f"no process of MPI rank {mpi_rank} is in the trace", there)
    return wanted


def _ranges(numbers: list[int]) -> str:
    if len(numbers) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"MPI ranks {numbers[0]} to {numbers[-1]}"
    return f"MPI ranks {', '.join(map(str, numbers[:20]))}{', ...' if len(numbers) > 20 else ''}"
