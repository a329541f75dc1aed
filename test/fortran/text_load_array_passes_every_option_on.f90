!> load_array of the types that Fortran allocates (characters, logicals) takes every option that the
!> others take, and load_names takes its own.
program text_load_array_passes_every_option_on
   use, intrinsic :: iso_fortran_env, only : int16, int32, int64
   use headrace, only : hr_stat, load_array, load_names, write_array
   use checks, only : check, check_status, finish
   implicit none

   character(len=:), allocatable, save :: words(:, :), names(:)
   logical(int32), allocatable :: flags(:, :), one(:)
   logical(int16), allocatable :: short(:)
   logical(int64), allocatable :: long(:)
   integer, parameter :: chosen(4) = [3, 9, 1, 9]
   character(len=5), parameter :: by_name(3) = [character(len=5) :: "right", "none", "left"]
   character(len=200) :: message
   integer :: stat

   call write_lines("o.any", [character(len=16) :: "skipped;by;rows", "left;mid;right", &
      & "! T;T;T", "T;F;F", "F;F;T ! end"])
   call load_array("o.any", words, delimiter=";", header="yes", comment="!", skip_rows=1, &
      & columns=chosen(::2), threads=2, format="csv")
   call check(all(shape(words) == [2, 2]), "characters: every option of texts")
   if (size(words) == 4) call check(all(words == reshape(["F", "T", "T", "F"], [2, 2])), "cells")
   call load_array("o.any", flags, delimiter=";", header="yes", comment="!", skip_rows=1, &
      & columns=by_name(::2), threads=2, format="csv")
   call check(all(shape(flags) == [2, 2]), "logicals: every option of texts")
   if (size(flags) == 4) call check(all(flags .eqv. reshape([.false., .true., .true., .false.], &
      & [2, 2])), "flags")
   call load_array("o.any", one, delimiter=";", header="yes", comment="!", skip_rows=1, &
      & columns=[2_int64], format="csv")
   call check(size(one) == 2, "columns of the kind int64")
   call load_array("o.any", one, delimiter=";", header="yes", comment="!", skip_rows=1, &
      & columns=[huge(1_int64)], format="csv", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "column")
   call check(.not. allocated(one), "no array for a column that is not there")
   call load_names("o.any", names, delimiter=";", header="yes", comment="!", skip_rows=1, &
      & format="csv")
   call check(size(names) == 3, "names")
   if (size(names) == 3) call check(all(names == [character(len=5) :: "left", "mid", "right"]), &
      & "their texts")

   call load_array("o.any", flags, columns=[1.0], format="csv", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "column")
   call load_array("o.any", flags, decimal="x", format="csv", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "decimal")
   call load_array("o.any", flags, number="x", format="csv", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "number")
   call load_array("o.any", flags, missing="x", format="csv", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "missing")

   call write_array("o.dat", [.true._int16, .false._int16], format="unformatted", &
      & byte_order="big", record_marker=8)
   call load_array("o.dat", short, format="unformatted", byte_order="big", record_marker=8)
   call check(size(short) == 2, "byte_order and record_marker")
   call load_array("o.dat", short, format="unformatted", byte_order="x", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "byte_order")
   call write_array("o.npz", [.true., .false.], name="b")
   call load_array("o.npz", long, name="a", iostat=stat, iomsg=message)
   call check(stat /= 0, "name: another array")
   call load_array("o.npz", long, name="b ")
   call check(size(long) == 2, "name: trailing blanks do not count")
   call finish()

contains

!> A text file of these lines
subroutine write_lines(file, lines)
   character(len=*), intent(in) :: file, lines(:)
   integer :: i, unit

   open(newunit=unit, file=file, action="write", status="replace")
   do i = 1, size(lines)
      write(unit, "(a)") trim(lines(i))
   end do
   close(unit)
end subroutine write_lines

end program text_load_array_passes_every_option_on
