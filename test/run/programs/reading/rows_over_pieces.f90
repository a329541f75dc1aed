! One READ of many records that are all alike, but for some: they come where the next part of a large file is read.
program rows_over_pieces
   implicit none
   integer, parameter :: n = 24000
   real(8), allocatable :: all_of_it(:)
   integer :: k

   allocate (all_of_it(2*n))
   do k = 1, n
      all_of_it(2*k - 1) = mod(k, 900)/10d0
      all_of_it(2*k) = mod(k, 700)/20d0
   end do
   call read_and_compare("", 300)
   call read_and_compare(char(13), 300)
   call read_and_compare("", 3000)
   call read_and_compare(char(13), 3000)

contains

   subroutine read_and_compare(before_line_feed, records)
      character(*), intent(in) :: before_line_feed
      integer, intent(in) :: records
      real(8) :: several(2*records)
      integer :: unit, i, status, wrong
      character(16) :: text

      open (newunit=unit, file="rows.txt", access="stream", form="unformatted", action="write", status="replace")
      do i = 1, n
         write (text, "(2f8.3)") all_of_it(2*i - 1:2*i)
         write (unit) text
         if (mod(i, 300) == 150) write (unit) repeat(" note", 600)
         if (i == 20000 .and. records == 3000) then
            write (unit) char(13)
         else
            write (unit) before_line_feed//new_line("a")
         end if
      end do
      close (unit)
      open (newunit=unit, file="rows.txt", action="read", status="old")
      wrong = 0
      do i = 1, n - records + 1, records
         several = -1
         read (unit, "(2f8.3)", iostat=status) several
         wrong = wrong + count(abs(several - all_of_it(2*i - 1:2*i + 2*records - 2)) > 1d-9)
         print *, i, status, several(1), several(2*records)
      end do
      print *, "wrong", wrong
      close (unit, status="delete")
   end subroutine read_and_compare
end program rows_over_pieces
