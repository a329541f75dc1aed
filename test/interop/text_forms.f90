!> The text files that hold every value of a type exactly, and how many arrays came back from each.
!> Next: interop_checks.f90.
module text_forms
   implicit none
   private

   public :: text_form, choose_forms

   !> A file and how it is written and read
   type :: text_form
      !> As in required_counts.txt
      character(len=14) :: name
      character(len=16) :: file
      !> Not allocated: an absent argument
      character(len=:), allocatable :: edit
      !> Arrays that went there and came back
      integer :: arrays = 0
      !> The library was built without what the form needs
      logical :: unavailable = .false.
   end type text_form

contains

!> The forms of a type that has text
pure function choose_forms(class, bytes) result(forms)
   !> Class as in headrace.h; bytes of an element, of a complex number those of a part
   integer, intent(in) :: class, bytes
   type(text_form), allocatable :: forms(:)

   allocate(forms(7))
   forms%name = [character(len=14) :: "csv", "tsv", "text", "csv.gz", "csv.zst", "edit", &
         & "list-directed"]
   forms%file = [character(len=16) :: "library.csv", "library.tsv", "library.txt", &
         & "library.csv.gz", "library.csv.zst", "edited.txt", "list.txt"]
   forms(6)%edit = exact_edit(class, bytes)
   forms(7)%edit = "*"
   if (class == 5) forms = forms(:6) ! READ takes a blank in a list for the end of a character value
end function choose_forms

!> A format that loses nothing: 9 digits for real32, 17 for real64, the width of the lowest integer
pure function exact_edit(class, bytes) result(edit)
   integer, intent(in) :: class, bytes
   character(len=:), allocatable :: edit

   select case (class)
   case (1)
      edit = "(3i21)"
      if (bytes < 8) edit = "(5i12)"
      if (bytes < 4) edit = "(8i7)"
      if (bytes < 2) edit = "(10i5)"
   case (4)
      edit = "(20l2)"
   case (5)
      edit = "(5a)"
   case default
      edit = "(3es25.16e3)"
      if (bytes < 8) edit = "(5es16.8e3)"
   end select
end function exact_edit

end module text_forms
