!> Compares what the library wrote with what the compiler itself writes, byte by byte.
module interop_checks
   use, intrinsic :: iso_c_binding, only : c_int
   use, intrinsic :: iso_fortran_env, only : error_unit, int8, output_unit
   use headrace, only : hr_stat
   use file_forms, only : file_form, choose_forms
   implicit none
   private

   public :: begin, compare_files, compare_description, compare_bytes, finish
   public :: describe, unit, stat, message
   public :: choose, forms, form, written

   !> The library's own reading of a descriptor (descriptor_probe.cpp): its type class as in
   !> headrace.h (0: refused), bytes of an element, array rank, number of elements
   interface
      subroutine describe(array, class, bytes, array_rank, elements) &
            & bind(c, name="hr_test_describe")
         import :: c_int
         implicit none
         type(*), dimension(..), intent(in) :: array
         integer(c_int), intent(out) :: class, bytes, array_rank, elements
      end subroutine describe
   end interface

   !> The compiler's file of the case at hand
   integer :: unit = 0
   !> What read_array reports
   integer(c_int) :: stat = 0
   !> What the library's procedures say
   character(len=300) :: message = ""

   !> The files that each array goes through; the first is the raw one, which has checks of its own
   type(file_form), allocatable :: forms(:)
   !> The one at hand
   integer :: form = 1
   !> What write_array reports
   integer(c_int) :: written = 0

   integer :: number = 0
   integer :: failed = 0
   character(len=:), allocatable :: case_name

contains

!> Send all arrays through files of all forms too
subroutine choose(class, bytes, has_text)
   !> Class as in headrace.h; bytes of an element, of a complex number those of a part
   integer, intent(in) :: class, bytes
   !> Text files take the type
   logical, intent(in) :: has_text

   forms = choose_forms(class, bytes, has_text)
end subroutine choose

!> Begin a case: open the file that the compiler writes
subroutine begin(name)
   !> How the array is passed
   character(len=*), intent(in) :: name

   case_name = name
   message = ""
   form = 1
   open(newunit=unit, file="compiler.bin", access="stream", form="unformatted", status="replace", &
         & action="write")
end subroutine begin

subroutine record(passed, what)
   logical, intent(in) :: passed
   character(len=*), intent(in) :: what

   number = number + 1
   if (passed) return
   failed = failed + 1
   if (failed > 50) return
   write(error_unit, "(4a, 1x, i0, 1x, a)") "failed: ", case_name, ": ", what, stat, trim(message)
   write(error_unit, "(2a, 1x, i0)") "   as ", forms(form)%name, written
end subroutine record

!> Bytes that count: the padding of real(10) does not
pure function meaningful(bytes, significant, total) result(kept)
   integer(int8), intent(in) :: bytes(:)
   integer, intent(in) :: significant, total
   integer(int8), allocatable :: kept(:)
   integer :: i

   if (significant == total) then
      kept = bytes
   else
      kept = pack(bytes, [(modulo(i - 1, total) < significant, i = 1, size(bytes))])
   end if
end function meaningful

function bytes_of_file(file) result(bytes)
   character(len=*), intent(in) :: file
   integer(int8), allocatable :: bytes(:)
   integer :: input, length

   open(newunit=input, file=file, access="stream", form="unformatted", status="old", action="read")
   inquire(unit=input, size=length)
   allocate(bytes(length))
   if (length > 0) read(input) bytes
   close(input)
end function bytes_of_file

!> After both have written: status and files are right
subroutine compare_files(significant, total)
   !> Bytes of each part of an element that count, and all bytes of it
   integer, intent(in) :: significant, total
   integer(int8), allocatable :: ours(:), theirs(:)
   logical :: same

   close(unit)
   call record(written == 0, "is written")
   if (written /= 0) return
   ours = bytes_of_file("library.raw")
   theirs = bytes_of_file("compiler.bin")
   same = size(ours) == size(theirs)
   if (same) same = all(meaningful(ours, significant, total) == &
         & meaningful(theirs, significant, total))
   call record(same, "has the bytes that the compiler writes")
end subroutine compare_files

!> The descriptor is understood as type, kind and shape of the actual argument
subroutine compare_description(found, class, bytes, shape)
   !> Class, bytes of an element, array rank, number of elements
   integer, intent(in) :: found(4)
   !> What Fortran says
   integer, intent(in) :: class, bytes, shape(:)
   integer :: expected(4)

   expected = [class, bytes, size(shape), product(shape)]
   call record(all(found == expected), "is described")
   if (all(found == expected)) return
   write(error_unit, "(a, 4(1x, i0), a, 4(1x, i0))") "found", found, " expected", expected
end subroutine compare_description

!> After reading: the elements have the right bytes, those beside a section are untouched
subroutine compare_bytes(found, expected, significant, total)
   !> The whole array around the section
   integer(int8), intent(in) :: found(:), expected(:)
   !> As in compare_files
   integer, intent(in) :: significant, total
   logical :: same

   same = all(meaningful(found, significant, total) == meaningful(expected, significant, total))
   if (form > 1) then
      call count_form(forms(form), same)
   else
      call record(stat == 0, "is read")
      call record(same, "comes back, and nothing else changes")
   end if
end subroutine compare_bytes

!> Count an array that came back from a file
subroutine count_form(this, same)
   type(file_form), intent(inout) :: this
   logical, intent(in) :: same

   this%unavailable = written == hr_stat%compression_unavailable
   if (this%unavailable) return
   if (written == 0 .and. stat == 0 .and. same) then
      this%arrays = this%arrays + 1
   else
      call record(.false., "comes back, and nothing else changes")
   end if
end subroutine count_form

!> Print the number of checks and of arrays that came back from each file, and keep it for
!> add_up_counts.cmake; stop with code 1 if a check failed
subroutine finish(name)
   !> The type, as in required_counts.txt
   character(len=*), intent(in) :: name
   integer :: counts, i

   write(output_unit, "(2a, i0, a, i0, a)") name, ": ", number, " checks, ", failed, " failed"
   if (failed > 0) error stop 1
   open(newunit=counts, file="counts.txt", status="replace", action="write")
   write(counts, "(a, i0)") "checks ", number
   do i = 2, size(forms)
      if (forms(i)%unavailable) then
         write(output_unit, "(3a)") "   ", forms(i)%name, "skipped: not built with its library"
         write(counts, "(2a)") trim(forms(i)%name), " skipped"
      else
         write(output_unit, "(2a, i0, a)") "   ", forms(i)%name, forms(i)%arrays, " arrays"
         write(counts, "(2a, i0)") trim(forms(i)%name), " ", forms(i)%arrays
      end if
   end do
   close(counts)
end subroutine finish

end module interop_checks
