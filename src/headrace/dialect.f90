!> What the run time of this program does with formats: versions of gfortran differ, and a program
!> may run with another version than it was compiled with, so the run time itself is asked
! Next: fortran_dialect() in src/bindings/option_texts.cpp asks once, at the first format.
module headrace_dialect
   use, intrinsic :: iso_c_binding, only : c_char
   use, intrinsic :: iso_fortran_env, only : int64, real64
   implicit none
   private

   public :: hr_fortran_features

   !> Features of edit_feature in src/text/edit/edit_dialect.hpp, in its order
   integer, parameter :: feature_count = 10

contains

!> Ask by statements on internal files; takes microseconds
subroutine hr_fortran_features(features) bind(c, name="hr_fortran_features")
   !> A 0 or 1 for each feature
   character(kind=c_char), intent(out) :: features(feature_count)
   character(len=40) :: scientific, no_digit
   logical :: has(feature_count)

   scientific = written("(es0.1)", 1.0_real64)
   no_digit = written("(es0.0)", 1.0_real64)
   has = [index(scientific, "E") > 0, len_trim(no_digit) < 10, refuses_point(), &
      & refuses_semicolon(), sees_high_bits(), fills_with_zeros(), refuses_no_comma(), &
      & keeps_semicolon(), counts_blanks_once(), index(scientific, "E+000") > 0]
   features = merge("1", "0", has)
end subroutine hr_fortran_features

!> Blank when the format is refused
function written(format, value) result(text)
   character(len=*), intent(in) :: format
   real(real64), intent(in) :: value
   character(len=40) :: text
   integer :: status

   write(text, format, iostat=status) value
   if (status /= 0) text = " "
end function written

logical function refuses_point()
   character(len=3) :: text
   character(len=9) :: format
   real :: value
   integer :: status

   text = "1.5"
   format = "(dc,f3.0)"
   read(text, format, iostat=status) value
   refuses_point = status /= 0
end function refuses_point

logical function refuses_semicolon()
   character(len=3) :: text
   integer :: values(2), status

   text = "1;2"
   read(text, *, iostat=status) values
   refuses_semicolon = status /= 0
end function refuses_semicolon

logical function sees_high_bits()
   character(len=40) :: text, format
   integer :: status

   text = " "
   format = "(b40.0)"
   write(text, format, iostat=status) 2_int64**32
   sees_high_bits = status == 0 .and. text /= " "
end function sees_high_bits

logical function fills_with_zeros()
   character(len=1) :: text
   character(len=7) :: format
   integer :: value, status

   value = 0
   text = "1"
   format = "(bz,i2)"
   read(text, format, iostat=status) value
   fills_with_zeros = status == 0 .and. value == 10
end function fills_with_zeros

logical function refuses_no_comma()
   character(len=8) :: text, format
   integer :: status

   format = "(i1i1)"
   write(text, format, iostat=status) 1, 2
   refuses_no_comma = status /= 0
end function refuses_no_comma

logical function keeps_semicolon()
   character(len=3) :: text, word
   integer :: status

   text = "a;b"
   word = " "
   read(text, *, iostat=status) word
   keeps_semicolon = status == 0 .and. word == text
end function keeps_semicolon

logical function counts_blanks_once()
   character(len=8) :: text
   character(len=13) :: format
   integer :: status

   text = " "
   format = "(i1,3x,t3,i1)"
   write(text, format, iostat=status) 1, 2
   counts_blanks_once = status == 0 .and. text == "1 2"
end function counts_blanks_once

end module headrace_dialect
