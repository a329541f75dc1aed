!> What C programs call, called from Fortran: fwrite(3) and fread(3), and the system calls write(2)
!> and read(2), which are the ceiling of every mechanism on a file.
!>
!> The system calls transfer a page-aligned buffer: read(2) into an array that malloc has put 16
!> bytes behind the start of a page was measured at half the speed on AMD Zen, and a ceiling must be
!> the most that the machine can do.
!>
!> Linux. O_DIRECT differs between architectures: HEADRACE_O_DIRECT holds its value in decimal.
module c_library_mechanisms
   use, intrinsic :: iso_c_binding, only : c_associated, c_char, c_f_pointer, c_int, c_intptr_t, &
      & c_loc, c_long, c_null_char, c_null_ptr, c_ptr, c_size_t
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use harness, only : refuse
   implicit none
   public

   interface
      type(c_ptr) function fopen(path, mode) bind(c, name="fopen")
         import :: c_char, c_ptr
         character(kind=c_char), intent(in) :: path(*), mode(*)
      end function fopen
      integer(c_int) function fclose(stream) bind(c, name="fclose")
         import :: c_int, c_ptr
         type(c_ptr), value :: stream
      end function fclose
      integer(c_size_t) function fwrite(values, bytes, items, stream) bind(c, name="fwrite")
         import :: c_ptr, c_size_t
         type(*), intent(in) :: values
         integer(c_size_t), value :: bytes, items
         type(c_ptr), value :: stream
      end function fwrite
      integer(c_size_t) function fread(values, bytes, items, stream) bind(c, name="fread")
         import :: c_ptr, c_size_t
         type(*), intent(inout) :: values
         integer(c_size_t), value :: bytes, items
         type(c_ptr), value :: stream
      end function fread
      integer(c_int) function system_create(path, mode) bind(c, name="creat")
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value :: mode
      end function system_create
      ! variadic in C, but without a mode the call is the same on Linux
      integer(c_int) function system_open(path, flags) bind(c, name="open")
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value :: flags
      end function system_open
      integer(c_int) function system_close(descriptor) bind(c, name="close")
         import :: c_int
         integer(c_int), value :: descriptor
      end function system_close
      integer(c_long) function system_write(descriptor, address, bytes) bind(c, name="write")
         import :: c_int, c_long, c_ptr, c_size_t
         integer(c_int), value :: descriptor
         type(c_ptr), value :: address
         integer(c_size_t), value :: bytes
      end function system_write
      integer(c_long) function system_read(descriptor, address, bytes) bind(c, name="read")
         import :: c_int, c_long, c_ptr, c_size_t
         integer(c_int), value :: descriptor
         type(c_ptr), value :: address
         integer(c_size_t), value :: bytes
      end function system_read
      integer(c_int) function system_truncate(descriptor, bytes) bind(c, name="ftruncate")
         import :: c_int, c_long
         integer(c_int), value :: descriptor
         integer(c_long), value :: bytes
      end function system_truncate
      integer(c_int) function allocate_aligned(address, alignment, bytes) &
         & bind(c, name="posix_memalign")
         import :: c_int, c_ptr, c_size_t
         type(c_ptr), intent(out) :: address
         integer(c_size_t), value :: alignment, bytes
      end function allocate_aligned
      subroutine free_aligned(address) bind(c, name="free")
         import :: c_ptr
         type(c_ptr), value :: address
      end subroutine free_aligned
      type(c_ptr) function error_number_location() bind(c, name="__errno_location")
         import :: c_ptr
      end function error_number_location
      type(c_ptr) function error_text(number) bind(c, name="strerror")
         import :: c_int, c_ptr
         integer(c_int), value :: number
      end function error_text
      integer(c_size_t) function text_length(text) bind(c, name="strlen")
         import :: c_ptr, c_size_t
         type(c_ptr), value :: text
      end function text_length
   end interface

   integer(c_int), parameter :: read_only = 0, write_only = 1, invalid_argument = 22
   integer(c_int), parameter :: read_write_by_all = int(o"666", c_int)
   integer(int64), parameter :: page = 4096

   !> The open file of fopen(3)
   type(c_ptr) :: stream = c_null_ptr
   !> Page-aligned copy of the payload, padded to whole pages, for direct I/O
   type(c_ptr) :: aligned_address = c_null_ptr
   real(real64), pointer :: aligned(:) => null()
   !> Direct I/O is under way, so "Invalid argument" comes from the file system
   logical :: is_direct = .false.

