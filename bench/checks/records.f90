!> Unformatted sequential files that this run time writes itself. First: answers.f90.
!>
!> Above each check: its question, and what a program should do when the answer is not "right".
program records
   use, intrinsic :: iso_fortran_env, only : int32, iostat_end
   use check_answers, only : answer, asked_check, digits, said, unknown_check
   implicit none

   character(len=*), parameter :: file = "records.dat"
   character(len=200) :: message = " "
   integer :: unit, status

   open (newunit=unit, file=file, form="unformatted", status="replace", action="readwrite")
   select case (asked_check())
   case ("zero-length-record"); call zero_length_record()
   case ("partial-record"); call partial_record()
   case ("end-of-file"); call end_of_file()
   case ("beyond-record"); call beyond_record()
   case ("backspace"); call backspace_record()
   case ("rewrite-truncates"); call rewrite_truncates()
   case default; call unknown_check()
   end select
   close (unit)

contains

!> Check zero-length-record: Does a record without data come back between two others?
!> Instead: write at least one value into every record.
subroutine zero_length_record()
   integer(int32) :: nothing(0), first, last, spare
   integer :: statuses(6)

   first = -1; last = -1
   write (unit, iostat=statuses(1)) 1_int32
   write (unit, iostat=statuses(2)) nothing
   write (unit, iostat=statuses(3)) 2_int32
   rewind (unit)
   read (unit, iostat=statuses(4)) first
   read (unit, iostat=statuses(5))
   read (unit, iostat=statuses(6)) last
   rewind (unit)
   read (unit)
   read (unit, iostat=status, iomsg=message) spare
   if (any(statuses /= 0) .or. first /= 1 .or. last /= 2) then
      call answer("wrong", "records 1 and 2 around an empty one came back as " // digits(first) // &
         & " and " // digits(last) // ", largest iostat " // digits(maxval(statuses)))
   else if (status == 0) then
      call answer("wrong", "a value was read from an empty record with iostat 0")
   else
      call answer("right", "written and read; reading a value from it gives " // &
         & said(status, message))
   end if
end subroutine zero_length_record

!> Check partial-record: After a READ of a record's first values, does a READ find the next?
!> Instead: read whole records.
subroutine partial_record()
   integer(int32) :: head(3), next, i

   write (unit) [(i, i = 1, 10)]
   write (unit) 42_int32
   rewind (unit)
   head = -1; next = -1
   read (unit, iostat=status) head
   if (status == 0) read (unit, iostat=status, iomsg=message) next
   if (status == 0 .and. all(head == [1, 2, 3]) .and. next == 42) then
      call answer("right", "3 of 10 values read, then the next record")
   else
      call answer("wrong", "the record after a partly read one came back as " // digits(next) // &
         & " instead of 42, " // said(status, message))
   end if
end subroutine partial_record

!> Check end-of-file: Does a READ after the last record give IOSTAT_END?
!> Instead: store the number of records in the file.
subroutine end_of_file()
   integer(int32) :: value

   write (unit) 1_int32
   rewind (unit)
   read (unit) value
   read (unit, iostat=status, iomsg=message) value
   call answer(status == iostat_end, "a READ after the last record gives " // &
      & said(status, message) // ", and IOSTAT_END is " // digits(iostat_end))
end subroutine end_of_file

!> Check beyond-record: Is a READ of more values than the record holds reported?
!> Instead: store the number of values in a record of its own.
subroutine beyond_record()
   integer(int32) :: values(4)

   write (unit) [1_int32, 2_int32, 3_int32]
   write (unit) 4_int32
   rewind (unit)
   read (unit, iostat=status, iomsg=message) values
   call answer(status /= 0, "4 values from a record of 3: " // said(status, message))
end subroutine beyond_record

!> Check backspace: Does BACKSPACE go back by exactly one record?
!> Instead: REWIND and skip, or use access='stream' with POS=.
subroutine backspace_record()
   integer(int32) :: values(100), value
   integer :: i

   do i = 1, 3
      values = i
      write (unit) values
   end do
   backspace (unit, iostat=status, iomsg=message)
   if (status == 0) backspace (unit, iostat=status, iomsg=message)
   value = -1
   if (status == 0) read (unit, iostat=status, iomsg=message) value
   call answer(status == 0 .and. value == 2, "two steps back from the end of 3 records: " // &
      & "record " // digits(value) // ", " // said(status, message))
end subroutine backspace_record

!> Check rewrite-truncates: Does a WRITE after REWIND end the file there, as the standard says?
!> Instead: open with status='replace', or delete the file first.
subroutine rewrite_truncates()
   integer(int32) :: value
   integer :: i

   do i = 1, 5
      write (unit) int(i, int32)
   end do
   rewind (unit)
   write (unit) 10_int32
   close (unit)
   open (newunit=unit, file=file, form="unformatted", status="old", action="read")
   read (unit, iostat=status) value
   if (status == 0) read (unit, iostat=status, iomsg=message) value
   call answer(status == iostat_end, "5 records, REWIND, 1 record written; the second " // &
      & "READ gives " // said(status, message))
end subroutine rewrite_truncates

end program records
