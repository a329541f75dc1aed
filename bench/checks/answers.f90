!> How a check asks and answers. The programs here are started as `program check-name [numbers]`.
!>
!> A program prints `step ...` before a statement that may abort, and ends with one line
!> `check name=... answer=right|wrong|refused|skipped detail=...`. The command line does the rest: a
!> process that ends without an answer is an answer as well.
module check_answers
   use, intrinsic :: iso_fortran_env, only : int32, int64, output_unit
   implicit none
   private

   public :: asked_check, asked_number, step, answer, digits, said, unknown_check

   interface digits
      module procedure :: digits_default, digits_long
   end interface digits

   interface answer
      module procedure :: answer_verdict, answer_logical
   end interface answer

contains

!> The name of the check that this process shall run
function asked_check() result(name)
   character(len=40) :: name

   call get_command_argument(1, name)
end function asked_check

!> The number at `position` behind the name, or `otherwise`
integer(int64) function asked_number(position, otherwise) result(number)
   integer, intent(in) :: position
   integer(int64), intent(in) :: otherwise
   character(len=40) :: text

   number = otherwise
   if (command_argument_count() <= position) return
   call get_command_argument(position + 1, text)
   read (text, *) number
end function asked_number

!> Say what comes next, so that an abort can be told apart
subroutine step(what)
   character(len=*), intent(in) :: what

   print "(2a)", "step ", what
   flush (output_unit)
end subroutine step

!> The answer: `verdict` is right, wrong, refused or skipped; `detail` has the figures
subroutine answer_verdict(verdict, detail)
   character(len=*), intent(in) :: verdict, detail

   print "(6a)", "check name=", trim(asked_check()), " answer=", verdict, " detail=", detail
   flush (output_unit)
end subroutine answer_verdict

!> The answer: "right" or "wrong"
subroutine answer_logical(is_right, detail)
   logical, intent(in) :: is_right
   character(len=*), intent(in) :: detail

   if (is_right) then
      call answer_verdict("right", detail)
   else
      call answer_verdict("wrong", detail)
   end if
end subroutine answer_logical

!> For a name that no check has
subroutine unknown_check()

   error stop "no check has this name"
end subroutine unknown_check

!> "iostat 5 (what the run time said)"
function said(status, message) result(text)
   integer, intent(in) :: status
   character(len=*), intent(in) :: message
   character(len=:), allocatable :: text

   text = "iostat " // digits(status)
   if (status /= 0 .and. message /= " ") text = text // " (" // trim(adjustl(message)) // ")"
end function said

function digits_default(number) result(text)
   integer(int32), intent(in) :: number
   character(len=:), allocatable :: text

   text = digits_long(int(number, int64))
end function digits_default

function digits_long(number) result(text)
   integer(int64), intent(in) :: number
   character(len=:), allocatable :: text
   character(len=24) :: buffer

   write (buffer, "(i0)") number
   text = trim(buffer)
end function digits_long

end module check_answers
