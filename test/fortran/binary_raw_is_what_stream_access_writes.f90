!> Raw files are those of stream access, for every type and section; big endian ones are turned.
program binary_raw_is_what_stream_access_writes
   use, intrinsic :: iso_fortran_env, only : int16, int32, int64, int8, real32, real64
   use headrace, only : read_array, write_array
   use checks, only : check, finish
   implicit none

   real(real64) :: x(4, 3), y(4, 3)
   real(real32) :: single(6)
   complex(real32) :: waves(2, 2), same_waves(2, 2)
   integer(int16) :: short(4, 2), same_short(4, 2)
   logical :: flags(5), same_flags(5)
   character(len=3) :: names(2), same_names(2)
   integer :: unit

   call random_number(x)
   call random_number(single)
   waves = reshape(cmplx(single(1:4), single(3:6), real32), [2, 2])
   short = reshape([1_int16, -1_int16, 256_int16, -32767_int16, 2_int16, 3_int16, 4_int16, &
      & 5_int16], [4, 2])
   flags = [.true., .false., .false., .true., .true.]
   names = ["abc", "d  "]

   call against_stream_access()
   call in_both_orders()
   call finish()

contains

!> The bytes of sections, one item after another
subroutine against_stream_access()
   open(newunit=unit, file="stream.f", access="stream", form="unformatted", status="replace")
   write(unit) x(4:1:-2, 3:1:-1)
   close(unit)
   call write_array("section.raw", x(4:1:-2, 3:1:-1))
   y = 0
   call read_array("stream.f", y(4:1:-2, 3:1:-1), format="raw")
   call check(all(y(4:1:-2, :) == x(4:1:-2, :)), "stream access to a section")
   call check(all(abs(y(3:1:-2, :)) <= 0), "what lies between is not touched")
   y = 0
   open(newunit=unit, file="section.raw", access="stream", form="unformatted", status="old", &
      & action="read")
   read(unit) y(4:1:-2, 3:1:-1)
   close(unit)
   call check(all(y(4:1:-2, :) == x(4:1:-2, :)), "a section to stream access")
end subroutine against_stream_access

!> Words are turned, halves of complex numbers one by one; characters and bytes never
subroutine in_both_orders()
   integer(int8) :: bytes(8), same_bytes(8)

   call write_array("short.raw", short, byte_order="big")
   call read_array("short.raw", same_bytes(:), iostat=unit, format="raw")
   call check(unit /= 0, "another size is refused")
   call read_array("short.raw", same_short, byte_order="big")
   call check(all(short == same_short), "int16, big")
   call write_array("one.raw", 258_int64, byte_order="big")
   call read_array("one.raw", bytes)
   call check(all(bytes == [integer(int8) :: 0, 0, 0, 0, 0, 0, 1, 2]), "int64, big")
   call write_array("one.raw", 258_int32 * [1_int32, 2_int32], byte_order="little")
   call read_array("one.raw", bytes)
   call check(all(bytes == [integer(int8) :: 2, 1, 0, 0, 4, 2, 0, 0]), "int32, little")
   call write_array("waves.raw", waves(2:1:-1, :), byte_order="big")
   call read_array("waves.raw", same_waves(2:1:-1, :), byte_order="big")
   call check(all(abs(waves - same_waves) <= 0), "complex, big")
   call write_array("flags.raw", flags, byte_order="big")
   call read_array("flags.raw", same_flags, byte_order="big")
   call check(all(flags .eqv. same_flags), "logical, big")
   call write_array("names.raw", names, byte_order="big")
   call read_array("names.raw", same_names)
   call check(all(names == same_names), "characters have no byte order")
end subroutine in_both_orders

end program binary_raw_is_what_stream_access_writes
