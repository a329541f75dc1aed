!> The system calls that the benchmark compares with.
module posix_calls
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_ptr, c_size_t
   implicit none
   private

   public :: posix_creat, posix_open, posix_write, posix_read, posix_close

   interface
      function posix_creat(path, mode) bind(c, name="creat") result(descriptor)
         import :: c_char, c_int
         implicit none
         ! allow(C071)
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value, intent(in) :: mode
         integer(c_int) :: descriptor
      end function posix_creat

      function posix_open(path, flags) bind(c, name="open") result(descriptor)
         import :: c_char, c_int
         implicit none
         ! allow(C071)
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value, intent(in) :: flags
         integer(c_int) :: descriptor
      end function posix_open

      function posix_write(descriptor, data, bytes) bind(c, name="write") result(moved)
         import :: c_int, c_ptr, c_size_t
         implicit none
         integer(c_int), value, intent(in) :: descriptor
         type(c_ptr), value, intent(in) :: data
         integer(c_size_t), value, intent(in) :: bytes
         integer(c_size_t) :: moved
      end function posix_write

      function posix_read(descriptor, data, bytes) bind(c, name="read") result(moved)
         import :: c_int, c_ptr, c_size_t
         implicit none
         integer(c_int), value, intent(in) :: descriptor
         type(c_ptr), value, intent(in) :: data
         integer(c_size_t), value, intent(in) :: bytes
         integer(c_size_t) :: moved
      end function posix_read

      function posix_close(descriptor) bind(c, name="close") result(error)
         import :: c_int
         implicit none
         integer(c_int), value, intent(in) :: descriptor
         integer(c_int) :: error
      end function posix_close
   end interface

end module posix_calls
