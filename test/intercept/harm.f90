! Fortran I/O for harm.c, which does to the process what tracers do not expect.
module records
   use, intrinsic :: iso_c_binding, only: c_int, c_funptr, c_f_procpointer
   implicit none
   private
   public :: write_file, open_file, write_more, close_file, write_with, fail, say
   abstract interface
      integer(c_int) function called() bind(c)
         import :: c_int
         implicit none
      end function called
   end interface
contains

! A file of `count` records, written number by number.
subroutine write_file(number, count) bind(c)
   integer(c_int), value :: number, count
   character(20) :: name
   integer :: unit, i, status
   write (name, "(a, i0)") "file.", number
   open (newunit=unit, file=name, form="unformatted", iostat=status)
   if (status /= 0) then
      call say(-status)
      return
   end if
   do i = 1, count
      write (unit) i
   end do
   close (unit)
end subroutine write_file

! Opens a unit and leaves it open.
subroutine open_file(number) bind(c)
   integer(c_int), value :: number
   character(20) :: name
   write (name, "(a, i0)") "file.", number
   open (number, file=name, form="unformatted")
end subroutine open_file

subroutine write_more(number, count) bind(c)
   integer(c_int), value :: number, count
   integer :: i
   do i = 1, count
      write (number) i
   end do
end subroutine write_more

subroutine close_file(number) bind(c)
   integer(c_int), value :: number
   close (number)
end subroutine close_file

! `in_list` is called inside of an I/O list.
subroutine write_with(number, in_list) bind(c)
   integer(c_int), value :: number
   type(c_funptr), value :: in_list
   procedure(called), pointer :: function
   call c_f_procpointer(in_list, function)
   write (number) function ()
end subroutine write_with

! What a failed OPEN and a read beyond the end say; errno too.
subroutine fail() bind(c)
   integer :: unit, status, value
   character(200) :: message
   open (newunit=unit, file="no/such/directory/file", status="old", iostat=status, iomsg=message)
   print "(2(i0, 1x), a)", status, ierrno(), trim(message)
   call write_file(77, 2)
   open (newunit=unit, file="file.77", form="unformatted")
   do
      read (unit, iostat=status, iomsg=message) value
      if (status /= 0) exit
   end do
   print "(i0, 1x, a)", status, trim(message)
   read (unit, end=10, err=20) value
   print "(a)", "neither"
20 print "(a)", "error"
10 print "(a)", "end"
end subroutine fail

subroutine say(number) bind(c)
   integer(c_int), value :: number
   print "(i0)", number
end subroutine say

end module records

program harm
   use, intrinsic :: iso_c_binding, only: c_char, c_loc, c_null_char
   implicit none
   interface
      subroutine attack(how) bind(c)
         use, intrinsic :: iso_c_binding, only: c_ptr
         implicit none
         type(c_ptr), value :: how
      end subroutine attack
   end interface
   character(40, c_char), target :: how
   call get_command_argument(1, how)
   how(len_trim(how) + 1:) = c_null_char
   call attack(c_loc(how))
end program harm
