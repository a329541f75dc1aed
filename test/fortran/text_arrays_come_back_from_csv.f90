!> Tables of every text format come back exactly, with header, delimiter and chosen columns.
program text_arrays_come_back_from_csv
   use, intrinsic :: iso_fortran_env, only : int32, int64, real32, real64
   use headrace, only : hr_stat, read_array, write_array
   use checks, only : check, check_status, finish
   implicit none

   character(len=5), parameter :: names(3) = [character(len=5) :: "time", "p, q", "third"]
   real(real64) :: x(5, 3), y(5, 3)

   call random_number(x)
   x(2, 1) = -huge(x)
   x(3, 2) = tiny(x)
   call check_options()
   call check_columns_and_rows()
   call check_numbers()
   call check_logicals_and_characters()
   call finish()

contains

!> Endings, delimiters, headers and forms of numbers
subroutine check_options()
   call write_array("x.csv", x)
   call read_array("x.csv", y)
   call check(all(x == y), "csv")
   call write_array("x.tsv", x, header=names)
   y = 0
   call read_array("x.tsv", y)
   call check(all(x == y), "tsv with a header")
   call write_array("x.dat", x, header="x")
   y = 0
   call read_array("x.dat", y)
   call check(all(x == y), "blanks with numbered names")
   call write_array("comma.csv", x, decimal=",")
   y = 0
   call read_array("comma.csv", y, decimal=",")
   call check(all(x == y), "decimal comma")
   call write_array("x.csv.gz", x)
   y = 0
   call read_array("x.csv.gz", y)
   call check(all(x == y), "gzip")
   call write_array("x.csv.zst", x, number="es24.16e3")
   y = 0
   call read_array("x.csv.zst", y, threads=1)
   call check(all(x == y), "zstd and an edit descriptor")
   call write_array("bits.csv", x, number="hex")
   y = 0
   call read_array("bits.csv", y, number="hex")
   call check(all(x == y), "hexadecimal")
end subroutine check_options

!> Some columns, some rows, rows after others
subroutine check_columns_and_rows()
   real(real64) :: column(5), one_row(3)
   character(len=200) :: message
   integer :: stat

   call read_array("x.csv", column, columns=[3])
   call check(all(column == x(:, 3)), "one column of three")
   call read_array("x.csv", y(:, :2), columns=[3, 1])
   call check(all(y(:, 1) == x(:, 3)) .and. all(y(:, 2) == x(:, 1)), "two columns in another order")
   call read_array("x.csv", y(2:4, :), skip_rows=1, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "expected 3 rows, found 4 rows")
   call write_array("row.csv", x(2:2, :))
   call read_array("row.csv", one_row)
   call check(all(one_row == x(2, :)), "one row into an array of rank 1")
   call write_array("more.csv", x(1:2, :))
   call write_array("more.csv", x(3:5, :), append="yes")
   call read_array("more.csv", y)
   call check(all(x == y), "appended rows")
   call write_array("x.csv", x(:, 3:1:-1), replace="in_place")
   call read_array("x.csv", y(:, 3:1:-1))
   call check(all(x == y), "replaced in place, columns backwards")
end subroutine check_columns_and_rows

!> Integers, complex numbers and array rank 3
subroutine check_numbers()
   real(real32) :: cube(2, 3, 4), same_cube(2, 3, 4)
   integer(int32) :: counts(7), same_counts(7)
   integer(int64) :: wide(4, 2), same_wide(4, 2)
   complex(real64) :: waves(3, 2), same_waves(3, 2)

   call random_number(cube)
   call write_array("cube.csv", cube)
   call read_array("cube.csv", same_cube)
   call check(all(cube == same_cube), "array rank 3")
   counts = [1, -2, huge(1), -huge(1) - 1, 0, 10, -100]
   call write_array("counts.csv", counts)
   call read_array("counts.csv", same_counts)
   call check(all(counts == same_counts), "int32")
   wide = reshape([1_int64, huge(1_int64), -huge(1_int64) - 1, 0_int64, 5_int64, -6_int64, &
      & 7_int64, 8_int64], [4, 2])
   call write_array("wide.dat", wide)
   call read_array("wide.dat", same_wide)
   call check(all(wide == same_wide), "int64")
   waves%re = reshape([1, -2, 3, -4, 5, 6], [3, 2])
   waves%im = reshape([-1.5_real64, 2.25_real64, 0.0_real64, 1e-300_real64, 4.0_real64, &
      & -5.0_real64], [3, 2])
   call write_array("waves.csv", waves)
   call read_array("waves.csv", same_waves)
   call check(all(waves == same_waves), "complex in csv")
   call write_array("waves.dat", waves)
   call read_array("waves.dat", same_waves)
   call check(all(waves == same_waves), "complex between blanks")
end subroutine check_numbers

!> Columns that are no numbers
subroutine check_logicals_and_characters()
   logical :: flags(4), same_flags(4)
   character(len=12) :: texts(3, 2), same_texts(3, 2)

   flags = [.true., .false., .false., .true.]
   call write_array("flags.csv", flags)
   call read_array("flags.csv", same_flags)
   call check(all(flags .eqv. same_flags), "logical")
   texts = reshape([character(len=12) :: "plain", "a, b", 'say "so"', "", "two words", &
      & "end"], [3, 2])
   call write_array("texts.csv", texts)
   call read_array("texts.csv", same_texts)
   call check(all(texts == same_texts), "characters in csv")
   call write_array("texts.dat", texts, header=names(:2))
   call read_array("texts.dat", same_texts, header="yes")
   call check(all(texts == same_texts), "characters between blanks")
end subroutine check_logicals_and_characters

end program text_arrays_come_back_from_csv
