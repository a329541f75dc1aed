program refuses_derived_types_and_writes_their_components
   use, intrinsic :: iso_c_binding, only : c_null_ptr, c_ptr
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : write_array, read_array, hr_stat
   use checks, only : check, check_status, finish
   implicit none
   type :: point
      real(real64) :: x(3) = 0
      integer :: number = 0
   end type point
   type(point) :: points(5), others(5)
   type(c_ptr) :: address(2)
   class(*), allocatable :: anything(:)
   character(len=300) :: message
   integer :: stat, i

   address = c_null_ptr
   do i = 1, size(points)
      points(i) = point([1, 2, 3]*i, i)
   end do

   call write_array("points.raw", points, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%type_derived, message, "components")
   call read_array("points.raw", points(2), iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%type_derived, message, "derived type")
   call write_array("points.raw", address, iostat=stat, iomsg=message)
   call check(stat /= 0, "C addresses are refused")

   allocate(anything(2), source=[1.0, 2.0])
   call write_array("points.raw", anything, iostat=stat, iomsg=message)
   if (stat /= 0) call check_status(stat, hr_stat%type_unknown, message, "select type")
   select type (anything)
   type is (real)
      call write_array("points.raw", anything, iostat=stat)
      call check(stat == 0, "inside select type it is written")
   end select

   call write_array("points.raw", points%number)
   call read_array("points.raw", others%number)
   call check(all(points%number == others%number), "a scalar component comes back")
   call write_array("points.raw", points(::2)%x(2))
   call read_array("points.raw", others(5:1:-2)%x(3))
   call check(all(points(::2)%x(2) == others(5:1:-2)%x(3)), "an element of a component comes back")
   call check(all(others%x(1) == 0) .and. all(others%x(2) == 0), "other components stay")
   call finish()
end program refuses_derived_types_and_writes_their_components
