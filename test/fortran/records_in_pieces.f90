!> Compiled with gfortran's -fmax-subrecord-length=32: records in pieces are byte for byte those of
!> record_writer (records_in_pieces.cpp), and read_array puts them together again.
program records_in_pieces
   use, intrinsic :: iso_c_binding, only : c_int, c_int8_t, c_size_t
   use, intrinsic :: iso_fortran_env, only : int8
   use checks, only : bytes_of, check, finish
   use headrace, only : read_array
   implicit none

   interface
      !> ours.unf with one record, in pieces of at most 32 bytes. 0 means success
      integer(c_int) function write_pieces(data, bytes, marker, big) &
            & bind(c, name="hr_test_write_pieces")
         import :: c_int, c_int8_t, c_size_t
         implicit none
         integer(c_int8_t), intent(in) :: data(100)
         integer(c_size_t), intent(in), value :: bytes
         integer(c_int), intent(in), value :: marker, big
      end function write_pieces
   end interface

   character(len=*), parameter :: orders(*) = ["little", "big   "]
   integer(int8) :: x(100), y(100)
   integer :: bytes, k, marker, u
   character(len=40) :: what

   x = [(int(k - 100, int8), k=1, size(x))]
   open(newunit=u, file="theirs.unf", form="unformatted", status="replace", action="write")
   write(u) x(:1)
   close(u)
   inquire(file="theirs.unf", size=marker)
   marker = (marker - 1)/2
   do k = 1, size(orders)
      do bytes = 0, size(x)
         write(what, "(3a, i0)") "bytes as ", orders(k), ", ", bytes
         open(newunit=u, file="theirs.unf", form="unformatted", status="replace", action="write", &
            convert=trim(orders(k))//"_endian")
         write(u) x(:bytes)
         close(u)
         call check(write_pieces(x, int(bytes, c_size_t), marker, k - 1) == 0, "write_pieces")
         call check(bytes_of("ours.unf") == bytes_of("theirs.unf"), trim(what))
         y = 0
         call read_array("theirs.unf", y(:bytes), record_marker=marker, byte_order=orders(k))
         call check(all(y(:bytes) == x(:bytes)), "read: "//trim(what))
      end do
   end do
   call finish()

contains

end program records_in_pieces
