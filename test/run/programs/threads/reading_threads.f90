!run: flags -fopenmp
!run: set OMP_NUM_THREADS 4
! Threads read one unit in turns, and units of their own; others look at them and write in between.
program reading_threads
   implicit none
   integer :: i, j, value, stat, total, own, size
   character(12) :: name, text
   open (10, file="values.txt")
   write (10, "(i8)") (i, i = 1, 4000)
   rewind (10)
   total = 0
   !$omp parallel do private(value, stat) reduction(+:total)
   do i = 1, 4000
      read (10, *, iostat=stat) value
      if (stat == 0) total = total + value
   end do
   print *, total
   own = 0
   !$omp parallel do private(name, text, j, value, stat, size) reduction(+:own)
   do i = 1, 8
      write (name, "('r',i0,'.txt')") i
      open (20 + i, file=name)
      do j = 1, 300
         write (20 + i, "(i6,f9.2)") j, i * j * 0.25
      end do
      rewind (20 + i)
      do j = 1, 300
         read (20 + i, "(i6)", iostat=stat) value
         if (stat == 0) own = own + value
         write (text, "(i0)") value
         read (text, *) value
         own = own + value
         if (mod(j, 50) == 0) inquire (file=name, size=size)
      end do
      backspace (20 + i)
      write (20 + i, "(a)") "behind"
      close (20 + i)
   end do
   print *, own
   close (10)
end program reading_threads
