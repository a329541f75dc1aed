!> Columns are read by name or number, names are found, texts of one's own stand for missing values.
program text_columns_have_names
   use, intrinsic :: iso_fortran_env, only : int32, int64, real32, real64
   use, intrinsic :: ieee_arithmetic, only : ieee_is_nan
   use headrace, only : close_text, hr_stat, load_array, load_names, open_text, read_array, &
      & read_rows, text_reader, write_array
   use checks, only : check, check_status, finish
   implicit none

   character(len=:), allocatable, save :: names(:), words(:, :)
   real(real64), allocatable, save :: x(:, :), column(:)
   integer(int32), allocatable, save :: whole(:)
   logical, allocatable, save :: flags(:)
   type(text_reader), save :: reader
   real(real64) :: chunk(2, 2), grid(4)
   real(real32) :: pair(3, 2)
   character(len=300) :: message
   integer :: stat

   call put_file("buoy.csv", [character(len=40) :: 'time,"depth, m",salt,valid', &
      & "1,10.5,35.25,T", "2,-999,#N/A,F", "3,12.0,-999.0,T"])

   call load_names("buoy.csv", names)
   call check(size(names) == 4, "a name for each column")
   call check(len(names) == 8, "as long as the longest")
   if (size(names) == 4) call check(all(names == [character(len=8) :: "time", "depth, m", &
      & "salt", "valid"]), "the names")
   call put_file("numbers.csv", [character(len=8) :: "1,2", "3,4"])
   call load_names("numbers.csv", names)
   call check(size(names) == 0, "no header, no names")
   call load_names("absent.csv", names, iostat=stat, iomsg=message)
   call check(stat /= 0 .and. .not. allocated(names), "a file that is not there")
   call put_file("space.txt", [character(len=12) :: "# time mass", "1 2", "3 4"])
   call load_names("space.txt", names, delimiter="blank")
   call check(all(names == ["time", "mass"]), "a mark in front is no name")

   call write_array("years.csv", reshape([1.0, 2.0, 3.0, 4.0], [2, 2]), &
      & header=[character(len=4) :: "2010", "2011"])
   call load_array("years.csv", x)
   call check(all(nint(x) == reshape([1, 2, 3, 4], [2, 2])), "names that are numbers are no row")
   call load_array("years.csv", column, columns=["2011"])
   call check(all(nint(column) == [3, 4]), "a number as the name of a column")
   call put_file("blanks.csv", [character(len=24) :: '"header1", "header2"', "1,  -2.73", &
      & '2, "0.24"'])
   call load_array("blanks.csv", column, columns=["header2"])
   call check(all(nint(100 * column) == [-273, 24]), "blanks belong neither to names nor to quotes")

   call load_array("buoy.csv", x, columns=[character(len=8) :: "salt", "time"], &
      & missing="nan,-999")
   call check(all(shape(x) == [3, 2]), "two columns of three rows")
   call check(abs(x(1, 1) - 35.25_real64) < epsilon(1.0_real64), "a value")
   call check(all(ieee_is_nan(x(2:3, 1))), "missing values are NaN")
   call check(all(nint(x(:, 2)) == [1, 2, 3]), "the second name")
   call load_array("buoy.csv", column, columns="time")
   call check(size(column) == 3, "one name")
   call load_array("buoy.csv", whole, columns=[1_int64])
   call check(all(whole == [1, 2, 3]), "numbers of int64")
   call load_array("buoy.csv", flags, columns=["valid"])
   call check(all(flags .eqv. [.true., .false., .true.]), "logicals by name")
   call load_array("buoy.csv", flags, columns=[4_int64])
   call check(count(flags) == 2, "logicals by number")
   call load_array("buoy.csv", words, columns=[character(len=8) :: "depth, m", "valid"])
   call check(all(shape(words) == [3, 2]), "characters by name")
   if (size(words) == 6) call check(words(3, 1) == "12.0" .and. words(2, 2) == "F", "their texts")
   call load_array("buoy.csv", words, columns=[1.5], iostat=stat, iomsg=message)
   call check(stat /= 0 .and. .not. allocated(words), "no number and no name")
   call read_array("buoy.csv", pair, columns=[1.5], iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "must be numbers or names")

   call read_array("buoy.csv", pair, columns=["time ", "depth"], iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, 'there is no column "depth"')
   call read_array("buoy.csv", pair, columns=["time", "sal "], iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, 'did you mean "salt"?')
   call load_array("buoy.csv", words, columns=["tim"], iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, 'did you mean "time"?')
   call read_array("numbers.csv", pair(:2, 1), columns=["1"], iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "no names of columns")

   call load_array("buoy.csv", whole, columns="salt", missing="-1", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "buoy.csv:2")
   call put_file("counts.csv", [character(len=8) :: "n", "5", "NULL", "-999", ""])
   call load_array("counts.csv", whole, missing="-1,-999")
   call check(all(whole == [5, -1, -1]), "integers become the value that is given")
   call load_array("counts.csv", whole, missing="nan", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%missing_value, message, 'missing="-1"')
   call load_array("counts.csv", whole, missing="-999,x", iostat=stat, iomsg=message)
   call check(stat == 0 .and. all(whole == [5, -999, -999]), "a value, and a text")
   call load_array("counts.csv", column, missing="gone", iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "say first what it becomes")

   call open_text(reader, "buoy.csv", columns=[character(len=8) :: "depth, m", "time"], &
      & missing="nan,-999")
   call read_rows(reader, chunk)
   call check(nint(chunk(1, 1) * 2) == 21 .and. ieee_is_nan(chunk(2, 1)), "rows by name")
   call close_text(reader)

   call put_file("list.dat", [character(len=20) :: "# a grid", "2*1.5", "  # and more", "3 4"])
   call read_array("list.dat", grid, edit="*", comment="#")
   call check(all(nint(grid * 2) == [3, 3, 6, 8]), "comments between values")
   call write_array("level.csv.gz", grid, level=9)
   call write_array("level.csv.gz", grid, level=11, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "1 (fastest) to 9")
   call read_array("level.csv.gz", grid)
   call check(all(nint(grid * 2) == [3, 3, 6, 8]), "the file stays as it was")
   call finish()

contains

subroutine put_file(name, lines)
   character(len=*), intent(in) :: name, lines(:)
   integer :: i, unit

   open(newunit=unit, file=name, action="write", status="replace")
   do i = 1, size(lines)
      write(unit, "(a)") trim(lines(i))
   end do
   close(unit)
end subroutine put_file

end program text_columns_have_names
