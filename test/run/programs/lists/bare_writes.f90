program bare_writes
   implicit none
   integer :: i
   open (10, file="bare.txt")
   do i = 1, 100
      write (10, *)
      write (10, "()")
      write (10, "(a)")
      write (10, "('text')")
      write (10, "(i3)") [integer ::]
      write (10, *) [real(8) ::]
   end do
end program bare_writes
