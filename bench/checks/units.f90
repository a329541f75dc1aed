!> Units and files: OPEN twice, file mode, direct access, stream positions. First: answers.f90.
program units
   use, intrinsic :: iso_fortran_env, only : file_storage_size, int32, int64, real64
   use check_answers, only : answer, asked_check, digits, said, unknown_check
   implicit none

   character(len=200) :: message = " "
   integer :: unit, status

   select case (asked_check())
   case ("two-units-one-file"); call two_units_one_file()
   case ("file-mode"); call file_mode()
   case ("direct-recl"); call direct_recl()
   case ("direct-beyond-end"); call direct_beyond_end()
   case ("stream-overwrite"); call stream_overwrite()
   case ("stream-position"); call stream_position()
   case default; call unknown_check()
   end select

contains

!> Check two-units-one-file: Can two units read one file at once? (The standard leaves it open.)
!> Instead: share one unit, or use access='stream' with POS=.
subroutine two_units_one_file()
   integer :: other, first, second

   open (newunit=unit, file="shared.txt", status="replace", action="write")
   write (unit, "(i0)") 1, 2
   close (unit)
   open (newunit=unit, file="shared.txt", status="old", action="read")
   open (newunit=other, file="shared.txt", status="old", action="read", iostat=status, &
      & iomsg=message)
   if (status /= 0) then
      call answer("refused", "the second OPEN gives " // said(status, message))
      return
   end if
   first = -1; second = -1
   read (unit, *, iostat=status) first
   if (status == 0) read (other, *, iostat=status) second
   if (status == 0) read (other, *, iostat=status, iomsg=message) second
   call answer(status == 0 .and. first == 1 .and. second == 2, &
      & "line 1 in the first unit reads " // digits(first) // ", line 2 in the second " // &
      & digits(second))
end subroutine two_units_one_file

!> Check file-mode: Does a new file get mode 0666 less the umask, as from every other program?
!> Instead: call chmod on files that others shall read.
subroutine file_mode()

   open (newunit=unit, file="mode.txt", status="replace", action="write", iostat=status, &
      & iomsg=message)
   if (status == 0) close (unit, iostat=status, iomsg=message)
   call answer(status == 0, "OPEN of a new file gives " // said(status, message))
end subroutine file_mode

!> Check direct-recl: Do direct-access records of INQUIRE(IOLENGTH=) units lie without gaps?
!> Instead: take RECL= from INQUIRE(IOLENGTH=), never from a count of bytes.
subroutine direct_recl()
   real(real64) :: row(4), back(4)
   integer :: length, i
   integer(int64) :: bytes

   inquire (iolength=length) row
   open (newunit=unit, file="direct.dat", form="unformatted", access="direct", recl=length, &
      & status="replace")
   do i = 3, 1, -1
      row = real(i, real64)
      write (unit, rec=i) row
   end do
   back = 0
   read (unit, rec=2, iostat=status, iomsg=message) back
   close (unit)
   inquire (file="direct.dat", size=bytes)
   call answer(status == 0 .and. bytes == 96 .and. all(abs(back - 2) <= 0), "RECL= is " // &
      & digits(length) // " for 32 bytes, one unit is " // digits(file_storage_size / 8) // &
      & " byte(s); 3 records make a file of " // digits(bytes) // " bytes")
end subroutine direct_recl

!> Check direct-beyond-end: Is a READ of a record behind the last one reported?
!> Instead: compare REC= with the file's size from INQUIRE(SIZE=).
subroutine direct_beyond_end()
   real(real64) :: row(4)
   integer :: length

   row = 1
   inquire (iolength=length) row
   open (newunit=unit, file="direct.dat", form="unformatted", access="direct", recl=length, &
      & status="replace")
   write (unit, rec=1) row
   read (unit, rec=5, iostat=status, iomsg=message) row
   call answer(status /= 0, "record 5 of a file with 1: " // said(status, message))
end subroutine direct_beyond_end

!> Check stream-overwrite: Does a WRITE at POS= in the middle keep the rest of the file?
!> Instead: read the file, change the array, and write the whole.
subroutine stream_overwrite()
   integer(int32) :: values(10), i
   integer(int64) :: bytes

   open (newunit=unit, file="stream.dat", form="unformatted", access="stream", status="replace")
   write (unit) [(i, i = 1, 10)]
   write (unit, pos=9, iostat=status, iomsg=message) 33_int32
   values = -1
   if (status == 0) read (unit, pos=1, iostat=status, iomsg=message) values
   close (unit)
   inquire (file="stream.dat", size=bytes)
   call answer(status == 0 .and. all(values == [1, 2, 33, (i, i = 4, 10)]) .and. bytes == 40, &
      & "value 3 of 10 written anew: reads " // digits(values(3)) // " for 33, the last " // &
      & digits(values(10)) // " for 10, file of " // digits(bytes) // " bytes, " // &
      & said(status, message))
end subroutine stream_overwrite

!> Check stream-position: Does INQUIRE(POS=) give the next byte after WRITE and READ?
!> Instead: count the bytes in the program.
subroutine stream_position()
   integer(int32) :: value
   integer(int64) :: written, seen

   open (newunit=unit, file="stream.dat", form="unformatted", access="stream", status="replace")
   write (unit) 1_int32, 2_int32, 3_int32
   write (unit, pos=5) 22_int32
   inquire (unit=unit, pos=written)
   read (unit, pos=5, iostat=status, iomsg=message) value
   inquire (unit=unit, pos=seen)
   call answer(status == 0 .and. value == 22 .and. written == 9 .and. seen == 9, &
      & "after 4 bytes at POS=5: " // digits(written) // " (WRITE) and " // digits(seen) // &
      & " (READ) for 9")
end subroutine stream_position

end program units
