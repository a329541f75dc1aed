! Another unit has the file of standard output, or of standard error.
!run: errors
program opened_as_standard_output
   implicit none
   integer :: i, status, units(2), opened
   character(11), parameter :: names(2) = ["/dev/stdout", "/dev/stderr"]

   opened = 0
   do i = 1, 2
      open (20 + i, file=names(i), action="write", position="append", iostat=status)
      if (status /= 0) cycle
      opened = opened + 1
      units(opened) = 20 + i
   end do
   do i = 1, 900
      write (*, "(a, i8)") "standard output", i
      if (mod(i, 7) == 0) write (0, "(a, 3f9.3)") "standard error", i*0.5, i*2.0, i*1.5
      if (opened > 0) write (units(1 + mod(i, opened)), "(i8, f12.4)") i, 1.5d0*i
      if (mod(i, 100) == 0 .and. opened > 0) flush (units(1))
      if (mod(i, 150) == 0) flush (6)
   end do
end program opened_as_standard_output
