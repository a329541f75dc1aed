!run: exit 2
!run: errors
! RECL= of a formatted file: many records that fit, some as long as it allows, some too long, with several statements in turn.
program record_length_limits
   implicit none
   integer, parameter :: dp = kind(1d0)
   character(200) :: message
   integer :: i, k, stat, length
   real(dp) :: x(6)
   namelist /some/ i, x
   x = 0
   open (10, file="fits.txt", recl=120)
   do i = 1, 400
      x = [(i/real(k, dp), k=1, 6)]
      write (10, "(i8,6f12.5)") i, x
      write (10, *) i, x(1:2)
      write (10, "(6es20.12)") x
      if (mod(i, 7) == 0) write (10, "(a,/,i0,/,/,a)") repeat("a", 120), i, "last"
      if (mod(i, 50) == 0) write (10, "(3f8.2)", advance="no") x(1:3)
      if (mod(i, 50) == 0) write (10, "(3f8.2)") x(4:6)
      if (mod(i, 90) == 0) flush (10)
   end do
   inquire (10, recl=length)
   write (*, *) length
   backspace (10)
   write (10, "(a)") "instead"
   close (10)
   open (11, file="long.txt", recl=40)
   do i = 1, 60
      x = i*1.5_dp
      message = ""
      write (11, "(5f8.3)", iostat=stat, iomsg=message) x(1:5)
      if (stat /= 0 .and. i < 20) write (*, *) i, stat, trim(message)
      if (mod(i, 20) == 0) write (11, "(6f8.3)", iostat=stat, iomsg=message) x
      if (mod(i, 20) == 0) write (*, *) i, stat, trim(message)
      write (11, *, iostat=stat, iomsg=message) x(1)
      if (mod(i, 20) == 0) write (*, *) i, stat, trim(message)
      write (11, "(45x)", iostat=stat)
      if (i == 1) write (*, *) stat
      write (11, "(40x,tl40,a)", iostat=stat) "b"
      if (i == 1) write (*, *) stat
   end do
   close (11)
   ! A format in a loop becomes longer than the records may be.
   open (12, file="grows.txt", recl=30)
   do i = 1, 60
      write (12, "(*(i4))", iostat=stat) (k, k=1, 1 + i/8)
      if (stat /= 0) write (*, *) i, stat
   end do
   close (12)
   open (12, file="grows.txt", recl=10, position="append")
   do i = 1, 40
      write (12, "(f10.3)") i*1.25
   end do
   open (12, status="old")
   write (12, "(a)") "more"
   close (12)
   open (12, file="grows.txt", recl=20)
   do i = 1, 10
      read (12, "(a)", iostat=stat) message
      write (*, *) stat, trim(message)
   end do
   close (12)
   open (12, file="grows.txt", position="append")
   do i = 1, 40
      write (12, "(a,f10.3)") repeat("no limit ", 20), i*1.25
   end do
   close (12)
   ! What a namelist writes counts against the next record, too.
   open (12, file="namelist.txt", recl=60)
   do i = 1, 40
      write (12, "(3f8.2)", iostat=stat) x(1:3)
      if (stat /= 0) write (*, *) i, stat
      x = [(i/real(k, dp), k=1, 6)]
      if (mod(i, 8) == 0) write (12, nml=some, iostat=stat)
      if (mod(i, 8) == 0) write (*, *) i, stat
      write (12, "(6f8.2)", iostat=stat) x
      if (stat /= 0) write (*, *) i, stat
   end do
   close (12)
   open (13, file="error.txt", recl=16)
   do i = 1, 30
      write (13, "(2f8.3)") i*1.0, i*2.0
   end do
   write (13, "(3f8.3)") 1.0, 2.0, 3.0
end program record_length_limits
