!> Is WRITE(ASYNCHRONOUS='YES') asynchronous? First: answers.f90, harness/posix.f90.
!>
!> Synchronous and asynchronous writes of one array alternate, with the same computation after each.
!> A run time may carry out both alike (the standard allows it), so that answer is "refused", never
!> "wrong".
program asynchronous
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use check_answers, only : answer, asked_number, digits, said
   use harness_posix, only : seconds_now
   implicit none

   integer, parameter :: repeats = 5
   real(real64), allocatable, asynchronous :: array(:)
   real(real64) :: plain(repeats), statement(repeats), waiting(repeats), checksum
   character(len=200) :: message = " "
   integer(int64) :: count, i
   integer :: repeat, status, early

   count = asked_number(1, 25000000_int64)
   allocate (array(count))
   do i = 1, count
      array(i) = real(i, real64)
   end do
   checksum = 0
   status = 0
   do repeat = 1, repeats
      if (status == 0) call write_plain(plain(repeat))
      if (status == 0) call write_asynchronous(statement(repeat), waiting(repeat))
   end do
   call asynchronous_write()

contains

!> Check asynchronous-write: Does an asynchronous WRITE return before the data are written?
!> Instead: expect no overlap; write less, or write from a thread of your own.
subroutine asynchronous_write()
   character(len=:), allocatable :: figures

   if (status /= 0) then
      call answer("wrong", "an asynchronous WRITE of " // digits(8 * count) // " bytes: " // &
         & said(status, message))
      return
   end if
   figures = "medians of " // digits(repeats) // " for " // digits(8 * count / 1000000) // &
      & " MB: synchronous WRITE " // milliseconds(plain) // ", asynchronous WRITE " // &
      & milliseconds(statement) // ", WAIT after a computation " // milliseconds(waiting)
   ! the asynchronous statement takes less than half of the synchronous one beside it
   early = size(pack(plain, statement < 0.5_real64 * plain))
   if (median(plain) < 2e-3_real64) then
      call answer("skipped", "too little data to tell; " // figures)
   else if (early >= repeats - 1) then
      call answer("right", figures)
   else if (early <= 1) then
      call answer("refused", "accepted but carried out synchronously; " // figures)
   else
      call answer("skipped", "inconclusive: " // digits(early) // " of " // digits(repeats) // &
         & " returned early; " // figures)
   end if
   if (checksum < 0) print *, checksum
end subroutine asynchronous_write

subroutine write_plain(seconds)
   real(real64), intent(out) :: seconds
   integer :: unit

   open (newunit=unit, file="plain.dat", form="unformatted", access="stream", status="replace")
   seconds = seconds_now()
   write (unit, iostat=status, iomsg=message) array
   seconds = seconds_now() - seconds
   call compute()
   close (unit, status="delete")
end subroutine write_plain

subroutine write_asynchronous(seconds, wait_seconds)
   real(real64), intent(out) :: seconds, wait_seconds
   integer :: unit
   real(real64) :: last

   open (newunit=unit, file="asynchronous.dat", form="unformatted", access="stream", &
      & status="replace", asynchronous="yes")
   seconds = seconds_now()
   write (unit, asynchronous="yes", iostat=status, iomsg=message) array
   seconds = seconds_now() - seconds
   call compute()
   wait_seconds = seconds_now()
   if (status == 0) wait (unit, iostat=status, iomsg=message)
   wait_seconds = seconds_now() - wait_seconds
   last = 0
   if (status == 0) read (unit, pos=8 * (count - 1) + 1, iostat=status, iomsg=message) last
   if (status == 0 .and. abs(last - real(count, real64)) > 0) then
      status = 1
      message = "the last value read back differs"
   end if
   close (unit, status="delete")
end subroutine write_asynchronous

!> Something to do while the data are written
subroutine compute()
   real(real64) :: value
   integer :: k

   value = 0.5_real64
   do k = 1, 20000000
      value = value * 0.999999_real64 + 1e-7_real64 * real(modulo(k, 7), real64)
   end do
   checksum = checksum + value
end subroutine compute

function milliseconds(times) result(text)
   real(real64), intent(in) :: times(:)
   character(len=:), allocatable :: text
   character(len=20) :: buffer

   write (buffer, "(f0.1, a)") 1000 * median(times), " ms"
   text = trim(buffer)
   if (text(1:1) == ".") text = "0" // text
end function milliseconds

real(real64) function median(times)
   real(real64), intent(in) :: times(:)
   integer :: k

   median = times(1)
   do k = 1, size(times)
      if (size(pack(times, times < times(k))) <= size(times) / 2 .and. &
         & size(pack(times, times > times(k))) <= size(times) / 2) median = times(k)
   end do
end function median

end program asynchronous
