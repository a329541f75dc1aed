"""Whole or not at all: what headrace leaves under a file's name when it is killed, or when the disk is full."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import headrace
from filesystems.results import Check

NAMES = ("field.npy", "field.raw", "field.csv", "field.unf")
FORMATS = {"field.raw": "raw", "field.unf": "unformatted"}
_COUNT = 400_000  # real64 in an array that is written while a signal comes
_KILLS = 4  # a format
_MOST = 2**31  # bytes: larger disks are not filled, others use them
_SPARE = 2**20  # bytes that a full disk still has
_ENOUGH = 2**27  # bytes that are free before it is filled
_FREED = 30.0  # seconds until the room of removed files is free again
_BALLASTS = 30  # files that fill it: their names say which brick they are on
# Replaces the file again and again; each time all elements are the same number.
_WRITER = """
import sys, numpy, headrace
name, count, form = sys.argv[1], int(sys.argv[2]), sys.argv[3] or None
options = {"format": form} if form else {}
for number in range(2, 100000):
    headrace.write_array(name, numpy.full(count, float(number)), **options)
    print(number, flush=True)
"""


def whole(folder: Path) -> list[Check]:
    """Killed writers, then a full disk, for files of each kind."""
    found = [_outcome(f"headrace: killed while it writes {name}", _killed, folder, name) for name in NAMES]
    room = os.statvfs(folder)
    if room.f_bavail * room.f_frsize > _MOST:
        return found + [Check(f"headrace: full disk, {name}", "left out", "too large to be filled") for name in NAMES]
    return found + [_outcome(f"headrace: full disk, {name}", _full, folder, name) for name in NAMES]


def _outcome(name: str, check: Callable[[Path, str], str], folder: Path, file: str) -> Check:
    try:
        return Check(name, "works", check(folder, file))
    except (AssertionError, OSError, headrace.HeadraceError, subprocess.SubprocessError) as error:
        return Check(name, "fails", f"{type(error).__name__}: {error}")


def _read(file: Path) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    form = FORMATS.get(file.name)
    values = np.empty(_COUNT)
    if form == "unformatted":
        data = file.read_bytes()  # not by headrace: what another program sees
        assert len(data) == 8 * _COUNT + 8, f"{len(data):,} bytes"
        values[:] = np.frombuffer(data[4:-4])
    elif form == "raw":
        values = np.fromfile(file)
    elif file.suffix == ".npy":
        values = np.load(file)
    else:
        values = np.loadtxt(file, delimiter=",")
    return values


def _write(file: Path, values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> None:
    form = FORMATS.get(file.name)
    if form:
        headrace.write_array(file, values, format=form)
    else:
        headrace.write_array(file, values)


def _is_whole(file: Path) -> float:
    values = _read(file).ravel()
    assert values.size == _COUNT, f"{values.size:,} of {_COUNT:,} elements"
    assert (values == values[0]).all(), "two arrays are mixed in it"
    return float(values[0])


def _killed(folder: Path, name: str) -> str:
    """Each kill comes at another moment; afterwards the file holds one of the arrays, and can be written again."""
    file, chance = folder / name, random.Random(1)
    _write(file, np.full(_COUNT, 1.0))
    seen = []
    for _ in range(_KILLS):
        words = [sys.executable, "-c", _WRITER, str(file), str(_COUNT), FORMATS.get(name, "")]
        writer = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            assert writer.stdout is not None and writer.stdout.readline(), "the writer did not write a file"
            time.sleep(chance.uniform(0.0, 0.2))
            assert writer.poll() is None, "the writer ended before it was killed"
        finally:
            writer.send_signal(signal.SIGKILL)
            writer.wait(60)
        seen.append(_is_whole(file))
    _write(file, np.full(_COUNT, 7.0))
    assert _is_whole(file) == 7.0, "the file was not replaced after a writer had been killed"
    _empty(folder)
    return f"{_KILLS} kills, whole each time"


def _full(folder: Path, name: str) -> str:
    """The error is told, the old file stays, and nothing is left beside it."""
    file = folder / name
    _write_when_free(file)
    try:
        _fill(folder)
        before = set(folder.iterdir())
        values = np.random.default_rng(1).random(4 * _COUNT)  # as text or not: above all that is left
        try:
            _write(file, values)
        except headrace.HeadraceError as error:
            assert isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT), f"another error: {error}"
            assert name in str(error), f"the message does not name the file: {error}"
        else:
            raise AssertionError("no error was told")
        left = sorted(entry.name for entry in set(folder.iterdir()) - before)
        assert not left, f"left behind: {left}"
        assert _is_whole(file) == 1.0
    finally:
        _empty(folder)
    return ""


def _write_when_free(file: Path) -> None:
    """xfs, btrfs and GlusterFS give back the room of removed files some seconds later."""
    until = time.monotonic() + _FREED
    while True:
        room = os.statvfs(file.parent)
        is_late = time.monotonic() > until
        if room.f_bavail * room.f_frsize > _ENOUGH or is_late:
            try:
                return _write(file, np.full(_COUNT, 1.0))
            except headrace.HeadraceError as error:
                if getattr(error, "errno", 0) != errno.ENOSPC or is_late:
                    raise
        time.sleep(0.5)


def _fill(folder: Path) -> None:
    """Leaves hardly anything free, on each brick of a volume: the next file may go to another one."""
    for number in range(_BALLASTS):
        _grow(folder / f"ballast{number}")
        room = os.statvfs(folder)
        if room.f_bavail * room.f_frsize < _SPARE:
            break
    ballast = list(folder.glob("ballast*"))
    assert ballast, "no file could be made to fill the disk"
    largest = max(ballast, key=lambda file: file.stat().st_size)
    os.truncate(largest, max(0, largest.stat().st_size - _SPARE))


def _grow(file: Path) -> None:
    """Until the disk is full. A file system may tell that at close, or when the file is made."""
    block = bytes(2**20)
    try:
        with file.open("wb", buffering=0) as opened:
            while opened.write(block):
                pass
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        entry.unlink()
