"""The line records of many processes as one table, for merge.py."""

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from headrace.trace.callers.find import Callers, object_path
from headrace.trace.profile import LINE, Profile
from headrace.trace.results import Statement

KINDS: tuple[Statement, ...] = ("library call", *get_args(Statement))
LIBRARY_CALL, RUN_TIME, NOT_FORTRAN = 12, 13, 14
INTERNAL = 64  # enum statement_traits


class Records:
    """The line records of all processes, as one table with columns for what was an offset in a file."""

    def __init__(self, profiles: Sequence[Profile], rates: Sequence[float], callers: Callers | None = None) -> None:
        self.texts: list[str] = [""]
        self._ids: dict[str, int] = {"": 0}
        self.lines = _joined([profile.lines for profile in profiles])
        self.process = np.repeat(np.arange(len(profiles)), [len(profile.lines) for profile in profiles])
        self.thread = _joined([profile.line_threads for profile in profiles])
        self.offset = _joined([profile.line_offsets for profile in profiles])
        self.source, self.name, self.format = (
            _joined([self._global(profile, profile.lines[column], str) for profile in profiles])
            for column in ("file", "name", "format")
        )
        self.module = _joined(
            [self._global(profile, profile.lines["module"], _path_in(profile)) for profile in profiles]
        )
        self.procedure = np.zeros(len(self.lines), np.int64)
        self._locate(callers or {})
        rate = np.asarray(rates)[self.process] if len(self.process) else np.zeros(0)
        ticks = self.lines["ticks"].astype(np.float64)
        nested = self.lines["nested_ticks"].astype(np.float64)
        self.rate = rate
        self.exclusive = np.maximum(ticks - nested, 0) * rate

    def keep(self, wanted: NDArray[np.bool_]) -> None:
        """Drop the records that are not wanted."""
        for column in (
            "lines",
            "process",
            "thread",
            "offset",
            "source",
            "name",
            "format",
            "module",
            "procedure",
            "rate",
            "exclusive",
        ):
            setattr(self, column, getattr(self, column)[wanted])

    def _global(self, profile: Profile, offsets: NDArray[Any], spelled: Callable[[str], str]) -> NDArray[np.int64]:
        distinct, inverse = np.unique(offsets, return_inverse=True)
        ids = [self._id(spelled(profile.texts[int(offset)])) for offset in distinct]
        return np.asarray(ids, np.int64)[inverse.reshape(-1)]

    def _id(self, text: str) -> int:
        number = self._ids.setdefault(text, len(self._ids))
        if number == len(self.texts):
            self.texts.append(text)
        return number

    def _locate(self, callers: Callers) -> None:
        """The procedures of all records, and the source lines of those whose run time passed none."""
        if not len(self.lines):
            return
        pairs = np.stack([self.module, self.lines["caller"].astype(np.int64)], axis=1)
        distinct, inverse = np.unique(pairs, axis=0, return_inverse=True)
        known = [callers.get(self.texts[module], {}).get(address) for module, address in distinct.tolist()]
        members = inverse.reshape(-1)
        self.procedure = np.asarray([self._id(found.procedure if found else "") for found in known], np.int64)[members]
        full = _full_names({self.texts[number] for number in np.unique(self.source).tolist()})
        file = np.asarray([self._id(full.get(found.file, found.file) if found else "") for found in known], np.int64)[
            members
        ]
        line = np.asarray([found.line if found else 0 for found in known], np.int32)[members]
        without = (self.source == 0) & (file > 0) & (line > 0)
        self.source[without] = file[without]
        self.lines["line"][without] = line[without]


def _full_names(sources: set[str]) -> dict[str, str]:
    """flang passes absolute names, its debug information has them as they were typed: one file, one name."""
    found: dict[str, set[str]] = {}
    for name in sources:
        parts = PurePath(name).parts
        for begin in range(1, len(parts) if name.startswith("/") else 0):
            found.setdefault("/".join(parts[begin:]), set()).add(name)
    return {typed: names.pop() for typed, names in found.items() if len(names) == 1 and typed not in sources}


def _path_in(profile: Profile) -> Callable[[str], str]:
    program = profile.member("program")
    return lambda name: object_path(name, program)


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, LINE)
