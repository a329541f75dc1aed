! Parts of records that are longer than the run time's buffer, with standard error and C's texts in between: where these are in one
! file shows when it was emptied. And values with line feeds, which end no record.
!run: c
!run: errors
program parts_of_long_records
   use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
   implicit none
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
   end interface
   integer, parameter :: lengths(5) = [1, 60, 700, 5000, 9000]
   integer :: i, k, state, longest

   do i = 1, 21
      write (*, "(a)") "rec"
   end do
   do i = 1, 60
      write (*, "(a)", advance="no") repeat("x", 100*i)
      write (*, "(a)") repeat("y", 50*i)
      call c_write(1, "C writes"//c_null_char)
   end do
   do i = 1, 2000
      write (*, "(i8)", advance="no") i
      call c_print(" C prints"//c_null_char)
   end do
   write (*, "()")
   do k = 1, 5
      call one_record(50, 200, 163)
      call one_record(50, 200, 166)
      call one_record(7, 1500, 1200)
      call one_record(1, 9000, 3000)
      call one_record(3000, 9, 2)
      call one_record(100*k, 90, 7)
   end do
   state = 99
   do k = 1, 40
      longest = lengths(1 + mod(k, 5))
      do i = 1, 1 + next(min(4000, 60000/(longest + 1) + 3))
         select case (next(12))
         case (0)
            write (*, "(i8, f9.3)", advance="no") i, 0.5*i
         case (1)
            write (*, "(a)", advance="no") repeat("y", next(longest))//new_line("a")//repeat("z", next(longest))
         case (2)
            write (*, "(a, /, a)", advance="no") repeat("end", next(9)), "begin"
         case (3)
            if (next(4) == 0) write (0, "(a)") "to standard error"
         case (4)
            if (next(4) == 0) call c_write(1, "C writes"//c_null_char)
         case (5)
            if (next(4) == 0) call c_print("C prints"//c_null_char)
         case (6)
            if (next(20) == 0) flush (6)
         case default
            write (*, "(a)", advance="no") repeat("x", 1 + next(longest))
         end select
      end do
      if (next(8) > 0) write (*, "(a)") repeat("the end", next(1 + longest/7))
   end do
   write (*, "(a)", advance="no") "it stops in a part"

contains

   subroutine one_record(length, parts, every)
      integer, intent(in) :: length, parts, every
      integer :: part
      write (*, "(a)") ("record", part=1, 20)
      do part = 1, parts
         write (*, "(a)", advance="no") repeat("p", length)
         if (mod(part, every) == 0) call c_print("in between"//c_null_char)
      end do
      write (*, *)
   end subroutine one_record

   integer function next(below)
      integer, intent(in) :: below
      state = modulo(state*1103 + 12347, 1048573)
      next = modulo(state, below)
   end function next
end program parts_of_long_records
