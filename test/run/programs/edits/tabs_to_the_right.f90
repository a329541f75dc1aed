! T that leads to the right, as tables have it, at random: behind texts of any length, over records, in parts of records, in memory.
!run: case 1
!run: case 2
program tabs_to_the_right
   use, intrinsic :: iso_fortran_env, only: int64
   implicit none
   integer(int64) :: state
   integer :: i, k, stat, many(4)
   character(8) :: argument
   character(80) :: text, lines(3), form
   character(20) :: name
   real(8) :: x, y

   call get_command_argument(1, argument)
   read (argument, *) state
   open (10, file="tabs.txt", status="replace")
   do i = 1, 1500
      k = below(100000) - 5000
      x = (below(20001) - 10000) / 7d0
      y = 10d0**(below(40) - 20)
      name = repeat("n", below(20)) // "e"
      select case (below(22))
      case (0); write (10, "(a,t25,f10.4,t40,es12.4)") trim(name), x, y
      case (1); write (10, "(t5,i8,t30,a,t60,l1)") k, name, k > 0
      case (2); write (10, "(1x,a,t22,(' ',t22,3es18.10))") trim(name), x, y, x, y, x
      case (3); write (10, "(i0,t12,g0,t40,i0,t45)") k, x, k
      case (4); write (10, "(i0,2x,t12,i0,2x,t50)") k, k
      case (5); write (10, "(t3)")
      case (6); write (10, "(t30,'text',t40)")
      case (7); write (10, "(i5,4x,t8,i5,/,t4,i5,/)") k, k, k
      case (8); write (10, "(i5,t30,:,i5)") k
      case (9); write (10, "(*(i6,t10,:,','))") k, k
      case (10); write (10, "(a,t20,i5)", advance="no") trim(name), k
      case (11); write (10, "(a,t40)", advance="no") trim(name)
      case (12); write (10, "(i6,3x)", advance="no") k
      case (13); write (10, "(i6)") k
      case (14)
         text = "before"
         write (text, "(a,t30,i8,t50)", iostat=stat) trim(name), k
         write (10, "(a,i0)") text, stat
      case (15)
         lines = "before"
         write (lines, "(a,t30,i8,/,t7,f9.3)", iostat=stat) trim(name), k, x
         write (10, "(a,'|',a,'|',a,i0)") lines, stat
      case (16)
         text = "before"
         write (text(:25), "(a,t20,i8)", iostat=stat) trim(name), k
         write (10, "(a,i0)") text, stat
      case (17)
         many = [k, -k, i, 7]
         write (10, "(4(i8,t12))") many
         write (10, "(t9,4i8)") many(::2)
      case (18)
         write (form, "(a,i0,a)") "(a,t", 5 + below(60), ",i7)"
         write (10, form) trim(name), k
      case (19); write (10, "(i8,t6,i2,t20,'x')") k, 12
      case (20); write (10, "(10(i3,t4,1x))") (k / 100, stat=1, below(25))
      case (21); write (10, "(a,t400,i8)") trim(name), k
      end select
      if (below(90) == 0) flush (10)
      if (below(120) == 0) then
         backspace (10)
         write (10, "(t4,a)") "again"
      end if
   end do
   write (10, *)
   write (10, "(t3,i3,*(t10,i5,t20,f8.3))") 1, (i, i / 8d0, i=1, 4)
   write (10, "(i4,t9,f9.2)") (i, i / 3d0, i=1, 3000)
   close (10)

contains

   integer function below(n)
      integer, intent(in) :: n
      state = mod(state * 1103515245_int64 + 12345_int64, 2147483648_int64)
      below = int(mod(state / 65536_int64, int(n, int64)))
   end function below

end program tabs_to_the_right
