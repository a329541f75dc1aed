"""What the advice says of MPI ranks: one that writes for all, one that is late, a file each, the same file for all."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from headrace.advice.advise import matches
from headrace.advice.costs import Costs, Inputs
from headrace.advice.facts import Facts
from headrace.trace.results import Trace
from trace_programs import Run, traced

RANKS = 4
PROGRAM = """\
program ranks
   use mpi
   implicit none
   integer :: rank, i, failed, file, nothing(MPI_STATUS_SIZE)
   integer(MPI_OFFSET_KIND) :: place
   real(8), allocatable :: x(:)
   character(20) :: name
   call MPI_Init(failed)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, failed)
   allocate (x(400000))
   x = rank
   if (rank == 0) then
      open (10, file='all.bin', form='unformatted', access='stream')
      do i = 1, size(x)
         write (10) x(i)                                        ! HR503
      end do
      close (10)
   end if
   call MPI_Barrier(MPI_COMM_WORLD, failed)
   open (11, file='all.bin', form='unformatted', access='stream', action='read')
   read (11) x                                                  ! HR506
   close (11)
   write (name, '(a, i4.4)') 'out.', rank
   open (12, file=name, form='unformatted')                     ! HR504
   write (12) x
   close (12)
   open (13, file=trim(name)//'.txt')
   do i = 1, merge(200000, 20000, rank == 2)
      write (13, '(es24.16)') x(1)                              ! HR507
   end do
   close (13)
   call MPI_File_open(MPI_COMM_WORLD, 'shared.bin', MPI_MODE_WRONLY + MPI_MODE_CREATE, MPI_INFO_NULL, file, failed)
   do i = 1, 3000
      place = 8 * (rank + 4 * (i - 1))
      call MPI_File_write_at(file, place, x(i), 1, MPI_DOUBLE_PRECISION, nothing, failed)
   end do
   call MPI_File_close(file, failed)
   call MPI_Finalize(failed)
end program ranks
"""


def test_what_mpi_ranks_do_to_each_other_is_found(headrace: Run, tmp_path: Path) -> None:
    compiler, launcher = shutil.which("mpifort.openmpi"), shutil.which("mpirun.openmpi")
    if not compiler or not launcher:
        pytest.skip("there is no launcher of Open MPI")
    (tmp_path / "ranks.f90").write_text(PROGRAM)
    subprocess.run([compiler, "-O1", "ranks.f90", "-o", "ranks"], cwd=tmp_path, check=True, timeout=120)
    start = [launcher, "--oversubscribe", "--allow-run-as-root", "-n", str(RANKS)]
    done = headrace("trace", "--no-advice", "--json", "t.json", *start, "./ranks", OMPI_MCA_btl="tcp,self")
    assert done.returncode == 0, done.stderr
    trace = Trace.model_validate(traced(tmp_path / "t.json"))
    assert trace.mpi_ranks == RANKS
    trace.wall = 0.1  # most of it is MPI's start
    path = next(file.path for file in trace.files if file.path.endswith("all.bin"))
    inputs = Inputs(file_sizes={path: (tmp_path / "all.bin").stat().st_size})
    facts = Facts(trace, Costs(inputs), {})
    found = [one for line in trace.lines for one in matches(line, facts)]
    for number, text in enumerate(PROGRAM.splitlines(), 1):
        wanted = re.search(r"! (HR\d+)$", text)
        if wanted:
            assert number in {one.line.line for one in found if one.code == wanted[1]}, text
    said = {one.code: one for one in found}
    assert "MPI rank 0 alone transfers 3.2 MB" in said["HR503"].finds
    late = next(one for one in found if one.code == "HR507" and one.line.source.startswith("write (13"))
    assert late.evidence["mpi_rank"] == 2
    assert said["HR504"].evidence["files"] == RANKS
    assert "each of 4 MPI ranks reads all 3.2 MB" in said["HR506"].finds
    assert "12.0k MPI_File_write_at calls of 8 bytes" in said["HR505"].finds
    assert said["HR505"].line.place in ("main program", "ranks.f90:0") or said["HR505"].line.place.startswith("ranks")
