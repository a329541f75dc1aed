!> Operators for texts and numbers, control characters, and changes of text variables.
!>
!>     use headrace_text, only : operator(//), operator(+), operator(-), operator(**), LF
!>
!>     print "(a)", "step "//step//" of "//steps + LF + "-"**40
!>
!> Next: strings.f90.
module headrace_string_operators
   use, intrinsic :: iso_fortran_env, only : int32, int64, real32, real64
   use headrace_kept_text, only : text_or
   use headrace_strings, only : count_text, replace, str, trimmed
   implicit none
   private

   public :: operator(//), operator(+), operator(-), operator(**)
   public :: join, split, replace_inplace, trim_inplace, push, len64
   public :: NL, SPACE, CR, FF, VT, LF, TAB, HT, BELL, NUL

   !> Line end, the same as LF
   character(len=*), parameter :: NL = achar(10)
   !> Blank
   character(len=*), parameter :: SPACE = " "
   !> Carriage return
   character(len=*), parameter :: CR = achar(13)
   !> Form feed
   character(len=*), parameter :: FF = achar(12)
   !> Vertical tab
   character(len=*), parameter :: VT = achar(11)
   !> Line feed
   character(len=*), parameter :: LF = achar(10)
   !> Horizontal tab
   character(len=*), parameter :: TAB = achar(9)
   !> Horizontal tab
   character(len=*), parameter :: HT = achar(9)
   !> Bell
   character(len=*), parameter :: BELL = achar(7)
   !> Null character
   character(len=*), parameter :: NUL = achar(0)

   !> All elements of an array as one text, each without trailing blanks, a separator between them
   interface join
      module procedure join_texts
   end interface join

   !> The parts of a text between separators, as elements of one length: `call split(text, tokens)`
   interface split
      module procedure split_into_characters
   end interface split

   !> Replace all occurrences in a variable
   interface replace_inplace
      module procedure replace_in_text
   end interface replace_inplace

   !> Take blanks, tabs and line ends off both ends of a variable
   interface trim_inplace
      module procedure trim_text
   end interface trim_inplace

   !> Append to a variable
   interface push
      module procedure push_text
   end interface push

   !> Length of a text as integer(int64)
   interface len64
      module procedure len64_of_text
   end interface len64

   !> A text and a value as one text, in either order: `"n = "//n`, `n//" rows"`.
   !>
   !> The value is written as str writes it: of any type behind the text; before it an
   !> integer(int32), integer(int64), real(real32), real(real64) or default logical. What str
   !> refuses stops the program.
   interface operator(//)
      module procedure text_and_value, int32_and_text, int64_and_text, real32_and_text, &
         & real64_and_text, logical_and_text
   end interface operator(//)

   !> The same as //, and for texts on both sides
   interface operator(+)
      module procedure text_and_value, int32_and_text, int64_and_text, real32_and_text, &
         & real64_and_text, logical_and_text
   end interface operator(+)

   !> The left text without all occurrences of the right one
   interface operator(-)
      module procedure excised
   end interface operator(-)

   !> Copies of a text one after another
   interface operator(**)
      module procedure repeated
   end interface operator(**)

contains

!> Replace all occurrences of a text in a variable
subroutine replace_in_text(text, match, substring, back)
   !> The variable
   character(len=:), allocatable, intent(inout) :: text
   !> What to look for, and what comes instead
   character(len=*), intent(in) :: match, substring
   !> .true.: look from the end
   logical, intent(in), optional :: back

   text = replace(text, match, substring, back)
end subroutine replace_in_text

!> Take blanks, tabs and line ends off both ends of a variable
subroutine trim_text(text)
   !> The variable
   character(len=:), allocatable, intent(inout) :: text

   text = trimmed(text)
end subroutine trim_text

!> Append to a variable
subroutine push_text(text, substring)
   !> The variable; not allocated counts as empty
   character(len=:), allocatable, intent(inout) :: text
   !> What to append
   character(len=*), intent(in) :: substring

   if (.not. allocated(text)) text = ""
   text = text//substring
end subroutine push_text

!> Length of a text
pure function len64_of_text(text) result(length)
   !> The text
   character(len=*), intent(in) :: text
   integer(int64) :: length

   length = len(text, kind=int64)
end function len64_of_text

!> All elements of an array as one text
pure function join_texts(tokens, separator) result(text)
   !> Trailing blanks of elements are ignored
   character(len=*), intent(in) :: tokens(:)
   !> Between elements; default: a blank
   character(len=*), intent(in), optional :: separator
   character(len=:), allocatable :: text
   integer :: i

   text = ""
   do i = 1, size(tokens)
      if (i > 1 .and. present(separator)) text = text//separator
      if (i > 1 .and. .not. present(separator)) text = text//SPACE
      text = text//trim(tokens(i))
   end do
end function join_texts

!> The parts of a text between separators
subroutine split_into_characters(text, tokens, separator)
   !> The text
   character(len=*), intent(in) :: text
   !> Receives the parts, as long as the longest of them
   character(len=:), allocatable, intent(out) :: tokens(:)
   !> Default: a blank
   character(len=*), intent(in), optional :: separator
   character(len=:), allocatable :: between
   integer, allocatable :: ends(:)
   integer :: part, parts, first

   between = text_or(SPACE, separator)
   parts = int(count_text(text, between)) + 1
   allocate(ends(0:parts))
   ends(0) = -len(between)
   do part = 1, parts - 1
      first = ends(part - 1) + len(between) + 1
      ends(part) = first - 2 + index(text(first:), between)
   end do
   ends(parts) = len(text)
   allocate(character(len=maxval(ends(1:) - ends(:parts - 1)) - len(between)) :: tokens(parts))
   do part = 1, parts
      tokens(part) = text(ends(part - 1) + len(between) + 1:ends(part))
   end do
end subroutine split_into_characters

!> A text and a value of any type
function text_and_value(text, x) result(both)
   !> The text
   character(len=*), intent(in) :: text
   !> The value
   class(*), intent(in) :: x
   character(len=:), allocatable :: both
   character(len=:), allocatable :: tail

   tail = str(x)
   allocate(character(len=len(text) + len(tail)) :: both)
   both(:len(text)) = text
   both(len(text) + 1:) = tail
end function text_and_value

!> An int32 and a text
function int32_and_text(x, text) result(both)
   !> The number
   integer(int32), intent(in) :: x
   !> The text
   character(len=*), intent(in) :: text
   character(len=:), allocatable :: both

   both = str(x)//text
end function int32_and_text

!> An int64 and a text
function int64_and_text(x, text) result(both)
   !> The number
   integer(int64), intent(in) :: x
   !> The text
   character(len=*), intent(in) :: text
   character(len=:), allocatable :: both

   both = str(x)//text
end function int64_and_text

!> A real32 and a text
function real32_and_text(x, text) result(both)
   !> The number
   real(real32), intent(in) :: x
   !> The text
   character(len=*), intent(in) :: text
   character(len=:), allocatable :: both

   both = str(x)//text
end function real32_and_text

!> A real64 and a text
function real64_and_text(x, text) result(both)
   !> The number
   real(real64), intent(in) :: x
   !> The text
   character(len=*), intent(in) :: text
   character(len=:), allocatable :: both

   both = str(x)//text
end function real64_and_text

!> A logical and a text
function logical_and_text(x, text) result(both)
   !> The value, written as T or F
   logical, intent(in) :: x
   !> The text
   character(len=*), intent(in) :: text
   character(len=:), allocatable :: both

   both = str(x)//text
end function logical_and_text

!> The left text without all occurrences of the right one
function excised(text, match) result(rest)
   !> The text, and what to take out
   character(len=*), intent(in) :: text, match
   character(len=:), allocatable :: rest

   rest = replace(text, match, "")
end function excised

!> Copies of a text one after another
pure function repeated(text, ncopies) result(copies)
   !> The text
   character(len=*), intent(in) :: text
   !> How many
   integer, intent(in) :: ncopies
   character(len=:), allocatable :: copies

   copies = repeat(text, max(0, ncopies))
end function repeated

end module headrace_string_operators
