!> Arrays go through Fortran's own stream statements and come back, also as format zarr.
program statements
   use, intrinsic :: iso_fortran_env, only : error_unit, int16, real64
   use headrace_mpi, only : array_layout, free_layout, make_layout, read_array, write_array
   use mpi_f08, only : mpi_comm_rank, mpi_comm_size, mpi_comm_world, mpi_finalize, mpi_init
   implicit none
   integer, parameter :: planes = 9
   integer :: rank, ranks, failed, stat
   character(len=*), parameter :: file = "streams"
   type(array_layout) :: slabs, columns

   call mpi_init()
   call mpi_comm_rank(mpi_comm_world, rank)
   call mpi_comm_size(mpi_comm_world, ranks)
   failed = 0
   call make_slabs(slabs)
   call make_layout(columns, mpi_comm_world, global=[12, 5, planes], &
      start=[1 + 12 * rank / ranks, 1, 1], &
      count=[12 * (rank + 1) / ranks - 12 * rank / ranks, 5, planes])
   call round_trip("statements")
   call round_trip("zarr")
   call section()
   call refusals()
   call free_layout(slabs)
   call free_layout(columns)
   if (failed > 0) error stop 1
   call mpi_finalize()

contains

!> Slabs of planes, rounded up: a chunk for each MPI rank.
subroutine make_slabs(layout)
   type(array_layout), intent(out) :: layout
   call make_layout(layout, mpi_comm_world, global=[12, 5, planes], start=[1, 1, first() + 1], &
      count=[12, 5, last() - first()])
end subroutine make_slabs

integer function first()
   first = min(planes, rank * ((planes + ranks - 1) / ranks))
end function first

integer function last()
   last = min(planes, (rank + 1) * ((planes + ranks - 1) / ranks))
end function last

subroutine expect(good, what)
   logical, intent(in) :: good
   character(len=*), intent(in) :: what
   if (good) return
   failed = failed + 1
   write (error_unit, "(a, i0, 2a)") "failed on MPI rank ", rank, ": ", what
end subroutine expect

elemental real(real64) function value(i, j, k)
   integer, intent(in) :: i, j, k
   value = i + 100 * j + 10000.5_real64 * k
end function value

!> Written by statements, read in another layout by the given format.
subroutine round_trip(reader)
   character(len=*), intent(in) :: reader
   real(real64), allocatable :: written(:, :, :), found(:, :, :)
   character(len=400) :: message
   integer :: i, j, k, low, high
   allocate (written(12, 5, first() + 1:last()))
   do concurrent (i = 1:12, j = 1:5, k = first() + 1:last())
      written(i, j, k) = value(i, j, k)
   end do
   message = ""
   call write_array(file, written, slabs, format="statements", iostat=stat, iomsg=message)
   call expect(stat == 0, trim(message))
   low = 12 * rank / ranks
   high = 12 * (rank + 1) / ranks
   allocate (found(low + 1:high, 5, planes), source=0.0_real64)
   call read_array(file, found, columns, format=reader, iostat=stat, iomsg=message)
   call expect(stat == 0, trim(message))
   do k = 1, planes
      do j = 1, 5
         call expect(all(abs(found(:, j, k) - value([(i, i = low + 1, high)], j, k)) <= 0), &
            "values read by "//reader)
      end do
   end do
end subroutine round_trip

!> A section goes in pieces; other kinds and elements beyond the array.
subroutine section()
   integer(int16), allocatable :: wide(:, :, :), found(:, :, :)
   character(len=400) :: message
   integer :: k
   allocate (wide(0:13, 5, first() + 1:last()), found(12, 5, first() + 1:last()))
   wide = -1_int16
   do k = first() + 1, last()
      wide(1:12, :, k) = int(k, int16)
   end do
   message = ""
   call write_array(file, wide(1:12, :, :), slabs, format="statements", iostat=stat, iomsg=message)
   call expect(stat == 0, trim(message))
   found = 0
   call read_array(file, found, slabs, format="statements", iostat=stat, iomsg=message)
   call expect(stat == 0, trim(message))
   do k = first() + 1, last()
      call expect(all(found(:, :, k) == k), "a section")
   end do
end subroutine section

!> What the statements cannot do is refused, what they say is passed on.
subroutine refusals()
   real(real64), allocatable :: found(:, :, :)
   character(len=400) :: message
   allocate (found(12, 5, first() + 1:last()), source=0.0_real64)
   message = ""
   call write_array(file, found, slabs, format="statements", pattern="serial", iostat=stat, &
      iomsg=message)
   call expect(stat /= 0 .and. index(message, "serial") > 0, "pattern serial: "//trim(message))
   call read_array("absent", found, slabs, format="statements", iostat=stat, iomsg=message)
   call expect(stat /= 0 .and. index(message, "absent") > 0, "no store: "//trim(message))
end subroutine refusals
end program statements
