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
   use headrace_kept_text, only : report_failure, text_or
   implicit none
   private

   public :: load_names

   interface
      subroutine hr_fortran_find_names(length, count, stat, file, delimiter, decimal, header, &
            & comment, skip_rows, format) bind(c, name="hr_fortran_find_names")
         import :: c_char, c_int, c_size_t
         implicit none
         integer(c_size_t), intent(out) :: length, count
         integer(c_int), intent(out) :: stat
         character(kind=c_char, len=*), intent(in) :: file, delimiter, decimal, header, comment, &
            & format
         integer(c_int), intent(in) :: skip_rows
      end subroutine hr_fortran_find_names

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

   integer(c_size_t) :: count, i, length
   integer(c_int) :: skipped, stat

   skipped = 0
   if (present(skip_rows)) skipped = skip_rows
   call hr_fortran_find_names(length, count, stat, file, text_or("", delimiter), &
      & text_or("", decimal), text_or("", header), text_or("", comment), skipped, &
      & text_or("", format))
   if (stat == 0) then
      allocate(character(len=length) :: names(count))
      do i = 1, count
         call hr_fortran_take_name(i, names(i))
      end do
   end if
   call report_failure(iostat, iomsg)
end subroutine load_names

end module headrace_load_names
