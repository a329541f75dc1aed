! INQUIRE in one thread looks at the units of all. With RECL= each record of another is a statement when it is handed over: the other
! thread rewinds meanwhile, after a longer time in each round.
!run: flags -fopenmp
!run: set OMP_NUM_THREADS 2
program looked_at_while_others_rewind
   use omp_lib, only: omp_get_thread_num
   implicit none
   integer, parameter :: records = 1500, rounds = 30
   integer :: round, number, wrong, written, status, waited
   logical :: is_open

   wrong = 0
   written = 0
   waited = 0
   open (10, file="records", recl=80, status="replace")
   !$omp parallel private(round, number, is_open, status) num_threads(2)
   do round = 1, rounds
      if (omp_get_thread_num() == 0) then
         do number = 1, records
            write (10, "(i4)") number
         end do
         !$omp atomic write
         written = round
         do number = 1, 400 * round
            !$omp atomic update
            waited = waited + 1
         end do
         rewind (10)
         number = 0
         do
            read (10, "(i4)", iostat=status) number
            if (status /= 0) exit
         end do
         if (number /= records) wrong = wrong + 1
         rewind (10)
      else
         do
            !$omp atomic read
            number = written
            if (number == round) exit
         end do
         inquire (99, opened=is_open)
      end if
      !$omp barrier
   end do
   !$omp end parallel
   write (*, "(a,i0)") "wrong: ", wrong
end program looked_at_while_others_rewind
