"""Other parallel benchmarks, run beside: IOR and benchio. They are started anew for every transfer."""

import math
import os
import re
import subprocess
from abc import ABC, abstractmethod
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.parallel.launcher import Launcher
from headrace.measure.parallel.protocol import Reply
from headrace.measure.parallel.ratios import CALLS, FILES, SHARED
from headrace.measure.parallel.shapes import payload
from headrace.measure.parallel.ways import Task, Way
from headrace.measure.workers import WorkerError

_IOR = {FILES: ["-a", "POSIX", "-F"], SHARED: ["-a", "POSIX"], CALLS: ["-a", "MPIIO", "-c"]}
_FASTEST = 1e12  # bytes a second: no node writes so fast
_BENCHIO = {"proc": "Proc", "mpiio": "MPI-IO", "hdf5": "HDF5", "netcdf": "NetCDF"}
LONGEST_CALL = 1 << 30  # bytes; MPI counts them in a 32-bit integer


class Peer(ABC):
    """A program of others."""

    title = ""

    def __init__(self, program: Path) -> None:
        if not os.access(program, os.X_OK) or program.is_dir():
            raise HeadraceError(f"{program} is not an executable program", f"name that of {self.title}")
        self.program = program.absolute()

    @abstractmethod
    def ways(self) -> list[Way]:
        """What it can do that headrace does too."""

    @abstractmethod
    def transfer(self, way: Way, task: Task, file: Path, launcher: Launcher) -> Reply:
        """Run it once. Raises WorkerError when it fails or prints what is not understood."""

    def run(self, words: list[str], task: Task, folder: Path, launcher: Launcher) -> str:
        """What it printed."""
        command = launcher.command(task.ranks, [str(self.program), *words])
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=task.limit, stdin=subprocess.DEVNULL
            )
        except subprocess.TimeoutExpired as error:
            raise WorkerError(f"stopped after {task.limit:.0f} s") from error
        if done.returncode != 0:
            lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip("-=*| ")]
            raise WorkerError(f"{self.title} ended with {done.returncode}: {' | '.join(lines[-4:])[:300]}")
        return done.stdout


class Ior(Peer):
    """IOR: a contiguous block of each MPI rank, in one call.

    IOR has one buffer of the length of a call. With short calls it stays in the processor's cache, and the time of
    the array's own memory would be left out.
    """

    title = "IOR"

    def ways(self) -> list[Way]:
        return [Way("ior", operation, run) for run in _IOR for operation in ("write", "read")]

    def transfer(self, way: Way, task: Task, file: Path, launcher: Launcher) -> Reply:
        size = payload(task.extents) // task.ranks
        calls = next(n for n in range(max(1, -(-size // LONGEST_CALL)), size + 1) if size % n == 0)
        words = [*_IOR[way.method], "-b", str(size), "-t", str(size // calls), "-o", str(file)]
        # What was written stays for the run that reads it; that run removes it.
        words += ["-w", "-k"] if way.operation == "write" else ["-r"]
        words += ["-e"] if way.operation == "write" and task.write_condition == "synced" else []
        said = self.run(words, task, file.parent, launcher)
        return read_ior(said, way.operation)


def read_ior(said: str, operation: str) -> Reply:
    """The line of an operation in the table of IOR's results, whatever columns its version has."""
    columns: list[str] = []
    for line in said.splitlines():
        fields = line.split()
        if fields[:1] == ["access"]:
            columns = [field.partition("(")[0] for field in fields]
        elif columns and fields[:1] == [operation] and len(fields) >= len(columns):
            found = dict(zip(columns, fields, strict=False))
            try:
                seconds = {name: float(found[name]) for name in ("open", "wr/rd", "close", "total")}
            except (KeyError, ValueError) as error:
                raise WorkerError(f"IOR printed a line that is not understood: {line.strip()[:120]}") from error
            phases = {"open": seconds["open"], "transfer": seconds["wr/rd"], "close": seconds["close"]}
            return Reply(id=0, ok=True, seconds=seconds["total"], last_done=seconds["total"], phases=phases)
    raise WorkerError(f"IOR printed no result of '{operation}': {said.strip()[-200:] or 'nothing'}")


class Benchio(Peer):
    """benchio: a block of three dimensions of each MPI rank; it only writes."""

    title = "benchio"

    def __init__(self, program: Path) -> None:
        super().__init__(program)
        self.layers: list[str] = list(_BENCHIO)

    def ways(self) -> list[Way]:
        return [Way("benchio", "write", layer) for layer in self.layers]

    def transfer(self, way: Way, task: Task, file: Path, launcher: Launcher) -> Reply:
        folder = file.parent / "benchio"
        for name in ("unstriped", "striped", "fullstriped", "defstriped", "benchio_files"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        local = [str(extent) for extent in cube(payload(task.extents) // 8 // task.ranks)]
        said = self.run([*local, "local", way.method, "unstriped"], task, folder, launcher)
        seconds = read_benchio(said, way.method, payload(task.extents))
        return Reply(id=0, ok=True, seconds=seconds, last_done=seconds)


def read_benchio(said: str, layer: str, wanted: int) -> float:
    """Seconds of the median repetition of a layer for `wanted` bytes; versions with a fixed size are scaled to it."""
    total = re.search(r"Total amount of data\s*=\s*([\d.Ee+-]+)\s*(MiB|GiB)", said)
    if total is None:
        raise WorkerError(f"benchio printed no amount of data: {said.strip()[-200:] or 'nothing'}")
    size = float(total[1]) * (2**20 if total[2] == "MiB" else 2**30)
    section, times = "", []
    for line in said.splitlines():
        word = line.strip()
        if word in _BENCHIO.values() or word in ("Serial", "Node", "Adios2", "File per process"):
            section = "Proc" if word == "File per process" else word
        found = re.match(r"\s*time\s*=\s*([\d.Ee+-]+)", line)
        if found and section == _BENCHIO[layer]:
            times.append(float(found[1]))
    if not times:
        raise WorkerError(f"benchio printed no time of {_BENCHIO[layer]}: it was built without it, or cannot write")
    middle = sorted(times)[len(times) // 2]
    if middle * _FASTEST < size:  # a layer that is not in the build "takes" some microseconds
        raise WorkerError(
            f"benchio says {middle:.1e} s for {size / 2**20:,.0f} MiB by {_BENCHIO[layer]}: it was built without it"
        )
    return middle * wanted / size


def cube(count: int) -> tuple[int, int, int]:
    """Three extents with this product, as equal as its divisors allow."""
    first = max(d for d in range(1, math.floor(count ** (1 / 3) + 1e-9) + 1) if count % d == 0)
    rest = count // first
    second = max(d for d in range(1, math.isqrt(rest) + 1) if rest % d == 0)
    return first, second, rest // second
