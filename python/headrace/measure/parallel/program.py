"""The worker program: given, there already, or built from the checkout with the user's MPI. Next: worker_search.py."""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.build import cache_directory
from headrace.measure.compilers import find_compilers
from headrace.measure.parallel.worker_search import NAME, checkout, existing_worker, files_of
from headrace.measure.process import end

BUILD_LIMIT = 1800  # seconds

Step = Callable[[str], None]


def find_worker(given: Path | None, wrapper: str, step: Step) -> Path:
    """The program; built if there is none. Raises HeadraceError that says what is missing."""
    if given is not None:
        if not os.access(given, os.X_OK) or given.is_dir():
            raise HeadraceError(f"--worker {given} is not an executable program", "leave it out to build one")
        return given.absolute()
    return existing_worker(wrapper) or _built(wrapper, step)


def _built(wrapper: str, step: Step) -> Path:
    source = checkout()
    if source is None:
        raise HeadraceError(
            f"there is no {NAME} on the PATH or in {sys.prefix}/bin, and no source checkout to build it from",
            f"build it with CMake from the sources (-DHEADRACE_MPI=ON, target {NAME}) and name it with --worker",
        )
    for program, what in (("cmake", "cmake"), (wrapper, "the MPI compiler wrapper")):
        if shutil.which(program) is None:
            raise HeadraceError(
                f"{what} was not found: {program}",
                "install it or load its module; --mpi names the wrapper, --worker a program that is built already",
            )
    folder = cache_directory() / f"worker-{_key(source, wrapper)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise HeadraceError(
            f"the cache {folder} cannot be written: {error.strerror}",
            "set HEADRACE_CACHE to a directory that you may write",
        ) from error
    with lock:  # another process may build the same
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            step("waiting for another run that builds the worker")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / NAME).is_file():
            _build(source, wrapper, folder, step)
    return folder / NAME


def _build(source: Path, wrapper: str, folder: Path, step: Step) -> None:
    """Leaves the program in `folder`; what a failed build has made stays for the next try."""
    work = folder / "build"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DHEADRACE_MPI=ON", "-DHEADRACE_BUILD_TESTS=OFF", "-Wno-dev"]
    options += [f"-DCMAKE_Fortran_COMPILER={path}" for path in _fortran()]
    options += [f"-DMPI_{language}_COMPILER={path}" for language, path in _wrappers(wrapper)]
    _run(["cmake", "-S", str(source), "-B", str(work), *options], "configuring", step)
    jobs = str(len(os.sched_getaffinity(0)))
    _run(["cmake", "--build", str(work), "--target", NAME, "--parallel", jobs], "building", step)
    made = next((path for path in work.rglob(NAME) if path.is_file()), None)
    if made is None:
        raise HeadraceError(f"the build in {work} left no {NAME}", "see what cmake --build says there")
    made.rename(folder / NAME)
    shutil.rmtree(work, ignore_errors=True)


def _wrappers(wrapper: str) -> Iterator[tuple[str, str]]:
    """The wrappers of one MPI for each language: mpicxx.mpich stands beside mpicc.mpich and mpifort.mpich."""
    path = Path(shutil.which(wrapper) or wrapper)
    yield "CXX", str(path)
    for language, name in (("C", "mpicc"), ("Fortran", "mpifort")):
        other = path.with_name(re.sub(r"mpi(cxx|c\+\+|CC)", name, path.name))
        if other != path and other.exists():
            yield language, str(other)


def _fortran() -> list[str]:
    """The compiler that FC names, else the first that is found: CMake knows few names."""
    return [] if os.environ.get("FC") else [compiler.path for compiler in find_compilers()[:1]]


def _key(source: Path, wrapper: str) -> str:
    """Of everything the program is made of."""
    key = hashlib.sha256()
    path = shutil.which(wrapper) or wrapper
    key.update(f"{Path(path).resolve()} {_said([path, '--version'])} {_said([path, '-show'])} {_fortran()}".encode())
    key.update(f"{os.environ.get('FC', '')} {os.environ.get('CMAKE_PREFIX_PATH', '')}".encode())
    for file in files_of(source):
        key.update(str(file.relative_to(source)).encode())
        key.update(file.read_bytes())
    return key.hexdigest()[:20]


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _run(command: list[str], what: str, step: Step) -> None:
    """Run one step of the build; its output is shown as progress, its end in an error."""
    step(f"{what} the worker")
    with tempfile.TemporaryFile("w+") as kept:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            for line in process.stdout:
                kept.write(line)
                if line.startswith("["):
                    step(line.strip())
            code = process.wait(BUILD_LIMIT)
        finally:
            end(process)  # with all compilers that it has started
        if code == 0:
            return
        kept.seek(0)
        lines = [line.rstrip() for line in kept if line.strip()]
    wrong = [index for index, line in enumerate(lines) if re.search(r"error|not found|undefined", line, re.IGNORECASE)]
    first = wrong[0] if wrong else max(0, len(lines) - 12)
    shown = "\n  ".join(lines[first : first + 12])
    raise HeadraceError(
        f"{what} the worker failed\n  command: {' '.join(command)}\n  {shown}",
        "name a worker that is built already with --worker, or another MPI with --mpi",
    )
