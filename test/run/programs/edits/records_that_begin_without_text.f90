! ADVANCE='NO' without a character begins a record; how far the file is shows in POSITION=.
program records_that_begin_without_text
   implicit none
   integer :: kind, unit, i
   character(8) :: place
   do kind = 1, 8
      unit = 20 + kind
      open (unit)
      if (kind > 4) write (unit, "(a)") "a record"
      select case (modulo(kind, 4))
      case (0); write (unit, "(10e15.5)", advance="no")
      case (1); write (unit, "(a)", advance="no") ""
      case (2); write (unit, "(3x)", advance="no")
      case (3)
         do i = 1, 90
            write (unit, "(a,i0)", advance="no") " piece ", i
            if (modulo(i, 4) == 0) write (unit, "()")
         end do
      end select
      inquire (unit, position=place)
      print "(i0,1x,a)", kind, place
      if (kind == 6) write (unit, "(a)") "goes on"
      if (kind == 7) flush (unit)
   end do
end program records_that_begin_without_text
