program blank_characters_in_formats
   implicit none
   integer :: i
   open (10, file="blanks.txt")
   do i = 1, 20
      write (10, "( i 5 , 2 x , f 8 . 2 )") i, i * 0.5
      write (10, "   (  a  ,  i3  )  ") "x", i
      write (10, '(I5,1X,ES12.4,"Quoted ''a''",''b'')') i, i * 0.5
   end do
end program blank_characters_in_formats
