! RECL=: statements of the run time's own that fail. What stands in the gap that an error leaves may be memory that was never written,
! so that the records are counted: no line feed of other records is among it.
program errors_in_files_with_recl
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   integer :: i, j, k, m, few, kind_of, stat
   integer(int64) :: state
   real(real64) :: x
   character(30) :: text
   state = 77777
   stat = 0
   open (11, file="o.txt", recl=20, action="readwrite")
   do i = 1, 1500
      k = next(90000)
      m = 1 + next(12)
      few = next(6)
      x = (next(100000) - 50000)*10.0_real64**(next(7) - 3)
      text = "abcdefghijklmnopqrstuvwxyz0123"
      if (next(50) == 0) text(3:3) = achar(10)
      kind_of = next(77)
      select case (kind_of)
      case (0)
         do j = 1, 1 + next(60)
            write (11, "(a,1x)", advance="no", iostat=stat) trim(text)
         end do
      case (1)
         do j = 1, 1 + next(2)
            write (11, "(i3,/,i4)", iostat=stat) k
         end do
      case (2:4)
         do j = 1, 1 + next(60)
            write (11, "(i4.3)", iostat=stat)
         end do
      case (5:14)
         write (11, "(1x,i6,:,', ')", advance="no", iostat=stat) (k + 3*j, j=1, few)
      case (15:24)
         do j = 1, 1 + next(5)
            write (11, "(1x,a,/)", advance="no", iostat=stat) text(1:m)//achar(10)//"zz"
         end do
      case (25:34)
         write (11, "(i4)", advance="no", iostat=stat)
      case (35:74)
         do j = 1, 1 + next(2)
            write (11, "(i3,tr2,'k')", advance="no", iostat=stat) (k + 3*m, m=1, 5)
         end do
      case (75)
         write (11, "(a,' ',2x,' ',g0,', ',i0)", iostat=stat) text(1:m), x, k
      case default
         if (next(20) == 0) k = next(8)
      end select
      if (stat /= 0) print *, i, kind_of, stat
   end do
   rewind (11)
   k = 0
   do
      read (11, "(a)", iostat=stat) text
      if (stat /= 0) exit
      k = k + 1
   end do
   print *, k
   close (11, status="delete")
contains
   integer function next(n)
      integer, intent(in) :: n
      state = mod(state*1103515245_int64 + 12345_int64, 2147483648_int64)
      next = int(mod(state/65536, int(n, int64)))
   end function next
end program errors_in_files_with_recl
