program character_arrays
   implicit none
   character(7) :: words(12)
   character(3), allocatable :: short(:, :)
   integer :: i
   do i = 1, 12
      write (words(i), "('word',i0)") i * i
   end do
   short = reshape(words(1:6)(3:5), [2, 3])
   open (10, file="words.txt")
   do i = 1, 12
      write (10, "(12a)") words
      write (10, "(4a9)") words(12:1:-1)
      write (10, "(6a2)") short
      write (10, *) words(i:12:3), short(:, 2)
      write (10, "(a)") words(i)(2:), words(:)(1:2)
      write (10, *) trim(words(i))//"|", words(i)(i / 2 + 1:), adjustr(words(i))
   end do
end program character_arrays
