"""The seconds of a trace are those that a program measures around its own statements, and nothing is counted twice."""

import json
from pathlib import Path

import pytest

from conftest import start
from trace_programs import compiled

# Prints: seconds around the statements with files, and around a list-directed WRITE whose list has a function with an
# internal WRITE of its own.
MEASURED = """
program measured
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer :: i
  integer(int64) :: begun, ended, rate
  real(real64) :: outside, around
  real(real64), allocatable :: a(:), b(:)
  allocate (a(2000000), source=1.25_real64)
  allocate (b(100000), source=0.1_real64)
  outside = 0
  open (10, file='m.dat', form='unformatted')
  open (11, file='m.txt')
  do i = 1, 5
    call system_clock(begun, rate)
    write (10) a
    write (11, '(es22.14)') b
    call system_clock(ended)
    outside = outside + real(ended - begun, real64) / rate
  end do
  call system_clock(begun)
  write (11, *) (work(i), i=1, 20)
  call system_clock(ended)
  around = real(ended - begun, real64) / rate
  close (10, status='delete')
  close (11, status='delete')
  print *, outside, around
contains
  integer function work(i)
    integer, intent(in) :: i
    character(400000) :: text
    write (text, '(20000i20)') spread(i, 1, 20000)
    read (text(1:20), *) work
  end function
end program
"""
FILES, OUTER, INNER = (16, 17), 22, (32, 33)


def test_seconds_are_those_of_a_clock_around_the_statements(tmp_path: Path) -> None:
    compiled(tmp_path, "measured", MEASURED)
    done = start(tmp_path, "trace", "--no-advice", "--json", "trace.json", "./measured")
    assert done.returncode == 0, done.stderr
    outside, around = (float(word) for word in done.stdout.split())
    lines = {line["line"]: line for line in json.loads((tmp_path / "trace.json").read_text())["lines"]}
    files = sum(lines[number]["seconds_exclusive"] for number in FILES)
    assert files == pytest.approx(outside, rel=0.03) and files <= outside * 1.001
    outer, inner = lines[OUTER], sum(lines[number]["seconds_exclusive"] for number in INNER)
    assert outer["seconds"] == pytest.approx(around, rel=0.03)
    assert outer["seconds_exclusive"] + inner == pytest.approx(outer["seconds"], rel=0.03)
    assert inner > 0.5 * around
