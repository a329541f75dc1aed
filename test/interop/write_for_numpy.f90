!> Writes what read_with_numpy.py reads.
program write_for_numpy
   use, intrinsic :: iso_fortran_env, only : int16, real64
   use headrace, only : write_array
   implicit none
   real(real64) :: x(4, 3, 2)
   integer(int16) :: k(5)
   complex(real64) :: z(3)
   integer :: i

   x = reshape([(real(i, real64)/7, i = 1, 24)], shape(x))
   k = [(int(i*i - 20, int16), i = 1, 5)]
   z = [(cmplx(i, -i, real64), i = 1, 3)]
   call write_array("real.raw", x)
   call write_array("section.raw", x(4:1:-2, :, 2))
   call write_array("integer.bin", k)
   call write_array("complex.raw", z)
   call write_array("imaginary.raw", z%im)
end program write_for_numpy
