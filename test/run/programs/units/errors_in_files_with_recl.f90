! RECL=: statements of the run time's own that fail, and what it leaves in the records behind them. Records of many lines do not show
! up in others.
program errors_in_files_with_recl
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   integer :: i, j, k, m, few, kind_of, stat, values(5)
   character(30) :: text
   integer(int64) :: state
   real(real64) :: x
   state = 1076997
   stat = 0
   open (12, file="log.txt")
   open (11, file="o.txt", recl=60, action="readwrite")
   do i = 1, 4000
      k = next(90000)
      m = 1 + next(12)
      few = next(6)
      x = (next(100000) - 50000)*10.0_real64**(next(7) - 3)
      values = [(k + j, j=1, 5)]
      text = "abcdefghijklmnopqrstuvwxyz0123"
      if (next(50) == 0) text(3:3) = achar(10)
      kind_of = next(128)
      select case (kind_of)
      case (0)
         write (11, "(i3,/,i4)", iostat=stat) (k + j*3, j=1, 5)
      case (1, 12)
         write (11, "(i4,1x,f8.2,1x,a)", advance="no", iostat=stat) k, x, text(1:m)
      case (2:11)
         write (11, "(i3,2x,a,f6.1,:,'end')", advance="no", iostat=stat) k, text(1:5), x
      case (13:22)
         do j = 1, 1 + next(2)
            write (11, *, iostat=stat) x
         end do
      case (23:32)
         write (11, "(*(i0,:,','))", advance="no", iostat=stat) values(1:few)
      case (33:35)
         do j = 1, 1 + next(2)
            write (11, "(2(i4,1x))", advance="no", iostat=stat) k, k + 1
         end do
      case (36:45)
         do j = 1, 1 + next(2)
            write (11, "(1x,a,/)", iostat=stat) "lit"
         end do
      case (46:85)
         write (11, *, iostat=stat) x, x*2, k
      case (86:125)
         do j = 1, 1 + next(60)
            write (11, "(2x,i3,3x)", iostat=stat) values
         end do
      case default
         write (11, "(a,' ',2x,' ',g0,', ',i0)", iostat=stat) text(1:m), x, k
      end select
      if (stat /= 0) write (12, *) i, kind_of, stat
   end do
contains
   integer function next(n)
      integer, intent(in) :: n
      state = mod(state*1103515245_int64 + 12345_int64, 2147483648_int64)
      next = int(mod(state/65536, int(n, int64)))
   end function next
end program errors_in_files_with_recl
