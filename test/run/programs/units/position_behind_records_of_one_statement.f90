program position_behind_records_of_one_statement
   implicit none
   character(11) :: words(3) = ["alpha", "beta ", "gamma"]
   character(60) :: position
   integer :: i, size
   open (10, file="a.txt")
   do i = 1, 20
      write (10, "(a)", advance="no") words ! ends two records, and goes on
   end do
   call say("not yet at the end of a statement that advances")
   write (10, "(t3,a)") "last"
   call say("now")
   write (10, "(a)", advance="no") words
   call say("still")
   rewind (10)
   write (10, "(a)", advance="no") words
   call say("rewound")
   close (10)
   open (11, file="b.txt")
   do i = 1, 400
      write (11, "(5a)", advance="no") words, words, words ! more than one batch
   end do
   inquire (11, position=position, size=size)
   print *, trim(position), size
   write (11, "(t5,a)", advance="no") "here"
contains
   subroutine say(what)
      character(*), intent(in) :: what
      inquire (10, position=position, size=size)
      print *, what, ": ", trim(position), size
   end subroutine say
end program position_behind_records_of_one_statement
