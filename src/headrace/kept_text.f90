!> Texts and failures that C++ keeps, taken over into Fortran variables.
!>
!> gfortran 12 cannot pass an optional character argument on to a bind(c) procedure (internal
!> error): functions with a text as their result call C++ without iostat and iomsg, which are filled
!> here.
module headrace_kept_text
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_size_t
   implicit none
   private

   public :: taken_text, report_failure, text_or

   interface
      subroutine hr_fortran_take_text(text) bind(c, name="hr_fortran_take_text")
         import :: c_char
         implicit none
         character(kind=c_char, len=*), intent(inout) :: text
      end subroutine hr_fortran_take_text

      subroutine hr_fortran_take_failure(iostat, iomsg) bind(c, name="hr_fortran_take_failure")
         import :: c_char, c_int
         implicit none
         integer(c_int), intent(out), optional :: iostat
         character(kind=c_char, len=*), intent(inout), optional :: iomsg
      end subroutine hr_fortran_take_failure
   end interface

contains

!> The text that the last call on this thread has kept
function taken_text(length) result(text)
   !> Bytes, as that call said
   integer(c_size_t), intent(in) :: length
   character(len=:), allocatable :: text

   allocate(character(len=length) :: text)
   call hr_fortran_take_text(text)
end function taken_text

!> Tell how the last call on this thread has ended; without iostat a failure stops the program
subroutine report_failure(iostat, iomsg)
   !> 0, or a value of hr_stat
   integer(c_int), intent(out), optional :: iostat
   !> What went wrong; untouched on success
   character(len=*), intent(inout), optional :: iomsg

   character(len=:), allocatable :: message

   if (present(iomsg)) then
      message = iomsg
      call hr_fortran_take_failure(iostat, message)
      iomsg = message
   else
      call hr_fortran_take_failure(iostat)
   end if
end subroutine report_failure

!> A text argument, or what stands for it when it is absent
function text_or(default, text) result(chosen)
   !> For an absent one
   character(len=*), intent(in) :: default
   !> The argument
   character(len=*), intent(in), optional :: text
   character(len=:), allocatable :: chosen

   chosen = default
   if (present(text)) chosen = text
end function text_or

end module headrace_kept_text
