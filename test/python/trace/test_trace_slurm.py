"""MPI ranks on two nodes of a Slurm are traced, whatever srun was told of the environment."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace.trace.results import Trace
from slurm_cluster import Cluster, two_nodes

PROGRAM = """\
program each
   implicit none
   character(len=12) :: process
   integer :: i
   call get_environment_variable('SLURM_PROCID', process)
   open (10, file='out.'//trim(process), form='unformatted', access='stream')
   do i = 1, 1000
      write (10) i
   end do
   close (10)
end program each
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with two_nodes() as started:
        yield started


@pytest.mark.parametrize(
    "told", [(), ("--export=NONE",), ("--export=PATH",)], ids=["nothing", "no variables", "one variable"]
)
def test_both_nodes_are_traced(told: tuple[str, ...], cluster: Cluster, tmp_path: Path) -> None:
    if not shutil.which("gfortran"):
        pytest.skip("gfortran is not installed")
    (tmp_path / "each.f90").write_text(PROGRAM)
    subprocess.run(["gfortran", "each.f90", "-o", "each"], cwd=tmp_path, check=True, timeout=120)
    command = (sys.executable, "-m", "headrace", "trace", "--no-advice", "--save", "each", "--json", "each.json")
    done = cluster.run(*command, "srun", "-N2", "-n4", *told, "./each", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    trace = Trace.model_validate_json((tmp_path / "each.json").read_text())
    (write,) = [line for line in trace.lines if line.statement == "write" and line.line == 8]
    assert (write.statements, write.processes) == (4000, 4)
    assert trace.mpi_ranks == 4
    assert all((tmp_path / f"out.{rank}").stat().st_size == 4000 for rank in range(4))
