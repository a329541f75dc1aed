!> Changes of cells, one text of them, comparison and printing.
!>
!>     call split("a;b;c", cells, separator=";")
!>     call replace_inplace(cells, "b", "x")
!>     print "(a)", join(cells, "-")          ! a-x-c
!>
!> Next: ../bindings/cells.cpp.
module headrace_cell_edits
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int64_t, c_size_t
   use headrace_cells, only : text_cells
   use headrace_kept_text, only : report_failure, taken_text, text_or
   implicit none
   private

   public :: split, join, replace_inplace, trim_inplace, push, repeat_inplace, count_text
   public :: print_cells, operator(==), operator(/=)

   !> The parts of a text between separators, as one column of cells. A text without the separator
   !> is one part, separators side by side have an empty one between them.
   interface split
      subroutine hr_fortran_split_text(text, cells, separator, iostat, iomsg) &
            & bind(c, name="hr_fortran_split_text")
         import :: c_char, c_int, text_cells
         implicit none
         !> The text
         character(kind=c_char, len=*), intent(in) :: text
         !> Receives the parts; what it held before is lost
         type(text_cells), intent(inout) :: cells
         !> A text of any length; default: a blank; "": the whole text is one part
         character(kind=c_char, len=*), intent(in), optional :: separator
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_split_text
   end interface split

   !> Replace all occurrences of a text in every cell; they do not overlap.
   interface replace_inplace
      subroutine hr_fortran_replace_cells(cells, match, substring, back, iostat, iomsg) &
            & bind(c, name="hr_fortran_replace_cells")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> What to look for (trailing blanks count, "" is nowhere), and what comes instead (""
         !> takes it out)
         character(kind=c_char, len=*), intent(in) :: match, substring
         !> .true. or "yes": look from the end of the cell, which differs if they would overlap
         type(*), dimension(..), intent(in), optional :: back
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_replace_cells
   end interface replace_inplace

   !> Take blanks, tabs and line ends off both ends of every cell.
   interface trim_inplace
      subroutine hr_fortran_trim_cells(cells, iostat, iomsg) bind(c, name="hr_fortran_trim_cells")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_trim_cells
   end interface trim_inplace

   !> Print cells on the screen in columns of equal width, a row a line.
   interface print_cells
      subroutine hr_fortran_print_cells(cells, iostat, iomsg) bind(c, name="hr_fortran_print_cells")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_print_cells
   end interface print_cells

   !> Append a text to every cell.
   interface push
      subroutine hr_fortran_push_cells(cells, substring, iostat, iomsg) &
            & bind(c, name="hr_fortran_push_cells")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> The text, trailing blanks too
         character(kind=c_char, len=*), intent(in) :: substring
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_push_cells
   end interface push

   !> Repeat the text of every cell.
   interface repeat_inplace
      subroutine hr_fortran_repeat_cells(cells, ncopies, iostat, iomsg) &
            & bind(c, name="hr_fortran_repeat_cells")
         import :: c_char, c_int, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> How often it is there afterwards; 0 or less: cells become empty
         integer(c_int), intent(in) :: ncopies
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_repeat_cells
   end interface repeat_inplace

   !> How often a text stands in all cells, without overlaps, as integer(int64).
   interface count_text
      function hr_fortran_count_cells(cells, match, iostat, iomsg) &
            & bind(c, name="hr_fortran_count_cells")
         import :: c_char, c_int, c_int64_t, text_cells
         implicit none
         !> The cells
         type(text_cells), intent(in) :: cells
         !> What to look for; "" is nowhere
         character(kind=c_char, len=*), intent(in) :: match
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
         !> -1 after a failure with iostat
         integer(c_int64_t) :: hr_fortran_count_cells
      end function hr_fortran_count_cells
   end interface count_text

   !> All cells as one text, row by row, with a separator (default: a blank) between them; empty
   !> after a failure (`handle_closed`)
   interface join
      module procedure join_cells
   end interface join

   !> The same rows, columns and texts. Closed cells stop the program: an operator has no iostat
   interface operator(==)
      module procedure equal_cells
   end interface operator(==)

   !> Another shape or another text. Closed cells stop the program
   interface operator(/=)
      module procedure different_cells
   end interface operator(/=)

   interface
      subroutine hr_fortran_join_cells(cells, separator, length) &
            & bind(c, name="hr_fortran_join_cells")
         import :: c_char, c_int, c_size_t, text_cells
         implicit none
         type(text_cells), intent(in) :: cells
         character(kind=c_char, len=*), intent(in) :: separator
         integer(c_size_t), intent(out) :: length
      end subroutine hr_fortran_join_cells

      function hr_fortran_equal_cells(left, right) bind(c, name="hr_fortran_equal_cells")
         import :: c_int, text_cells
         implicit none
         type(text_cells), intent(in) :: left, right
         integer(c_int) :: hr_fortran_equal_cells
      end function hr_fortran_equal_cells
   end interface

contains

!> All cells as one text
function join_cells(cells, separator, iostat, iomsg) result(text)
   !> The cells
   type(text_cells), intent(in) :: cells
   !> Between cells; default: a blank
   character(kind=c_char, len=*), intent(in), optional :: separator
   !> 0, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(kind=c_char, len=*), intent(inout), optional :: iomsg
   character(len=:), allocatable :: text
   integer(c_size_t) :: length

   call hr_fortran_join_cells(cells, text_or(" ", separator), length)
   text = taken_text(length)
   call report_failure(iostat, iomsg)
end function join_cells

!> True for the same rows, columns and texts
function equal_cells(left, right) result(equal)
   !> What to compare
   type(text_cells), intent(in) :: left, right
   logical :: equal

   equal = hr_fortran_equal_cells(left, right) /= 0
end function equal_cells

!> True for another shape or another text
function different_cells(left, right) result(different)
   !> What to compare
   type(text_cells), intent(in) :: left, right
   logical :: different

   different = hr_fortran_equal_cells(left, right) == 0
end function different_cells

end module headrace_cell_edits
