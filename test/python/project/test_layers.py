"""The folders of the parallel library include only what lies below them, and no format another."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
MPI = REPOSITORY / "mpi"
BELOW = {
    "together": set(),
    "disk": {"together"},
    "move": {"together", "disk"},
    "dataset": {"together", "disk", "move"},
    "json": set(),
    "formats": {"json", "together", "disk", "move", "dataset"},
    "abi": {"together", "disk", "move", "dataset", "formats"},
    "bindings": {"abi", "dataset"},  # it brings Fortran's statements
}
# NetCDF-4 files are HDF5 files: places and handles of HDF5 serve both.
FORMATS_BELOW = {("netcdf", "hdf5")}


def included(source: Path) -> list[Path]:
    """The files of this library that a file includes, from mpi/."""
    found = []
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', source.read_text(), re.MULTILINE):
        path = (source.parent / name).resolve()
        if path.is_relative_to(MPI):
            found.append(path.relative_to(MPI))
    return found


def test_every_folder_includes_what_lies_below_it() -> None:
    wrong = []
    seen = set()
    for source in sorted((*MPI.rglob("*.cpp"), *MPI.rglob("*.hpp"))):
        here = source.relative_to(MPI)
        seen.add(here.parts[0])
        for other in included(source):
            if other.parts[0] != here.parts[0] and other.parts[0] not in BELOW[here.parts[0]]:
                wrong.append(f"{here} includes {other}")
            formats = here.parts[0] == other.parts[0] == "formats"
            if formats and here.parts[1] != other.parts[1] and (here.parts[1], other.parts[1]) not in FORMATS_BELOW:
                wrong.append(f"{here} includes {other}")
    assert wrong == []
    assert seen == set(BELOW)


def test_every_included_file_is_there() -> None:
    for source in (*MPI.rglob("*.cpp"), *MPI.rglob("*.hpp")):
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', source.read_text(), re.MULTILINE):
            if name.startswith("../") or "/" not in name:
                assert (source.parent / name).exists() or (REPOSITORY / "include" / name).exists(), f"{source}: {name}"
