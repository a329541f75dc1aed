"""The machine, the directory and the moment: what must be known to believe a figure."""

import contextlib
import datetime
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from headrace.measure.compilers import runtime_variables
from headrace.results.run import Compiler, Directory, Provenance
from headrace.version import VERSION

BUSY = 0.10  # share of the processors that others may use before they are named as a cause of noise
STOLEN = 0.02


def provenance(compilers: list[Compiler]) -> Provenance:
    """Everything about this machine that a results file records."""
    return Provenance(
        date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        headrace_version=VERSION,
        command=[Path(sys.argv[0]).name, *sys.argv[1:]],
        host=socket.gethostname(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        distribution=_distribution(),
        processor=processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_bytes=memory("MemTotal"),
        dirty_limits=_dirty_limits(),
        load_before=list(os.getloadavg()),
        variables=runtime_variables(),
        mpi=_mpi(compilers),
        job={k: v for k, v in sorted(os.environ.items()) if re.match(r"(SLURM|PBS|LSB)_JOB|SLURM_N(NODES|TASKS)", k)},
    )


def processor() -> str:
    """Its name, as the kernel has it."""
    return _field("/proc/cpuinfo", "model name")


class Watch:
    """How busy others keep the machine from when this is made: the cause of many a noisy row."""

    def __init__(self) -> None:
        self.before = _processor_seconds()

    def shares(self) -> tuple[float, float]:
        """Of the processor time since then: what other programs used, and what was stolen for other machines."""
        after = _processor_seconds()
        everything, busy, stolen, own = (b - a for a, b in zip(self.before, after, strict=True))
        if everything <= 0:
            return 0.0, 0.0
        return min(1.0, max(0.0, (busy - own) / everything)), min(1.0, max(0.0, stolen / everything))

    def why_noisy(self, noisy: int) -> str:
        """A sentence about `noisy` noisy rows; empty if the machine was quiet, or no row is noisy."""
        others, stolen = self.shares()
        if not noisy or (others < BUSY and stolen < STOLEN):
            return ""
        causes = [f"other programs used {others:.0%} of the processors"] * (others >= BUSY)
        causes += [f"the hypervisor gave {stolen:.0%} of them to others (steal time)"] * (stolen >= STOLEN)
        rows = "1 row is" if noisy == 1 else f"{noisy} rows are"
        load = os.getloadavg()[0]
        return (
            f"{rows} noisy, and the machine was busy (load {load:.1f} on {len(os.sched_getaffinity(0))} cores): "
            f"{' and '.join(causes)}. On a quiet machine the rows would be steadier."
        )


def _processor_seconds() -> tuple[float, float, float, float]:
    """Of all processors: all time, time in use, stolen time; and what this process and its children used."""
    used = os.times()
    own = used.user + used.system + used.children_user + used.children_system
    try:
        ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        user, nice, system, idle, waiting, hard, soft, stolen = (t / os.sysconf("SC_CLK_TCK") for t in ticks)
    except (OSError, ValueError):
        return 0.0, 0.0, 0.0, own
    busy = user + nice + system + hard + soft
    return busy + idle + waiting + stolen, busy, stolen, own


def memory(field: str) -> int:
    """A line of /proc/meminfo in bytes, for example MemAvailable; 0 when it is not there."""
    text = _field("/proc/meminfo", field)
    return int(text.split()[0]) * 1024 if text else 0


def describe_directory(path: Path, with_stripes: bool = True) -> Directory:
    """File system, mount and free space of `path`, and its stripes if Lustre's tools are there.

    Nothing is written with `with_stripes` False; otherwise a file is made and removed on Lustre.
    """
    resolved = path.resolve()
    device, point, kind, options = "", "", "unknown", ""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/mounts").read_text().splitlines():
            fields = [re.sub(r"\\(\d{3})", lambda m: chr(int(m[1], 8)), f) for f in line.split()]
            mount = Path(fields[1])
            if (mount == resolved or mount in resolved.parents) and len(fields[1]) >= len(point):
                device, point, kind, options = fields[:4]
    if kind == "unknown" and shutil.which("stat"):  # in a chroot the mount is not listed, the kernel knows its type
        kind = _output(["stat", "--file-system", "--format=%T", str(resolved)]) or kind
    statistics = os.statvfs(path)
    return Directory(
        path=str(path),
        file_system=kind,
        device=device,
        mount_point=point,
        mount_options=options,
        free_bytes=statistics.f_bavail * statistics.f_frsize,
        total_bytes=statistics.f_blocks * statistics.f_frsize,
        stripe=_stripe(path) if with_stripes and kind == "lustre" else "",
    )


def _stripe(path: Path) -> str:
    """The layout that a new file really gets."""
    if not shutil.which("lfs"):
        return "lfs is not on the PATH"
    with tempfile.NamedTemporaryFile(dir=path) as file:
        return _output(["lfs", "getstripe", file.name])


def _mpi(compilers: list[Compiler]) -> str:
    if not any("mpi" in compiler.name for compiler in compilers):
        return ""
    for command in (["ompi_info", "--version"], ["mpichversion"], ["mpirun", "--version"]):
        if shutil.which(command[0]):
            text = _output(command)
            if text:
                return text.splitlines()[0]
    return ""


def _output(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def _field(file: str, name: str) -> str:
    with contextlib.suppress(OSError):
        for line in Path(file).read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return ""


def _distribution() -> str:
    with contextlib.suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    return ""


def _dirty_limits() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(Path("/proc/sys/vm").glob("dirty*")):
        with contextlib.suppress(OSError):
            found[path.name] = path.read_text().strip()
    return found
