! Threads, each with a file of its own, and all of them with one file.
!run: flags -fopenmp
program threads_of_units
   implicit none
   integer :: i, k, size
   character(5) :: name
   !$omp parallel do private(name, i) num_threads(4)
   do k = 1, 8
      write (name, "(a,i1,a)") "f", k, ".b"
      open (20 + k, file=name, access="stream", status="replace")
      do i = 1, 2000
         write (20 + k) i * k, i / 3d0
      end do
      close (20 + k)
   end do
   open (10, file="all.bin", access="stream", status="replace")
   !$omp parallel do num_threads(4)
   do i = 1, 4000
      write (10) 7, 8d0
   end do
   inquire (10, size=size)
   write (*, *) size
   close (10)
end program threads_of_units
