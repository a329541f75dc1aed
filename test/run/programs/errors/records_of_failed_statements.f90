! A record that TR has begun, and whose item does not fit its format, has what the records before it left in the run time's buffer.
program records_of_failed_statements
   implicit none
   integer :: i, stat
   character(12) :: form
   open (10, file="records.txt")
   do i = 1, 3
      write (10, "(3es24.16e3)") i / 7d0, i / 11d0, i / 13d0
   end do
   do i = 1, 5
      write (10, "(i12)") i
   end do
   call fail("(tr3,d6.1)")
   call fail("(tr30,d6.1)")
   write (10, "(a)") "next"
   call fail("(tr3,d6.1)")
   do i = 1, 40
      write (10, "(a,i0)") "record ", i**3
      if (mod(i, 4) == 0) call fail("(a,tr2,l6)")
   end do
   do i = 1, 40
      write (10, "(a,i0)") "of ", i
      write (10, "(a,i0)") "an item ", i
      form = merge("(i4,tr1,a2) ", "(i4,tr1,l2) ", mod(i, 8) /= 0)
      write (10, form, iostat=stat) i, "no"
   end do
contains
subroutine fail(format_of_others)
   character(*), intent(in) :: format_of_others
   form = format_of_others
   write (10, form, iostat=stat) 5
   print *, stat
end subroutine fail
end program records_of_failed_statements
