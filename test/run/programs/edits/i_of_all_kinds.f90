program i_of_all_kinds
   implicit none
   integer :: i
   integer(1) :: a
   integer(2) :: b
   integer(8) :: d
   integer(16) :: e
   open (10, file="i.txt")
   do i = 0, 127
      a = int(i - 64, 1)
      b = int(i * 517 - 32000, 2)
      d = ishft(1_8, mod(i, 64))
      e = ishft(1_16, i)
      write (10, "(i0)") a
      write (10, "(i6)") b
      write (10, "(i12.5)") i - 20
      write (10, "(i20)") d
      write (10, "(i40)") e
      write (10, "(i3)") i * i
      write (10, "(i5.3,i0.4,i4.0)") i - 60, i, mod(i, 2)
      write (10, "(sp,i6,ss,i6,s,i6)") i, i, i
   end do
   write (10, "(i0)") -huge(1_8) - 1, huge(1_8), -127_1, -32767_2
   write (10, "(5i2)") -9, -10, 9, 99, 100
end program i_of_all_kinds
