! Files of many sizes from their beginnings, time and again, as programs do that look for a line: READ, REWIND, BACKSPACE, OPEN.
program beginnings_of_files
   implicit none
   integer, parameter :: sizes(7) = [3, 90, 400, 900, 2500, 3600, 9000]  ! records
   integer :: state, file, i, k, n, status, value, records
   integer(8) :: sum
   character(80) :: line
   character(6) :: code
   character(50) :: text
   character(16) :: name
   logical :: is_open

   state = 12345
   do file = 1, size(sizes)
      write (name, "('file', i0, '.txt')") file
      open (20, file=name, access="stream", form="formatted")
      do i = 1, sizes(file)
         if (mod(i, 37) == 0) then
            write (20, "(a)") ""
         else if (i == sizes(file)) then
            write (20, "(i6, 'the last has no end of record')", advance="no") i
         else
            write (20, "(i6, ' label ', i0, 1x, a)") i, i*i, repeat("x", mod(7*i, 61))
         end if
      end do
      close (20)
   end do

   sum = 0
   do file = 1, size(sizes)
      write (name, "('file', i0, '.txt')") file
      records = sizes(file)
      do k = 1, 60
         open (21, file=name, status="old")
         do i = 1, 1 + next(4)
            n = 1 + next(merge(records + 2, min(records, 40), next(5) == 0))
            call look_for(n)
            select case (next(6))
            case (0)
               backspace (21)
               read (21, "(a)", iostat=status) line
               call keep(line, status)
            case (1)
               do n = 1, 1 + next(25)
                  backspace (21)
               end do
               read (21, "(i6)", iostat=status) value
               sum = sum + value + status
            case (2)
               read (21, "(a3)", advance="no", iostat=status) code
               call keep(code, status)
            case (3)
               read (21, *, iostat=status) value
               sum = sum + status
            end select
            rewind (21)
         end do
         read (21, "(a)", iostat=status) line
         call keep(line, status)
         close (21)
      end do
      print "(a, i3, i20)", "file", file, sum
   end do

   ! It grows, and another unit cuts it, while it is read from its beginning.
   open (21, file="file5.txt", status="old")
   call look_for(2000)
   inquire (22, opened=is_open)
   open (22, file="other.txt")
   do i = 1, 300
      write (22, "(i6)") i
      flush (22)
      if (mod(i, 100) /= 0) cycle
      rewind (22)
      do n = 1, i
         read (22, "(i6)") value
         sum = sum + value
      end do
   end do
   rewind (21)
   call look_for(30)
   print "(a, i20, l2)", "end", sum, is_open

contains

   integer function next(below)
      integer, intent(in) :: below
      state = iand(1103515245*iand(state, 65535) + 12345, 2147483647)
      next = mod(state/64, below)
   end function next

   subroutine keep(read_text, outcome)
      character(*), intent(in) :: read_text
      integer, intent(in) :: outcome
      integer :: j
      sum = sum + outcome
      if (outcome /= 0) return
      do j = 1, len(read_text)
         sum = mod(31*sum + ichar(read_text(j:j)), 1000000007_8)
      end do
   end subroutine keep

   subroutine look_for(record)
      integer, intent(in) :: record
      integer :: j
      do j = 1, record
         if (mod(j, 2) == 0) then
            read (21, "(a6,17x,a50)", iostat=status) code, text
            call keep(code//text, status)
         else
            read (21, "(a)", iostat=status) line
            call keep(line, status)
         end if
         if (status /= 0) exit
      end do
      if (status > 0) rewind (21)
   end subroutine look_for
end program beginnings_of_files
