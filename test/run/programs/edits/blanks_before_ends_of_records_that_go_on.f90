! gfortran writes blanks of X before the end of a record in a statement with ADVANCE='NO', and only there.
program blanks_before_ends_of_records_that_go_on
   implicit none
   integer :: n(5) = [1, 2, 3, 4, 5], unit = 20, i
   character(3) :: forms(9)
   character(20) :: form
   forms = ["3x ", "tr3", "t20", "tl2", "3x/", "/3x", "3x:", "tr9", "   "]
   do i = 1, size(forms)
      form = "(i3," // trim(forms(i)) // ",sp)"
      if (forms(i) == " ") form = "(i3)"
      call opened()
      write (unit, form, advance="no") n
      call opened()
      write (unit, form, advance="no") n(1)
      write (unit, form) n(2:3)
      call opened()
      write (unit, form) n
      write (unit, form, advance="no") n(1:3)
      write (unit, "(/,i3,3x)", advance="no") n(4:5)
      write (unit, "(a)") "end"
   end do
contains
   subroutine opened()
      unit = unit + 1
      open (unit)
   end subroutine opened
end program blanks_before_ends_of_records_that_go_on
