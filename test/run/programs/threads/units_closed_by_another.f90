!run: flags -fopenmp
!run: set OMP_NUM_THREADS 2
program units_closed_by_another
   implicit none
   integer :: i
   open (10, file="a.txt")
   do i = 1, 40
      !$omp parallel sections
      !$omp section
      write (10, "(i5)") i
      !$omp end parallel sections
      !$omp parallel sections
      !$omp section
      close (10)
      !$omp end parallel sections
      open (10, file="a.txt", position="append")
   end do
end program units_closed_by_another
