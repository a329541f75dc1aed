!> The text of a pair is namelist input: Fortran finds the elements by it, and may write it itself.
program binary_meta_is_a_namelist
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   use headrace, only : hr_stat, load_array, read_array, write_array
   use checks, only : check, check_status, finish
   implicit none

   real(real64) :: x(3, 4)
   integer(int32) :: counts(5)

   call random_number(x)
   counts = [1, -2, huge(1_int32), 0, 7]
   call write_array("run.meta", x(:, 4:1:-1), name="it's", checksum="crc32c", byte_order="little")
   call write_array("run.meta", counts, name="counts", append="yes", byte_order="little")
   call write_array("run.meta", x(2, :), name="row", append="yes", byte_order="little")
   call fortran_reads_the_text()
   call fortran_writes_a_text()
   call arrays_come_back()
   call finish()

contains

!> A READ for each array, and the elements from the file and offset that it names
subroutine fortran_reads_the_text()
   character(len=200) :: name, type, byte_order, data_file, crc32c
   integer(int64) :: format_version, array_rank, shape(15), offset, bytes
   real(real64), allocatable :: found(:)
   integer :: unit, data_unit, i
   namelist /array/ format_version, name, type, array_rank, shape, byte_order, data_file, offset, &
      & bytes, crc32c

   open(newunit=unit, file="run.meta", action="read", status="old")
   do i = 1, 3
      crc32c = ""
      shape = 0
      read(unit, nml=array)
      call check(format_version == 1, "format_version")
      call check(byte_order == "little", "byte_order")
      if (i == 2) then
         call check(name == "counts" .and. type == "int32", "name and type")
         call check(index(data_file, "run.int32.") == 1 .and. bytes == 20, "data_file and bytes")
         cycle
      end if
      ! A number stands in the name when an older run left a pair
      call check(type == "real64" .and. index(data_file, "run.real64.") == 1, "type, data_file")
      allocate(found(bytes / 8))
      open(newunit=data_unit, file=trim(data_file), access="stream", form="unformatted", &
         & action="read", status="old")
      read(data_unit, pos=offset + 1) found
      close(data_unit)
      if (i == 1) then
         call check(name == "it's" .and. len_trim(crc32c) == 8, "name and crc32c")
         call check(array_rank == 2 .and. all(shape(:2) == [3, 4]), "array_rank and shape")
         call check(all(found == reshape(x(:, 4:1:-1), [12])), "the elements")
      else
         call check(name == "row" .and. array_rank == 1 .and. shape(1) == 4, "name and shape")
         call check(offset == 96 .and. all(found == x(2, :)), "offset and elements")
      end if
      deallocate(found)
   end do
   close(unit)
end subroutine fortran_reads_the_text

!> What WRITE(nml=) makes of the same variables is a description too
subroutine fortran_writes_a_text()
   character(len=200) :: name, type, byte_order, data_file, crc32c, message
   integer(int64) :: format_version, array_rank, shape(15), offset, bytes
   real(real64) :: found(4, 3)
   integer :: unit, stat
   namelist /array/ format_version, name, type, array_rank, shape, byte_order, data_file, offset, &
      & bytes, crc32c

   open(newunit=unit, file="own.bytes", access="stream", form="unformatted", action="write", &
      & status="replace")
   write(unit) 1_int32, x
   close(unit)
   format_version = 1
   name = "pressure"
   type = "real64"
   array_rank = 2
   shape = 0
   shape(:2) = [4, 3]
   byte_order = "little"
   data_file = "own.bytes"
   offset = 4
   bytes = 96
   crc32c = ""
   open(newunit=unit, file="own.meta", action="write", delim="quote", status="replace")
   write(unit, nml=array)
   close(unit)
   call read_array("own.meta", found, iostat=stat, iomsg=message)
   call check(stat == 0, "Fortran's own text: "//trim(message))
   call check(all(found == reshape(x, [4, 3])), "the elements by Fortran's own text")
end subroutine fortran_writes_a_text

!> By name, allocated, and refused
subroutine arrays_come_back()
   real(real64) :: y(3, 4)
   real(real64), allocatable :: row(:)
   character(len=300) :: message
   integer :: stat

   call read_array("run.meta", y(:, 4:1:-1), name="it's", checksum="crc32c")
   call check(all(x == y), "a section")
   call load_array("run.meta", row, name="row")
   call check(all(row == x(2, :)), "an allocatable array")
   call read_array("run.meta", y, name="none", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%array_missing, message, '"it''s", "counts", "row"')
   call read_array("run.meta", y, name="counts", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%kind_mismatch, message, "found int32 (5)")
   call read_array("run.meta", y(1, :), name="row", checksum="crc32c", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%checksum_mismatch, message, '"row" has no checksum')
end subroutine arrays_come_back

end program binary_meta_is_a_namelist
