! What gfortran's own WRITE makes of an array: the reference of the tests here. C++ calls it.
module gfortran_write
   use, intrinsic :: iso_c_binding, only : c_char, c_int, c_int8_t, c_int16_t, c_int32_t, &
      c_int64_t, c_float, c_double, c_float_complex, c_double_complex, c_ptr, c_f_pointer
   implicit none
   private
   public :: write_with_gfortran

   integer, parameter :: integers = 1, reals = 2, complexes = 3, logicals = 4, characters = 5

contains

!> Replaces a file by what WRITE(unit, form) values writes; form * is list-directed. type is that of
!> type_class, element_bytes the size of one element. Returns iostat.
function write_with_gfortran(file_name, format_text, decimal, type, element_bytes, values, n) &
   result(stat) bind(c)
   character(kind=c_char), intent(in) :: file_name(*), format_text(*)
   character(kind=c_char), value :: decimal
   integer(c_int), value :: type, element_bytes, n
   type(c_ptr), value :: values
   integer(c_int) :: stat
   integer :: unit
   character(len=:), allocatable :: form

   form = from_c(format_text)
   open (newunit=unit, file=from_c(file_name), status="replace", action="write", &
      decimal=merge("comma", "point", decimal == ","), iostat=stat)
   if (stat /= 0) return
   select case (type)
   case (integers)
      call write_integers(unit, form, element_bytes, values, n, stat)
   case (reals)
      call write_reals(unit, form, element_bytes, values, n, stat)
   case (complexes)
      call write_complexes(unit, form, element_bytes, values, n, stat)
   case (logicals)
      call write_logicals(unit, form, element_bytes, values, n, stat)
   case (characters)
      call write_characters(unit, form, element_bytes, values, n, stat)
   end select
   close (unit)
end function write_with_gfortran

pure function from_c(text) result(characters)
   character(kind=c_char), intent(in) :: text(*)
   character(len=:), allocatable :: characters
   integer :: n

   n = 0
   do while (text(n + 1) /= achar(0))
      n = n + 1
   end do
   characters = transfer(text(1:n), repeat(" ", n))
end function from_c

subroutine write_integers(unit, form, bytes, values, n, stat)
   integer, intent(in) :: unit, bytes, n
   character(len=*), intent(in) :: form
   type(c_ptr), intent(in) :: values
   integer(c_int), intent(out) :: stat
   integer(c_int8_t), pointer :: x1(:)
   integer(c_int16_t), pointer :: x2(:)
   integer(c_int32_t), pointer :: x4(:)
   integer(c_int64_t), pointer :: x8(:)

   select case (bytes)
   case (1)
      call c_f_pointer(values, x1, [n])
      if (form == "*") write (unit, *, iostat=stat) x1
      if (form /= "*") write (unit, form, iostat=stat) x1
   case (2)
      call c_f_pointer(values, x2, [n])
      if (form == "*") write (unit, *, iostat=stat) x2
      if (form /= "*") write (unit, form, iostat=stat) x2
   case (4)
      call c_f_pointer(values, x4, [n])
      if (form == "*") write (unit, *, iostat=stat) x4
      if (form /= "*") write (unit, form, iostat=stat) x4
   case default
      call c_f_pointer(values, x8, [n])
      if (form == "*") write (unit, *, iostat=stat) x8
      if (form /= "*") write (unit, form, iostat=stat) x8
   end select
end subroutine write_integers

subroutine write_reals(unit, form, bytes, values, n, stat)
   integer, intent(in) :: unit, bytes, n
   character(len=*), intent(in) :: form
   type(c_ptr), intent(in) :: values
   integer(c_int), intent(out) :: stat
   real(c_float), pointer :: x4(:)
   real(c_double), pointer :: x8(:)

   if (bytes == 4) then
      call c_f_pointer(values, x4, [n])
      if (form == "*") write (unit, *, iostat=stat) x4
      if (form /= "*") write (unit, form, iostat=stat) x4
   else
      call c_f_pointer(values, x8, [n])
      if (form == "*") write (unit, *, iostat=stat) x8
      if (form /= "*") write (unit, form, iostat=stat) x8
   end if
end subroutine write_reals

subroutine write_complexes(unit, form, bytes, values, n, stat)
   integer, intent(in) :: unit, bytes, n
   character(len=*), intent(in) :: form
   type(c_ptr), intent(in) :: values
   integer(c_int), intent(out) :: stat
   complex(c_float_complex), pointer :: x4(:)
   complex(c_double_complex), pointer :: x8(:)

   if (bytes == 8) then
      call c_f_pointer(values, x4, [n])
      if (form == "*") write (unit, *, iostat=stat) x4
      if (form /= "*") write (unit, form, iostat=stat) x4
   else
      call c_f_pointer(values, x8, [n])
      if (form == "*") write (unit, *, iostat=stat) x8
      if (form /= "*") write (unit, form, iostat=stat) x8
   end if
end subroutine write_complexes

subroutine write_logicals(unit, form, bytes, values, n, stat)
   integer, intent(in) :: unit, bytes, n
   character(len=*), intent(in) :: form
   type(c_ptr), intent(in) :: values
   integer(c_int), intent(out) :: stat
   logical(1), pointer :: x1(:)
   logical(2), pointer :: x2(:)
   logical(4), pointer :: x4(:)
   logical(8), pointer :: x8(:)

   select case (bytes)
   case (1)
      call c_f_pointer(values, x1, [n])
      if (form == "*") write (unit, *, iostat=stat) x1
      if (form /= "*") write (unit, form, iostat=stat) x1
   case (2)
      call c_f_pointer(values, x2, [n])
      if (form == "*") write (unit, *, iostat=stat) x2
      if (form /= "*") write (unit, form, iostat=stat) x2
   case (4)
      call c_f_pointer(values, x4, [n])
      if (form == "*") write (unit, *, iostat=stat) x4
      if (form /= "*") write (unit, form, iostat=stat) x4
   case default
      call c_f_pointer(values, x8, [n])
      if (form == "*") write (unit, *, iostat=stat) x8
      if (form /= "*") write (unit, form, iostat=stat) x8
   end select
end subroutine write_logicals

subroutine write_characters(unit, form, bytes, values, n, stat)
   integer, intent(in) :: unit, bytes, n
   character(len=*), intent(in) :: form
   type(c_ptr), intent(in) :: values
   integer(c_int), intent(out) :: stat
   character(kind=c_char), pointer :: text(:)

   call c_f_pointer(values, text, [n * bytes])
   call write_strings(unit, form, bytes, text, n, stat)
end subroutine write_characters

subroutine write_strings(unit, form, bytes, text, n, stat)
   integer, intent(in) :: unit, bytes, n
   character(len=*), intent(in) :: form
   character(kind=c_char, len=bytes), intent(in) :: text(n)
   integer(c_int), intent(out) :: stat

   if (form == "*") write (unit, *, iostat=stat) text
   if (form /= "*") write (unit, form, iostat=stat) text
end subroutine write_strings

end module gfortran_write
