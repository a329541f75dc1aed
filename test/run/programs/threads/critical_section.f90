!run: flags -fopenmp
!run: set OMP_NUM_THREADS 3
program critical_section
   implicit none
   integer :: i
   open (10, file="a.txt")
   !$omp parallel do ordered schedule(static, 1)
   do i = 1, 500
      !$omp ordered
      write (10, *) i, i * 0.5
      !$omp end ordered
   end do
end program critical_section
