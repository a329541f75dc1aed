!> Writes a record above 2 GiB between two small ones: write_large OUTPUT BYTES
!>
!> BYTES is the number of bytes of the record; its values are those of real64, all 1.5.
program write_large
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   character(len=1024) :: output_file, size_text
   integer :: output
   integer(int64) :: bytes
   real(real64), allocatable :: large(:)

   call get_command_argument(1, output_file)
   call get_command_argument(2, size_text)
   read(size_text, *) bytes
   allocate(large(bytes/8))
   large = 1.5_real64
   open(newunit=output, file=trim(output_file), form="unformatted", action="write", &
      & status="replace")
   write(output) 10, 20
   write(output) large
   write(output) 1, 2, 3
   close(output)
end program write_large
