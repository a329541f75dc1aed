!> Unformatted files from elsewhere: `input.dat` holds 1, 2, ... 12 and then 99, in some way.
!> The command line makes it. First: answers.f90.
program foreign
   use, intrinsic :: iso_fortran_env, only : int32, iostat_end
   use check_answers, only : answer, asked_check, digits, said, step, unknown_check
   implicit none

   integer(int32) :: values(12), next, i
   integer(int32), parameter :: expected(12) = [(i, i = 1, 12)]
   character(len=200) :: message = " "
   integer :: unit, status, first, second

   values = -1; next = -1; first = 0; second = 0
   call step("OPEN with iostat=")
   open (newunit=unit, file="input.dat", form="unformatted", status="old", action="read", &
      & iostat=status, iomsg=message)
   if (status == 0) then
      call step("READ with iostat= of the first record")
      read (unit, iostat=first, iomsg=message) values
   end if
   if (status == 0 .and. first == 0) then
      call step("READ with iostat= of the second record")
      read (unit, iostat=second, iomsg=message) next
   end if
   select case (asked_check())
   case ("subrecords"); call subrecords()
   case ("small-subrecords"); call small_subrecords()
   case ("wide-markers"); call wide_markers()
   case ("other-endian"); call other_endian()
   case ("truncated-record"); call truncated_record()
   case ("marker-mismatch"); call marker_mismatch()
   case default; call unknown_check()
   end select

contains

!> Check subrecords: Is a record above 2 GiB, in subrecords, read or refused?
!> Instead: keep records below 2 GiB, or use access='stream'.
subroutine subrecords()

   call judge("a record of 2 GiB in 2 subrecords")
end subroutine subrecords

!> Check small-subrecords: Is a short record in subrecords (-fmax-subrecord-length) read or refused?
!> Instead: write it again without subrecords; 'od -A d -t d4' shows theirs as negative markers.
subroutine small_subrecords()

   call judge("3 subrecords of 16 bytes")
end subroutine small_subrecords

!> Check wide-markers: Is a file with 8-byte record markers read or refused?
!> Instead: gfortran -frecord-marker=8 reads it; 'od -A d -t d4' shows its length, 0, its data.
subroutine wide_markers()

   call judge("8-byte markers")
end subroutine wide_markers

!> Check other-endian: Is a file of the other byte order read or refused?
!> Instead: open with convert='swap', and check the first values.
subroutine other_endian()

   call judge("a file of the other byte order")
end subroutine other_endian

subroutine judge(what)
   character(len=*), intent(in) :: what

   if (any([status, first, second] /= 0)) then
      if (first == 0 .and. any(values /= expected)) then
         call answer("wrong", what // ": values " // shown() // &
            & " with iostat 0; only the next READ gives " // said(second, message))
      else
         call answer("right", what // ": refused with " // &
            & said(merge(second, merge(first, status, first /= 0), second /= 0), message))
      end if
   else if (all(values == expected) .and. next == 99) then
      call answer("right", what // ": read with iostat 0, contents equal")
   else
      call answer("wrong", what // ": values " // shown() // " with iostat 0, then " // &
         & digits(next) // " for 99 with iostat 0")
   end if
end subroutine judge

!> Check truncated-record: Is a file reported that ends in the middle of a record?
!> Instead: compare INQUIRE(SIZE=) with what the array and its two markers of 4 bytes need.
subroutine truncated_record()

   if (first == 0) then
      call answer("wrong", "20 of 48 bytes are there: values " // shown() // " with iostat 0")
   else if (first == iostat_end) then
      call answer("right", "20 of 48 bytes are there: " // said(first, message) // &
         & ", as at the end of a whole file; a loop that reads to the end cannot tell")
   else
      call answer("right", "20 of 48 bytes are there: " // said(first, message))
   end if
end subroutine truncated_record

!> Check marker-mismatch: Is a record reported whose end marker disagrees with the first one?
!> Instead: compare both markers ('od -A d -t d4') of files that were cut, joined or edited.
subroutine marker_mismatch()

   if (first /= 0 .or. second /= 0) then
      call answer("right", "markers 48 and 40: " // said(merge(first, second, first /= 0), message))
   else
      call answer("wrong", "markers 48 and 40: both READs give iostat 0, values " // shown() // &
         & " and " // digits(next))
   end if
end subroutine marker_mismatch

function shown() result(text)
   character(len=:), allocatable :: text

   text = digits(values(1)) // ", " // digits(values(2)) // ", ... " // digits(values(12)) // &
      & " (expected 1, 2, ... 12)"
end function shown

end program foreign
