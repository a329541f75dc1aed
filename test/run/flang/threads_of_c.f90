! Four threads write to one unit, and each to one of its own.
module work_of_threads
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   private
   public :: work

contains

   subroutine work(number) bind(c)
      integer(c_int), intent(in) :: number
      integer :: i
      character(20) :: word
      do i = 1, 5000
         write (10, "(2i8,f12.4)") number, i, i * 0.5
         write (20 + number, "(es22.14)") i * 1.0
         if (mod(i, 50) == 0) write (word, "(i5)") i
         if (mod(i, 100) == 0) write (10, *) "list", number, i * 0.1, trim(word)
         if (mod(i, 1000) == 0) flush (10)
      end do
   end subroutine work

end module work_of_threads

program threads_of_c
   use work_of_threads, only: work
   implicit none
   interface
      subroutine run_threads() bind(c)
      end subroutine run_threads
   end interface
   open (10, file="shared.txt")
   write (10, *) "begin"
   call run_threads()
   write (10, *) "end"
end program threads_of_c
