!> Derived types that read and write themselves (child data transfer), a row per statement.
!>
!> gfortran 12 skips every second record of a list-directed child READ: the row of the table shows
!> what becomes of that.
module derived_type_io_mechanisms
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   public

   type :: row
      real(real64) :: x(3)
   contains
      procedure :: put_unformatted, get_unformatted, put_formatted, get_formatted
      generic :: write(unformatted) => put_unformatted
      generic :: read(unformatted) => get_unformatted
      generic :: write(formatted) => put_formatted
      generic :: read(formatted) => get_formatted
   end type row

   type(row), allocatable :: rows(:)

contains

subroutine open_unformatted(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", status=status)
end subroutine open_unformatted

subroutine open_formatted(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="formatted", status=status)
end subroutine open_formatted

subroutine put_unformatted(dtv, unit, iostat, iomsg)
   class(row), intent(in) :: dtv
   integer, intent(in) :: unit
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   write (unit, iostat=iostat, iomsg=iomsg) dtv%x
end subroutine put_unformatted

subroutine get_unformatted(dtv, unit, iostat, iomsg)
   class(row), intent(inout) :: dtv
   integer, intent(in) :: unit
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   read (unit, iostat=iostat, iomsg=iomsg) dtv%x
end subroutine get_unformatted

subroutine put_formatted(dtv, unit, iotype, v_list, iostat, iomsg)
   class(row), intent(in) :: dtv
   integer, intent(in) :: unit
   character(len=*), intent(in) :: iotype
   integer, intent(in) :: v_list(:)
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   if (iotype == "LISTDIRECTED") then
      write (unit, *, iostat=iostat, iomsg=iomsg) dtv%x
   else
      write (unit, "(10(1x, es24.16e3))", iostat=iostat, iomsg=iomsg) dtv%x
   end if
end subroutine put_formatted

subroutine get_formatted(dtv, unit, iotype, v_list, iostat, iomsg)
   class(row), intent(inout) :: dtv
   integer, intent(in) :: unit
   character(len=*), intent(in) :: iotype
   integer, intent(in) :: v_list(:)
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: iomsg

   if (iotype == "LISTDIRECTED") then
      read (unit, *, iostat=iostat, iomsg=iomsg) dtv%x
   else
      read (unit, "(10(1x, es24.16e3))", iostat=iostat, iomsg=iomsg) dtv%x
   end if
end subroutine get_formatted

subroutine prepare_rows(array)
   real(real64), intent(in) :: array(:)
   integer(int64) :: i

   if (allocated(rows)) deallocate(rows)
   allocate(rows(size(array, kind=int64) / 3))
   do i = 1, size(rows, kind=int64)
      rows(i)%x = array(3 * i - 2:3 * i)
   end do
end subroutine prepare_rows

subroutine collect_rows(array)
   real(real64), intent(inout) :: array(:)
   integer(int64) :: i

   do i = 1, size(rows, kind=int64)
      array(3 * i - 2:3 * i) = rows(i)%x
   end do
end subroutine collect_rows

subroutine write_unformatted_child(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      write (unit) rows(i)
   end do
end subroutine write_unformatted_child

subroutine read_unformatted_child(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      read (unit) rows(i)
   end do
end subroutine read_unformatted_child

subroutine write_formatted_child(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      write (unit, "(dt)") rows(i)
   end do
end subroutine write_formatted_child

subroutine read_formatted_child(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      read (unit, "(dt)") rows(i)
   end do
end subroutine read_formatted_child

subroutine write_list_directed_child(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      write (unit, *) rows(i)
   end do
end subroutine write_list_directed_child

subroutine read_list_directed_child(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      read (unit, *) rows(i)
   end do
end subroutine read_list_directed_child

end module derived_type_io_mechanisms

program derived_type_io
   use harness, only : add_rows, run_mechanism
   use derived_type_io_mechanisms
   implicit none

   call add_rows("unformatted_child", open_unformatted, &
      & write_unformatted_child, read_unformatted_child, &
      & prepare=prepare_rows, collect=collect_rows)
   call add_rows("formatted_child", open_formatted, &
      & write_formatted_child, read_formatted_child, &
      & prepare=prepare_rows, collect=collect_rows)
   call add_rows("list_directed_child", open_formatted, &
      & write_list_directed_child, read_list_directed_child, &
      & prepare=prepare_rows, collect=collect_rows)
   call run_mechanism()
end program derived_type_io
