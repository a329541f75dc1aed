"""What is shown of a trace beside the table: the time line, the page, Perfetto's file, two traces beside each other."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from browser import CHROMIUM, Page, artefacts, browser
from conftest import start
from trace_programs import compiled

# A short statement first, and at the same source line a long one after a pause: 1 and 10,000,000 reals.
LATE = """
program late
  implicit none
  integer :: k, n(2) = [1, 10000000]
  integer(8) :: begun, now, rate
  real(8), allocatable :: a(:)
  allocate (a(n(2)), source=1.0_8)
  open (10, file='late.dat', form='unformatted')
  do k = 1, 2
    if (k == 2) call wait_a_little()
    write (10) a(1:n(k))
  end do
  close (10, status='delete')
contains
  subroutine wait_a_little()
    call system_clock(begun, rate)
    do
      call system_clock(now)
      if (real(now - begun, 8) / rate > 0.3) exit
    end do
  end subroutine
end program
"""

# MPI rank 3 writes eight times as much; MPI rank 0 alone writes a log; every MPI rank has a file of its own.
UNEVEN = """
program uneven
  use mpi
  implicit none
  integer :: rank, code, i
  real(8), allocatable :: a(:)
  character(32) :: name
  call mpi_init(code)
  call mpi_comm_rank(mpi_comm_world, rank, code)
  allocate (a(100000), source=real(rank, 8))
  write (name, '("out.", i4.4)') rank
  open (10, file=name, form='unformatted')
  call mpi_barrier(mpi_comm_world, code)
  do i = 1, merge(80, 10, rank == 3)
    write (10) a
  end do
  close (10)
  if (rank == 0) then
    open (11, file='log.txt')
    write (11, '(es24.16)') a(1:20000)
    close (11)
  end if
  call mpi_finalize(code)
end program
"""


def headrace(*arguments: str, folder: Path) -> str:
    done = start(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def traced(program: list[str], folder: Path, *options: str) -> dict[str, Any]:
    headrace("trace", "--no-advice", "--json", "trace.json", *options, *program, folder=folder)
    found: dict[str, Any] = json.loads((folder / "trace.json").read_text())
    return found


def at_line(trace: dict[str, Any], number: int) -> dict[str, Any]:
    [line] = [line for line in trace["lines"] if line["line"] == number]
    return dict(line)


def test_a_late_statement_stands_in_its_own_bin(tmp_path: Path) -> None:
    program = compiled(tmp_path, "late", LATE)
    trace = traced([str(program)], tmp_path)
    line = at_line(trace, 11)
    [when] = [times for times in trace["time_lines"] if times["line"] == line["id"]]
    begins = {number: when["begins"] + number * when["width"] for number in when["bins"]}
    payload = dict(zip(when["bins"], when["payload_bytes"], strict=True))
    assert sum(when["seconds"]) == pytest.approx(line["seconds_exclusive"], rel=1e-4)
    assert sum(when["payload_bytes"]) == line["payload_bytes"] == 8 * 10000001
    assert len(when["bins"]) > 1  # the long statement is spread over the time that it took
    late = sum(count for number, count in payload.items() if begins[number] + when["width"] >= 0.3)
    assert late >= 8 * 10000000 - 8 and min(begins.values()) < 0.1


def test_no_time_lines_unless_they_are_asked_for(tmp_path: Path) -> None:
    from headrace.trace.archive import load
    from headrace.trace.merge import merge

    program = compiled(tmp_path, "late", LATE)
    traced([str(program)], tmp_path)
    recorded = load(tmp_path / "late.headrace-trace")
    assert merge(recorded.profiles, recorded.run).time_lines == []


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_an_uneven_mpi_rank_is_found_and_drawn(mpi: str, tmp_path: Path) -> None:
    compiler, launcher = f"mpif90.{mpi}", f"mpirun.{mpi}"
    if not shutil.which(compiler) or not shutil.which(launcher):
        pytest.skip(f"no {compiler} and {launcher} on this machine")
    (tmp_path / "uneven.f90").write_text(UNEVEN)
    subprocess.run([compiler, "-O2", "uneven.f90", "-o", "uneven"], cwd=tmp_path, check=True, timeout=60)
    options = ["--oversubscribe", "--allow-run-as-root"] if mpi == "openmpi" else []
    trace = traced(
        [launcher, *options, "-n", "8", "./uneven"], tmp_path, "--html", "page.html", "--perfetto", "perfetto.json"
    )
    assert trace["mpi_ranks"] == 8
    line = at_line(trace, 15)
    assert (line["statements"], line["largest_rank"], len(line["files"])) == (150, 3, 8)
    assert line["imbalance"] > 1.5
    log = at_line(trace, 20)
    assert (log["largest_rank"], log["imbalance"], log["processes"]) == (0, 8.0, 1)

    page = Page((tmp_path / "page.html").read_text())
    assert not page.unbalanced
    assert all(f"MPI rank {rank}" in page.text for rank in range(8))
    # Beside other work the rank that takes longest of all may be one that waited for a processor.
    assert re.search(r"MPI rank \d (takes|alone does that)", page.text)
    assert "libgfortran" in page.text
    assert not [value for _, name, value in page.attributes if name in ("src", "href") and "://" in value]

    events = json.loads((tmp_path / "perfetto.json").read_text())["traceEvents"]
    names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert any(name.startswith("MPI rank 3") for name in names)
    lasting = [event for event in events if event["ph"] == "X"]
    assert lasting and all(event["dur"] >= 0 and event["ts"] >= 0 for event in lasting)
    written = sum(event["args"]["payload_bytes"] for event in lasting if event["name"].startswith("uneven.f90:15"))
    assert written == line["payload_bytes"] == 150 * 800000

    again = headrace("trace", "show", "uneven.headrace-trace", "--html", "-", "--no-advice", folder=tmp_path)
    assert "MPI rank 7" in again
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    wide = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
    with browser(tmp_path) as chromium:
        for width, scheme in ((1280, "light"), (400, "dark")):
            chromium.show(tmp_path / "page.html", width, scheme)
            chromium.picture(artefacts() / f"trace-{mpi}-{width}-{scheme}.png")
            assert chromium.value(wide) <= width, f"horizontal scroll at {width}"
        assert chromium.errors == []
