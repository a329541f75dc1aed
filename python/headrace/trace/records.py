"""The line records of many processes as one table, for merge.py."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.trace.profile import LINE, Profile
from headrace.trace.results import Statement

KINDS: tuple[Statement, ...] = (
    *(
        "library call",
        "write",
        "read",
        "open",
        "close",
        "inquire",
        "flush",
        "rewind",
        "backspace",
        "endfile",
        "wait",
        "iolength",
    ),
    *("library call", "run time", "not Fortran"),
)
LIBRARY_CALL, RUN_TIME, NOT_FORTRAN = 12, 13, 14
INTERNAL = 64  # enum statement_traits


class Records:
    """The line records of all processes, as one table with columns for what was an offset in a file."""

    def __init__(self, profiles: Sequence[Profile], rates: Sequence[float]) -> None:
        self.texts: list[str] = [""]
        self._ids: dict[str, int] = {"": 0}
        self.lines = _joined([profile.lines for profile in profiles])
        self.process = np.repeat(np.arange(len(profiles)), [len(profile.lines) for profile in profiles])
        self.thread = _joined([profile.line_threads for profile in profiles])
        self.offset = _joined([profile.line_offsets for profile in profiles])
        self.source, self.name, self.format, self.module = (
            _joined([self._global(profile, profile.lines[column]) for profile in profiles])
            for column in ("file", "name", "format", "module")
        )
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
            "rate",
            "exclusive",
        ):
            setattr(self, column, getattr(self, column)[wanted])

    def _global(self, profile: Profile, offsets: NDArray[Any]) -> NDArray[np.int64]:
        distinct, inverse = np.unique(offsets, return_inverse=True)
        ids = [self._ids.setdefault(profile.texts[int(offset)], len(self._ids)) for offset in distinct]
        if len(self._ids) > len(self.texts):
            self.texts = list(self._ids)
        return np.asarray(ids, np.int64)[inverse.reshape(-1)]


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, LINE)
