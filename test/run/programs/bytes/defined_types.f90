! Defined output and input: their procedures have statements on the unit of the statement that they are a part of.
!run: exit 0
module points
   implicit none
   private

   type, public :: point
      integer :: number = 0
      real, allocatable :: values(:)
   contains
      procedure :: put
      procedure :: get
      generic :: write (unformatted) => put
      generic :: read (unformatted) => get
   end type point

contains

   subroutine put(this, unit, iostat, iomsg)
      class(point), intent(in) :: this
      integer, intent(in) :: unit
      integer, intent(out) :: iostat
      character(*), intent(inout) :: iomsg
      write (unit, iostat=iostat, iomsg=iomsg) this%number, size(this%values)
      if (iostat == 0) write (unit, iostat=iostat, iomsg=iomsg) this%values
   end subroutine put

   subroutine get(this, unit, iostat, iomsg)
      class(point), intent(inout) :: this
      integer, intent(in) :: unit
      integer, intent(out) :: iostat
      character(*), intent(inout) :: iomsg
      integer :: n
      read (unit, iostat=iostat, iomsg=iomsg) this%number, n
      if (iostat /= 0) return
      if (allocated(this%values)) deallocate (this%values)
      allocate (this%values(n))
      read (unit, iostat=iostat, iomsg=iomsg) this%values
   end subroutine get
end module points

program defined_types
   use points, only: point
   implicit none
   type(point) :: one
   integer :: i, j, before, behind, unit, status
   open (newunit=unit, file="points.bin", access="stream", status="replace")
   do i = 1, 200
      one%number = i
      one%values = [(real(j), j=1, mod(i, 7))]
      write (unit) i
      write (unit) one
      write (unit) -i, one, i
   end do
   rewind (unit)
   do i = 1, 200
      read (unit) before
      read (unit) one
      read (unit) before, one, behind
      if (before /= -i .or. behind /= i .or. one%number /= i .or. size(one%values) /= mod(i, 7)) print *, "wrong", i
   end do
   read (unit, iostat=status) one
   print *, one%number, one%values, status < 0
end program defined_types
