! INQUIRE in one thread looks at the units of all: what the others have just written may be on its way while they go on.
!run: flags -fopenmp
!run: set OMP_NUM_THREADS 3
program looked_at_while_others_rewind
   implicit none
   integer, parameter :: records = 40, rounds = 250
   integer :: t, wrong(3), finished

   wrong = 0
   finished = 0
   !$omp parallel do schedule(static, 1)
   do t = 1, 3
      if (t == 3) then
         call look()
      else
         call write_and_read(10 + t, wrong(t))
      end if
   end do
   !$omp end parallel do
   write (*, "(a,3i6)") "wrong:", wrong

contains

   subroutine look()
      integer :: done
      logical :: is_open
      done = 0
      do while (done < 2)
         inquire (99, opened=is_open)
         !$omp atomic read
         done = finished
      end do
   end subroutine look

   subroutine write_and_read(unit, wrong)
      integer, intent(in) :: unit
      integer, intent(inout) :: wrong
      integer :: i, k, number, status
      open (unit, file=merge("first ", "second", unit == 11), status="replace")
      do i = 1, rounds
         do k = 1, records
            write (unit, "(i8)") i + k
         end do
         rewind (unit)
         number = 0
         read (unit, "(i8)", iostat=status) number
         if (status /= 0 .or. number /= i + 1) wrong = wrong + 1
         rewind (unit)
      end do
      close (unit)
      !$omp atomic update
      finished = finished + 1
   end subroutine write_and_read

end program looked_at_while_others_rewind
