! Statements of many numbers without a format, one number after the other: they take no memory for all of them. Also with errors.
! With an argument it says on standard error how much memory it had at most.
program long_statements
   implicit none
   type point
      real(8) :: x
      integer :: number
   end type point
   integer, parameter :: n = 3000000
   type(point), allocatable :: points(:)
   character(60) :: message
   character(13) :: order
   integer :: unit, i, k, status, first, position
   allocate (points(n))
   do k = 1, 2
      order = merge("big_endian   ", "little_endian", k == 1)
      do i = 1, n
         points(i) = point(i / 7d0, i)
      end do
      open (newunit=unit, file=trim(order)//".bin", access="stream", form="unformatted", convert=order)
      write (unit) n
      write (unit) (points(i)%x, points(i)%number, i=1, n)
      write (unit) 3
      inquire (unit, pos=position)
      write (*, *) position
      close (unit)
      points = point(0, 0)
      open (newunit=unit, file=trim(order)//".bin", access="stream", form="unformatted", convert=order)
      read (unit) first
      read (unit) (points(i)%x, points(i)%number, i=1, n / 2)
      read (unit) points(n)%x, points(n)%number
      inquire (unit, pos=position)
      write (*, *) first, position, sum(points%x), points(n)%number
      read (unit, iostat=status, iomsg=message) (points(i)%x, points(i)%number, i=1, n)
      inquire (unit, pos=position)
      write (*, *) status, trim(message), position, sum(points%x), points(n / 2)%number
      read (unit, iostat=status) first
      write (*, *) status
      close (unit)
   end do
   if (command_argument_count() == 0) stop
   open (newunit=unit, file="/proc/self/status", action="read")
   do
      read (unit, "(a)", iostat=status) message
      if (status /= 0) exit
      if (index(message, "VmHWM:") == 1) write (0, "(a)") trim(message(7:))
   end do
end program long_statements
