"""What the system calls of a trace cost in the directory, by measured costs: buffers, new files, scratch files, locks.

A rule says nothing unless both are known: the counts, from a trace, and the costs, from probe.py.
"""

import os
import shlex
from collections.abc import Iterator

from headrace.results.advised import Citation, Expected, Item
from headrace.settings.evidence import Context, guide, own_figures
from headrace.settings.job import MANY_FILES, Files, Moved, Observed
from headrace.settings.probe import Costs, in_words
from headrace.sites.schema import Operation

WORTH = 1.25  # the costs are measured in a second, and vary
LARGE_BUFFER = 1 << 20  # bytes
_FEW = 20  # calls, files or locks: fewer are not worth a word
_NOISE = 3.0  # what a cost may differ by while others are at work, too
_OPENED = 10e-6  # seconds of libgfortran for OPEN, CLOSE and what is between
_BYTE = 1e-9  # seconds to copy one, at the most
BUFFERS = {"text": 8192, "binary": 131072}  # bytes: gfortran's own since GCC 10
_VARIABLES = {"text": "GFORTRAN_FORMATTED_BUFFER_SIZE", "binary": "GFORTRAN_UNFORMATTED_BUFFER_SIZE"}
_LOCKING = "HDF5_USE_FILE_LOCKING"
_GNU_BUFFERS = Citation(
    title="GNU Fortran manual, Runtime: GFORTRAN_FORMATTED_BUFFER_SIZE, GFORTRAN_UNFORMATTED_BUFFER_SIZE",
    url="https://gcc.gnu.org/onlinedocs/gfortran/GFORTRAN_005fFORMATTED_005fBUFFER_005fSIZE.html",
    date="2026-11-26",
    machine="gfortran 10 and later, any machine",
)
_GNU_TMPDIR = Citation(
    title="GNU Fortran manual, Runtime: TMPDIR",
    url="https://gcc.gnu.org/onlinedocs/gfortran/TMPDIR.html",
    date="2026-11-26",
    machine="gfortran, any machine",
)
_HDF5_LOCKING = Citation(
    title="HDF5, file locking: HDF5_USE_FILE_LOCKING",
    url="https://github.com/HDFGroup/hdf5/blob/develop/doc/file-locking.md",
    date="2026-11-26",
    machine="HDF5 1.10 and later, any machine",
)


def expected(
    observed: Observed, after: float, condition: str, *, low: float = 0.5, high: float = 2.0, of: Operation = "write"
) -> Expected:
    """All I/O of the trace, and what is left of it; `after` may be `low` to `high` times as much."""
    floor = observed.seconds / 1e4
    return Expected(
        factor=observed.seconds / max(floor, after),
        low=max(1.0, observed.seconds / max(floor, after * high)),
        high=observed.seconds / max(floor, after * low),
        of="the I/O",
        operation=of,
        known="model",
        condition=condition,
        source=own_figures(False, observed.source, observed.host, observed.date),
    )


def rewritten(costs: Costs, moved: Moved, size: int) -> float:
    """Seconds if the same bytes went in calls of `size` bytes, by the seconds of the trace and the measured costs."""
    if not moved.calls or not moved.bytes:
        return 0.0
    size = min(size, moved.bytes)
    share = costs.write(size) / size * moved.bytes / (costs.write(moved.mean) * moved.calls)
    return moved.seconds * min(1.0, share)


def own_work(files: Files) -> float:
    """Seconds of the run time on these files, beside the system; a trace's own have the waiting in them."""
    seen = max(0.0, files.seconds - files.moved.seconds)
    return min(seen, files.opens * _OPENED + files.moved.bytes * _BYTE)


def larger_buffers(context: Context) -> Iterator[Item]:
    """Blocks of the run time's buffer, if small blocks cost more here."""
    observed, costs = context.job.observed, context.place.costs
    if observed is None or costs is None or "gnu" not in context.place.vendors or not observed.may_wait:
        return
    for form, moved in (("text", observed.text), ("binary", observed.binary)):
        variable = _VARIABLES[form]
        set_now = context.place.variables.get(variable, "")
        size = int(set_now) if set_now.isdecimal() and int(set_now) else BUFFERS[form]
        if moved.calls < _FEW or not 0.3 * size < moved.mean < 1.1 * size or size >= LARGE_BUFFER:
            continue
        left = rewritten(costs, moved, LARGE_BUFFER)
        gain = expected(
            observed,
            observed.seconds - moved.seconds + left,
            f"{moved.calls:,} system calls of {moved.mean:,.0f} bytes took {moved.seconds:.3g} of "
            f"{observed.seconds:.3g} s; one of {size:,} bytes takes {in_words(costs.write(size))} here, of "
            f"{LARGE_BUFFER:,} bytes {in_words(costs.write(LARGE_BUFFER))}",
        )
        if left > moved.seconds / 2 or gain.factor < WORTH:
            continue
        yield Item(
            change=f"{'formatted' if form == 'text' else 'unformatted'}-buffer-1m",
            title=f"set {variable}={LARGE_BUFFER}" + (f": it is {set_now} now" if set_now else ""),
            kind="environment",
            lines=[f"export {variable}={LARGE_BUFFER}"],
            why="each time the buffer of the run time is full there is a system call, and here small ones cost more "
            "than their bytes",
            gain=gain,
            undo=f"export {variable}={shlex.quote(set_now)}" if set_now else f"unset {variable}",
            hurts="many open files and little memory: each has a buffer; jumps within files read a whole buffer; "
            "gfortran before 10 does not know the variable",
            sources=[_GNU_BUFFERS, gain.source],
            variables={variable: str(LARGE_BUFFER)},
        )


