program same_file_twice
   implicit none
   integer :: stat
   character(60) :: message
   open (10, file="a.txt")
   write (10, "(a)") "first"
   message = ""
   open (11, file="a.txt", iostat=stat, iomsg=message)
   write (*, *) stat /= 0, trim(message)
   write (10, "(a)") "second"
   open (10, file="b.txt")
   write (10, "(a)") "other file, same unit"
   open (10, file="b.txt", delim="quote")
   write (10, *) "reopened"
   open (11, file="a.txt", position="append")
   write (11, "(a)") "third"
end program same_file_twice
