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
      subroutine use_statements(open, write, read, close) bind(c, name="hr_mpi_use_statements")
         import :: c_funptr
         implicit none
         type(c_funptr), value, intent(in) :: open, write, read, close
      end subroutine use_statements
   end interface

contains

!> Called before a dataset is opened.
subroutine register_statements() bind(c, name="hr_mpi_register_statements")
   call use_statements(c_funloc(open_stream), c_funloc(write_stream), c_funloc(read_stream), &
      c_funloc(close_stream))
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
   if (writes /= 0) then
      open (newunit=new_unit, file=name, access="stream", form="unformatted", status="replace", &
         action="write", iostat=stat, iomsg=text)
   else
      open (newunit=new_unit, file=name, access="stream", form="unformatted", status="old", &
         action="read", iostat=stat, iomsg=text)
   end if
   unit = int(new_unit, c_int)
   if (stat /= 0) message = transfer(text, message)
end function open_stream

!> Writes bytes from an offset on, counted from 0.
function write_stream(unit, offset, data, bytes, message, length) result(stat) &
   bind(c, name="hr_fortran_write_stream")
   integer(c_int), value, intent(in) :: unit
   integer(c_long_long), value, intent(in) :: offset
   integer(c_long_long), value, intent(in) :: bytes
   integer(c_int8_t), intent(in) :: data(bytes) ! explicit shape: pointers go item by item
   integer(c_int), value, intent(in) :: length
   character(kind=c_char), intent(inout) :: message(length)
   integer(c_int) :: stat
   character(len=length) :: text

   text = ""
   write (unit, pos=offset + 1, iostat=stat, iomsg=text) data
   if (stat /= 0) message = transfer(text, message)
end function write_stream

!> Reads bytes from an offset on, counted from 0.
function read_stream(unit, offset, data, bytes, message, length) result(stat) &
   bind(c, name="hr_fortran_read_stream")
   integer(c_int), value, intent(in) :: unit
   integer(c_long_long), value, intent(in) :: offset
   integer(c_long_long), value, intent(in) :: bytes
   integer(c_int8_t), intent(out) :: data(bytes) ! explicit shape: pointers go item by item
   integer(c_int), value, intent(in) :: length
   character(kind=c_char), intent(inout) :: message(length)
   integer(c_int) :: stat
   character(len=length) :: text

   text = ""
   read (unit, pos=offset + 1, iostat=stat, iomsg=text) data
   if (stat /= 0) message = transfer(text, message)
end function read_stream

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
