!> Versions of gfortran differ in some formats: what the library writes and reads is what this
!> program's own WRITE and READ do; with flang it is what gfortran 12 does.
program text_formats_are_those_of_the_run_time
   use, intrinsic :: iso_fortran_env, only : compiler_version, real64
   use checks, only : bytes_of, check, finish
   use headrace, only : read_array, write_array
   implicit none

   character(len=*), parameter :: ours = "ours.txt", theirs = "theirs.txt"
   character(len=*), parameter :: formats(*) = [character(len=20) :: "(e0.3)", "(es0.3e2)", &
      & "(es0)", "(en0.0)", "(g0)", "(1p,g0.4)", "(b64.0)", "(f8.2 f8.2)", "(1xf8.2)", &
      & "(f8.2,3x,t5,f8.2)", "(f8.2/f8.2)", "(1pe12.4)", "(e0.0)"]
   character(len=*), parameter :: texts(*) = [character(len=12) :: "1;2;3", "1 2 3;", "1 2 3 ;", &
      & "1,2,3", ";1 2", "1 2 3"]
   real(real64), parameter :: values(*) = [1.0_real64, 0.0_real64, 0.5_real64, 1.0e-3_real64, &
      & 123456.0_real64, -1.0e-100_real64, transfer([0, 5], 1.0_real64)]
   integer :: i

   if (index(compiler_version(), "GCC") > 0) then
      do i = 1, size(formats)
         call compare_writing(trim(formats(i)))
      end do
      do i = 1, size(texts)
         call compare_reading(trim(texts(i)), "*")
      end do
      call compare_reading("1", "(bz,f5.0)")
      call compare_reading("1.5  2.5  3.5", "(dc,3f5.0)")
      call compare_zeros()
   else
      call check_gfortran_12()
   end if
   call finish()

contains

subroutine compare_writing(edit)
   !> The format
   character(len=*), intent(in) :: edit
   character(len=200) :: message
   integer :: unit, status, other

   open(newunit=unit, file=theirs, status="replace", action="write")
   write(unit, edit, iostat=other) values
   close(unit)
   call write_array(ours, values, edit=edit, iostat=status, iomsg=message)
   call check((status == 0) .eqv. (other == 0), edit//" is taken by both or by none: "// &
      & trim(message))
   if (status /= 0 .or. other /= 0) return
   call check(bytes_of(ours) == bytes_of(theirs), edit//" writes the same bytes")
end subroutine compare_writing

subroutine compare_reading(text, edit)
   !> A line, and a format
   character(len=*), intent(in) :: text, edit
   real(real64) :: x(3), y(3)
   character(len=200) :: message
   integer :: unit, status, other

   call write_line(text)
   x = -9
   y = -9
   open(newunit=unit, file=ours, status="old", action="read")
   if (edit == "*") then
      read(unit, *, iostat=other) y
   else
      read(unit, edit, iostat=other) y(1:1)
   end if
   close(unit)
   if (edit == "*") then
      call read_array(ours, x, edit=edit, iostat=status, iomsg=message)
   else
      call read_array(ours, x(1:1), edit=edit, iostat=status, iomsg=message)
   end if
   call check((status == 0) .eqv. (other == 0), text//" is read by both or by none: "// &
      & trim(message))
   if (status /= 0 .or. other /= 0) return
   call check(all(abs(x - y) < tiny(x)), text//" gives the same values")
end subroutine compare_reading

!> BZ and a line that is shorter than its field
subroutine compare_zeros()
   integer :: unit, x(1), y(1)

   call write_line("12")
   open(newunit=unit, file=ours, status="old", action="read")
   read(unit, "(bz,i5)") y
   close(unit)
   call read_array(ours, x, edit="(bz,i5)")
   call check(x(1) == y(1), "(bz,i5) gives the same value")
end subroutine compare_zeros

subroutine check_gfortran_12()
   real(real64) :: x(2)

   call write_array(ours, [0.5_real64], edit="(e0.3)")
   call check(bytes_of(ours) == "0.500"//achar(10), "e0.3 is that of gfortran 12")
   call write_array(ours, [0.5_real64, 1.0_real64], edit="(f5.1 f5.1)")
   call check(bytes_of(ours) == "  0.5  1.0"//achar(10), "a comma may be missing")
   call write_line("1;2")
   call read_array(ours, x, edit="*")
   call check(all(abs(x - [1, 2]) < tiny(x)), "a semicolon separates")
end subroutine check_gfortran_12

subroutine write_line(text)
   !> What the file is to hold
   character(len=*), intent(in) :: text
   integer :: unit

   open(newunit=unit, file=ours, status="replace", action="write")
   write(unit, "(a)") text
   close(unit)
end subroutine write_line

end program text_formats_are_those_of_the_run_time
