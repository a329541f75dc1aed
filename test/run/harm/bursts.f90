! Many lines in a moment, a pause, and a few lines more.
program bursts
   use, intrinsic :: iso_c_binding, only: c_int
   implicit none
   interface
      integer(c_int) function usleep(microseconds) bind(c)
         import :: c_int
         integer(c_int), value :: microseconds
      end function usleep
   end interface
   character(8) :: word
   integer :: lines, i
   integer(c_int) :: status
   call get_command_argument(1, word)
   read (word, *) lines
   open (10, file="a.txt")
   do i = 1, lines + 64
      if (i == lines + 1) status = usleep(200000_c_int)
      write (10, "(i8)") i
   end do
   close (10)
end program bursts
