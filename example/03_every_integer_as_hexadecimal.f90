!> Write integers as hexadecimal texts, 128 chunks behind each other in one file: memory for one is
!> all it takes. By default 1/128 of all 32-bit integers; with the argument `full` all, 47 GB.
program every_integer_as_hexadecimal
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   use headrace, only : text_writer, open_text, write_rows, close_text
   implicit none
   integer, parameter :: chunks = 128
   integer(int64), parameter :: smallest = -2_int64**31
   type(text_writer) :: out
   integer(int32), allocatable :: chunk(:)
   integer(int64) :: rows, i, before, after, rate
   character(len=4) :: wish
   integer :: j

   call get_command_argument(1, wish)
   rows = merge(2_int64**25, 2_int64**18, wish == "full")
   allocate (chunk(rows))

   call system_clock(before)
   call open_text(out, "int32.txt", number="hex")
   do j = 1, chunks
      do i = 1, rows
         chunk(i) = int(smallest + (j - 1) * rows + i - 1, int32)
      end do
      call write_rows(out, chunk)
   end do
   call close_text(out)   ! only now the file appears under its name
   call system_clock(after, rate)
   print "(i0, a, f7.3, a)", chunks * rows, " integers,", real(after - before, real64) / rate, " s"
end program every_integer_as_hexadecimal
