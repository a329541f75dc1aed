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

from headrace import __version__
from headrace.measure.compilers import runtime_variables
from headrace.measure.results import Compiler, Directory, Provenance


def provenance(compilers: list[Compiler]) -> Provenance:
    """Everything about this machine that a results file records."""
    return Provenance(
        date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        headrace_version=__version__,
        command=[Path(sys.argv[0]).name, *sys.argv[1:]],
        host=socket.gethostname(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        distribution=_distribution(),
        processor=_field("/proc/cpuinfo", "model name"),
        cores=len(os.sched_getaffinity(0)),
        memory_bytes=memory("MemTotal"),
        dirty_limits=_dirty_limits(),
        load_before=list(os.getloadavg()),
        variables=runtime_variables(),
        mpi=_mpi(compilers),
        job={k: v for k, v in sorted(os.environ.items()) if re.match(r"(SLURM|PBS|LSB)_JOB|SLURM_N(NODES|TASKS)", k)},
    )


def memory(field: str) -> int:
    """A line of /proc/meminfo in bytes, for example MemAvailable; 0 when it is not there."""
    text = _field("/proc/meminfo", field)
    return int(text.split()[0]) * 1024 if text else 0


def describe_directory(path: Path) -> Directory:
    """File system, mount and free space of `path`, and its stripes where Lustre's tools are there."""
    resolved = path.resolve()
    device, point, kind, options = "", "", "unknown", ""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/mounts").read_text().splitlines():
            fields = [re.sub(r"\\(\d{3})", lambda m: chr(int(m[1], 8)), f) for f in line.split()]
            mount = Path(fields[1])
            if (mount == resolved or mount in resolved.parents) and len(fields[1]) >= len(point):
                device, point, kind, options = fields[:4]
    statistics = os.statvfs(path)
    return Directory(
        path=str(path),
        file_system=kind,
        device=device,
        mount_point=point,
        mount_options=options,
        free_bytes=statistics.f_bavail * statistics.f_frsize,
        total_bytes=statistics.f_blocks * statistics.f_frsize,
        stripe=_stripe(path) if kind == "lustre" else "",
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
