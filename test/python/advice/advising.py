"""What the tests of `headrace advise` share: a job on a described place, and file systems that are not here."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headrace.results.advised import Advised, Item
from headrace.results.run import Directory, Vendor
from headrace.settings.advise import advise
from headrace.settings.job import Job
from headrace.settings.place import Asked, Place, look
from headrace.settings.storage import Storage
from headrace.sites.load import site
from headrace.sites.schema import FileSystem, MpiIo

# As the manuals print it: the ARCHER2 guide for a directory, lfs-getstripe(1) and the Lustre manual for the others.
GETSTRIPE = "stripe_count:   1 stripe_size:    1048576 stripe_offset:  -1\n"
GETSTRIPE_YAML = """\
lmm_stripe_count:  4
lmm_stripe_size:   4194304
lmm_pattern:       raid0
lmm_layout_gen:    0
lmm_stripe_offset: 8
"""
GETSTRIPE_PROGRESSIVE = """\
  lcm_layout_gen:    0
  lcm_mirror_count:  1
  lcm_entry_count:   2
    component0:
      lcme_id:             N/A
      lcme_extent.e_start: 0
      lcme_extent.e_end:   4194304
        stripe_count:  1       stripe_size:   1048576       pattern:       raid0       stripe_offset: -1

    component1:
      lcme_id:             N/A
      lcme_extent.e_start: 4194304
      lcme_extent.e_end:   EOF
        stripe_count:  4       stripe_size:   1048576       pattern:       raid0       stripe_offset: -1
"""
DF = """\
UUID                 1K-blocks        Used   Available Use% Mounted on
mds-lustre-0_UUID      9174328     1020024     8154304  11% /mnt/lustre[MDT:0]
ost-lustre-0_UUID     94181368    56330708    37850660  59% /mnt/lustre[OST:0]
ost-lustre-1_UUID     94181368    56385748    37795620  59% /mnt/lustre[OST:1]
ost-lustre-2_UUID     94181368    54352012    39829356  57% /mnt/lustre[OST:2]

filesystem summary:  282544104   167068468   115475636  59% /mnt/lustre
"""
QUOTA = "     /mnt/lustre  307200  500000 1000000       -       3    1000    2000       -\n"
MMLSATTR = """\
file name:            /gpfs/work/run
metadata replication: 2 max 2
data replication:     1 max 2
immutable:            no
appendOnly:           no
flags:                
storage pool name:    system
fileset name:         root
snapshot name:        
creation time:        Wed Feb 22 15:16:29 2012
Misc attributes:      DIRECTORY
Encrypted:            no
"""


def advised(job: Job, place: Place | None = None, at: str = "") -> Advised:
    """The advice for a job on a place, or at a site that nobody here can look at."""
    profile = site(at) if at else None
    found = place or look(Asked(site=profile) if profile else Asked())
    return advise(job, found, profile)


def items(found: Advised) -> dict[str, Item]:
    return {item.change: item for item in found.items}


def described(
    kind: FileSystem = "local",
    mpi_io: MpiIo | None = "ompio",
    vendors: Sequence[Vendor] = ("gnu",),
    variables: Mapping[str, str] | None = None,
    **storage: Any,
) -> Place:
    """A place of the test's own."""
    directory = Directory(path="/work/run", file_system=kind, free_bytes=10**15, total_bytes=10**15)
    place = Place(
        Storage(directory, kind, **storage),
        mpi="Open MPI 4.1.4" if mpi_io == "ompio" else "MPICH 4.0" if mpi_io == "romio" else "",
        mpi_io=mpi_io,
        romio="romio321" if mpi_io == "ompio" else "",
        vendors=tuple(vendors),
        cores=8,
    )
    return replace(place, variables=variables or {})


def program(folder: Path, name: str, text: str) -> None:
    """A program for the PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def compiled(folder: Path, name: str, body: str) -> None:
    """A program of these lines."""
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not installed")
    declared = "integer :: i, j = 0\ninteger(8) :: clock\nlogical :: is_open = .true.\nreal(8) :: x(100000) = 1\n"
    (folder / f"{name}.f90").write_text(f"program p\n{declared}{body}\nend program p\n")
    subprocess.run(["gfortran", "-g", "-O1", f"{name}.f90", "-o", name], cwd=folder, check=True)
