! Eight threads write to one unit, and flush it now and then.
program flushing_threads
   implicit none
   integer :: i
   open (10, file="a.txt")
   !$omp parallel do num_threads(8) schedule(static, 1)
   do i = 1, 20000
      write (10, "(i8,f10.2)") i, i * 0.5
      if (mod(i, 10) == 0) flush (10)
   end do
   close (10)
end program flushing_threads
