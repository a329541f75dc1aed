!run: flags -fopenmp
!run: set OMP_NUM_THREADS 4
!run: unordered file a.txt, standard output
program one_unit
   implicit none
   integer :: i
   open (10, file="a.txt")
   !$omp parallel do
   do i = 1, 2000
      write (10, "(i6,f12.3)") i, i * 0.5
      if (mod(i, 20) == 0) print "(i6)", i
   end do
end program one_unit
