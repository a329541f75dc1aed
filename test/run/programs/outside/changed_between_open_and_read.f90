! What OPEN saw of a file may be old when the first READ comes, and its last line may be another at each end of the file.
!run: c
program changed_between_open_and_read
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      subroutine c_append(name, text) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*), text(*)
      end subroutine c_append
      integer(c_int) function c_truncate(name, bytes) bind(c)
         import :: c_char, c_int, c_long
         character(kind=c_char), intent(in) :: name(*)
         integer(c_long), value :: bytes
      end function c_truncate
   end interface
   character(40) :: line
   integer :: round, lines, stat, i, after
   integer(c_int) :: done

   do round = 1, 12
      open (10, file="a.txt", status="replace", action="write")
      do i = 1, merge(3, 3000, mod(round, 2) == 0)
         write (10, "(a,i0)") "line ", i
      end do
      close (10)
      open (10, file="a.txt", status="old", action="read")
      select case (mod(round, 3))
      case (0)
         call c_append("a.txt" // c_null_char, "more" // new_line("a") // c_null_char)
      case (1)
         done = c_truncate("a.txt" // c_null_char, 7_c_long)
      case default
         done = c_truncate("a.txt" // c_null_char, 0_c_long)
         call c_append("a.txt" // c_null_char, "other" // new_line("a") // "lines" // new_line("a") // c_null_char)
      end select
      lines = 0
      after = 0
      do
         read (10, "(a)", iostat=stat) line
         if (stat == 0) lines = lines + 1
         if (stat == 0 .and. mod(lines, 500) < 3) write (*, "(i0,1x,a)") lines, trim(line)
         if (stat == 0) cycle
         write (*, "(i0,1x,i0)") lines, stat
         after = after + 1
         if (after > 3) exit
         ! The end of the file is behind another line now.
         call c_append("a.txt" // c_null_char, "behind" // new_line("a") // c_null_char)
         backspace (10)
         if (after == 2) rewind (10)
      end do
      close (10)
   end do
end program changed_between_open_and_read
