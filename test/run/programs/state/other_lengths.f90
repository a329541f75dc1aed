!run: flags -fopenmp
! Statements whose number of values changes: triangles, tables of other widths, and all of it once more when there are threads.
program other_lengths
   use, intrinsic :: iso_fortran_env, only: real64
   implicit none
   integer, parameter :: n = 120
   real(real64) :: a(n, n)
   integer :: i, j, pass

   do j = 1, n
      do i = 1, n
         a(i, j) = sin(1.0_real64 * i * j) * 10.0_real64**mod(i, 7)
      end do
   end do
   open (10, file="a.txt")
   open (11, file="b.txt")
   do pass = 1, 2
      call write_triangle(10)
      do j = 1, 40
         call write_table(1 + mod(j * j, 9), 30 + 40 * mod(j, 3))
      end do
      call write_table(3, 3000)
      call write_table(5, 3000)
      !$omp parallel num_threads(2) private(i)
      !$omp do ordered schedule(static, 1)
      do i = 1, n
         !$omp ordered
         write (10, "(i5,2f12.4)") i, a(i, i), a(1, i)
         !$omp end ordered
      end do
      !$omp end parallel
   end do
   close (10)
   close (11)
   !$omp parallel num_threads(2)
   call write_own_file()
   !$omp end parallel
contains
subroutine write_triangle(unit)
   integer, intent(in) :: unit
   integer :: first, row, k
   do first = 1, n, 6
      write (unit, "(/,13x,6(1x,a2,i5,3x))") ("Si", k, k=first, min(first + 5, n))
      do row = first, n
         write (unit, "(' ',a2,1x,a2,i5,10f11.4)") "S ", "Si", row, (a(k, row), k=first, min(first + 5, row))
      end do
   end do
end subroutine write_triangle

subroutine write_table(columns, rows)
   integer, intent(in) :: columns, rows
   integer :: row, k
   do row = 1, rows
      write (11, "(i6,10es15.6)") row, (a(k, 1 + mod(row, n)), k=1, columns)
      if (mod(row, 50) == 0) write (11, *) row, a(1:columns, 1)
   end do
end subroutine write_table

subroutine write_own_file()
   use omp_lib, only: omp_get_thread_num
   integer :: row, unit
   character(len=12) :: name
   write (name, "('own',i0,'.txt')") omp_get_thread_num()
   open (newunit=unit, file=name)
   do row = 1, 2000
      write (unit, "(i6,2f14.6)") row, a(1 + mod(row, n), 1), a(1, 1 + mod(row, n))
   end do
   rewind (unit)
   do row = 1, 500
      read (unit, *)
   end do
   close (unit)
end subroutine write_own_file
end program other_lengths
