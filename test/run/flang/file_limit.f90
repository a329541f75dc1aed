! A file that must not grow: the program is told, and goes on.
program file_limit
   implicit none
   integer :: unit, i, status
   character(80) :: message
   open (newunit=unit, file="full.txt")
   do i = 1, 20000
      write (unit, "(i8)", iostat=status, iomsg=message) i
      if (status /= 0) then
         print *, i, trim(message)
         call end_at_once()
      end if
   end do
   print *, "no error"
contains
   subroutine end_at_once()
      use, intrinsic :: iso_c_binding, only: c_int
      interface
         subroutine c_exit(status) bind(c, name="_exit")
            import :: c_int
            integer(c_int), value :: status
         end subroutine c_exit
      end interface
      flush (6)
      call c_exit(7_c_int)
   end subroutine end_at_once
end program file_limit
