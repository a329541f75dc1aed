"""A folder in which calls cost or fail as planted, for tests:

    with planted(Settings(costs={"create": 0.02})) as place:
        ...                      # place.folder is mounted
        place.report().calls     # what was called, for comparison
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filesystems.settings import ATTRIBUTE, Settings

_LIMIT = 20.0  # seconds until it is mounted, or gone
TESTS = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Report:
    """How often each call was made, the seconds that it was delayed, and how often it failed."""

    calls: dict[str, int]
    seconds: dict[str, float]
    failed: dict[str, int]


@dataclass(frozen=True)
class Place:
    """`folder` is the mount point; `behind` the folder with what has arrived."""

    folder: Path
    behind: Path
    server: "subprocess.Popen[bytes]"

    def report(self) -> Report:
        return Report(**json.loads(os.getxattr(self.folder, ATTRIBUTE)))

    def crash(self) -> None:
        """End the server as a power cut would: what it holds is lost."""
        self.server.kill()
        self.server.wait(_LIMIT)


def why_not() -> str:
    """Why it cannot be mounted here; "" if it can."""
    if os.geteuid() != 0:
        return "only root can mount the planted file system"
    if not Path("/dev/fuse").exists():
        return "there is no /dev/fuse"
    if shutil.which("fusermount3") is None:
        return "fuse3 is not installed"
    return ""


@contextlib.contextmanager
def planted(settings: Settings, beside: Path | None = None) -> Iterator[Place]:
    """Mounts it below a new folder, in `beside` or the place for temporary files. Raises RuntimeError."""
    root = Path(tempfile.mkdtemp(prefix="planted-", dir=beside))
    behind, folder = root / "behind", root / "mounted"
    behind.mkdir()
    folder.mkdir()
    log = root / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "filesystems.server", str(behind), str(folder), settings.text()],
            cwd=TESTS,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C is for those who use it: they unmount
        )
    try:
        _wait(folder, server, log)
        yield Place(folder, behind, server)
    finally:
        _end(folder, server)
        shutil.rmtree(root, ignore_errors=True)


def _wait(folder: Path, server: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + _LIMIT
    while not os.path.ismount(folder):
        if server.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"the planted file system was not mounted on {folder}: {log.read_text()[-2000:]}")
        time.sleep(0.01)


def _end(folder: Path, server: "subprocess.Popen[bytes]") -> None:
    """Unmounts also what is in use or has lost its server."""
    subprocess.run(["fusermount3", "-u", "-q", str(folder)], stdin=subprocess.DEVNULL, capture_output=True)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.wait(1)
    if server.poll() is None or os.path.ismount(folder):
        subprocess.run(["fusermount3", "-u", "-z", "-q", str(folder)], stdin=subprocess.DEVNULL, capture_output=True)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(1)
    if server.poll() is None:
        server.send_signal(signal.SIGKILL)
        server.wait(_LIMIT)
