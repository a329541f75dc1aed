! The list in include/headrace_status.def, through the preprocessor of the Fortran compiler.
program names_have_the_same_numbers_in_c_and_fortran
   use, intrinsic :: iso_c_binding, only : c_associated, c_int, c_ptr
   use, intrinsic :: iso_fortran_env, only : iostat_end, iostat_eor
   use headrace, only : hr_stat
   use checks, only : check, finish
   implicit none

   interface
      function hr_stat_name(status) bind(c, name="hr_stat_name") result(name)
         import :: c_int, c_ptr
         implicit none
         integer(c_int), value, intent(in) :: status
         type(c_ptr) :: name
      end function hr_stat_name
   end interface

   integer :: code, names, compared

   compared = 0
#define HR_STATUS(name, NAME, number, meaning) call compare(hr_stat%name, number)
#include "headrace_status.def"
#undef HR_STATUS
   call check(size(transfer(hr_stat, [0_c_int])) == compared, "hr_stat has no other names")

   names = 0
   do code = -10, 9999
      if (c_associated(hr_stat_name(code))) names = names + 1
   end do
   call check(names == compared, "every name in C is one of the list")
   call check(hr_stat%end_of_file == iostat_end, "end_of_file is iostat_end")
   call check(hr_stat%end_of_record == iostat_eor, "end_of_record is iostat_eor")
   call finish()

contains

subroutine compare(code, number)
   integer, intent(in) :: code, number

   compared = compared + 1
   call check(code == number, "the list has the number of a component of hr_stat")
end subroutine compare

end program names_have_the_same_numbers_in_c_and_fortran
