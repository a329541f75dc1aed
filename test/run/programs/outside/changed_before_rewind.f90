! The first line of a file is changed by others between two reads of it: REWIND must not hand out the old one.
!run: c
program changed_before_rewind
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_poke(name, text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*), text(*)
      end subroutine c_poke
   end interface
   character(8) :: line
   character(4) :: number
   integer :: i, round, lines

   ! All lines are read: of some, the run time has the first line in its buffer still, and that is the old one.
   do lines = 20, 4000, 1990
      open (10, file="a.txt", status="replace", action="write")
      do i = 1, lines
         write (10, "(i8)") i
      end do
      close (10)
      open (10, file="a.txt", status="old", action="read")
      do round = 1, 60
         read (10, "(a)") line
         if (line(:4) /= "    " .or. mod(round, 20) == 0) write (*, "(i0,1x,i0,1x,a)") lines, round, line
         write (number, "(i4.4)") round
         call c_poke("a.txt" // c_null_char, number // c_null_char)
         do i = 2, lines
            read (10, "(a)") line
         end do
         if (mod(round, 3) == 0) backspace (10)
         rewind (10)
      end do
      close (10)
   end do
end program changed_before_rewind
