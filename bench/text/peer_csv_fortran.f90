!> The ways of csv-fortran, for real64. Next: ../harness/worker.f90.
module worker_ways
   use, intrinsic :: iso_fortran_env, only : real64
   use csv_module, only : csv_file
   use worker_values, only : x, y
   implicit none
   private

   public :: prepare, write_values, read_values, collect

   !> Seconds of the parts of a way that has parts; these have none
   real(real64), allocatable, public :: phase_seconds(:)

contains

!> Nothing: rows are added one by one
subroutine prepare()
end subroutine prepare

!> Write all of x to a new file
subroutine write_values(how, format, file)
   !> "array"
   character(len=*), intent(in) :: how
   !> Of one value, with its parentheses
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file
   type(csv_file) :: csv
   logical :: good
   integer :: i

   if (how /= "array") error stop "no such way"
   call csv%initialize()
   call csv%open(file, n_cols=size(x, 1), status_ok=good)
   if (.not. good) error stop "csv-fortran: open failed"
   do i = 1, size(x, 2)
      call csv%add(x(:, i), real_fmt=format)
      call csv%next_row()
   end do
   call csv%close(good)
   if (.not. good) error stop "csv-fortran: close failed"
end subroutine write_values

!> Read a file into all of y, column by column as this library hands them out
subroutine read_values(how, format, file)
   character(len=*), intent(in) :: how
   !> Not used: every form is read
   character(len=*), intent(in) :: format
   character(len=*), intent(in) :: file
   type(csv_file) :: csv
   real(real64), allocatable :: column(:)
   logical :: good
   integer :: i

   if (how /= "array" .or. format == "?") error stop "no such way"
   call csv%initialize()
   call csv%read(file, status_ok=good)
   if (.not. good) error stop "csv-fortran: read failed"
   do i = 1, size(y, 1)
      call csv%get(i, column, good)
      if (.not. good) error stop "csv-fortran: get failed"
      y(i, :) = column
   end do
end subroutine read_values

!> Nothing: y is filled
subroutine collect()
end subroutine collect

end module worker_ways
