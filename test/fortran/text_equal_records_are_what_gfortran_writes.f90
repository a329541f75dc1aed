!> Formats whose records are all the same: the file is byte for byte what WRITE writes.
!>
!> HEADRACE_TEST_LONG=1 in the environment: 10^8 values instead of hundreds of thousands.
program text_equal_records_are_what_gfortran_writes
   use, intrinsic :: iso_fortran_env, only : int32, int64, real32, real64
   use checks, only : bytes_of, check, finish
   use headrace, only : write_array
   implicit none

   integer, parameter :: n = 6000
   character(len=*), parameter :: ours = "ours.txt", theirs = "theirs.txt"
   character(len=*), parameter :: rows(*) = [character(len=64) :: "(10e15.5)", "(es24.16e3)", &
      "(3(es24.16e3,:,','))", "(10(f12.4,1x))", "(1p,5e23.15)", "(4d12.4)", "(f8.3,3e12.4)", &
      "(2x,'a',f8.3,e12.4,3(1x,'<',es14.6,'>'),'end',3x)", "(600(f10.4,:,', '))", "(1000e15.5)"]
   character(len=*), parameter :: letters(*) = [character(len=2) :: "f", "e", "es", "d"]
   real(real64) :: doubles(n)
   real(real32) :: singles(n)
   integer(int64) :: longs(n)
   integer(int32) :: integers(n)
   integer :: pass, passes, width, digits, i
   character(len=32) :: wish

   passes = 1
   call get_environment_variable("HEADRACE_TEST_LONG", wish)
   if (wish == "1") passes = 30
   do pass = 1, passes
      call fill()
      do i = 1, size(rows)
         call compare_reals(trim(rows(i)))
      end do
      do width = 1, 32, 3
         do digits = 1, 17, merge(1, 3, passes > 1)
            do i = 1, size(letters)
               call compare_reals("(7"//trim(letters(i))//number(width)//"."//number(digits)//")")
            end do
            call compare_reals("(e"//number(width)//"."//number(digits)//"e"// &
               & number(1 + mod(digits, 4))//")")
         end do
         call compare_reals("(7f"//number(width)//".0)")
         call compare_integers("(9i"//number(width)//")")
         call compare_integers("(2(i"//number(width)//"."//number(width/2)//",1x))")
         call compare_integers("(2(z"//number(width)//",1x))")
      end do
   end do
   call finish()

contains

!> A number without blanks
function number(value) result(text)
   !> What to write
   integer, intent(in) :: value
   character(len=:), allocatable :: text
   character(len=12) :: buffer

   write(buffer, "(i0)") value
   text = trim(buffer)
end function number

!> Random bits, normal values, short decimals, ties and whole numbers
subroutine fill()
   integer :: k
   integer(int64) :: bits
   real(real64) :: u(2)

   do k = 1, n
      call random_number(u)
      bits = ieor(int(u(1)*2.0_real64**53, int64)*2048, int(u(2)*2.0_real64**53, int64))
      longs(k) = shiftr(bits, mod(7*k, 64))
      if (mod(k, 3) == 0) longs(k) = not(longs(k))
      integers(k) = transfer(longs(k), integers(k))
      select case (mod(k, 6))
      case (0)
         doubles(k) = transfer(bits, u(1))
      case (1, 2)
         doubles(k) = sqrt(-2*log(1 - u(1)))*cos(6.283185307179586_real64*u(2))
      case (3)
         doubles(k) = real(mod(bits, 2000001_int64), real64)/2.0_real64**mod(k, 12)
      case (4)
         doubles(k) = real(mod(bits, 2000001_int64), real64)/10.0_real64**mod(k, 9)
      case default
         doubles(k) = real(mod(bits, 10000000_int64), real64)
      end select
      singles(k) = real(integers(k), real32)*2.0_real32**(-mod(k, 30))
      if (mod(k, 4) == 0) singles(k) = transfer(integers(k), singles(k))
   end do
   doubles(1:4) = [0.0_real64, -0.0_real64, huge(u(1)), tiny(u(1))]
end subroutine fill

!> Compare both kinds of reals
subroutine compare_reals(edit)
   !> The format
   character(len=*), intent(in) :: edit
   integer :: unit

   call write_array(ours, doubles, edit=edit)
   open(newunit=unit, file=theirs, access="stream", form="formatted", status="replace", &
      action="write")
   write(unit, edit) doubles
   close(unit)
   call compare(edit//" of real64")
   call write_array(ours, singles, edit=edit)
   open(newunit=unit, file=theirs, access="stream", form="formatted", status="replace", &
      action="write")
   write(unit, edit) singles
   close(unit)
   call compare(edit//" of real32")
end subroutine compare_reals

!> Compare both kinds of integers
subroutine compare_integers(edit)
   !> The format
   character(len=*), intent(in) :: edit
   integer :: unit

   call write_array(ours, longs, edit=edit)
   open(newunit=unit, file=theirs, access="stream", form="formatted", status="replace", &
      action="write")
   write(unit, edit) longs
   close(unit)
   call compare(edit//" of int64")
   call write_array(ours, integers, edit=edit)
   open(newunit=unit, file=theirs, access="stream", form="formatted", status="replace", &
      action="write")
   write(unit, edit) integers
   close(unit)
   call compare(edit//" of int32")
end subroutine compare_integers

!> Compare the two files
subroutine compare(what)
   !> What they hold
   character(len=*), intent(in) :: what
   character(len=:), allocatable :: one, other

   one = bytes_of(ours)
   other = bytes_of(theirs)
   call check(len(one) == len(other), what//" has as many bytes")
   call check(one == other, what//" has the same bytes")
end subroutine compare

end program text_equal_records_are_what_gfortran_writes
