!> Unformatted sequential files: the bytes are those of the compiler's own WRITE, in either byte
!> order, and what it wrote is read back. With gfortran a second program has 8-byte markers.
program binary_records_are_what_the_compiler_writes
   use, intrinsic :: iso_fortran_env, only : int8, int16, int32, int64, real32, real64, real128
   use checks, only : bytes_of, check, finish
   use headrace, only : write_array, read_array
   implicit none

   !> The largest kind that the compiler has
   integer, parameter :: quad = merge(real128, real64, real128 > 0)
   character(len=*), parameter :: ours = "ours.unf", theirs = "theirs.unf", back = "back.seq"
   character(len=*), parameter :: orders(*) = ["little", "big   "]
   character(len=20) :: what
   character(len=6) :: order
   integer :: i, k, u, marker

   marker = bytes_of_a_marker()
   do k = 1, size(orders)
      order = orders(k)
      call integers()
      call reals()
      call complex_numbers()
      call others()
   end do
   call many_records()
   call finish()

contains

!> As the program was compiled
integer function bytes_of_a_marker() result(bytes)
   integer :: one, total

   open(newunit=one, file=theirs, form="unformatted", status="replace", action="write")
   write(one) 1_int8
   close(one)
   inquire(file=theirs, size=total)
   bytes = (total - 1)/2
end function bytes_of_a_marker

!> Open the compiler's file
subroutine open_theirs(byte_order, new)
   !> "little" or "big"
   character(len=*), intent(in) :: byte_order
   !> Receives the unit
   integer, intent(out) :: new

   open(newunit=new, file=theirs, form="unformatted", access="sequential", status="replace", &
      action="write", convert=trim(byte_order)//"_endian")
end subroutine open_theirs

!> Every kind of integer
subroutine integers()
   block
      integer(int8), dimension(3, 4, 5) :: x, y
      x = reshape([(int(modulo(7*i, 251) - 125, int8), i=1, 60)], shape(x))
      what = "int8"
      include "binary_record_case.inc"
   end block
   block
      integer(int16), dimension(3, 4, 5) :: x, y
      x = reshape([(int(521*i - 16000, int16), i=1, 60)], shape(x))
      what = "int16"
      include "binary_record_case.inc"
   end block
   block
      integer(int32), dimension(3, 4, 5) :: x, y
      x = reshape([(33554467*i - 1000000000, i=1, 60)], shape(x))
      what = "int32"
      include "binary_record_case.inc"
   end block
   block
      integer(int64), dimension(3, 4, 5) :: x, y
      x = reshape([(144115188075855859_int64*i - huge(1_int64), i=1, 60)], shape(x))
      what = "int64"
      include "binary_record_case.inc"
   end block
end subroutine integers

!> Every kind of real
subroutine reals()
   block
      real(real32), dimension(3, 4, 5) :: x, y
      x = reshape([(real(i, real32)/3, i=1, 60)], shape(x))
      what = "real32"
      include "binary_record_case.inc"
   end block
   block
      real(real64), dimension(3, 4, 5) :: x, y
      x = reshape([(real(i, real64)/3, i=1, 60)], shape(x))
      what = "real64"
      include "binary_record_case.inc"
   end block
   block
      real(quad), dimension(3, 4, 5) :: x, y
      x = reshape([(real(i, quad)/3, i=1, 60)], shape(x))
      what = "real128"
      include "binary_record_case.inc"
   end block
end subroutine reals

!> Complex numbers: their parts are turned round one by one
subroutine complex_numbers()
   block
      complex(real32), dimension(3, 4, 5) :: x, y
      x = reshape([(cmplx(i, real(i, real32)/7, real32), i=1, 60)], shape(x))
      what = "complex(real32)"
      include "binary_record_case.inc"
   end block
   block
      complex(real64), dimension(3, 4, 5) :: x, y
      x = reshape([(cmplx(i, real(i, real64)/7, real64), i=1, 60)], shape(x))
      what = "complex(real64)"
      include "binary_record_case.inc"
   end block
   block
      complex(quad), dimension(3, 4, 5) :: x, y
      x = reshape([(cmplx(i, real(i, quad)/7, quad), i=1, 60)], shape(x))
      what = "complex(real128)"
      include "binary_record_case.inc"
   end block
end subroutine complex_numbers

!> Logicals, and characters, which have no byte order
subroutine others()
   block
      logical(int8), dimension(3, 4, 5) :: x, y
      x = reshape([(logical(modulo(i, 3) == 0, int8), i=1, 60)], shape(x))
      what = "logical(1)"
      include "binary_record_case.inc"
   end block
   block
      logical(int16), dimension(3, 4, 5) :: x, y
      x = reshape([(logical(modulo(i, 3) == 0, int16), i=1, 60)], shape(x))
      what = "logical(2)"
      include "binary_record_case.inc"
   end block
   block
      logical, dimension(3, 4, 5) :: x, y
      x = reshape([(modulo(i, 3) == 0, i=1, 60)], shape(x))
      what = "logical"
      include "binary_record_case.inc"
   end block
   block
      logical(int64), dimension(3, 4, 5) :: x, y
      x = reshape([(logical(modulo(i, 3) == 0, int64), i=1, 60)], shape(x))
      what = "logical(8)"
      include "binary_record_case.inc"
   end block
   block
      character(len=5), dimension(3, 4, 5) :: x, y
      x = reshape([(achar(33 + i)//"b"//achar(93 - i)//" d", i=1, 60)], shape(x))
      what = "character(5)"
      include "binary_record_case.inc"
   end block
end subroutine others

!> Records of many sizes behind each other
subroutine many_records()
   real(real64), allocatable :: x(:)
   integer :: length

   what = "many sizes"
   allocate(x(100000))
   call random_number(x)
   call open_theirs("little", u)
   length = 1
   do while (length <= size(x))
      write(u) x(:length)
      length = length*3
   end do
   close(u)
   call write_array(ours, x(:1), record_marker=marker, byte_order="little")
   length = 3
   do while (length <= size(x))
      call write_array(ours, x(:length), append="yes", record_marker=marker, byte_order="little")
      length = length*3
   end do
   call compare(ours, theirs)
end subroutine many_records

!> Compare two files
subroutine compare(one, other)
   !> Their names
   character(len=*), intent(in) :: one, other

   call check(bytes_of(one) == bytes_of(other), one//" is "//other//": "//trim(what)//" "//order)
end subroutine compare

end program binary_records_are_what_the_compiler_writes
