!run: c
program other_process_reads_unflushed
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function c_system(command) bind(c)
         import :: c_int, c_char
         character(kind=c_char), intent(in) :: command(*)
      end function c_system
   end interface
   integer :: i, k
   open (10, file="a.txt")
   open (11, file="b.txt")
   do i = 1, 5
      write (10, "(a,i5)") "record", i
      write (11, *) i
      close (11)
      open (11, file="b.txt", position="append")
      k = c_system("cat b.txt" // c_null_char)
   end do
end program other_process_reads_unflushed