def scratch_files(context: Context) -> Iterator[Item]:
    """STATUS='SCRATCH', if the directory for temporary files is slow."""
    observed, place = context.job.observed, context.place
    if observed is None or place.temporary is None or observed.scratch.opens < _FEW:
        return
    there, folder, here = place.temporary_costs, place.temporary, place.scratch_costs
    if there is None or here is None:
        return
    found = observed.scratch
    now, then = (
        found.opens * (costs.create + costs.remove) + found.moved.calls * costs.write(found.moved.mean)
        for costs in (here, there)
    )
    after = observed.seconds - found.seconds + own_work(found) + found.moved.seconds * min(1.0, then / now)
    gain = expected(
        observed,
        after,
        f"{found.opens:,} scratch files in {found.folder} took {found.seconds:.3g} of {observed.seconds:.3g} s; a new "
        f"file takes {in_words(here.create)} there, {in_words(there.create)} in {folder}",
    )
    if gain.factor < WORTH:
        return
    yield Item(
        change="temporary-files",
        title=f"put scratch files into {folder}",
        kind="environment",
        lines=[f"export TMPDIR={shlex.quote(folder)}"],
        why=f"STATUS='SCRATCH' makes files in TMPDIR, and {found.folder} is slow for that",
        gain=gain,
        undo=f"export TMPDIR={shlex.quote(found.folder)}",
        hurts="the files are larger than what is free there: in memory they count as memory of the job",
        sources=[_GNU_TMPDIR, gain.source],
        variables={"TMPDIR": folder},
    )


def fewer_files(context: Context) -> Iterator[Item]:
    """A new file for each record or step."""
    observed, costs = context.job.observed, context.place.costs
    if observed is None or costs is None or observed.single.count < _FEW * observed.ranks:
        return
    found = observed.single
    is_hdf5 = 2 * observed.hdf5_opens > found.count
    mean = found.moved.bytes / found.count
    # What the statements did beside the system is small; the bytes go through one buffer then.
    size = BUFFERS["text" if context.job.format == "text" else "binary"]
    left = found.moved.bytes / size * costs.write(size) + costs.create * observed.ranks
    gain = expected(
        observed,
        observed.seconds - found.seconds + min(found.seconds, left + own_work(found)),
        f"{found.count:,} files of {mean:,.0f} bytes took {found.seconds:.3g} of {observed.seconds:.3g} s; a new file "
        f"takes {in_words(costs.create)} here",
    )
    if gain.factor < WORTH:
        return
    yield Item(
        change="fewer-files",
        title=f"write one file{', with a group for each step' if is_hdf5 else ''}, not {found.count:,} small ones",
        kind="source",
        lines=[]
        if is_hdf5
        else ['open (newunit=unit, file="steps.bin", form="unformatted", access="stream", status="new")'],
        why="each new file asks the file system for a name, on a parallel one a server; thousands of them also slow "
        "down everybody else there",
        gain=gain,
        undo="a file for each record, as before",
        hurts="other programs take the files one by one while the program runs",
        sources=[guide("archer2"), gain.source] if found.count > MANY_FILES else [gain.source],
    )


def hdf5_locks(context: Context) -> Iterator[Item]:
    """A lock for each file that HDF5 opens, if locks are slow."""
    observed, costs = context.job.observed, context.place.costs
    if observed is None or costs is None or observed.hdf5_opens < _FEW or observed.mpi_io_calls:
        return
    set_now = context.place.variables.get(_LOCKING) or os.environ.get(_LOCKING, "")
    locks = observed.hdf5_opens * costs.lock
    if set_now.upper() in ("FALSE", "0") or locks > _NOISE * observed.hdf5_open_seconds:
        return  # it is off, or the program did not lock: its opens took less time
    gain = expected(
        observed,
        observed.seconds - min(locks, observed.hdf5_open_seconds),
        f"HDF5 opened {observed.hdf5_opens:,} files in {observed.hdf5_open_seconds:.3g} of {observed.seconds:.3g} s; a "
        f"lock takes {in_words(costs.lock)} here",
    )
    if gain.factor < WORTH:
        return
    yield Item(
        change="hdf5-locking",
        title=f"set {_LOCKING}=FALSE" + (f": it is {set_now} now" if set_now else ""),
        kind="environment",
        lines=[f"export {_LOCKING}=FALSE"],
        why="HDF5 locks each file that it opens, and here locks are slow",
        gain=gain,
        undo=f"export {_LOCKING}={set_now}" if set_now else f"unset {_LOCKING}",
        hurts="two programs open the same file at once, and one of them writes: nobody stops them then",
        sources=[_HDF5_LOCKING, gain.source],
        variables={_LOCKING: "FALSE"},
    )


RULES = (larger_buffers, scratch_files, fewer_files, hdf5_locks)
CHANGES = (  # names of its items
    *("formatted-buffer-1m", "unformatted-buffer-1m", "temporary-files", "fewer-files", "hdf5-locking"),
)
