! Files of direct access that are longer than what is read and written at once: in order, backwards, anywhere, and in turns.
program direct_long
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   integer, parameter :: n = 30000
   integer :: numbers, rows, scratch, i, status, next, record
   integer(int64) :: state
   real(real64) :: x, row(10), total

   state = 4711
   open (newunit=numbers, file="numbers", access="direct", recl=8, status="replace")
   open (newunit=rows, file="rows", access="direct", recl=80, status="replace", convert="big_endian")
   open (newunit=scratch, access="direct", recl=12, status="scratch", form="unformatted")
   do i = 1, n
      write (numbers, rec=i) i / 7d0
      if (mod(i, 10) == 0) write (rows, rec=i / 10) [(i + record * 0.25d0, record=1, 10)]
   end do
   call say("written")

   total = 0
   do i = 1, n + 5
      read (numbers, rec=i, iostat=status) x
      if (status /= 0) exit
      total = total + x
   end do
   write (*, *) "in order", i, status, total
   total = 0
   do i = n / 10, 1, -1
      read (rows, rec=i) row
      total = total + i * row(1 + mod(i, 10))
   end do
   write (*, *) "backwards", total

   ! Behind the end the file has holes.
   do i = 1, n
      record = 1 + below(2 * n)
      write (numbers, rec=record) -real(record, real64)
   end do
   call say("anywhere")
   total = 0
   do i = 1, n
      read (numbers, rec=1 + below(2 * n), iostat=status) x
      if (status == 0) total = total * 0.5d0 + x
   end do
   write (*, *) "anywhere", total

   ! Records change where they are.
   do i = 1, 3000
      record = 1 + below(n / 10)
      read (rows, rec=record) row
      row(1 + mod(i, 10)) = i
      write (rows, rec=record) row
      if (mod(i, 7) == 0) read (numbers, rec=record) x
      if (mod(i, 7) == 0) write (scratch, rec=record) record, x
   end do
   call say("changed")
   total = 0
   do i = 1, 200
      inquire (scratch, nextrec=next)
      write (scratch, rec=next) i, i * 0.5d0
      read (scratch, rec=next) record, x
      total = total + next * x + record
   end do
   write (*, *) "next", next, total

   ! What is in memory is not what comes: fewer items, none, and again.
   do i = 1, 100
      read (rows, rec=i) row(1)
      read (rows, rec=i + 1)
      read (rows, rec=i) row(1:3)
      write (rows, rec=i + 2) row(3:1:-1)
      write (rows, rec=i + 1000)
   end do
   inquire (rows, nextrec=next)
   call say("parts")
   write (*, *) next, row
   close (rows)
   close (numbers)
   open (newunit=numbers, file="numbers", access="stream", status="old")
   total = 0
   do
      read (numbers, iostat=status) x
      if (status /= 0) exit
      total = total * 0.75d0 + x
   end do
   write (*, *) "stream", total
contains
   integer function below(limit)
      integer, intent(in) :: limit
      state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
      below = int(mod(state / 16, int(limit, int64)))
   end function below

   subroutine say(what)
      character(*), intent(in) :: what
      integer :: sizes(2)
      inquire (numbers, size=sizes(1), nextrec=next)
      inquire (rows, size=sizes(2))
      write (*, *) what, sizes, next
   end subroutine say
end program direct_long
