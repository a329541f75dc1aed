!run: flags -fopenmp
!run: set OMP_NUM_THREADS 4
program own_units
   implicit none
   integer :: i, j
   character(10) :: name, text
   !$omp parallel do private(name, text, j)
   do i = 1, 8
      write (name, "('t',i0,'.txt')") i
      open (20 + i, file=name)
      do j = 1, 500
         write (20 + i, "(i4,f10.3)") j, i * j * 0.1
         write (20 + i, *) i, j
         write (text, "(i8)") j
         write (20 + i, "(a)") text
      end do
      close (20 + i)
   end do
end program own_units
