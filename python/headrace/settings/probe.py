"""What single calls cost in a directory: measured there within a second, since a page of another machine cannot know.

Rules weigh these costs with the counts of a trace. First: advise.py.
"""

import contextlib
import fcntl
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from headrace.errors import HeadraceError
from headrace.measure.scratch import free_bytes, scratch_directory
from headrace.results.advised import Fact

_BUDGET = 0.1  # seconds for each kind of call
_MOST = 40  # calls of a kind
_FEWEST = 3
_ROOM = 64 << 20  # bytes that must be free: the probe writes a few MB, and must not fill a disk
SIZES = (512, 8192, 65536, 131072, 1 << 20)  # bytes of a write; 8 and 128 KiB are gfortran's buffers


@dataclass(frozen=True)
class Costs:
    """Seconds of a call: medians."""

    create: float  # of an empty file: open, close
    remove: float
    reopen: float  # of a file that is there: open, close
    lock: float  # of a whole file by flock(2), without the unlocking
    fsync: float  # after a write of 4 KiB
    writes: tuple[tuple[int, float], ...]  # bytes and seconds, of calls one after the other

    def write(self, size: float) -> float:
        """Seconds of a write(2) of so many bytes: between two sizes on a straight line, above the last by the byte."""
        sizes, seconds = zip(*self.writes, strict=True)
        if size > sizes[-1]:
            return float(seconds[-1] * size / sizes[-1])
        return float(np.interp(size, sizes, seconds))


def probe(folder: Path) -> Costs:
    """Raises HeadraceError if the folder cannot be written, or has no room."""
    try:
        if free_bytes(folder) < _ROOM:
            raise HeadraceError(f"{folder} has less than {_ROOM >> 20} MiB free", "free some space there")
        with scratch_directory(folder) as own:
            return _probed(own)
    except OSError as error:
        raise HeadraceError(f"{folder}: {error.strerror}", "name a directory that can be written with --dir") from error


def _probed(own: Path) -> Costs:
    names = (own / f"file{number}" for number in range(10**6))
    made: list[Path] = []

    def create() -> None:
        made.append(next(names))
        os.close(os.open(made[-1], os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))

    old = next(names)
    old.write_bytes(b"x")
    costs = {"create": _median(_repeated(create)), "remove": _median(_repeated(lambda: made.pop().unlink(), len(made)))}
    costs["reopen"] = _median(_repeated(lambda: os.close(os.open(old, os.O_WRONLY))))
    descriptor = os.open(old, os.O_RDWR)
    try:
        costs["lock"] = _median(_locks(descriptor))
        costs["fsync"] = _median(_syncs(descriptor))
    finally:
        os.close(descriptor)
    return Costs(**costs, writes=tuple((size, _write(old, size)) for size in SIZES))


def _repeated(call: Callable[[], None], most: int = _MOST) -> Iterator[float]:
    """Seconds of calls, until there are enough or the time is up."""
    ends = time.perf_counter() + _BUDGET
    for number in range(most):
        begun = time.perf_counter()
        if begun > ends and number >= _FEWEST:
            return
        call()
        yield time.perf_counter() - begun


def _locks(descriptor: int) -> Iterator[float]:
    """A file system without locks costs nothing for them."""
    with contextlib.suppress(OSError):
        for seconds in _repeated(lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)):
            yield seconds
            fcntl.flock(descriptor, fcntl.LOCK_UN)


def _syncs(descriptor: int) -> Iterator[float]:
    block = b"x" * 4096

    def sync() -> None:
        os.pwrite(descriptor, block, 0)
        os.fsync(descriptor)

    return _repeated(sync)


def _write(path: Path, size: int) -> float:
    """Of calls one after the other in one file, with its close: some file systems take the data along only then."""
    block = memoryview(bytes(size))
    most = max(2, min(256, (4 << 20) // size))
    return min(_batch(path, block, most) for _ in range(_FEWEST))  # others are at work, too: they only slow down


def _batch(path: Path, block: memoryview, most: int) -> float:
    """Seconds of one call of a batch."""
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
    begun = time.perf_counter()
    ends = begun + _BUDGET / _FEWEST
    calls = 0
    try:
        while calls < most and (calls < 2 or time.perf_counter() < ends):
            os.write(descriptor, block)
            calls += 1
    finally:
        os.close(descriptor)
    return (time.perf_counter() - begun) / calls


def _median(seconds: Iterator[float]) -> float:
    return statistics.median(list(seconds) or [0.0])


def facts(costs: Costs) -> list[Fact]:
    """For --verbose."""
    how = "measured there: median of some calls"
    named = {"create": "a new file", "reopen": "opening a file", "lock": "a lock (flock)", "fsync": "fsync after 4 KiB"}
    found = [
        Fact(name=f"cost of {what}", value=in_words(getattr(costs, name)), how=how) for name, what in named.items()
    ]
    writes = [f"{size:,} bytes {in_words(seconds)}" for size, seconds in costs.writes]
    return [
        *found,
        Fact(name="cost of write(2)", value=", ".join(writes), how="measured there: calls one after the other"),
    ]


def in_words(seconds: float) -> str:
    """With its unit."""
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} us"
