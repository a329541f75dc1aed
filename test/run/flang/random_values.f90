! Random and edge values through every form that is taken over of flang's WRITE. The argument is the number of values.
program random_values
   use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
   implicit none
   character(16) :: word
   integer(int64), allocatable :: bits(:)
   real(real64), allocatable :: wide(:)
   real(real32), allocatable :: single(:)
   integer(int64) :: state
   integer :: i, n
   call get_command_argument(1, word)
   read (word, *) n
   allocate (bits(n), wide(n), single(n))
   state = 88172645463325252_int64
   do i = 1, n
      bits(i) = random_bits()
      wide(i) = a_real(i, bits(i))
      single(i) = a_single(i, bits(i))
   end do
   open (10, file="reals.txt")
   call scalars("(es22.14)")
   call scalars("(es24.16e3)")
   call scalars("(es10.1)")
   call scalars("(e15.5)")
   call scalars("(e25.17)")
   call scalars("(e12.3e4)")
   call scalars("(d20.10)")
   call scalars("(1p,e14.6)")
   call scalars("(f12.5)")
   call scalars("(f40.20)")
   call scalars("(f8.1)")
   call scalars("(f7.6)")
   call scalars("(g0)")
   call scalars("(1x,g0,';')")
   do i = 1, n - 20, 20
      write (10, "(10e15.5)") wide(i:i + 19)
      write (10, "(i8,5f12.5)") i, single(i:i + 4)
      write (10, "(3(es24.16e3,1x))") wide(i:i + 8)
      write (10, '(*(g0,:,","))') wide(i:i + 9)
      write (10, '(*(g0,:,","))') i, single(i), "text", wide(i) > 0, wide(i + 1), bits(i), single(i:i + 4)
   end do
   close (10)
   open (10, file="lists.txt")
   do i = 1, n - 9
      write (10, *) wide(i)
      write (10, *) single(i)
      write (10, *) i, bits(i), wide(i), single(i), wide(i) > 0
      write (10, *) "step", i, "of", n, " residual ", wide(i)
      write (10, *) wide(i:i + 9)
   end do
   close (10)
   open (10, file="others.txt")
   do i = 1, n
      write (10, "(i0,1x,i8,1x,i22.5,1x,i3)") bits(i), mod(i, 1000), bits(i), mod(bits(i), 2000_int64)
      write (10, "(i4,i6,i12)") int(ibits(bits(i), 0, 7), int8), int(ibits(bits(i), 3, 15), int16), &
         int(ibits(bits(i), 5, 31), int32)
      write (10, "(a,l5,a10,a3,l1)") "text", bits(i) > 0, "abc", "defgh", bits(i) < 0
      write (10, *) bits(i) > 0, int(ibits(bits(i), 0, 7), int8), "a", "b", -i
   end do
   close (10)

contains

   function random_bits() result(word)
      integer(int64) :: word
      state = ieor(state, shiftl(state, 13))
      state = ieor(state, shiftr(state, 7))
      state = ieor(state, shiftl(state, 17))
      word = state
   end function random_bits

   !> Any bits, few digits, near a power of ten or of two, ties, whole numbers: by turns.
   function a_real(number, word) result(value)
      integer, intent(in) :: number
      integer(int64), intent(in) :: word
      real(real64) :: value
      integer :: power
      power = int(modulo(word, 40_int64)) - 15
      select case (modulo(number, 8))
      case (0, 1)
         value = transfer(word, value)
      case (2)
         value = modulo(word, 1000000_int64) * 10.0_real64**power
      case (3)
         value = nearest(10.0_real64**power, real(number - 5, real64))
      case (4)
         value = scale(1.0_real64 + modulo(word, 3_int64) * epsilon(value), power * 20)
      case (5)
         value = (modulo(word, 4096_int64) + 0.5_real64) / 2**modulo(number, 7)
      case (6)
         value = -modulo(word, 100000000000_int64)
      case default
         value = modulo(word, 100000_int64) / 10.0_real64**modulo(number, 9)
      end select
   end function a_real

   function a_single(number, word) result(value)
      integer, intent(in) :: number
      integer(int64), intent(in) :: word
      real(real32) :: value
      if (modulo(number, 3) == 0) then
         value = transfer(int(ibits(word, 11, 31), int32), value)
      else
         value = real(modulo(word, 1000000_int64), real32) * 10.0_real32**int(modulo(word, 30_int64) - 15)
      end if
   end function a_single

   subroutine scalars(edit)
      character(*), intent(in) :: edit
      integer :: k
      do k = 1, n
         write (10, edit) wide(k)
      end do
      do k = 1, n
         write (10, edit) single(k)
      end do
   end subroutine scalars

end program random_values
