!run: c
program caught_and_ignored_signals
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_ignore(number) bind(c)
         import :: c_int
         integer(c_int), value :: number
      end subroutine c_ignore
      subroutine c_catch(number) bind(c)
         import :: c_int
         integer(c_int), value :: number
      end subroutine c_catch
      integer(c_int) function c_raise(number) bind(c)
         import :: c_int
         integer(c_int), value :: number
      end function c_raise
   end interface
   integer :: i, k
   open (10, file="a.txt")
   call c_ignore(15)
   call c_catch(14)
   do i = 1, 100
      write (10, "(i5)") i
      if (i == 50) k = c_raise(15)
      if (mod(i, 30) == 0) k = c_raise(14)
      if (mod(i, 10) == 0) print *, i
   end do
end program caught_and_ignored_signals
