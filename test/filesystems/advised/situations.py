"""Twelve situations: a program, where it runs, what is planted, and the advice that would be right.

Ten have a cause, real or planted in the tests' file system, whose settings are the truth; two have none.
"""

from dataclasses import dataclass, field
from typing import Literal

from filesystems.settings import Settings

Where = Literal["here", "glusterfs", "planted"]


@dataclass(frozen=True)
class Situation:
    """`changed` is the same program without the cause, if no setting removes it: macros of the compiler."""

    name: str
    program: str  # a file in programs/, without its ending
    macros: tuple[str, ...]
    truth: str
    advice: str = ""  # the right one; "": none
    where: Where = "here"
    settings: Settings = field(default_factory=Settings)  # of the planted file system
    variables: dict[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    compiler: tuple[str, ...] = ("gfortran",)
    start: tuple[str, ...] = ()  # words in front of the program
    temporary: bool = False  # TMPDIR is in the folder
    budget: float = 40.0  # seconds of the trial; a quiet machine needs less


_MPI = ("mpirun", "--oversubscribe", "-n", "2")

SITUATIONS = (
    Situation(
        "unbuffered units",
        "records",
        ("RECORDS=30000",),
        "GFORTRAN_UNBUFFERED_ALL=y: a system call for each record",
        "unset-unbuffered",
        variables={"GFORTRAN_UNBUFFERED_ALL": "y"},
    ),
    Situation(
        "text",
        "records",
        ("RECORDS=30000", "AS_TEXT"),
        "numbers are written as text",
        "binary-file",
        changed=("RECORDS=30000",),
    ),
    Situation(
        "FLUSH for each record",
        "records",
        ("RECORDS=60000", "FLUSH_EACH"),
        "FLUSH after each record",
        "flush-less",
        changed=("RECORDS=60000",),
    ),
    Situation(
        "OMPIO, pieces in turn",
        "pieces",
        ("PIECES=600", "STEPS=4"),
        "OMPIO writes each piece of 128 bytes by itself, ROMIO joins them",
        "romio",
        where="glusterfs",
        compiler=("mpif90",),
        start=_MPI,
        budget=90.0,
    ),
    Situation(
        "small blocks",
        "records",
        ("RECORDS=40000",),
        "GFORTRAN_UNFORMATTED_BUFFER_SIZE=8192: blocks of 8 KiB",
        "unformatted-buffer-1m",
        where="glusterfs",
        variables={"GFORTRAN_UNFORMATTED_BUFFER_SIZE": "8192"},
    ),
    Situation(
        "scratch files, creates cost",
        "scratch",
        ("STEPS=20",),
        "10 ms for a new file, and STATUS='SCRATCH' in each step",
        "temporary-files",
        where="planted",
        settings=Settings(costs={"create": 0.01}),
        temporary=True,
    ),
    Situation(
        "a file for each step, creates cost",
        "steps",
        ("STEPS=50",),
        "10 ms for a new file, and one in each step",
        "fewer-files",
        where="planted",
        settings=Settings(costs={"create": 0.01}),
        changed=("STEPS=50", "ONE_FILE"),
    ),
    Situation(
        "HDF5 opens, locks cost",
        "datasets",
        ("STEPS=20",),
        "20 ms for a lock, and HDF5 takes one for each file that it opens",
        "hdf5-locking",
        where="planted",
        settings=Settings(costs={"lock": 0.02}),
        compiler=("h5fc", "-shlib"),
    ),
    Situation(
        "blocks of 128 KiB, small writes cost",
        "records",
        ("RECORDS=50000", "AS_STREAM"),
        "5 ms for a write below 1 MiB, and gfortran's buffer has 128 KiB",
        "unformatted-buffer-1m",
        where="planted",
        settings=Settings(costs={"small_write": 0.005}, small_bytes=1 << 20),
    ),
    Situation(
        "FLUSH, small writes cost",
        "records",
        ("RECORDS=100", "FLUSH_EACH"),
        "2 ms for a write below 64 KiB, and FLUSH after each record",
        "flush-less",
        where="planted",
        settings=Settings(costs={"small_write": 0.002}),
        changed=("RECORDS=100",),
    ),
    Situation(
        "nothing planted",
        "records",
        ("RECORDS=60000",),
        "none: records through the buffer, to a local file",
    ),
    Situation(
        "nothing planted, own files",
        "own_files",
        ("STEPS=20",),
        "none: each MPI rank writes whole arrays into its own file, and no call costs more",
        where="planted",
        compiler=("mpif90",),
        start=_MPI,
    ),
)
