!run: errors
! What the items of a READ do beside reading: change other items, open files, stand in copies of sections, in very long lines.
program side_effects
   implicit none
   open (20, file="o.txt")
   call items_that_change_others()
   call opens_in_a_list()
   call copies_of_sections()
   call long_first_lines()
   call carriage_returns()
   call into_itself()
contains
   subroutine items_that_change_others()
      integer :: n, a(10), i
      real :: x
      open (10, file="a.txt")
      do i = 1, 4
         write (10, "(a)") "1 22 1*5.5"
      end do
      rewind (10)
      do i = 1, 4
         a = 0
         read (10, *) n, a(next(n)), x
         write (20, *) n, a, x
      end do
      close (10, status="delete")
   end subroutine items_that_change_others

   integer function next(n)
      integer, intent(inout) :: n
      n = n + 1
      next = n
   end function next

   subroutine opens_in_a_list()
      integer :: a(10), i
      do i = 1, 5
         write (11, *) 100 + i
      end do
      close (11)
      open (12, file="other.txt")
      do i = 1, 50
         write (12, *) 9000 + i
      end do
      close (12)
      do i = 1, 5
         read (11, *) a(first(i))
         write (20, *) a(1)
      end do
      close (11)
   end subroutine opens_in_a_list

   integer function first(i)
      integer, intent(in) :: i
      first = 1
      if (i == 1) open (12, file="other.txt")
   end function first

   subroutine copies_of_sections()
      real :: a(20), x
      integer :: chosen(10), i
      real, allocatable :: q(:), r(:)
      chosen = [(2 * i, i = 1, 10)]
      open (10, file="a.txt")
      do i = 1, 3
         write (10, "(a)") "1 2 3 4 5 6 7 8 9 10 1*2.5"
      end do
      rewind (10)
      do i = 1, 3
         a = 0
         read (10, *) a(chosen(1:10)), x
         allocate (q(10), r(10))
         q = 7
         r = 8
         write (20, *) a, x, q, r
         deallocate (q, r)
      end do
      close (10)
   end subroutine copies_of_sections

   subroutine long_first_lines()
      character(50000) :: text
      integer :: i, k(12000)
      open (10, file="b.txt")
      write (10, "(12000i4)") (mod(i, 900), i = 1, 12000)
      write (10, "(i3,9000i5)") 1, (mod(i, 900) * 10, i = 1, 9000)
      close (10)
      open (10, file="b.txt")
      read (10, "(a)") text
      write (20, *) len_trim(text)
      read (10, "(i3,9000i5)") i, k(1:9000)
      write (20, *) i, sum(k(1:9000)), k(6548:6560)
      rewind (10)
      read (10, "(12000i4)") k
      write (20, *) sum(k), k(8190:8196)
      close (10)
   end subroutine long_first_lines

   subroutine carriage_returns()
      real(8) :: x
      integer :: i, stat
      open (10, file="c.txt", access="stream")
      do i = 1, 5
         write (10) "   1.500" // achar(13) // achar(13) // new_line("a")
      end do
      close (10)
      open (10, file="c.txt")
      x = 1d0 / 3
      do i = 1, 8
         read (10, "(f10.3)", iostat=stat) x
         write (20, *) i, stat, x
      end do
      close (10)
   end subroutine carriage_returns

   subroutine into_itself()
      character(20) :: text
      character(4) :: word
      integer :: n, stat, i
      do i = 1, 3
         text = "ab 12 34"
         read (text, *, iostat=stat) text(1:3), n
         write (20, *) stat, text, n
         text = "abcdef 12 34"
         read (text, *, iostat=stat) text(8:10), n
         write (20, *) stat, text, n
         text = "99 12 34"
         read (text, "(a2,i3)", iostat=stat) text(3:6), n
         write (20, *) stat, text, n
         text = "abcdef"
         read (text, "(2a3)") text(4:6), word
         write (20, *) text, word
      end do
   end subroutine into_itself
end program side_effects
