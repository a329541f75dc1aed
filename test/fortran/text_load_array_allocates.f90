!> load_array allocates to the size of the file.
program text_load_array_allocates
   use, intrinsic :: iso_c_binding, only : c_bool
   use, intrinsic :: iso_fortran_env, only : int32, int64, real32, real64
   use headrace, only : hr_stat, load_array, write_array
   use checks, only : check, check_status, finish
   implicit none

   real(real64), allocatable :: x(:, :), column(:)
   real(real32), allocatable :: small(:, :), short(:)
   integer(int32), allocatable :: counts(:, :), list(:)
   integer(int64), allocatable :: wide(:, :), long(:)
   complex(real32), allocatable :: waves(:, :), wave(:)
   complex(real64), allocatable :: spectra(:, :), spectrum(:)
   logical(c_bool), allocatable :: flags(:, :), flag(:)
   real(real64) :: source(6, 2)
   character(len=200) :: message
   integer :: stat, unit

   call random_number(source)
   call write_array("x.csv", source, header=[character(len=2) :: "p", "q"])
   allocate(x(1, 1))
   call load_array("x.csv", x)
   call check(all(shape(x) == [6, 2]), "the shape of the file")
   if (all(shape(x) == [6, 2])) call check(all(x == source), "its values")
   call load_array("x.csv", column, columns=[2])
   call check(size(column) == 6, "one column")
   if (size(column) == 6) call check(all(column == source(:, 2)), "its values")
   call load_array("x.csv", small)
   call check(all(small == real(source, real32)), "rounded once to real32")
   call load_array("x.csv", column, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "6 rows and 2 columns")
   call load_array("missing.csv", x, iostat=stat, iomsg=message)
   call check(stat == 2 .and. .not. allocated(x), "no file, no array")

   call write_array("n.csv", reshape([1, 2, 3, 4], [2, 2]))
   call load_array("n.csv", counts)
   call check(all(counts == reshape([1, 2, 3, 4], [2, 2])), "int32")
   call load_array("n.csv", wide)
   call check(all(wide == counts), "int64")
   call load_array("n.csv", waves)
   call check(all(waves == counts), "integers are complex numbers too")
   call write_array("z.csv", [(1.0_real64, -2.0_real64), (0.5_real64, 1e-9_real64)])
   call load_array("z.csv", spectrum)
   call check(all(spectrum == [(1.0_real64, -2.0_real64), (0.5_real64, 1e-9_real64)]), "complex")
   call load_array("z.csv", spectra)
   call check(all(shape(spectra) == [2, 1]), "complex of rank 2")
   call load_array("z.csv", wave)
   call check(size(wave) == 2, "complex(real32)")
   call write_array("l.csv", reshape([.true., .false., .false., .true., .true., .false.], [3, 2]))
   call load_array("l.csv", flags)
   call check(all(flags .eqv. reshape([.true., .false., .false., .true., .true., .false.], &
      & [3, 2])), "logical")
   call load_array("l.csv", flag, columns=[1])
   call check(all(flag .eqv. [.true., .false., .false.]), "a column of logicals")
   open(newunit=unit, file="row.csv", action="write")
   write(unit, "(a)") "7,8,9"
   close(unit)
   call load_array("row.csv", list)
   call check(all(list == [7, 8, 9]), "a row into rank 1")
   call load_array("row.csv", long)
   call check(size(long) == 3, "int64 of rank 1")
   call load_array("row.csv", short)
   call check(size(short) == 3, "real32 of rank 1")
   open(newunit=unit, file="empty.csv", action="write")
   close(unit)
   call load_array("empty.csv", column)
   call check(size(column) == 0, "an empty file, an empty array")
   call finish()
end program text_load_array_allocates
