!> The names of the columns of a text file.
!>
!>     character(:), allocatable :: names(:)
!>
!>     call load_names("x.csv", names)
!>
!> Fortran allocates them: where a bind(c) procedure does, gfortran 12 loses the distance between
!> elements. So they are a call of their own, not an argument of load_array.
!>
!> Next: ../bindings/load_arrays.cpp.
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
   !> in front that other programs skip ("# time mass") is no part of them
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
