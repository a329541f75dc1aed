!> Writes what read_with_numpy.py reads.
program write_for_numpy
   use, intrinsic :: iso_fortran_env, only : int8, int16, int32, int64, real32, real64
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
   call write_for_npy()

contains

!> Every kind that numpy has too, and an archive.
subroutine write_for_npy()
   logical :: l(3, 2)
   character(len=5) :: words(2)

   l = reshape([.true., .false., .true., .true., .false., .false.], shape(l))
   words = [character(len=5) :: "one", "three"]
   call write_array("real64.npy", x)
   call write_array("section.npy", x(4:1:-2, :, 2))
   call write_array("real32.npy", real(x, real32))
   call write_array("scalar.npy", x(2, 1, 1))
   call write_array("empty.npy", x(:, 1:0, :))
   call write_array("int8.npy", int(k, int8))
   call write_array("int16.npy", k)
   call write_array("int32.npy", int(k, int32))
   call write_array("int64_big.npy", int(k, int64), byte_order="big")
   call write_array("complex64.npy", cmplx(z, kind=real32))
   call write_array("complex128.npy", z)
   call write_array("logical.npy", l)
   call write_array("characters.npy", words)
   call write_array("archive.npz", x, name="x")
   call write_array("archive.npz", k, name="k", append="yes", compression="deflate")
end subroutine write_for_npy

end program write_for_numpy
