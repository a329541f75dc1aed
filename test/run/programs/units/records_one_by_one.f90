! Records that go one by one, to standard error and output: thousands without reals, parts of records, and then tables.
!run: errors
program records_one_by_one
   use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
   implicit none
   integer :: i, k, state, column, status
   real(8) :: x(6)
   character(12) :: word

   state = 4711
   x = [(sqrt(real(k, 8))*10d0**(k - 3), k=1, 6)]
   word = "word"
   do i = 1, 9000
      k = next(40)
      select case (k)
      case (0:9)
         write (output_unit, *) i, word
      case (10:14)
         write (error_unit, "(a, i0)") "step ", i
      case (15:17)
         write (output_unit, "(a)", advance="no") "."
      case (18:19)
         write (output_unit, "(i4, t2, a)", advance="no") i, "x"
      case (20:21)
         write (error_unit, "(a)", advance="no") "part "
      case (22)
         write (output_unit, "(a, /, a)", advance="no") " ends", "begins "
      case (23)
         write (output_unit, "()")
      case (24)
         inquire (output_unit, nextrec=column, iostat=status)
      case (25)
         flush (output_unit)
      case (26)
         flush (error_unit)
      case (27)
         if (next(4) == 0) write (output_unit, "(a)") repeat("long ", next(900))
      case (28)
         if (i > 6000) write (output_unit, "(6es14.6)") x
      case (29)
         if (i > 7000) write (error_unit, *) x(1:next(6))
      case (30)
         write (output_unit, "(i4)", iostat=status) x(1)
      case (31)
         write (error_unit, "(i4, 1x)", advance="no", iostat=status) i
      case default
         write (output_unit, "(i0, 1x, l1)") i, k > 35
      end select
   end do

contains

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next
end program records_one_by_one
