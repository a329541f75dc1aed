!> The files that hold every value of a type exactly, and how many arrays came back from each.
!> Next: interop_checks.f90.
module file_forms
   implicit none
   private

   public :: file_form, choose_forms

   !> A file and how it is written and read
   type :: file_form
      !> As in required_counts.txt
      character(len=14) :: name
      character(len=16) :: file
      !> Not allocated: an absent argument
      character(len=:), allocatable :: edit
      !> Arrays that went there and came back
      integer :: arrays = 0
      !> The library was built without what the form needs
      logical :: unavailable = .false.
   end type file_form

contains

!> The forms that take a type, the raw one first
pure function choose_forms(class, bytes, has_text) result(forms)
   !> Class as in headrace.h; bytes of an element, of a complex number those of a part
   integer, intent(in) :: class, bytes
   !> Text files take it
   logical, intent(in) :: has_text
   type(file_form), allocatable :: forms(:)

   forms = [binary_form("raw", ".raw"), binary_form("unformatted", ".unf"), &
         & binary_form("meta", ".meta")]
   if (is_known_to_numpy(class, bytes)) then
      forms = [forms, binary_form("npy", ".npy"), binary_form("npz", ".npz")]
   end if
   if (has_text) forms = [forms, text_forms(class, bytes)]
end function choose_forms

!> A binary file of a form
pure function binary_form(name, ending) result(form)
   character(len=*), intent(in) :: name, ending
   type(file_form) :: form

   form%name = name
   form%file = "library" // ending
end function binary_form

!> Real and integer numbers of 16 bytes, and those of 2 or 10, are Fortran's alone
pure logical function is_known_to_numpy(class, bytes)
   !> As in choose_forms
   integer, intent(in) :: class, bytes

   is_known_to_numpy = class > 3 .or. (class == 1 .and. bytes <= 8) .or. bytes == 4 .or. bytes == 8
end function is_known_to_numpy

!> The text files that take a type
pure function text_forms(class, bytes) result(forms)
   !> As in choose_forms
   integer, intent(in) :: class, bytes
   type(file_form), allocatable :: forms(:)

   allocate(forms(7))
   forms%name = [character(len=14) :: "csv", "tsv", "text", "csv.gz", "csv.zst", "edit", &
         & "list-directed"]
   forms%file = [character(len=16) :: "library.csv", "library.tsv", "library.txt", &
         & "library.csv.gz", "library.csv.zst", "edited.txt", "list.txt"]
   forms(6)%edit = exact_edit(class, bytes)
   forms(7)%edit = "*"
   if (class == 5) forms = forms(:6) ! READ takes a blank in a list for the end of a character value
end function text_forms

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

end module file_forms
