!> Columns of every type and kind go into a table, to a file and back, by name and by number.
program text_table_holds_columns_of_different_kinds
   use, intrinsic :: iso_fortran_env, only : int8, int64, real32, real64
   use headrace_status, only : hr_stat
   use headrace_tables, only : text_table, read_table, write_table, get, put, close, row_count, &
      & column_count, column_name, column_type, column_length
   use checks, only : check, check_status, finish
   implicit none
   integer, parameter :: n = 9000
   type(text_table) :: table, copy
   character(len=20) :: name(n)
   integer(int8) :: small(n)
   integer(int64) :: large(n)
   real(real32) :: single(n)
   real(real64) :: double(2, n)
   complex(real64) :: z(n)
   logical :: flag(n)
   character(len=8), parameter :: files(4) = ["t.csv   ", "t.tsv   ", "t.txt   ", "t.csv.gz"]
   integer :: i

   call fill_table()
   do i = 1, size(files)
      call write_table(files(i), table)
      call read_table(files(i), copy)
      call check_columns(files(i))
   end do
   call check_types()
   call check_failures()
   call close(table)
   call close(copy)
   call finish()

contains

!> A column of every kind
subroutine fill_table()
   integer :: i

   call random_number(single)
   call random_number(double)
   do i = 1, n
      small(i) = int(mod(i, 256) - 128, int8)
      large(i) = huge(large) - i
      z(i) = cmplx(double(1, i), -double(2, i), real64)
      flag(i) = mod(i, 3) == 0
      write(name(i), "(a, i0)") "star, """, i
   end do
   name(2) = ""
   name(3) = "two"//achar(10)//"lines"
   call put(table, "name", name)
   call put(table, "small", [(0_int8, i = 1, n)])
   call put(table, "large", large)
   call put(table, "single", single)
   call put(table, "double", double(2, :))
   call put(table, "z", z)
   call put(table, "flag", flag)
   call put(table, "small", small)
end subroutine fill_table

!> The columns of copy are those of table
subroutine check_columns(file)
   !> Where they were
   character(len=*), intent(in) :: file
   character(len=20) :: name_back(n)
   integer(int8) :: small_back(n)
   integer(int64) :: large_back(n)
   real(real32) :: single_back(n)
   real(real64) :: double_back(n)
   complex(real64) :: z_back(n)
   logical :: flag_back(n)

   call check(row_count(copy) == n, "the rows of "//file)
   call check(column_count(copy) == 7, "the columns of "//file)
   call check(column_name(copy, 2) == "small", "a column that was replaced keeps its place")
   call get(copy, "name", name_back)
   call get(copy, 2, small_back)
   call get(copy, "large", large_back)
   call get(copy, "single", single_back)
   call get(copy, "double", double_back)
   call get(copy, "z", z_back)
   call get(copy, "flag", flag_back)
   call check(all(name == name_back), "characters in "//file)
   call check(all(small == small_back) .and. all(large == large_back), "integers in "//file)
   call check(all(abs(single - single_back) <= 0), "real32 in "//file)
   call check(all(abs(double(2, :) - double_back) <= 0), "real64 in "//file)
   call check(all(abs(z - z_back) <= 0), "complex in "//file)
   call check(all(flag .eqv. flag_back), "logicals in "//file)
end subroutine check_columns

!> Types and lengths of columns, by name and by number of any kind
subroutine check_types()
   integer(int8) :: small_back(n)

   call check(column_type(copy, "name") == "character", "the type of names")
   call check(column_type(copy, 2) == "integer", "the type of integers")
   call check(column_type(copy, "double") == "real", "the type of reals")
   call check(column_type(copy, "flag") == "logical", "the type of logicals")
   call check(column_length(copy, "name") == 11, "the length of names")
   call check(column_length(copy, 1_int8) == 11, "a column by a number of any kind")
   call get(copy, 2_int64, small_back)
   call check(all(small == small_back), "a column by a number of 64 bits")
end subroutine check_types

!> Columns that do not fit or do not exist
subroutine check_failures()
   character(len=1000) :: message
   integer(int8) :: small_back(n)
   logical :: flag_back(n)
   integer :: stat

   call get(copy, "double", small_back, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "row 1, column 5 (double)")
   call check_status(stat, hr_stat%bad_number, message, "t.csv.gz:2:")
   call get(copy, "large", small_back, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%number_out_of_range, message, "an integer of 1 byte")
   call get(copy, "name", flag_back, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "logical")
   call get(copy, "size", flag_back, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, """single""")
   call get(copy, 8, flag_back, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "1 to 7")
   call get(copy, 2.0, flag_back, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "column must be a name or a number")
   call get(copy, [1, 2], flag_back, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "column must be a name or a number")
   call get(copy, "flag", flag_back(:5), iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "expected 9000 elements, found 5")
   call put(copy, "short", flag(:5), iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "expected 9000 elements, found 5")
end subroutine check_failures

end program text_table_holds_columns_of_different_kinds
