"""The file systems of `make testfilesystems`: each is mounted by a context manager, and gone after it."""

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from filesystems.namespace import ADDRESS, run
from filesystems.planted import planted
from filesystems.settings import Settings

MIB = 2**20
_VOLUME = "headrace"
_GLUSTERD = """volume management
    type mgmt/glusterd
    option working-directory /var/lib/glusterd
    option transport-type socket
    option transport.socket.bind-address {address}
end-volume
"""


@dataclass(frozen=True)
class Kind:
    """A file system, the type that the kernel must tell of it, and how it is mounted below a folder."""

    name: str
    type: str
    what: str
    mounted: Callable[[Path], AbstractContextManager[Path]]


@contextlib.contextmanager
def _ordinary(work: Path) -> Iterator[Path]:
    folder = work / "ordinary"
    folder.mkdir()
    yield folder


@contextlib.contextmanager
def _memory(work: Path) -> Iterator[Path]:
    with _mount(work / "memory", "-t", "tmpfs", "-o", f"size={448 * MIB}", "none") as folder:
        yield folder


@contextlib.contextmanager
def loop(work: Path, kind: str, mib: int, name: str = "") -> Iterator[Path]:
    """A file of that size as a device, with a file system on it: the loop device disappears with the mount."""
    image = work / f"{name or kind}.img"
    with image.open("wb") as file:
        file.truncate(mib * MIB)
    run([f"mkfs.{kind}", *(["-q"] if kind != "btrfs" else ["--quiet"]), str(image)])
    with _mount(work / (name or kind), "-t", kind, "-o", "loop", str(image)) as folder:
        yield folder
    image.unlink()


@contextlib.contextmanager
def gluster(work: Path) -> Iterator[Path]:
    """Three bricks, each on a file system of its own, and the files spread over them."""
    (work / "glusterd.vol").write_text(_GLUSTERD.format(address=ADDRESS))
    manage = ["gluster", "--mode=script", "volume"]
    with contextlib.ExitStack() as stack:
        bricks = []
        for number in (1, 2, 3):
            brick = stack.enter_context(loop(work, "xfs", 320, f"brick{number}")) / "brick"
            brick.mkdir()
            bricks.append(f"{ADDRESS}:{brick}")
        stack.enter_context(_glusterd(work))
        run([*manage, "create", _VOLUME, *bricks])
        run([*manage, "start", _VOLUME])
        stack.callback(run, [*manage, "stop", _VOLUME, "force"])
        yield stack.enter_context(_mount(work / "gluster", "-t", "glusterfs", f"{ADDRESS}:/{_VOLUME}"))


@contextlib.contextmanager
def _glusterd(work: Path) -> Iterator[None]:
    """The daemon that manages volumes, once it answers."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON"}  # it starts what stands there
    with (work / "glusterd.log").open("wb") as log:
        words = ["glusterd", "--no-daemon", "-f", str(work / "glusterd.vol")]
        try:
            daemon = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        except FileNotFoundError as error:
            raise RuntimeError("glusterd is not installed (apt: glusterfs-server, glusterfs-client)") from error
        try:
            if not _answers(daemon):
                raise RuntimeError(f"glusterd does not answer (exit code {daemon.poll()}): {_last_errors(work)}")
            yield
        finally:
            daemon.terminate()
            daemon.wait(20)


def _answers(daemon: "subprocess.Popen[bytes]") -> bool:
    """Within some seconds; False if it has ended."""
    for _ in range(100):
        with contextlib.suppress(RuntimeError):
            run(["gluster", "--mode=script", "peer", "status"], 5)
            return True
        if daemon.poll() is not None:
            return False
        time.sleep(0.1)
    return False


def _last_errors(work: Path) -> str:
    """What the daemon said."""
    logs = [work / "glusterd.log", Path("/var/log/glusterfs/glusterd.log")]
    lines = [line for log in logs if log.exists() for line in log.read_text().splitlines()]
    return " / ".join([line for line in lines if "] E [" in line][-4:] or lines[-4:])


@contextlib.contextmanager
def _mount(folder: Path, *words: str) -> Iterator[Path]:
    folder.mkdir()
    run(["mount", *words, str(folder)])
    try:
        yield folder
    finally:
        run(["umount", "--lazy", str(folder)])
        folder.rmdir()


def _with_faults(settings: Settings) -> Callable[[Path], AbstractContextManager[Path]]:
    @contextlib.contextmanager
    def mounted(work: Path) -> Iterator[Path]:
        with planted(settings, work) as place:
            yield place.folder

    return mounted


COSTS = Settings(costs={"create": 0.005, "lock": 0.005, "small_write": 0.001, "fsync": 0.01}, room_bytes=256 * MIB)
SHORT = Settings(short_write=100_000, held=3, room_bytes=256 * MIB)

KINDS = (
    Kind("here", "", "where the checkout is, for comparison", _ordinary),
    Kind("tmpfs", "tmpfs", "memory, 448 MiB", _memory),
    Kind("xfs", "xfs", "a loop device of 448 MiB", lambda work: loop(work, "xfs", 448)),
    Kind("btrfs", "btrfs", "a loop device of 448 MiB", lambda work: loop(work, "btrfs", 448)),
    Kind("glusterfs", "fuse.glusterfs", "GlusterFS: a volume of three bricks on the loopback interface", gluster),
    Kind(
        "planted costs",
        "fuse.planted",
        "the tests' own: 5 ms for a new file, 5 ms for a lock, 1 ms for a write below 64 KiB, 10 ms for fsync",
        _with_faults(COSTS),
    ),
    Kind(
        "planted short writes",
        "fuse.planted",
        "the tests' own: a write takes 100,000 bytes at most, and three writes arrive last first",
        _with_faults(SHORT),
    ),
)
# None of these can be mounted without its kernel module; what mount(8) says of them is in the results.
NOT_HERE = ("nfs", "nfs4", "lustre", "gpfs", "beegfs", "ceph")


def why_not_here(kind: str, work: Path) -> str:
    """What mount(8) says of a file system that this machine does not have; "" if its kernel knows it."""
    known = {line.split()[-1] for line in Path("/proc/filesystems").read_text().splitlines()}
    if kind in known:
        return ""
    folder = work / "not-here"
    folder.mkdir(exist_ok=True)
    try:
        run(["mount", "-i", "-t", kind, f"{ADDRESS}:/export", str(folder)])
    except RuntimeError as error:
        words = str(error).splitlines()[0].replace(str(folder), "FOLDER")
        return f"{words}; /proc/filesystems has no {kind}"
    run(["umount", str(folder)])
    return ""


Fake = Literal["lustre", "lustre_progressive", "gpfs", "hangs", "fails"]


def faked(kind: Fake) -> dict[str, str]:
    """An environment in which `lfs` or `mmlsattr` and `mmlsfs` are those of fake/KIND."""
    return os.environ | {"PATH": f"{Path(__file__).resolve().parent / 'fake' / kind}:{os.environ['PATH']}"}
