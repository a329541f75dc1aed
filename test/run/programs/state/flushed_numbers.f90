!run: flags -ffast-math
! Numbers over the whole range of exponents, subnormal ones among them, written and read while small values are flushed to zero.
program flushed_numbers
   use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
   implicit none
   integer, parameter :: n = 600
   real(real64) :: wide(n), row(5), back(n), again(5)
   real(real32) :: narrow(n), narrow_back(n)
   complex(real64) :: pair
   integer(int64) :: state
   integer :: i, k, status
   character(len=40) :: text

   state = 88172645463325252_int64
   do i = 1, n
      wide(i) = transfer(bits_of(i), 1.0_real64)
      narrow(i) = transfer(int(ishft(bits_of(i), -33), int32), 1.0_real32)
   end do
   open (10, file="a.txt")
   do i = 1, n
      write (10, "(es24.16e3)") wide(i)
      write (10, *) wide(i), narrow(i)
      write (10, "(i5,f12.4,e15.6e3,g16.8,1x,g0)") i, i * 0.37_real64, wide(i), narrow(i), narrow(i)
      pair = cmplx(wide(i), i, real64)
      write (10, *) pair
      write (text, "(g24.16e3)") wide(i)
      write (10, "(a)") text
      write (text, *) narrow(i)
      write (10, "(a)") text
   end do
   close (10)

   open (11, file="rows.txt")
   do i = 1, n - 4
      row = wide(i:i + 4)
      write (11, "(5es25.16e3)") row
   end do
   write (11, "(4es25.16e3)") wide
   write (11, *) wide(1:n:3)
   ! Records that leave before the statement ends: the subnormal ones of its end are the run time's, too.
   write (11, *) (1.5_real64 * i, i = 1, 20000), wide
   write (11, "(3es15.6e3)") (1.5_real64 * i, i = 1, 30000), (wide(i), i = 1, n)
   close (11)

   open (12, file="numbers.txt")
   do i = 1, n
      write (12, "(es24.16e3)") wide(i)
   end do
   write (12, "(es16.8e3)") narrow
   rewind (12)
   do i = 1, n
      read (12, *, iostat=status) back(i)
      call tell(status, transfer(back(i), 1_int64))
   end do
   read (12, *, iostat=status) narrow_back
   call tell(status, int(transfer(narrow_back, [1_int32]), int64))
   rewind (12)
   do i = 1, n
      read (12, "(e24.16)", iostat=status) back(i)
      call tell(status, transfer(back(i), 1_int64))
   end do
   close (12)

   open (13, file="rows.txt")
   do i = 1, n - 4
      read (13, "(5e25.16)", iostat=status) again
      call tell(status, transfer(again, [1_int64]))
   end do
   close (13)
   do i = 1, n
      write (text, "(es24.16e3)") wide(i)
      read (text, *, iostat=status) back(i)
      call tell(status, transfer(back(i), 1_int64))
      read (text, "(f24.0)", iostat=status) narrow_back(i)
      call tell(status, int(transfer(narrow_back(i), 1_int32), int64))
   end do
   ! As text: with flush to zero the run time does not write such numbers as they are.
   open (14, file="small.txt")
   do i = 30, 330
      if (i < 50 .or. i > 300) write (14, "(i0,'.',i0,'E-',i3.3,2(1x,i0,'.',i2.2,'E-',i3.3))") &
         (mod(i * k, 9), mod(7 * i, 83), i, k=1, 3)
   end do
   close (14)
   open (14, file="small.txt")
   do
      read (14, *, iostat=status) back(1), narrow_back(1), back(2)
      if (status < 0) exit
      call tell(status, transfer(back(:2), [1_int64]))
      call tell(status, int(transfer(narrow_back(1), 1_int32), int64))
   end do
contains
! Uniform over all exponents, and each eighth subnormal; no NaN.
function bits_of(i) result(bits)
   integer, intent(in) :: i
   integer(int64) :: bits
   do
      state = ieor(state, ishft(state, 13))
      state = ieor(state, ishft(state, -7))
      state = ieor(state, ishft(state, 17))
      bits = state
      if (mod(i, 8) == 0) bits = iand(bits, not(ishft(2047_int64, 52)))
      if (mod(i, 8) == 1) bits = ior(iand(bits, not(ishft(2047_int64, 52))), ishft(1_int64, 52))
      if (iand(ishft(bits, -52), 2047_int64) /= 2047) return
   end do
end function bits_of

impure elemental subroutine tell(status, bits)
   integer, intent(in) :: status
   integer(int64), intent(in) :: bits
   write (*, "(i0,1x,z16.16)") status, bits
end subroutine tell
end program flushed_numbers
