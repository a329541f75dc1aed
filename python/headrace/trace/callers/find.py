"""The callers of all statements of a run, looked up once on the machine that it ran on, and kept in the trace."""

import contextlib
from collections.abc import Sequence
from pathlib import Path, PurePath

import numpy as np

from headrace.trace.callers.objects import Caller, ask, libraries_inside
from headrace.trace.profile import Profile

Callers = dict[str, dict[int, Caller]]  # by object and by offset in it


def object_path(name: str, program: str) -> str:
    """Where an object lies; the loader calls a program as its user typed it."""
    if name and not PurePath(name).is_absolute() and PurePath(name).name == PurePath(program).name:
        return program
    return name


def find_callers(profiles: Sequence[Profile]) -> tuple[Callers, list[str]]:
    """Who called, and what must be said of objects that do not tell."""
    wanted: dict[str, dict[int, bool]] = {}
    fortran: set[str] = set()
    first_use: dict[str, float] = {}
    for profile in profiles:
        program = profile.member("program")
        for module in np.unique(profile.lines["module"]).tolist():
            path = object_path(profile.texts[module], program)
            if not path:
                continue
            records = profile.lines[profile.lines["module"] == module]
            without_line = set(np.unique(records["caller"][records["file"] == 0]).tolist())
            asked_for = wanted.setdefault(path, {})
            for address in np.unique(records["caller"]).tolist():
                asked_for[address] = asked_for.get(address, False) or address in without_line
            first_use[path] = min(first_use.get(path, profile.begun), profile.begun)
            if np.any(records["file"] != 0):
                fortran.add(path)
    callers: Callers = {}
    notes = []
    for path, addresses in wanted.items():
        try:
            if Path(path).stat().st_mtime > first_use[path] + 1:
                notes.append(
                    f"{path} was changed after the run began: its procedures and calling lines are not looked up"
                )
                continue
            asked = ask(Path(path), addresses)
        except OSError as error:
            notes.append(f"{path} cannot be read ({error.strerror}): its procedures and calling lines are not known")
            continue
        callers[path] = {
            address: caller for address, caller in asked.callers.items() if any((caller.procedure, caller.line))
        }
        if asked.is_stripped and path in fortran and len(callers[path]) < len(addresses):
            notes.append(f"{path} is stripped: it does not tell its procedures, so totals per procedure leave them out")
    return callers, notes + _libraries_inside(profiles)


def _libraries_inside(profiles: Sequence[Profile]) -> list[str]:
    """What is not counted, because nothing can come between a program and what is linked into it."""
    notes = []
    for program in dict.fromkeys(profile.member("program") for profile in profiles):
        with contextlib.suppress(OSError):
            found = libraries_inside(Path(program))
            if found:
                are = "is" if len(found) == 1 else "are"
                its = "its" if len(found) == 1 else "their"
                notes.append(
                    f"{' and '.join(found)} {are} linked into {program}: {its} calls are counted as (not Fortran); "
                    "link the shared library to see them by name"
                )
    return notes


def packed(callers: Callers) -> dict[str, dict[str, list[str | int]]]:
    """For the file of the trace."""
    return {
        path: {str(address): [caller.procedure, caller.file, caller.line] for address, caller in found.items()}
        for path, found in callers.items()
    }


def unpacked(data: dict[str, dict[str, list[str | int]]]) -> Callers:
    """The same, read. Raises what a damaged file raises: ValueError, TypeError."""
    return {
        path: {int(address): Caller(str(name), str(file), int(line)) for address, (name, file, line) in found.items()}
        for path, found in data.items()
    }
