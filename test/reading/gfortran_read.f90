!> gfortran's own READ behind one C procedure, to compare headrace with it
! The caller looks at iostat.
! allow(C181)
module gfortran_read
   use, intrinsic :: iso_c_binding, only : c_char, c_f_pointer, c_int, c_ptr
   use, intrinsic :: iso_fortran_env, only : int16, int32, int64, int8, real32, real64
   implicit none
   private

   public :: gfortran_read_array

   !> Arrays of every kind; one of them has the elements of the caller
   type :: arrays
      integer(int8), pointer :: i1(:)
      integer(int16), pointer :: i2(:)
      integer(int32), pointer :: i4(:)
      integer(int64), pointer :: i8(:)
      real(real32), pointer :: r4(:)
      real(real64), pointer :: r8(:)
      complex(real32), pointer :: z4(:)
      complex(real64), pointer :: z8(:)
      logical(int8), pointer :: l1(:)
      logical(int16), pointer :: l2(:)
      logical(int32), pointer :: l4(:)
      logical(int64), pointer :: l8(:)
   end type arrays

contains

!> Read an array from a file with one statement
subroutine gfortran_read_array(path, format, comma, kind, n, length, address, iostat, message) &
   & bind(C, name="gfortran_read_array")
   !> Name of the file; a format, or * for list-directed reading: both padded with blanks
   character(kind=c_char), intent(in) :: path(256), format(1024)
   !> Not 0: the decimal symbol is a comma
   integer(c_int), intent(in), value :: comma
   !> Type and kind: 1 to 12 as in `arrays`, 13 is character
   integer(c_int), intent(in), value :: kind
   !> Number of elements, and of characters in one
   integer(c_int), intent(in), value :: n, length
   !> The first element
   type(c_ptr), intent(in), value :: address
   !> What READ says
   integer(c_int), intent(out) :: iostat
   character(kind=c_char), intent(out) :: message(128)
   character(len=256) :: file
   character(len=1024) :: edit
   character(len=128) :: words
   integer :: unit

   file = transfer(path, file)
   edit = transfer(format, edit)
   words = " "
   open(newunit=unit, file=file, action="read", status="old", &
      & decimal=merge("comma", "point", comma /= 0))
   if (kind == 13) then
      call read_characters(unit, edit, address, n, length, iostat, words)
   else if (edit == "*") then
      call read_list_directed(unit, kind, views(address, n), iostat, words)
   else
      call read_formatted(unit, edit, kind, views(address, n), iostat, words)
   end if
   close(unit)
   message = transfer(words, message)
end subroutine gfortran_read_array

!> The same memory as an array of every kind
function views(address, n)
   type(c_ptr), intent(in) :: address
   integer, intent(in) :: n
   type(arrays) :: views

   call c_f_pointer(address, views%i1, [n])
   call c_f_pointer(address, views%i2, [n])
   call c_f_pointer(address, views%i4, [n])
   call c_f_pointer(address, views%i8, [n])
   call c_f_pointer(address, views%r4, [n])
   call c_f_pointer(address, views%r8, [n])
   call c_f_pointer(address, views%z4, [n])
   call c_f_pointer(address, views%z8, [n])
   call c_f_pointer(address, views%l1, [n])
   call c_f_pointer(address, views%l2, [n])
   call c_f_pointer(address, views%l4, [n])
   call c_f_pointer(address, views%l8, [n])
end function views

subroutine read_list_directed(unit, kind, x, iostat, message)
   integer, intent(in) :: unit, kind
   type(arrays), intent(in) :: x
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: message

   select case (kind)
   case (1)
      read(unit, *, iostat=iostat, iomsg=message) x%i1
   case (2)
      read(unit, *, iostat=iostat, iomsg=message) x%i2
   case (3)
      read(unit, *, iostat=iostat, iomsg=message) x%i4
   case (4)
      read(unit, *, iostat=iostat, iomsg=message) x%i8
   case (5)
      read(unit, *, iostat=iostat, iomsg=message) x%r4
   case (6)
      read(unit, *, iostat=iostat, iomsg=message) x%r8
   case (7)
      read(unit, *, iostat=iostat, iomsg=message) x%z4
   case (8)
      read(unit, *, iostat=iostat, iomsg=message) x%z8
   case (9)
      read(unit, *, iostat=iostat, iomsg=message) x%l1
   case (10)
      read(unit, *, iostat=iostat, iomsg=message) x%l2
   case (11)
      read(unit, *, iostat=iostat, iomsg=message) x%l4
   case (12)
      read(unit, *, iostat=iostat, iomsg=message) x%l8
   case default
      error stop "no such kind"
   end select
end subroutine read_list_directed

subroutine read_formatted(unit, format, kind, x, iostat, message)
   integer, intent(in) :: unit, kind
   character(len=*), intent(in) :: format
   type(arrays), intent(in) :: x
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: message

   select case (kind)
   case (1)
      read(unit, format, iostat=iostat, iomsg=message) x%i1
   case (2)
      read(unit, format, iostat=iostat, iomsg=message) x%i2
   case (3)
      read(unit, format, iostat=iostat, iomsg=message) x%i4
   case (4)
      read(unit, format, iostat=iostat, iomsg=message) x%i8
   case (5)
      read(unit, format, iostat=iostat, iomsg=message) x%r4
   case (6)
      read(unit, format, iostat=iostat, iomsg=message) x%r8
   case (7)
      read(unit, format, iostat=iostat, iomsg=message) x%z4
   case (8)
      read(unit, format, iostat=iostat, iomsg=message) x%z8
   case (9)
      read(unit, format, iostat=iostat, iomsg=message) x%l1
   case (10)
      read(unit, format, iostat=iostat, iomsg=message) x%l2
   case (11)
      read(unit, format, iostat=iostat, iomsg=message) x%l4
   case (12)
      read(unit, format, iostat=iostat, iomsg=message) x%l8
   case default
      error stop "no such kind"
   end select
end subroutine read_formatted

subroutine read_characters(unit, format, address, n, length, iostat, message)
   integer, intent(in) :: unit, n, length
   character(len=*), intent(in) :: format
   type(c_ptr), intent(in) :: address
   integer, intent(out) :: iostat
   character(len=*), intent(inout) :: message
   character(len=1), pointer :: bytes(:, :)
   character(len=length) :: text(n)
   integer :: i, j

   call c_f_pointer(address, bytes, [length, n])
   do j = 1, n
      do i = 1, length
         text(j)(i:i) = bytes(i, j)
      end do
   end do
   if (format == "*") then
      read(unit, *, iostat=iostat, iomsg=message) text
   else
      read(unit, format, iostat=iostat, iomsg=message) text
   end if
   do j = 1, n
      do i = 1, length
         bytes(i, j) = text(j)(i:i)
      end do
   end do
end subroutine read_characters

end module gfortran_read
