"""Which worker `headrace bench parallel` takes, and what it refuses before it builds one."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import REPOSITORY, start_and_await
from headrace.measure.parallel import worker_search
from headrace.measure.parallel.methods import ALL, COMBINATIONS
from headrace.measure.parallel.program import find_worker
from headrace.measure.parallel.worker_search import NAME, existing_worker

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def program(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--method", "mpiio:colective"), "did you mean mpiio:collective?"),
        (("--method", "zarr:file_per_proces"), "did you mean headrace:zarr:file_per_process?"),
        (("--method", "quite_else"), "--method quite_else: the worker has no such method"),
        (("--backend", "hdf6"), "--backend hdf6: not known\n  did you mean hdf5?"),
        (("--pattern", "file_per_proces"), "did you mean file_per_process?"),
        (("--backend", "npy", "--pattern", "file_per_node"), "no method has backend npy, pattern file_per_node"),
        (("--preset", "popp"), "did you mean pop?"),
        (("--size", "999TiB"), "are needed"),
    ],
)
def test_what_no_worker_has_is_refused_before_one_is_built(
    headrace: Command, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    tools = tmp_path / "tools"
    for name in ("cmake", "mpicxx", "mpirun"):
        program(tools / name, f"touch {tmp_path}/was-built; exit 1" if name == "cmake" else "")
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "HEADRACE_CACHE": str(tmp_path / "cache"), "SLURM_JOB_ID": ""}
    done = headrace("bench", "parallel", "--ranks", "2", "--dir", ".", *options, **environment)
    assert done.returncode == 2 and said in done.stderr, done.stderr
    assert not (tmp_path / "was-built").exists() and not (tmp_path / "cache").exists()
    right = headrace("bench", "parallel", "--ranks", "2", "--dir", ".", "--method", "null", **environment)
    assert right.returncode == 2 and (tmp_path / "was-built").exists(), right.stderr


def test_more_mpi_ranks_than_a_node_can_start_need_a_launcher(headrace: Command, tmp_path: Path) -> None:
    program(tmp_path / "tools" / "mpirun")
    environment = {"PATH": f"{tmp_path}/tools:/usr/bin:/bin", "SLURM_JOB_ID": ""}
    options = ("bench", "parallel", "--worker", "/bin/true", "--ranks", "2,99999", "--dir", ".", "--size", "1kB")
    done = headrace(*options, **environment)
    assert done.returncode == 2 and "--ranks 99999: 99,999 MPI ranks on" in done.stderr, done.stderr
    assert "mpirun -n {ranks}'" in done.stderr  # what to name if it is meant


def test_ctrl_c_while_mpi_ranks_start_ends_them_all(tmp_path: Path) -> None:
    """One has left the process group of the launcher, as MPI ranks do."""
    rank = "import os, sys, time; os.setpgid(0, 0); open('rank', 'w').write(str(os.getpid())); time.sleep(600)"
    (tmp_path / "rank.py").write_text(rank)
    program(tmp_path / "start", f"[ $1 = --version ] && exit; {sys.executable} rank.py & echo $$ >launcher; wait")
    options = ("--worker", "/bin/true", "--launcher", f"{tmp_path}/start {{ranks}}", "--ranks", "2", "--dir", ".")
    command = start_and_await("starting a worker", tmp_path, "bench", "parallel", *options, "--size", "1kB")
    files = [tmp_path / "rank", tmp_path / "launcher"]
    while not all(file.exists() and file.read_text() for file in files):
        time.sleep(0.01)
    command.send_signal(signal.SIGTERM)
    assert command.wait(60) == 1
    for file in files:
        assert is_gone(int(file.read_text())), file.name


def is_gone(pid: int) -> bool:
    """Or a zombie, which nobody has waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True


def test_the_methods_are_those_of_the_worker() -> None:
    sources = [path.read_text() for path in sorted((REPOSITORY / "bench" / "parallel").glob("*.cpp"))]
    libraries = "raw|fortran|mpiio|hdf5|netcdf4|pnetcdf|adios2"
    named = {name for text in sources for name in re.findall(rf'"((?:{libraries}):\w+|null)"', text)}
    assert named == {name for name in ALL if not name.startswith("headrace:")}
    source = (REPOSITORY / "bench" / "parallel" / "headrace_calls.cpp").read_text()
    table = source.partition("formats = {")[2].partition("};")[0]
    rows = re.findall(r'\{"(\w+)",\s*\{([^}]*)\}\}', table)
    assert {name: set(re.findall(r'"([\w:]+)"', ways)) for name, ways in rows} == {
        name: set(ways) for name, ways in COMBINATIONS.items()
    }


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither the PATH nor an environment of Python has a worker; a checkout has sources, and mpicxx is there."""
    source = tmp_path / "checkout"
    for part in worker_search.PARTS:
        (source / part).parent.mkdir(parents=True, exist_ok=True)
        (source / part).write_text("")
        os.utime(source / part, (1000, 1000))
    program(tmp_path / "mpi" / "mpicxx")
    monkeypatch.setenv("PATH", str(tmp_path / "mpi"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setattr(worker_search, "checkout", lambda: source)
    monkeypatch.delenv("HEADRACE_LIBRARY", raising=False)
    return tmp_path


def build(folder: Path, **options: str) -> Path:
    """A build directory of CMake with a worker."""
    made = program(folder / "bench" / "parallel" / NAME)
    mpi = {"MPI_CXX_COMPILER": str(folder.parents[2] / "mpi" / "mpicxx"), "CMAKE_BUILD_TYPE": "Release"}
    (folder / "CMakeCache.txt").write_text("".join(f"{key}:STRING={value}\n" for key, value in (mpi | options).items()))
    return made


def test_a_worker_on_the_path_comes_first(nowhere: Path) -> None:
    assert existing_worker("mpicxx") is None
    program(nowhere / "venv" / "bin" / NAME)
    on_path = program(nowhere / "mpi" / NAME)
    assert existing_worker("mpicxx") == on_path


def test_a_worker_of_an_installation_is_found(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("lib", "lib64", "lib/x86_64-linux-gnu"):
        prefix = nowhere / place.replace("/", "-")
        made = program(prefix / "bin" / NAME)
        monkeypatch.setenv("HEADRACE_LIBRARY", str(prefix / place / "libheadrace_core.so"))
        assert existing_worker("mpicxx") == made
    beside = program(nowhere / "venv" / "bin" / NAME)
    assert existing_worker("mpicxx") == beside


def test_a_worker_of_a_build_directory_is_found_where_it_is_fit(nowhere: Path) -> None:
    folder = nowhere / "checkout" / "build" / "mine"
    made = build(folder)
    assert existing_worker("mpicxx") == made
    assert find_worker(None, "mpicxx", lambda text: None) == made  # nothing is built
    for unfit in (
        {"MPI_CXX_COMPILER": "/of/another/mpicxx"},
        {"MPI_CXX_COMPILER": ""},
        {"CMAKE_BUILD_TYPE": "Debug"},
        {"HEADRACE_SANITIZE": "ON"},
    ):
        build(folder, **unfit)
        assert existing_worker("mpicxx") is None, unfit
    build(folder)
    os.utime(made, (999, 999))  # older than the sources
    assert existing_worker("mpicxx") is None
    newer = build(folder.parent / "test" / "other")
    assert newer.parents[2] == folder.parent / "test" / "other"
    assert existing_worker("mpicxx") is None  # of another MPI: its wrapper is not there
    shutil.copy(folder / "CMakeCache.txt", folder.parent / "test" / "other")
    assert existing_worker("mpicxx") == newer