contains

subroutine open_stream(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   unit = 0
   if (status == "replace") then
      stream = fopen(trim(file) // c_null_char, "wb" // c_null_char)
   else
      stream = fopen(trim(file) // c_null_char, "rb" // c_null_char)
   end if
   if (.not. c_associated(stream)) call fail("fopen")
end subroutine open_stream

subroutine close_stream(unit)
   integer, intent(in) :: unit

   if (fclose(stream) /= 0) call fail("fclose")
end subroutine close_stream

subroutine open_descriptor(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   if (status == "replace") then
      unit = system_create(trim(file) // c_null_char, read_write_by_all)
   else
      unit = system_open(trim(file) // c_null_char, read_only)
   end if
   if (unit < 0) call fail("open")
end subroutine open_descriptor

subroutine open_direct(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit
   character(len=32) :: text
   integer(c_int) :: flag
   integer :: failure

   call get_environment_variable("HEADRACE_O_DIRECT", text, status=failure)
   if (failure == 0) read (text, *, iostat=failure) flag
   if (failure /= 0) call refuse("HEADRACE_O_DIRECT does not hold the value of O_DIRECT")
   is_direct = .true.
   if (status == "replace") then
      ! creat(2) takes no flags, so the new file is opened a second time
      call open_descriptor(file, status, unit)
      call close_descriptor(unit)
      unit = system_open(trim(file) // c_null_char, ior(write_only, flag))
   else
      unit = system_open(trim(file) // c_null_char, ior(read_only, flag))
   end if
   if (unit < 0) call fail("open")
end subroutine open_direct

subroutine close_descriptor(unit)
   integer, intent(in) :: unit

   if (system_close(unit) /= 0) call fail("close")
end subroutine close_descriptor

!> End this process with the error that the system reported for `call_name`
subroutine fail(call_name)
   character(len=*), intent(in) :: call_name
   integer(c_int), pointer :: number
   character(kind=c_char), pointer :: letters(:)
   character(len=:), allocatable :: message
   type(c_ptr) :: text
   integer :: i

   call c_f_pointer(error_number_location(), number)
   text = error_text(number)
   call c_f_pointer(text, letters, [text_length(text)])
   message = ""
   do i = 1, size(letters)
      message = message // letters(i)
   end do
   if (is_direct .and. number == invalid_argument) then
      call refuse("the file system refuses direct I/O: " // call_name // ": " // message)
   else
      call refuse(call_name // ": " // message)
   end if
end subroutine fail

!> Write the `bytes` that begin at `values`; write(2) may take fewer at a time.
!>
!> A scalar of any type receives the address of an array element, and no compiler makes a copy.
subroutine write_block(descriptor, values, bytes)
   integer, intent(in) :: descriptor
   type(*), intent(in), target :: values
   integer(int64), intent(in) :: bytes
   integer(int64) :: done, taken

   done = 0
   do while (done < bytes)
      taken = system_write(descriptor, address_after(values, done), int(bytes - done, c_size_t))
      if (taken < 0) call fail("write")
      done = done + taken
   end do
end subroutine write_block

!> Read the `bytes` that begin at `values`; read(2) may give fewer at a time.
!>
!> Direct I/O asks for all of the page in which the file ends, and gets less.
subroutine read_block(descriptor, values, bytes)
   integer, intent(in) :: descriptor
   type(*), intent(inout), target :: values
   integer(int64), intent(in) :: bytes
   integer(int64) :: done, given

   done = 0
   do while (done < bytes)
      given = system_read(descriptor, address_after(values, done), int(bytes - done, c_size_t))
      if (given < 0) call fail("read")
      if (given == 0) call refuse("read: the file ends too early")
      done = done + given
      if (is_direct .and. modulo(done, page) /= 0) exit
   end do
end subroutine read_block

type(c_ptr) function address_after(values, bytes) result(address)
   type(*), intent(in), target :: values
   integer(int64), intent(in) :: bytes

   address = transfer(transfer(c_loc(values), 0_c_intptr_t) + int(bytes, c_intptr_t), address)
end function address_after

subroutine write_fwrite_element(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      if (fwrite(array(i), 8_c_size_t, 1_c_size_t, stream) /= 1) call fail("fwrite")
   end do
end subroutine write_fwrite_element

subroutine read_fwrite_element(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64)
      if (fread(array(i), 8_c_size_t, 1_c_size_t, stream) /= 1) call fail("fread")
   end do
end subroutine read_fwrite_element

subroutine write_fwrite_row(array, unit)
   real(real64), intent(in) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      if (fwrite(array(1, i), 8_c_size_t, 3_c_size_t, stream) /= 3) call fail("fwrite")
   end do
end subroutine write_fwrite_row

subroutine read_fwrite_row(array, unit)
   real(real64), intent(inout) :: array(:, :)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, 2, int64)
      if (fread(array(1, i), 8_c_size_t, 3_c_size_t, stream) /= 3) call fail("fread")
   end do
end subroutine read_fwrite_row

subroutine write_system_64k(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 8192
      call write_block(unit, aligned(i), 8 * min(8192_int64, size(array, kind=int64) - i + 1))
   end do
end subroutine write_system_64k

subroutine read_system_64k(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 8192
      call read_block(unit, aligned(i), 8 * min(8192_int64, size(array, kind=int64) - i + 1))
   end do
end subroutine read_system_64k

subroutine write_system_1m(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      call write_block(unit, aligned(i), 8 * min(131072_int64, size(array, kind=int64) - i + 1))
   end do
end subroutine write_system_1m

subroutine read_system_1m(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 131072
      call read_block(unit, aligned(i), 8 * min(131072_int64, size(array, kind=int64) - i + 1))
   end do
end subroutine read_system_1m

subroutine write_system_8m(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 1048576
      call write_block(unit, aligned(i), 8 * min(1048576_int64, size(array, kind=int64) - i + 1))
   end do
end subroutine write_system_8m

subroutine read_system_8m(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(array, kind=int64), 1048576
      call read_block(unit, aligned(i), 8 * min(1048576_int64, size(array, kind=int64) - i + 1))
   end do
end subroutine read_system_8m

!> The last page is padded, and the file cut to its length
subroutine write_direct_1m(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(aligned, kind=int64), 131072
      call write_block(unit, aligned(i), 8 * min(131072_int64, size(aligned, kind=int64) - i + 1))
   end do
   if (system_truncate(unit, 8 * size(array, kind=c_long)) /= 0) call fail("ftruncate")
end subroutine write_direct_1m

subroutine read_direct_1m(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   integer(int64) :: i

   do i = 1, size(aligned, kind=int64), 131072
      call read_block(unit, aligned(i), 8 * min(131072_int64, size(aligned, kind=int64) - i + 1))
   end do
end subroutine read_direct_1m

subroutine prepare_aligned(array)
   real(real64), intent(in) :: array(:)
   integer(int64) :: pages

   pages = (8 * size(array, kind=int64) + page - 1) / page
   call free_aligned(aligned_address)
   if (allocate_aligned(aligned_address, int(page, c_size_t), &
      & int(pages * page, c_size_t)) /= 0) then
      call refuse("no memory for a page-aligned buffer")
   end if
   call c_f_pointer(aligned_address, aligned, [pages * page / 8])
   aligned = 0
   aligned(:size(array, kind=int64)) = array
end subroutine prepare_aligned

subroutine collect_aligned(array)
   real(real64), intent(inout) :: array(:)

   array = aligned(:size(array, kind=int64))
end subroutine collect_aligned

end module c_library_mechanisms

program c_library
   use harness, only : add_rows, add_vector, run_mechanism
   use c_library_mechanisms
   implicit none

   call add_vector("fwrite_element", open_stream, write_fwrite_element, read_fwrite_element, &
      & close=close_stream)
   call add_rows("fwrite_row", open_stream, write_fwrite_row, read_fwrite_row, &
      & close=close_stream)
   call add_vector("system_64k", open_descriptor, write_system_64k, read_system_64k, &
      & close=close_descriptor, prepare=prepare_aligned, &
      & collect=collect_aligned)
   call add_vector("system_1m", open_descriptor, write_system_1m, read_system_1m, &
      & close=close_descriptor, prepare=prepare_aligned, &
      & collect=collect_aligned)
   call add_vector("system_8m", open_descriptor, write_system_8m, read_system_8m, &
      & close=close_descriptor, prepare=prepare_aligned, &
      & collect=collect_aligned)
   call add_vector("direct_1m", open_direct, write_direct_1m, read_direct_1m, &
      & prepare=prepare_aligned, collect=collect_aligned, close=close_descriptor)
   call run_mechanism()
end program c_library
