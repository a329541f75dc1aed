!> Every statement that says "time NAME" is also measured by the program, with system_clock around
!> it. The last statement prints the sums. A statement takes so long that reading the clocks costs
!> nothing beside it.
module two_clocks
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   public
   integer, parameter :: count = 2000, times = 40
   integer, parameter :: formatted = 1, listed = 2, unformatted = 3, read_back = 4, internal = 5
   integer, parameter :: internal_read = 6, outer = 7, inner = 8, inner_internal = 9
   integer, parameter :: parent = 10, child = 11, clocks = 11
   character(16), parameter :: names(clocks) = [character(16) :: "formatted", "listed", &
      "unformatted", "read_back", "internal", "internal_read", "outer", "inner", &
      "inner_internal", "parent", "child"]
   integer(int64) :: sums(clocks) = 0, begun(clocks) = 0
   real(real64) :: x(count), y(count)
   character(26*count) :: text
   type :: row
      real(real64) :: values(count)
   contains
      procedure :: put
      generic :: write (formatted) => put
   end type row
contains
   subroutine start(clock)
      integer, intent(in) :: clock
      call system_clock(begun(clock))
   end subroutine start

   subroutine halt(clock)
      integer, intent(in) :: clock
      integer(int64) :: now
      call system_clock(now)
      sums(clock) = sums(clock) + now - begun(clock)
   end subroutine halt

   !> Called from the I/O list of another statement, which must not count these two as its own.
   real(real64) function with_output_inside() result(value)
      call start(inner)
      write (21, "(es26.16)") x  ! time inner
      call halt(inner)
      call start(inner_internal)
      write (text, "(2000es26.16)") x  ! time inner_internal
      call halt(inner_internal)
      value = x(1)
   end function with_output_inside

   subroutine put(this, unit, iotype, v_list, iostat, iomsg)
      class(row), intent(in) :: this
      integer, intent(in) :: unit, v_list(:)
      character(*), intent(in) :: iotype
      integer, intent(out) :: iostat
      character(*), intent(inout) :: iomsg
      if (iotype /= "DT" .or. size(v_list) > 0) error stop "put: called for another edit descriptor"
      call start(child)
      write (unit, "(*(es26.16))", iostat=iostat, iomsg=iomsg) this%values  ! time child
      call halt(child)
   end subroutine put
end module two_clocks

program truth_of_clocks
   use, intrinsic :: iso_fortran_env, only: int64, real64
   use two_clocks, only: clocks, count, formatted, halt, internal, internal_read, listed, &
      names, outer, parent, read_back, row, start, sums, text, times, unformatted, &
      with_output_inside, x, y
   implicit none
   integer :: i
   integer(int64) :: rate
   type(row) :: one
   call random_number(x)
   one%values = x
   call system_clock(count_rate=rate)
   open (20, file="text", recl=30*count)
   open (21, file="nested")
   open (22, file="binary", form="unformatted")
   open (23, file="derived", recl=30*count)
   do i = 1, times
      call start(formatted)
      write (20, "(es26.16)") x  ! time formatted
      call halt(formatted)
   end do
   rewind (20)
   do i = 1, times
      call start(read_back)
      read (20, *) y  ! time read_back
      call halt(read_back)
   end do
   do i = 1, times
      call start(listed)
      write (20, *) x  ! time listed
      call halt(listed)
   end do
   do i = 1, times
      call start(unformatted)
      write (22) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x  ! time unformatted
      call halt(unformatted)
   end do
   do i = 1, times
      call start(internal)
      write (text, "(2000es26.16)") x  ! time internal
      call halt(internal)
      call start(internal_read)
      read (text, "(2000es26.16)") y  ! time internal_read
      call halt(internal_read)
   end do
   do i = 1, times
      call start(outer)
      write (20, "(es26.16)") with_output_inside(), x  ! time outer
      call halt(outer)
      call start(parent)
      write (23, "(DT)") one  ! time parent
      call halt(parent)
   end do
   do i = 1, clocks
      print "(a, es24.16)", names(i), real(sums(i), real64)/rate
   end do
end program truth_of_clocks
