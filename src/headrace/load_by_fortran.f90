!> load_array when Fortran must allocate: characters, logicals of other kinds than c_bool, and the
!> names of columns. Each array rank is a procedure, which includes load_fit.inc, allocates, and
!> includes load_fill.inc.
!>
!> The options go to C++ as one value of places and numbers, because gfortran 12 cannot pass an
!> optional character argument on to a bind(c) procedure (internal error).
!>
!> Next: ../bindings/load_arrays.cpp, which keeps the options from fit to fill.
module headrace_load_steps
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t, c_loc, c_null_ptr, &
      & c_ptr, c_size_t
   implicit none
   private

   public :: fit_to_file, hr_fortran_fill, hr_fortran_find_names, text_place

   !> Values of hr_type in headrace.h
   integer(c_int), parameter, public :: logical_type = 4, character_type = 5

   !> Where the characters of an argument lie; no place: it is absent
   type, bind(c), public :: argument_text
      type(c_ptr) :: bytes = c_null_ptr
      integer(c_size_t) :: length = 0
   end type argument_text

   !> The file and the options of a load; 0 stands for an absent number
   type, bind(c), public :: load_request
      type(argument_text) :: file, number, delimiter, decimal, header, comment, missing, format, &
         & byte_order, name
      integer(c_int) :: skip_rows = 0, threads = 0, record_marker = 0
   end type load_request

   interface
      subroutine hr_fortran_fit(array_type, array_rank, length, extent, stat, request, columns) &
            & bind(c, name="hr_fortran_fit")
         import :: c_int, c_size_t, load_request
         implicit none
         integer(c_int), intent(in) :: array_type, array_rank
         integer(c_size_t), intent(inout) :: length
         integer(c_size_t), intent(out) :: extent(7)
         integer(c_int), intent(out) :: stat
         type(load_request), intent(in) :: request
         type(*), dimension(..), intent(in), optional :: columns
      end subroutine hr_fortran_fit

      !> Read the file into the array that has been allocated for it; 0 when that went well
      integer(c_int) function hr_fortran_fill(array) bind(c, name="hr_fortran_fill")
         import :: c_int
         implicit none
         type(*), dimension(..), intent(inout) :: array
      end function hr_fortran_fill

      !> How many names load_names finds, and the length of the longest
      subroutine hr_fortran_find_names(length, count, stat, request) &
            & bind(c, name="hr_fortran_find_names")
         import :: c_int, c_size_t, load_request
         implicit none
         integer(c_size_t), intent(out) :: length, count
         integer(c_int), intent(out) :: stat
         type(load_request), intent(in) :: request
      end subroutine hr_fortran_find_names
   end interface

contains

!> Where the characters of an argument lie
function text_place(text) result(place)
   !> The argument, as the caller of load_array gave it
   character(kind=c_char, len=*), intent(in), optional, target :: text
   type(argument_text) :: place

   if (.not. present(text)) return
   place%bytes = c_loc(text)
   place%length = len(text)
end function text_place

!> Find how large an array the file needs
subroutine fit_to_file(array_type, array_rank, length, extent, stat, request, columns)
   !> logical_type or character_type
   integer(c_int), intent(in) :: array_type
   !> As many extents are found
   integer, intent(in) :: array_rank
   !> Bytes of an element; found for characters
   integer(c_size_t), intent(inout) :: length
   integer(c_size_t), intent(out) :: extent(7)
   !> Not 0 after a failure, which report_failure tells
   integer(c_int), intent(out) :: stat
   !> The other arguments of load_array
   type(load_request), intent(in) :: request
   !> As in load_array. No type(*): gfortran 12 then loses the lengths of the texts beside names
   class(*), intent(in), optional :: columns(:)

   character(kind=c_char, len=:), allocatable :: names(:)
   integer(c_int) :: dimensions

   dimensions = int(array_rank, c_int)
   if (.not. present(columns)) then
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request)
      return
   end if
   select type (columns)
   type is (character(len=*))
      ! A copy: gfortran 12 passes a name of class(*) on with a wrong distance to the next.
      allocate(character(len=max(1, len(columns))) :: names(size(columns)))
      names = columns
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, names)
   type is (integer(c_int))
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, &
         & int(columns, c_int64_t))
   type is (integer(c_int64_t))
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, &
         & int(columns, c_int64_t))
   class default ! a column that no file has
      call hr_fortran_fit(array_type, dimensions, length, extent, stat, request, [0_c_int])
   end select
end subroutine fit_to_file

end module headrace_load_steps

!> Characters get the length of the longest cell.
!>
!> If a bind(c) procedure allocates them, gfortran 12 loses the distance between elements.
!> Characters of a length of their own cannot be told from these by a generic; a bind(c) interface
!> for them is refused: "Allocatable character dummy argument 'array' at (1) must have deferred
!> length".
module headrace_load_characters
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => character_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private

   public :: load_array

   interface load_array
      module procedure load_1, load_2, load_3, load_4, load_5, load_6, load_7
   end interface load_array

   integer(c_size_t), parameter :: element = 0

contains

