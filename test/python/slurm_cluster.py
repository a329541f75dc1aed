"""A Slurm of two virtual nodes on this machine, for tests; test/slurm/two_nodes.sh starts and stops it."""

import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

START = Path(__file__).resolve().parents[1] / "slurm" / "two_nodes.sh"
REFUSED = 2  # exit code of the script if the machine cannot do it
LIMIT = 120.0  # seconds


@dataclass(frozen=True)
class Cluster:
    """`variables` make sbatch, srun and squeue use it; `environment` is all that a command needs."""

    folder: Path
    variables: dict[str, str]
    environment: dict[str, str]

    def run(self, *command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            cwd=folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            stdin=subprocess.DEVNULL,
        )


@contextmanager
def two_nodes() -> Iterator[Cluster]:
    """Skips if no Slurm can be started. The script ends all daemons when its standard input ends."""
    folder = Path(tempfile.mkdtemp(prefix="hr-slurm-", dir="/tmp"))  # short: a socket's path has 108 characters
    try:
        process = subprocess.Popen(
            ["sh", str(START), str(folder), *map(str, _free_ports(4))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            _await(process)
            # Open MPI names shared memory by host and number on the node: two nodes on one host would mix it up.
            own = {"SLURM_CONF": str(folder / "slurm.conf"), "OMPI_MCA_btl": "tcp,self"}
            # What an outer job has set would be taken for this one's.
            outer = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))}
            yield Cluster(folder, own, outer | own)
        finally:
            with suppress(BrokenPipeError):
                assert process.stdin is not None
                process.stdin.close()
            process.wait(timeout=60)
            for stream in (process.stdout, process.stderr):
                assert stream is not None
                stream.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _await(process: "subprocess.Popen[str]") -> None:
    assert process.stdout is not None and process.stderr is not None
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        if select.select([process.stdout], [], [], 0.5)[0]:
            line = process.stdout.readline()
            if line == "ready\n":
                return
            break
    if process.poll() is None and time.monotonic() >= deadline:
        pytest.fail(f"two_nodes.sh neither started nor gave up within {LIMIT:.0f} s")
    code = process.wait(timeout=60)
    said = process.stderr.read().strip()
    if code == REFUSED:
        pytest.skip(f"no Slurm of two nodes can be started here: {said}")
    pytest.fail(f"two_nodes.sh ended with exit code {code}: {said}")


def _free_ports(count: int) -> list[int]:
    with_ports = [socket.socket() for _ in range(count)]
    try:
        for each in with_ports:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in with_ports]
    finally:
        for each in with_ports:
            each.close()
