!> Fortran's own stream statements, for format="statements": OPEN, WRITE, READ and CLOSE of blocks
!> of bytes, called by mpi/formats/zarr/statements.cpp. IOSTAT and IOMSG are passed on as they are.
module headrace_mpi_stream_statements
   use, intrinsic :: iso_c_binding, only : c_char, c_funloc, c_funptr, c_int, c_int8_t, &
      c_long_long
   implicit none
   private

   public :: register_statements

   interface
      !> Gives the statements to the C++ library.
      subroutine use_statements(open, move, close) bind(c, name="hr_mpi_use_statements")
         import :: c_funptr
         implicit none
         type(c_funptr), value, intent(in) :: open, move, close
      end subroutine use_statements
   end interface

contains

!> Called before a dataset is opened.
subroutine register_statements() bind(c, name="hr_mpi_register_statements")
   call use_statements(c_funloc(open_stream), c_funloc(move_stream), c_funloc(close_stream))
end subroutine register_statements

!> Opens a file: a new one to be written, or an old one to be read.
function open_stream(file, file_length, writes, unit, message, length) result(stat) &
   bind(c, name="hr_fortran_open_stream")
   integer(c_int), value, intent(in) :: file_length
   character(kind=c_char), intent(in) :: file(file_length)
   integer(c_int), value, intent(in) :: writes
   integer(c_int), intent(out) :: unit
   integer(c_int), value, intent(in) :: length
   character(kind=c_char), intent(inout) :: message(length)
   integer(c_int) :: stat
   character(len=file_length) :: name
   character(len=length) :: text
   integer :: new_unit

   name = transfer(file, name)
   text = ""
   new_unit = 0
   open (newunit=new_unit, file=name, access="stream", form="unformatted", &
      status=merge("replace", "old    ", writes /= 0), &
      action=merge("write", "read ", writes /= 0), iostat=stat, iomsg=text)
   unit = int(new_unit, c_int)
   if (stat /= 0) message = transfer(text, message)
end function open_stream

!> Writes or reads bytes from an offset on, counted from 0.
function move_stream(unit, writes, offset, data, bytes, message, length) result(stat) &
   bind(c, name="hr_fortran_move_stream")
   integer(c_int), value, intent(in) :: unit, writes
   integer(c_long_long), value, intent(in) :: offset
   integer(c_long_long), value, intent(in) :: bytes
   integer(c_int8_t), intent(inout) :: data(bytes) ! explicit shape: pointers go item by item
   integer(c_int), value, intent(in) :: length
   character(kind=c_char), intent(inout) :: message(length)
   integer(c_int) :: stat
   character(len=length) :: text

   text = ""
   if (writes /= 0) then
      write (unit, pos=offset + 1, iostat=stat, iomsg=text) data
   else
      read (unit, pos=offset + 1, iostat=stat, iomsg=text) data
   end if
   if (stat /= 0) message = transfer(text, message)
end function move_stream

!> Closes a unit.
function close_stream(unit, message, length) result(stat) &
   bind(c, name="hr_fortran_close_stream")
   integer(c_int), value, intent(in) :: unit
   integer(c_int), value, intent(in) :: length
   character(kind=c_char), intent(inout) :: message(length)
   integer(c_int) :: stat
   character(len=length) :: text

   text = ""
   close (unit, iostat=stat, iomsg=text)
   if (stat /= 0) message = transfer(text, message)
end function close_stream

end module headrace_mpi_stream_statements
