! C's functions and Fortran's statements of all lengths in turn: where each text is in the file shows when its buffer was emptied.
!run: c
!run: exit 0
!run: case 1
!run: case 7
!run: case 40
program in_turn_on_standard_output
   use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
   implicit none
   integer, parameter :: statements = 6000
   interface
      subroutine c_print(text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: text(*)
      end subroutine c_print
      subroutine c_write(descriptor, text) bind(c)
         import :: c_char, c_int
         integer(c_int), value :: descriptor
         character(kind=c_char), intent(in) :: text(*)
      end subroutine c_write
      subroutine c_flush() bind(c)
      end subroutine c_flush
   end interface
   integer :: i, k, state, rarely
   real(8) :: x(2000)
   character(12) :: number
   namelist /numbers/ k, state

   call get_command_argument(1, number)
   read (number, *) rarely
   state = 12345 + rarely
   x = [(sqrt(real(i, 8)), i=1, 2000)]
   do i = 1, statements
      k = next(100)
      select case (k)
      case (0:29)
         write (*, "(i8,2x,a)") i, repeat("x", next(140))
      case (30:54)
         write (*, *) i, x(k), "list"
      case (55:79)
         write (*, "(3(i6,f12.4))") i, x(k), i + 1, x(k + 1)
      case (80:84)
         write (*, "(a,/,i6,/)") "several records", i
      case (85:88)
         write (*, "(a)", advance="no") "a part of a record "
      case (89:90)
         write (*, "(10f9.3)") x(1:next(300))
      case (91)
         write (*, "(a)") repeat("long ", next(1200))
      case (92)
         if (next(rarely) == 0) write (*, "(10f9.3)") x
      case (93)
         if (next(rarely) == 0) write (*, nml=numbers)
      case (94)
         if (next(rarely) == 0) flush (6)
      case (95)
         if (next(rarely) == 0) call c_print("C prints"//new_line("a")//c_null_char)
      case (96)
         if (next(rarely) == 0) call c_write(1, "C writes"//new_line("a")//c_null_char)
      case (97)
         if (next(rarely) == 0) call c_flush()
      case (98)
         if (next(rarely) == 0) inquire (6, nextrec=k)
      case default
         if (next(rarely) == 0) call c_print(repeat("C prints much ", next(500))//c_null_char)
      end select
   end do

contains

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next
end program in_turn_on_standard_output
