"""Fortran programs for the tests of headrace trace, compiled once for a file of tests."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Every comment is the number of statements, and the payload in bytes.
COUNTS = """\
program counts
   implicit none
   integer :: i, u, there
   real(8) :: x(100)
   character(20) :: text
   namelist /settings/ i, x
   x = 1
   open (newunit=u, file='a.dat', form='unformatted')      ! open 1 0
   do i = 1, 50
      write (u) x(i)                                       ! write 50 400
   end do
   write (u) x, i                                          ! write 1 804
   rewind (u)                                              ! rewind 1 0
   do i = 1, 20
      read (u) x(i)                                        ! read 20 160
   end do
   backspace (u)                                           ! backspace 1 0
   close (u)                                               ! close 1 0
   do i = 1, 7
      open (12, file='b.txt', position='append')           ! open 7 0
      write (12, '(i5, f8.3)') i, x(i)                     ! write 7 84
      write (12, *) i                                      ! write 7 28
      flush (12)                                           ! flush 7 0
      close (12)                                           ! close 7 0
   end do
   do i = 1, 30
      write (text, '(i0)') i                               ! write 30 120
      read (text, *) there                                 ! read 30 120
   end do
   open (13, file='c.dat', access='direct', recl=8)        ! open 1 0
   do i = 1, 9
      write (13, rec=i) x(i)                               ! write 9 72
   end do
   inquire (unit=13, nextrec=there)                        ! inquire 1 0
   close (13, status='delete')                             ! close 1 0
   i = 3
   open (14, file='n.txt')                                 ! open 1 0
   write (14, nml=settings)                                ! write 1 804
   endfile (14)                                            ! endfile 1 0
   close (14)                                              ! close 1 0
   print *, 'done'                                         ! write 1 4
end program counts
"""

# How it ends is its argument: after 1000 statements, or inside of the next one.
ENDS = """\
module endings
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   interface
      integer(c_int) function c_raise(number) bind(c, name='raise')
         import :: c_int
         integer(c_int), value :: number
      end function c_raise
      subroutine c_exit(code) bind(c, name='_exit')
         import :: c_int
         integer(c_int), value :: code
      end subroutine c_exit
      subroutine c_abort() bind(c, name='abort')
      end subroutine c_abort
   end interface
contains
   integer function deadly(number)
      integer, intent(in) :: number
      deadly = c_raise(int(number, c_int))
   end function deadly
end module endings
program ends
   use endings
   implicit none
   character(20) :: how
   integer :: i, j(3), at
   call get_command_argument(1, how)
   open (10, file='ends.dat', form='unformatted')
   do i = 1, 1000
      write (10) i
   end do
   select case (how)
   case ('stop'); stop 3
   case ('error stop'); error stop 7
   case ('_exit'); call c_exit(9_c_int)
   case ('abort'); call c_abort()
   case ('segv'); i = c_raise(11_c_int)
   case ('kill'); i = c_raise(9_c_int)
   case ('term'); i = c_raise(15_c_int)
   case ('kill inside')
      write (10) deadly(9)
   case ('run time')
      read (10, pos=5) at
   end select
end program ends
"""
INSIDE_LINE = ENDS[: ENDS.index("write (10) deadly")].count("\n") + 1
FATAL_LINE = ENDS[: ENDS.index("read (10, pos=5)")].count("\n") + 1
LOOP_LINE = ENDS[: ENDS.index("      write (10) i\n")].count("\n") + 1


def compiled(folder: Path, name: str, source: str, *flags: str) -> Path:
    """A program of gfortran, with its source beside it."""
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not installed")
    (folder / f"{name}.f90").write_text(source)
    program = folder / name
    command = ["gfortran", "-O1", *flags, f"{name}.f90", "-o", str(program)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return program


def traced(path: Path) -> dict[str, Any]:
    """What --json wrote."""
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def lines_of(trace: dict[str, Any], statement: str, line: int) -> list[dict[str, Any]]:
    """The rows of a source line."""
    return [row for row in trace["lines"] if row["line"] == line and row["statement"] == statement]


def statements(trace: dict[str, Any], statement: str, line: int) -> int:
    """How many ran there."""
    return sum(row["statements"] for row in lines_of(trace, statement, line))
