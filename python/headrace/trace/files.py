"""The files that Fortran statements used, merged over processes by their paths."""

from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.trace.profile import Profile
from headrace.trace.records import INTERNAL, Records
from headrace.trace.results import File, FileKind, Place

# Units that gfortran and flang connect before the program begins: no OPEN, so no path.
PRECONNECTED = {5: "(standard input)", 6: "(standard output)", 0: "(standard error)"}
KINDS: tuple[FileKind, ...] = ("unknown", "regular", "terminal", "pipe", "other")
VARIOUS = "various"  # also in intercept/trace/connections.c
_NO_UNIT = 1 - 2**31  # unit_none of intercept/events.h
_PLACES_KEPT = 8


class FileTable:
    """All files of a run, and to which of them each record of a line went."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self.files: list[File] = []
        self._ids: dict[str, int] = {}
        self._places: dict[tuple[str, int], int] = {}
        of_record, opened = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for profile in profiles:
            at = {0: (-1, -1)} | {
                int(offset): self._add(profile, record)
                for offset, record in zip(profile.connection_offsets, profile.connections, strict=True)
            }
            distinct, inverse = np.unique(profile.lines["connection"], return_inverse=True)
            ids = np.asarray([at.get(int(offset), (-1, -1)) for offset in distinct], np.int64).reshape(-1, 2)
            found, places = ids[inverse.reshape(-1)].T
            for unit, name in PRECONNECTED.items():
                without = (found < 0) & (profile.lines["unit"] == unit) & (profile.lines["connection"] == 0)
                without &= (profile.lines["kind"] <= 2) & (profile.lines["traits"] & INTERNAL == 0)  # READ and WRITE
                if without.any():
                    found[without] = self._id(name)
            of_record.append(found)
            opened.append(places)
        self.of_record = np.concatenate(of_record)
        self.opened = np.concatenate(opened)

    def _id(self, path: str) -> int:
        number = self._ids.setdefault(path, len(self.files))
        if number == len(self.files):
            empty: dict[str, Any] = dict.fromkeys(("form", "access", "action", "convert"), "")
            counts: dict[str, Any] = dict.fromkeys(
                (
                    *("opens", "closes", "write_calls", "read_calls", "seek_calls"),
                    *("bytes_written", "bytes_read", "record_length", "processes"),
                ),
                0,
            )
            self.files.append(File(id=number, path=path, opened_at=[], kind="unknown", seconds=0.0, **empty, **counts))
        return number

    def _add(self, profile: Profile, record: Any) -> tuple[int, int]:
        """The numbers of the file and of the place that opened it."""
        file = self.files[self._id(profile.texts[int(record["path"])] or "(no name)")]
        place = Place(file=profile.texts[int(record["opened_in"])], line=int(record["opened_line"]))
        if place.file and place not in file.opened_at and len(file.opened_at) < _PLACES_KEPT:
            file.opened_at.append(place)
        for name in ("form", "access", "action", "convert"):
            if not getattr(file, name):
                setattr(file, name, profile.texts[int(record[name])].lower())
        unit = int(record["unit"])
        file.unit = unit if unit != _NO_UNIT and (not file.opens or file.unit == unit) else None
        for name in ("status", "position"):  # to leave one out is to ask for something, too
            asked = profile.texts[int(record[name])].lower()
            setattr(file, name, asked if not file.opens or asked == getattr(file, name) else VARIOUS)
        file.record_length = file.record_length or max(0, int(record["record_length"]))
        if file.kind == "unknown" and record["kind"] < len(KINDS):
            file.kind = KINDS[record["kind"]]
        file.opens += int(record["opens"])
        file.closes += int(record["closes"])
        file.write_calls += int(record["writes"])
        file.read_calls += int(record["reads"])
        file.seek_calls += int(record["seeks"])
        file.bytes_written += int(record["bytes_written"])
        file.bytes_read += int(record["bytes_read"])
        return file.id, self._places.setdefault((place.file, place.line), len(self._places)) if place.file else -1

    def keep(self, pattern: str) -> NDArray[np.bool_]:
        """Drop the files whose path and name are not like the pattern; which records went to those that stay."""
        self.files = [
            file for file in self.files if fnmatch(file.path, pattern) or fnmatch(PurePath(file.path).name, pattern)
        ]
        wanted = np.isin(self.of_record, [file.id for file in self.files])
        self.of_record, self.opened = self.of_record[wanted], self.opened[wanted]
        return wanted

    def charge(self, table: Records, processes: int) -> None:
        """Give the files the seconds of their statements; a unit that nobody opened has its counts from its lines."""
        has_file = self.of_record >= 0
        records, process = table.lines[has_file], table.process[has_file]
        ids = self.of_record[has_file]
        count = len(self._ids)
        seconds = np.bincount(ids, table.exclusive[has_file], count)
        pairs = np.unique(ids * max(1, processes) + process) // max(1, processes)
        users = np.bincount(pairs, minlength=count)
        for file in self.files:
            file.seconds = float(seconds[file.id])
            file.processes = int(users[file.id])
            if file.path in PRECONNECTED.values():
                own = records[ids == file.id]
                file.write_calls, file.read_calls, file.seek_calls, file.bytes_written, file.bytes_read = (
                    int(own[name].sum()) for name in ("writes", "reads", "seeks", "bytes_written", "bytes_read")
                )

    def of(self, members: NDArray[Any], seconds: NDArray[Any]) -> list[int]:
        """The files that these records went to, the one with the most seconds first."""
        return _by_seconds(self.of_record[members], seconds[members])

    def places(self, members: NDArray[Any], seconds: NDArray[Any]) -> list[Place]:
        """Where those files were opened, likewise."""
        known = list(self._places)
        found = _by_seconds(self.opened[members], seconds[members])[:_PLACES_KEPT]
        return [Place(file=known[number][0], line=known[number][1]) for number in found]


def _by_seconds(ids: NDArray[np.int64], seconds: NDArray[Any]) -> list[int]:
    known = ids >= 0
    if not known.any():
        return []
    distinct, inverse = np.unique(ids[known], return_inverse=True)
    sums = np.bincount(inverse.reshape(-1), seconds[known])
    return [int(distinct[i]) for i in np.argsort(-sums, kind="stable")]
