"""Rows cost what their statement costs: no copy of the array that only the harness asks for."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from headrace.measure.build import build_family
from headrace.measure.catalogue import all_mechanisms, family_files, harness_files, sources_directory
from headrace.measure.process import Request, run_process
from headrace.results.run import Compiler

COUNT = 1_500_000
PAYLOAD = 8 * COUNT
# Buffers of the library with one thread: blocks of text, and of binary files hardly anything.
MOST = {"headrace:text": PAYLOAD * 2 // 3, "headrace:unformatted": PAYLOAD // 4, "headrace:npy": PAYLOAD // 4}


def test_every_row_of_the_library_has_its_limit() -> None:
    assert {mechanism.key for mechanism in all_mechanisms() if mechanism.family == "headrace"} == set(MOST)


@pytest.mark.parametrize("key", [*MOST, "memory:copy"])
def test_memory_of_the_process_does_not_grow_by_the_array(compiler: Compiler, key: str, tmp_path: Path) -> None:
    """The library's own rows, and the copy that is their ceiling: gfortran copies for a `contiguous` dummy argument."""
    family, _, name = key.partition(":")
    program = build_family(compiler, family)
    assert program.executable is not None, program.message
    request = Request(name, COUNT, tmp_path / "file.dat", passes=1)
    report = run_process(program.executable, request, {"OMP_NUM_THREADS": "1"}, 60)
    assert report.outcome == "measured" and report.verified, report.message
    if not report.peak:
        pytest.skip("this kernel does not say what memory a process had at most")
    assert set(report.peak) == {"write", "read"}
    assert max(report.peak.values()) < MOST.get(key, PAYLOAD // 4), report.peak


# Where gfortran has a temporary array, and why that is right.
KNOWN = {
    "actual_arguments.f90": (
        "call put_flat(array",  # the mechanism's subject, as the next three
        "call get_flat(array",
        "array(subscript)",
        "[points(i)%x, points(i)%y, points(i)%z]",
    ),
    "memory.f90": ("memcpy(",),  # only of a section: see the test above
    "c_library.f90": ("call c_f_pointer(",),  # of an extent
    "meta_and_bin.f90": ("extents = [",),
    "data.f90": ("table = reshape(",),  # before the clock runs
}


def temporaries(gnu: Compiler, sources: Sequence[Path], folder: Path) -> list[tuple[str, str]]:
    """File and line of each array that gfortran makes by itself; what needs another compiler is left out."""
    command = [gnu.path, "-O0", "-fopenmp", "-Warray-temporaries", "-c", *map(str, sources)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"/([^/\n]+[.]f90):\d+:\d+:\n\n +\d+ \| *(.*)\n.*\n(?:Warning: .*temporary)", done.stderr)
    assert len(found) == done.stderr.count("Warning: "), done.stderr
    return found


def test_gfortran_copies_arrays_only_where_that_is_the_subject(gnu: Compiler, tmp_path: Path) -> None:
    """All families, and Fortran's statements of the other benchmarks."""
    bench = sources_directory()
    families = [path for name, path in family_files().items() if name != "vendor_open"]
    ways = [bench / "harness" / "values_real64.f90", bench / "binary" / "fortran_ways.f90"]
    others = [bench / "micro" / "transfers.f90", bench / "parallel" / "fortran_statements.f90"]
    run = [bench / "run" / f"{name}.f90" for name in ("data", "writes", "reads", "others")]
    found = temporaries(gnu, [*harness_files(), *families, *ways, *others, *run], tmp_path)
    found += temporaries(gnu, [ways[0], bench / "text" / "fortran_ways.f90"], tmp_path)
    unknown = [(file, line) for file, line in found if not any(text in line for text in KNOWN.get(file, ()))]
    assert unknown == []
    assert {file for file, _ in found} == set(KNOWN)
