!> Checks for test programs: each failed one is printed, and the program ends with code 1.
module checks
   use, intrinsic :: iso_fortran_env, only : error_unit, output_unit
   implicit none
   private

   public :: bytes_of, check, check_status, finish

   integer :: number = 0
   integer :: failed = 0

contains

!> Count a check
subroutine check(passed, what)
   !> What should be true
   logical, intent(in) :: passed
   !> A sentence that says so
   character(len=*), intent(in) :: what

   number = number + 1
   if (passed) return
   failed = failed + 1
   write(error_unit, "(2a)") "failed: ", what
end subroutine check

!> Check a status and a part of its message
subroutine check_status(found, expected, message, part)
   !> What iostat received, and what it should have
   integer, intent(in) :: found, expected
   !> What iomsg received, and a part that it should have
   character(len=*), intent(in) :: message, part

   call check(found == expected, "the status of: "//part)
   call check(index(message, part) > 0, "'"//part//"' stands in: "//trim(message))
   if (found /= expected) write(error_unit, "(2(a, i0))") "expected ", expected, ", found ", found
end subroutine check_status

!> All bytes of a file
function bytes_of(file) result(bytes)
   !> Its name
   character(len=*), intent(in) :: file
   character(len=:), allocatable :: bytes
   integer :: unit, length

   open(newunit=unit, file=file, access="stream", form="unformatted", status="old", action="read")
   inquire(unit=unit, size=length)
   allocate(character(len=length) :: bytes)
   read(unit) bytes
   close(unit)
end function bytes_of

!> Print the number of checks; stop with code 1 if one failed
subroutine finish()
   write(output_unit, "(i0, a, i0, a)") number, " checks, ", failed, " failed"
   if (failed > 0) error stop 1
end subroutine finish

end module checks
