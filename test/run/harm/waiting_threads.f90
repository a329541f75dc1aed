! A function in an I/O list waits for another thread, which asks about other units and files meanwhile.
module meeting
   implicit none
   public
   integer :: met = 0
contains
integer function waits(value)
   integer, intent(in) :: value
   integer :: now
   !$omp atomic write
   met = 1
   do
      !$omp atomic read
      now = met
      if (now == 2) exit
   end do
   waits = value
end function waits
end module meeting

program waiting_threads
   use meeting
   use omp_lib
   implicit none
   integer :: now, i, bytes
   logical :: there
   character(10) :: what
   call get_command_argument(1, what)
   open (10, file="a.txt")
   open (12, file="c.txt")
   do i = 1, 100
      write (10, "(i8)") i
      write (12, "(i8)") i
   end do
   !$omp parallel num_threads(2) private(now, bytes)
   if (omp_get_thread_num() == 1) then
      write (10, "(i8,i8)") 7, waits(5)
   else
      do
         !$omp atomic read
         now = met
         if (now == 1) exit
      end do
      select case (what)
      case ("file")
         inquire (file="zz.txt", exist=there)
      case ("unit")
         inquire (unit=12, size=bytes)
      case ("open")
         open (13, file="d.txt")
         write (13, *) "d"
      case ("ftell")
         bytes = ftell(12)
      end select
      !$omp atomic write
      met = 2
   end if
   !$omp end parallel
   print "(a)", "done"
end program waiting_threads