!> Array rank 1
subroutine load_1(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1)), stat=stat)
   include "load_fill.inc"
end subroutine load_1

!> Array rank 2
subroutine load_2(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2)), stat=stat)
   include "load_fill.inc"
end subroutine load_2

!> Array rank 3
subroutine load_3(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), &
      & extent(3)), stat=stat)
   include "load_fill.inc"
end subroutine load_3

!> Array rank 4
subroutine load_4(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4)), stat=stat)
   include "load_fill.inc"
end subroutine load_4

!> Array rank 5
subroutine load_5(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4), extent(5)), stat=stat)
   include "load_fill.inc"
end subroutine load_5

!> Array rank 6
subroutine load_6(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4), extent(5), extent(6)), stat=stat)
   include "load_fill.inc"
end subroutine load_6

!> Array rank 7
subroutine load_7(file, array, number, delimiter, decimal, header, comment, skip_rows, columns, &
      & missing, threads, format, byte_order, record_marker, name, iostat, iomsg)
   character(len=:), allocatable, intent(out) :: array(:, :, :, :, :, :, :)
   include "load_fit.inc"
   if (stat == 0) allocate(character(len=length) :: array(extent(1), extent(2), extent(3), &
      & extent(4), extent(5), extent(6), extent(7)), stat=stat)
   include "load_fill.inc"
end subroutine load_7

end module headrace_load_characters

! A module for each kind of logicals that bind(c) refuses. gfortran 12, with -std=f2018 in the
! program that uses it: "GNU Extension: LOGICAL dummy argument 'array' at (1) with non-C_Bool kind
! in BIND(C) procedure". One procedure for all array ranks: flang 19 has no assumed-rank arguments
! of procedures in Fortran ("not yet implemented").

!> Logicals of 2 bytes
module headrace_load_logical16
   use, intrinsic :: iso_fortran_env, only : lk => int16
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => logical_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private
   include "load_logicals.inc"
end module headrace_load_logical16

!> Logicals of 4 bytes
module headrace_load_logical32
   use, intrinsic :: iso_fortran_env, only : lk => int32
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => logical_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private
   include "load_logicals.inc"
end module headrace_load_logical32

!> Logicals of 8 bytes
module headrace_load_logical64
   use, intrinsic :: iso_fortran_env, only : lk => int64
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : array_type => logical_type, fit_to_file, hr_fortran_fill, &
      & load_request, text_place
   implicit none
   private
   include "load_logicals.inc"
end module headrace_load_logical64

!> The names of the columns of a text file.
!>
!>     character(:), allocatable :: names(:)
!>
!>     call load_names("x.csv", names)
!>
!> They are a call of their own, because Fortran must allocate them, too.
module headrace_load_names
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   use headrace_kept_text, only : report_failure
   use headrace_load_steps, only : hr_fortran_find_names, load_request, text_place
   implicit none
   private

   public :: load_names

   interface
      subroutine hr_fortran_take_name(number, name) bind(c, name="hr_fortran_take_name")
         import :: c_char, c_size_t
         implicit none
         integer(c_size_t), intent(in) :: number
         character(kind=c_char, len=*), intent(inout) :: name
      end subroutine hr_fortran_take_name
   end interface

contains

!> Find the names in the header of a text file of numbers, as load_array with the same options
!> reads it; no names if the file has no header. Not allocated after a failure.
subroutine load_names(file, names, delimiter, decimal, header, comment, skip_rows, format, &
      & iostat, iomsg)
   !> File name; trailing blanks are ignored
   character(len=*), intent(in) :: file
   !> A name for each column, as long as the longest, without quotes and blanks around it. A mark
   !> in front that other programs skip ("# time mass") is not part of them
   character(len=:), allocatable, intent(out) :: names(:)
   !> Between cells, as in read_array
   character(len=*), intent(in), optional :: delimiter
   !> "." (default) or ","
   character(len=*), intent(in), optional :: decimal
   !> "auto" (default), "yes" or "no", as in read_array
   character(len=*), intent(in), optional :: header
   !> One character: it and the rest of its line are ignored
   character(len=*), intent(in), optional :: comment
   !> Number of lines at the beginning that are ignored
   integer(c_int), intent(in), optional :: skip_rows
   !> "csv", "tsv" or "text"; default: the ending of the file name
   character(len=*), intent(in), optional :: format
   !> 0, errno of the system, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(len=*), intent(inout), optional :: iomsg

   type(load_request) :: request
   integer(c_size_t) :: count, i, length
   integer(c_int) :: stat

   request%file = text_place(file)
   request%delimiter = text_place(delimiter)
   request%decimal = text_place(decimal)
   request%header = text_place(header)
   request%comment = text_place(comment)
   request%format = text_place(format)
   if (present(skip_rows)) request%skip_rows = skip_rows
   call hr_fortran_find_names(length, count, stat, request)
   if (stat == 0) then
      allocate(character(len=length) :: names(count))
      do i = 1, count
         call hr_fortran_take_name(i, names(i))
      end do
   end if
   call report_failure(iostat, iomsg)
end subroutine load_names

end module headrace_load_names
