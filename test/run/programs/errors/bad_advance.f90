! ADVANCE= with a word that is neither YES nor NO is an error of the statement.
program bad_advance
   implicit none
   character(4) :: words(7) = ["yes ", "no  ", "NO  ", "nope", "y   ", "    ", "n   "]
   character(200) :: message
   integer :: i, k, stat
   open (10, file="records.txt")
   do k = 1, 30
      do i = 1, size(words)
         message = ""
         write (10, "(a,i4)", advance=words(i), iostat=stat, iomsg=message) "record", i
         if (k == 1 .or. k == 30) print *, stat, trim(message)
      end do
   end do
   close (10)
end program bad_advance
