"""Errors that no other file system gives when one wants them: each must be told, and the old file must stay."""

import errno
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import headrace
from filesystems.checks.whole import FORMATS, NAMES
from filesystems.planted import Place, planted
from filesystems.results import Check
from filesystems.settings import Fault, Settings

_COUNT = 300_000
_GONE = 5.0  # seconds until the kernel has closed what was removed while it was open
_FAULTS = {
    "EIO at the second write": (Settings(faults=(Fault("write", "EIO", after=1),)), {}),
    "EIO at fsync": (Settings(faults=(Fault("fsync", "EIO"),)), {"sync": "file"}),
    "EDQUOT at close": (Settings(faults=(Fault("close", "EDQUOT"),)), {}),
    "EACCES at the new file": (Settings(faults=(Fault("create", "EACCES"),)), {}),
    "EIO at rename": (Settings(faults=(Fault("rename", "EIO"),)), {}),
    "ENOSPC at byte 1,000,000": (Settings(room_bytes=1_000_000), {}),
}


def faults(work: Path) -> list[Check]:
    """Each fault with each format, and a crash of the file system."""
    found = []
    for fault, (settings, options) in _FAULTS.items():
        for name in NAMES:
            check = partial(_told, name=name, more=options)
            found.append(_outcome(f"headrace: {fault}, {name}", work, settings, check))
    held = Settings(held=1000, held_until="fsync")
    for name in NAMES:
        found.append(_outcome(f"headrace: a crash after sync, {name}", work, held, partial(_crashed, name=name)))
    return found


def _outcome(name: str, work: Path, settings: Settings, check: Callable[[Place], str]) -> Check:
    try:
        with planted(settings, work) as place:
            return Check(name, "works", check(place))
    except (AssertionError, OSError, headrace.HeadraceError, RuntimeError) as error:
        return Check(name, "fails", f"{type(error).__name__}: {error}")


def _options(name: str, more: dict[str, str]) -> dict[str, str]:
    return more | ({"format": FORMATS[name]} if name in FORMATS else {})


def _told(place: Place, name: str, more: dict[str, str]) -> str:
    """The old file was there before the fault."""
    (place.behind / name).write_bytes(b"old")
    values = np.random.default_rng(1).random(_COUNT)
    try:
        headrace.write_array(place.folder / name, values, **_options(name, more))
    except headrace.HeadraceError as error:
        assert isinstance(error, OSError) and error.errno, f"no error number: {error}"
        assert name in str(error), f"the message does not name the file: {error}"
        said = errno.errorcode[error.errno]
    else:
        raise AssertionError(f"no error was told; calls: {place.report()}")
    assert (place.behind / name).read_bytes() == b"old", "the old file is not there any more"
    until = time.monotonic() + _GONE
    while left := sorted({entry.name for entry in place.behind.iterdir()} - {name}):
        if time.monotonic() > until:
            break
        time.sleep(0.01)
    assert not left, f"left behind: {left}"
    return f"told as {said}"


def _crashed(place: Place, name: str) -> str:
    """After write_array(sync="file") the file is there, whatever the file system has not written yet."""
    options = _options(name, {"sync": "file"})
    headrace.write_array(place.folder / name, np.full(_COUNT, 2.0), **options)
    size = (place.folder / name).stat().st_size
    place.crash()
    assert (place.behind / name).stat().st_size == size, "the file lost what it had"
    return ""
