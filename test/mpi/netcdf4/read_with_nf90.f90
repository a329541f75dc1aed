!> NetCDF's own Fortran library opens the NetCDF-4 files of ../formats/states.cpp, which are in this
!> directory: an array, steps with their numbers, and attributes.
program read_with_nf90
   use, intrinsic :: iso_fortran_env, only : error_unit, int32, int64, real32, real64
   use netcdf, only : nf90_close, nf90_get_att, nf90_get_var, nf90_global, nf90_inq_varid, &
      & nf90_inquire_dimension, nf90_inquire_variable, nf90_noerr, nf90_nowrite, nf90_open, &
      & nf90_strerror
   implicit none
   integer, parameter :: steps(3) = [10, 20, 30]
   character(len=16) :: file
   integer :: files, id
   logical :: is_there

   do files = 0, 9
      write (file, "(a, i0, a)") "state_", files, ".nc"
      inquire (file=file, exist=is_there)
      if (.not. is_there) exit
      call ok(nf90_open(trim(file), nf90_nowrite, id), "open")
      call check_attributes()
      call check_rho()
      call check_steps()
      call ok(nf90_close(id), "close")
   end do
   if (files == 0) call fail("there is no state_0.nc")
   print "(i0, a)", files, " files"

contains

subroutine fail(what)
   character(len=*), intent(in) :: what
   write (error_unit, "(4a)") trim(file), ": ", what
   error stop 1
end subroutine fail

subroutine ok(code, what)
   integer, intent(in) :: code
   character(len=*), intent(in) :: what
   if (code /= nf90_noerr) call fail(what // ": " // trim(nf90_strerror(code)))
end subroutine ok

integer function variable(name)
   character(len=*), intent(in) :: name
   call ok(nf90_inq_varid(id, name, variable), name)
end function variable

subroutine check_attributes()
   character(len=20) :: text
   integer(int32) :: version
   real(real64) :: range(3)
   text = ""
   call ok(nf90_get_att(id, nf90_global, "title", text), "title")
   if (text /= "a state") call fail("title is " // text)
   call ok(nf90_get_att(id, nf90_global, "version", version), "version")
   if (version /= 4) call fail("another version")
   call ok(nf90_get_att(id, variable("rho"), "range", range), "range")
   if (any(range /= [-1.5_real64, 2.5_real64, 1.0e300_real64])) call fail("another range")
end subroutine check_attributes

!> The dimensions come in Fortran's order, with their names.
subroutine check_rho()
   integer :: dimensions(3), length, at, i
   character(len=20) :: name
   real(real64) :: rho(6, 5, 4)
   call ok(nf90_inquire_variable(id, variable("rho"), dimids=dimensions), "rho")
   do at = 1, 3
      call ok(nf90_inquire_dimension(id, dimensions(at), name, length), "a dimension")
      if (name /= "xyz"(at:at) .or. length /= 7 - at) call fail("dimension " // name)
   end do
   call ok(nf90_get_var(id, variable("rho"), rho), "rho")
   if (any(reshape(rho, [120]) /= [(i + 0.25_real64, i=0, 119)])) call fail("other values of rho")
end subroutine check_rho

subroutine check_steps()
   integer(int64) :: numbers(3)
   integer(int32) :: t(5, 4)
   real(real32) :: u(6, 5, 4)
   integer :: step, i
   call ok(nf90_get_var(id, variable("step"), numbers), "step")
   if (any(numbers /= steps)) call fail("other numbers of steps")
   do step = 1, 3
      call ok(nf90_get_var(id, variable("t"), t, start=[1, 1, step], count=[5, 4, 1]), "t")
      if (any(reshape(int(t, int64), [20]) /= &
         & [(modulo((5000_int64 + 10 * steps(step) + i) * 65537, 2147483647_int64), i=0, 19)])) then
        call fail("other values of t")
      end if
      call ok(nf90_get_var(id, variable("u"), u, start=[1, 1, 1, step], count=[6, 5, 4, 1]), "u")
      if (any(reshape(u, [120]) /= [(6000 + 10 * steps(step) + i + 0.25_real32, i=0, 119)])) then
        call fail("other values of u")
      end if
   end do
end subroutine check_steps

end program read_with_nf90
