program reversion
   implicit none
   integer :: i, j
   real(8) :: x(23)
   x = [(i * 1.1d0, i = 1, 23)]
   open (10, file="reversion.txt")
   do i = 1, 15
      write (10, "(i4,f8.2)") (j, x(j), j = 1, 7)
      write (10, "('head',i3,(2f8.2))") 5, x(1:9)
      write (10, "('head',2(i3,'x'),3(f8.2,';'))") 1, 2, x(1:10)
      write (10, "(f8.2,2(f6.1,(f4.0)),'tail')") x
      write (10, "(10e12.4)") x
      write (10, "((f9.3))") x(1:3)
      write (10, "(2(2(f7.2,'a'),'b'),'c')") x
      write (10, "('a',(f5.1,/),'b')") x(1:3)
      write (10, "(*(f6.1,','))") x
      write (10, "('u',*(f6.1,:,','))") x
   end do
end program reversion
