!> Fortran's own statements for the methods fortran:*, one procedure for each statement.
!>
!> The C++ side times them and knows the files: fortran_files.cpp, serial_gather.cpp.
module bench_fortran_statements
   use, intrinsic :: iso_c_binding, only : c_char, c_double, c_int, c_int64_t, c_null_char
   use, intrinsic :: iso_fortran_env, only : compiler_version
   implicit none
   private

   public :: open_file, close_file, transfer_values, fortran_compiler

   !> form: one of these
   integer(c_int), parameter :: form_stream = 0, form_sequential = 1, form_list_directed = 2

contains

!> Open a file; write: 1 creates it, 0 reads an old one
subroutine open_file(path, length, form, write, unit, code, message, message_length) &
   & bind(c, name="hr_bench_open")
   integer(c_int), intent(in), value :: length, form, write, message_length
   character(kind=c_char), intent(in) :: path(length)
   integer(c_int), intent(out) :: unit, code
   character(kind=c_char), intent(inout) :: message(message_length)
   character(len=length) :: name
   character(len=10) :: status, action
   character(len=200) :: text
   integer :: i

   do i = 1, length
      name(i:i) = path(i)
   end do
   status = merge("replace   ", "old       ", write == 1)
   action = merge("write     ", "read      ", write == 1)
   text = ""
   unit = -1
   select case (form)
   case (form_sequential)
      open (newunit=unit, file=name, form="unformatted", access="sequential", status=status, &
         & action=action, iostat=code, iomsg=text)
   case (form_list_directed)
      open (newunit=unit, file=name, form="formatted", access="sequential", status=status, &
         & action=action, iostat=code, iomsg=text)
   case default
      open (newunit=unit, file=name, form="unformatted", access="stream", status=status, &
         & action=action, iostat=code, iomsg=text)
   end select
   call hand_over(text, code, message)
end subroutine open_file

!> Transfer all values by one statement; write: 1 writes, 0 reads
subroutine transfer_values(unit, form, write, values, elements, code, message, message_length) &
   & bind(c, name="hr_bench_transfer")
   integer(c_int), intent(in), value :: unit, form, write, message_length
   integer(c_int64_t), intent(in), value :: elements
   real(c_double), intent(inout) :: values(elements)
   integer(c_int), intent(out) :: code
   character(kind=c_char), intent(inout) :: message(message_length)
   character(len=200) :: text

   text = ""
   if (form == form_list_directed .and. write == 1) then
      write (unit, *, iostat=code, iomsg=text) values
   else if (form == form_list_directed) then
      read (unit, *, iostat=code, iomsg=text) values
   else if (write == 1) then
      write (unit, iostat=code, iomsg=text) values
   else
      read (unit, iostat=code, iomsg=text) values
   end if
   call hand_over(text, code, message)
end subroutine transfer_values

!> Close a unit
subroutine close_file(unit, code, message, message_length) bind(c, name="hr_bench_close")
   integer(c_int), intent(in), value :: unit, message_length
   integer(c_int), intent(out) :: code
   character(kind=c_char), intent(inout) :: message(message_length)
   character(len=200) :: text

   text = ""
   close (unit, iostat=code, iomsg=text)
   call hand_over(text, code, message)
end subroutine close_file

!> Name and version of the compiler of these statements
subroutine fortran_compiler(message, message_length) bind(c, name="hr_bench_fortran_compiler")
   integer(c_int), intent(in), value :: message_length
   character(kind=c_char), intent(inout) :: message(message_length)

   call hand_over(compiler_version(), 1_c_int, message)
end subroutine fortran_compiler

!> The text as a C string when there was a failure
subroutine hand_over(text, code, message)
   character(len=*), intent(in) :: text
   integer(c_int), intent(in) :: code
   character(kind=c_char), intent(inout) :: message(:)
   integer :: i, last

   if (code == 0) return
   last = min(len_trim(text), size(message) - 1)
   do i = 1, last
      message(i) = text(i:i)
   end do
   message(last + 1) = c_null_char
end subroutine hand_over

end module bench_fortran_statements
