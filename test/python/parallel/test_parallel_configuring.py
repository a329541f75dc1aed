"""Who is told that a library is missing installs it and configures the same build directory again."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROJECT = f"""cmake_minimum_required(VERSION 3.20)
project(parallel LANGUAGES CXX)
include("{ROOT}/cmake/Parallel.cmake")
"""


@pytest.fixture(scope="module")
def wrapper() -> str:
    found = shutil.which("mpicxx.openmpi") or shutil.which("mpicxx")
    if found is None:
        pytest.skip("no mpicxx.openmpi and mpirun.openmpi on this machine")
    if not Path("/usr/include/rapidjson/reader.h").is_file():
        pytest.skip("built without RapidJSON in /usr/include")
    return found


def test_a_library_that_was_missing_is_found_later(tmp_path: Path, wrapper: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DMPI_CXX_COMPILER={wrapper}"]
    as_before = "-DHEADRACE_MPI_HAS_zarr:INTERNAL="  # which a run without the library leaves
    told = subprocess.run([*command, as_before], check=True, capture_output=True, text=True).stdout
    assert "headrace_mpi with zarr" in told
