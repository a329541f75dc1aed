"""A world of its own for mounts, daemons and addresses: when its first process ends, all of them are gone.

Mounts and processes are seen by nobody else, and loop devices are given back with the last mount. The only network is a
loopback interface, with an address that GlusterFS accepts (it refuses 127.0.0.1 for bricks).
"""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

ADDRESS = "10.255.255.1"
_INSIDE = "HEADRACE_TESTFILESYSTEMS_INSIDE"
# Daemons write there; nothing of it is to stay on the machine.
_HIDDEN = ("/var/lib/glusterd", "/var/log/glusterfs", "/run")
_PR_SET_PDEATHSIG = 1


def is_inside() -> bool:
    return _INSIDE in os.environ


def enter(words: list[str], work: Path, module: str = "filesystems") -> int:
    """Run the module again in such a world, with `words`; the exit code. Signals end all that is in it."""
    unshare = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"]
    command = [*unshare, sys.executable, "-m", module, *words, "--work", str(work)]
    # A world that outlives the one who began it would be seen by nobody.
    child = subprocess.Popen(command, env=os.environ | {_INSIDE: "1"}, preexec_fn=_end_with_parent)
    try:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, frame: sys.exit(128 + number))
        return child.wait()
    except BaseException:  # a signal: nothing may stay
        child.kill()
        raise
    finally:
        child.wait()


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def prepare() -> None:
    """The loopback interface and empty folders for daemons. Raises RuntimeError if that is not allowed."""
    run(["ip", "link", "set", "lo", "up"])
    run(["ip", "address", "add", f"{ADDRESS}/32", "dev", "lo"])
    for folder in _HIDDEN:
        if Path(folder).is_dir():
            run(["mount", "-t", "tmpfs", "none", folder])


def run(words: list[str], limit: float = 60) -> str:
    """What a program prints. Raises RuntimeError with its words if it fails, is missing or takes too long."""
    said = " ".join(words)
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
    except FileNotFoundError as error:
        raise RuntimeError(f"`{said}`: {words[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"`{said}` did not end within {limit:g} s") from error
    if done.returncode != 0:
        raise RuntimeError(f"`{said}` failed with exit code {done.returncode}: {(done.stderr + done.stdout).strip()}")
    return done.stdout
