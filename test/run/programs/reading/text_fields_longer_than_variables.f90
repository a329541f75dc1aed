! A variable gets the last characters of a longer field; in a record that is shorter, of what there is. Lines with commas, too.
program text_fields_longer_than_variables
   implicit none
   character(1) :: c1
   character(3) :: c3
   character(6) :: c6
   integer :: i, stat
   open (22, file="lines.txt")
   do i = 1, 30
      write (22, "(A)") "ab", "abcdefgh", "a,b", "", "abc       "
   end do
   rewind (22)
   do i = 1, 80
      read (22, "(A10)", iostat=stat) c3, c6
      print *, i, stat, c3, c6
   end do
   close (22)
   open (22, file="returns.txt", access="stream", form="unformatted")
   do i = 1, 30
      write (22) " 431.053  114.219  300.296"//achar(13)//achar(10)//"6910"//achar(13)//achar(10)
   end do
   close (22)
   open (22, file="returns.txt", action="read")
   do i = 1, 90
      read (22, "(8A10)", advance="no", iostat=stat) c1
      print *, i, stat, c1
   end do
   rewind (22)
   do i = 1, 30
      read (22, "(A3,A10)", iostat=stat) c3, c6
      print *, i, stat, c3, c6
   end do
   rewind (22)
   do i = 1, 30
      read (22, "(A10)", iostat=stat) c3, c6
      print *, i, stat, c3, c6
   end do
   close (22)
end program text_fields_longer_than_variables
