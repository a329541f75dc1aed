!> Texts of numbers and back, joining, splitting, replacing, and files as one text.
!>
!>     use headrace_text, only : str, echo, LF, operator(//), operator(+), operator(-), operator(**)
!>
!>     print "(a)", "wall time "//str(seconds, fmt="f", decimals=3)//" s"
!>     call echo("step "//step//" of "//steps, "run.log")          ! appends a line
!>     print "(a)", "="**20 + LF + ("chr7" - "chr")
!>
!> Texts are plain Fortran characters. Next: ../bindings/strings.cpp, string_operators.f90; arrays
!> of texts are in cells.f90.
module headrace_strings
   use, intrinsic :: iso_c_binding, only : c_bool, c_char, c_int, c_int64_t, c_size_t
   use, intrinsic :: iso_fortran_env, only : int8, int16, int32, int64, output_unit, real32, real64
   use headrace_kept_text, only : report_failure, taken_text, text_or
   implicit none
   private

   public :: str, get, aprint
   public :: replace, trimmed, count_text
   public :: read_file, write_file, echo

   !> Convert a text to one value of any type and kind.
   !>
   !> `bad_number`, `number_out_of_range`, `missing_value` (a blank text); an array instead of one
   !> value: `argument_invalid`.
   interface get
      subroutine hr_fortran_text_get(text, value, fmt, decimal, imaginary, since, iostat, &
            & iomsg) bind(c, name="hr_fortran_text_get")
         import :: c_char, c_int
         implicit none
         !> The text; blanks around a number are ignored
         character(kind=c_char, len=*), intent(in) :: text
         !> Receives the value; untouched or undefined after a failure
         type(*), dimension(..), intent(inout) :: value
         !> "z" for the bits in hexadecimal
         character(kind=c_char, len=*), intent(in), optional :: fmt
         !> Decimal point: "." (default) or ","
         character(kind=c_char, len=*), intent(in), optional :: decimal
         !> Imaginary unit of complex numbers, such as "j"; default: whatever is there
         character(kind=c_char, len=*), intent(in), optional :: imaginary
         !> An epoch such as "1970-01-01": the text is a date or time of ISO 8601, and the value, a
         !> real64 or int64, is seconds since then
         character(kind=c_char, len=*), intent(in), optional :: since
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_text_get
   end interface get

   !> Print an array on the screen in columns of equal width, a row of it a line.
   interface aprint
      subroutine hr_fortran_aprint(array, fmt, decimals, imaginary, iostat, iomsg) &
            & bind(c, name="hr_fortran_aprint")
         import :: c_char, c_int
         implicit none
         !> Any type and kind; array rank 1 is a column, ranks above 2 are rows in element order
         type(*), dimension(..), intent(in) :: array
         !> "f" (default of reals), "e", "g", "i" or "z"
         character(kind=c_char, len=*), intent(in), optional :: fmt
         !> Places after the point of reals ("g": significant digits), 0 to 400; default: 2
         integer(c_int), intent(in), optional :: decimals
         !> Imaginary unit, default "j": 1.50-2.00j
         character(kind=c_char, len=*), intent(in), optional :: imaginary
         !> 0, or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_aprint
   end interface aprint

   !> How often a text stands in another, without overlaps, as integer(int64)
   interface count_text
      function hr_fortran_count_text(text, match) bind(c, name="hr_fortran_count_text")
         import :: c_char, c_int64_t
         implicit none
         !> The text, and what to look for: trailing blanks count, "" is nowhere
         character(kind=c_char, len=*), intent(in) :: text, match
         integer(c_int64_t) :: hr_fortran_count_text
      end function hr_fortran_count_text
   end interface count_text

   !> Write a text to a file as it is, whole or not at all. `.gz` and `.zst` compress
   interface write_file
      subroutine hr_fortran_write_text(file, text, append, iostat, iomsg) &
            & bind(c, name="hr_fortran_write_text")
         import :: c_char, c_int
         implicit none
         !> File name; trailing blanks are ignored
         character(kind=c_char, len=*), intent(in) :: file
         !> All of its characters are written
         character(kind=c_char, len=*), intent(in) :: text
         !> .true. or "yes": behind what the file holds
         type(*), dimension(..), intent(in), optional :: append
         !> 0, errno or a value of hr_stat; without it a failure stops the program
         integer(c_int), intent(out), optional :: iostat
         !> What went wrong and what to do; untouched on success
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_write_text
   end interface write_file

   !> A whole file as one text, line ends included; decompressed when it ends in .gz or .zst
   interface read_file
      module procedure read_text
   end interface read_file

   interface
      subroutine hr_fortran_str(value, fmt, decimals, decimal, imaginary, length) &
            & bind(c, name="hr_fortran_str")
         import :: c_char, c_int, c_size_t
         implicit none
         type(*), dimension(..), intent(in) :: value
         character(kind=c_char, len=*), intent(in) :: fmt
         integer(c_int), intent(in), optional :: decimals
         character(kind=c_char, len=*), intent(in) :: decimal, imaginary
         integer(c_size_t), intent(out) :: length
      end subroutine hr_fortran_str

      subroutine hr_fortran_replace(text, match, substring, back, length) &
            & bind(c, name="hr_fortran_replace")
         import :: c_char, c_int, c_size_t
         implicit none
         character(kind=c_char, len=*), intent(in) :: text, match, substring
         integer(c_int), intent(in) :: back
         integer(c_size_t), intent(out) :: length
      end subroutine hr_fortran_replace

      subroutine hr_fortran_read_text(file, length) bind(c, name="hr_fortran_read_text")
         import :: c_char, c_size_t
         implicit none
         character(kind=c_char, len=*), intent(in) :: file
         integer(c_size_t), intent(out) :: length
      end subroutine hr_fortran_read_text
   end interface

contains

!> A value of any type as text: the shortest that reads back exactly, unless fmt says otherwise.
!>
!> Other types and kinds than these, real128 too, are refused (`type_unknown`, `kind_unsupported`);
!> the text is empty then.
function str(x, fmt, decimals, decimal, imaginary, iostat, iomsg) result(text)
   !> Integer, real32, real64, complex, logical; characters come back as they are
   class(*), intent(in) :: x
   !> For reals "g" (default), "e", "f"; for integers "i", for both "z" (the bits in hexadecimal)
   character(len=*), intent(in), optional :: fmt
   !> Places after the point ("g": significant digits), 0 to 400, rounded correctly
   integer(c_int), intent(in), optional :: decimals
   !> Decimal point: "." (default) or ","
   character(len=*), intent(in), optional :: decimal
   !> Imaginary unit such as "j" for 1.5-2.0j; default: (1.5,-2.0)
   character(len=*), intent(in), optional :: imaginary
   !> 0, or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(len=*), intent(inout), optional :: iomsg
   character(len=:), allocatable :: text
   character(len=:), allocatable :: f, d, i
   integer(c_size_t) :: n

   f = text_or("", fmt)
   d = text_or("", decimal)
   i = text_or("", imaginary)
   n = 0
   select type (x)
   type is (integer(int8))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (integer(int16))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (integer(int32))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (integer(int64))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (real(real32))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (real(real64))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (complex(real32))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (complex(real64))
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (logical)
      call hr_fortran_str(x, f, decimals, d, i, n)
   type is (logical(c_bool))
      call hr_fortran_str(logical(x), f, decimals, d, i, n)
   type is (character(len=*))
      call hr_fortran_str(x, f, decimals, d, i, n)
   class default
      call hr_fortran_str(x, f, decimals, d, i, n)
   end select
   text = taken_text(n)
   call report_failure(iostat, iomsg)
end function str

!> A text with all occurrences of another replaced; trailing blanks count, "" is nowhere
function replace(text, match, substring, back) result(replaced)
   !> The text, what to look for, and what comes instead
   character(len=*), intent(in) :: text, match, substring
   !> .true.: look from the end, which differs if occurrences overlap
   logical, intent(in), optional :: back
   character(len=:), allocatable :: replaced
   integer(c_size_t) :: length
   integer(c_int) :: from_end

   from_end = 0
   if (present(back)) from_end = merge(1, 0, back)
   call hr_fortran_replace(text, match, substring, from_end, length)
   replaced = taken_text(length)
   call report_failure()
end function replace

!> A text without blanks, tabs and line ends at both ends
pure function trimmed(text) result(inside)
   !> The text
   character(len=*), intent(in) :: text
   character(len=:), allocatable :: inside
   character(len=*), parameter :: blanks = " "//achar(9)//achar(10)//achar(11)//achar(12)//achar(13)
   integer :: first

   first = verify(text, blanks)
   inside = ""
   if (first > 0) inside = text(first:verify(text, blanks, back=.true.))
end function trimmed

!> A whole file as one text
subroutine read_text(file, text, iostat, iomsg)
   !> File name; trailing blanks are ignored
   character(len=*), intent(in) :: file
   !> Receives everything that the file holds; empty after a failure
   character(len=:), allocatable, intent(out) :: text
   !> 0, errno or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(len=*), intent(inout), optional :: iomsg
   integer(c_size_t) :: length

   call hr_fortran_read_text(file, length)
   text = taken_text(length)
   call report_failure(iostat, iomsg)
end subroutine read_text

!> Write a text and a terminator to a file, or print both
subroutine echo(text, file, append, terminator, iostat, iomsg)
   !> The text
   character(len=*), intent(in) :: text
   !> File name; default: the screen
   character(len=*), intent(in), optional :: file
   !> .true. (default): behind what the file holds
   logical, intent(in), optional :: append
   !> What comes after the text; default: a line feed
   character(len=*), intent(in), optional :: terminator
   !> 0, errno or a value of hr_stat; without it a failure stops the program
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong and what to do; untouched on success
   character(len=*), intent(inout), optional :: iomsg
   character(len=:), allocatable :: message
   integer(c_int) :: appends, stat

   if (.not. present(file)) then
      write(output_unit, "(2a)", advance="no") text, text_or(achar(10), terminator)
      if (present(iostat)) iostat = 0
      return
   end if
   appends = 1
   if (present(append)) appends = merge(1, 0, append)
   message = repeat(" ", 2000)
   if (present(iostat) .or. present(iomsg)) then
      call write_file(file, text//text_or(achar(10), terminator), appends, stat, message)
      if (present(iostat)) iostat = stat
      if (present(iomsg) .and. stat /= 0) iomsg = trim(message)
   else
      call write_file(file, text//text_or(achar(10), terminator), appends)
   end if
end subroutine echo

!> Print a text of whole lines; C++ calls it, so that lines of both languages keep their order
subroutine print_lines(text, length) bind(c, name="hr_fortran_print")
   !> Number of characters
   integer(c_size_t), value, intent(in) :: length
   !> The text
   character(kind=c_char), intent(in) :: text(length)

   write(output_unit, "(*(a))", advance="no") text
end subroutine print_lines

end module headrace_strings
