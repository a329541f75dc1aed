!> load_column allocates an array of each kind to a column, and none after a failure.
program text_table_columns_are_allocated
   use, intrinsic :: iso_c_binding, only : c_bool
   use, intrinsic :: iso_fortran_env, only : int16, int32, int64, int8, real32, real64
   use, intrinsic :: ieee_arithmetic, only : ieee_is_nan
   use headrace_text, only : close, get, hr_stat, load_column, read_table, text_table, write_table
   use checks, only : check, check_status, finish
   implicit none

   integer(int8), allocatable, save :: i8(:)
   integer(int16), allocatable, save :: i16(:)
   integer(int32), allocatable, save :: i32(:)
   integer(int64), allocatable, save :: i64(:)
   real(real32), allocatable, save :: r32(:)
   real(real64), allocatable, save :: r64(:)
   complex(real32), allocatable, save :: c32(:)
   complex(real64), allocatable, save :: c64(:)
   logical(c_bool), allocatable, save :: l8(:)
   logical(int16), allocatable, save :: l16(:)
   logical, allocatable, save :: l32(:)
   logical(int64), allocatable, save :: l64(:)
   character(len=:), allocatable, save :: words(:)
   type(text_table), save :: stars, none
   character(len=300) :: message
   integer :: stat, unit

   open(newunit=unit, file="stars.csv", action="write", status="replace")
   write(unit, "(a)") "name,number,mass,seen,bright,wave"
   write(unit, "(a)") """Sirius, A"",1,2.06,2010-01-05T12:30:00Z,T,1.5-2j", &
      & "Vega,2,-999.0,1970-01-01,false,0"
   write(unit, "(a)") "Deneb,3,NULL,2010-02-01,TRUE,2j"
   close(unit)
   call read_table("stars.csv", stars, missing="-999,gone")

   call load_column(stars, "number", i8)
   call load_column(stars, "number", i16)
   call load_column(stars, 2, i32)
   call load_column(stars, 2_int64, i64)
   call check(all(i8 == [1, 2, 3]) .and. all(i16 == i8) .and. all(i32 == i8), "integers")
   call check(all(i64 == i8), "int64")
   call load_column(stars, "mass", r64, missing="nan")
   call check(size(r64) == 3 .and. all(ieee_is_nan(r64(2:3))), "missing values of the table")
   call load_column(stars, "mass", r32, missing=-1.0)
   call check(all(nint(r32(2:3)) == -1), "a value for missing ones")
   call load_column(stars, "mass", r64, missing="nan,2.06")
   call check(all(ieee_is_nan(r64)), "and texts of this call")
   call load_column(stars, "wave", c64)
   call load_column(stars, "wave", c32)
   call check(nint(aimag(c64(1))) == -2 .and. nint(aimag(c32(3))) == 2, "complex numbers")
   call load_column(stars, "bright", l8)
   call load_column(stars, "bright", l16)
   call load_column(stars, "bright", l32)
   call load_column(stars, 5, l64)
   call check(count(l8) == 2 .and. count(l16) == 2 .and. count(l32) == 2, "logicals")
   call check(count(l64) == 2 .and. count(l64(2:2)) == 0, "logicals of 8 bytes")
   call load_column(stars, "name", words)
   call check(len(words) == 9 .and. words(1) == "Sirius, A", "characters")
   call load_column(stars, 4, words)
   call check(words(1) == "2010-01-05T12:30:00Z", "dates as texts")
   call load_column(stars, "seen", i64, since="1970-01-01")
   call check(i64(1) == 1262694600_int64 .and. i64(2) == 0, "dates as seconds")
   call load_column(stars, "seen", r64, since="1970-01-01")
   call check(nint(r64(3), int64) == 1264982400_int64, "as reals")

   call load_column(stars, "mass", r64, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%missing_value, message, "stars.csv:3")
   call check(.not. allocated(r64), "not allocated after a failure")
   call load_column(stars, "mas", r64, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, 'did you mean "mass"?')
   call load_column(stars, "nam", words, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, 'did you mean "name"?')
   call check(.not. allocated(words), "nor are characters")
   call load_column(stars, "name", l32, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%bad_number, message, "stars.csv:2")
   call check(.not. allocated(l32), "nor logicals")
   call load_column(stars, 1.5, words, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "a name or a number")
   call load_column(none, 1, i32, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%handle_closed, message, "table")
   call load_column(stars, 0, words, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%column_unknown, message, "numbers are 1 to 6")

   call write_table("stars.csv.gz", stars, level=9)
   call write_table("stars.csv.gz", stars, level=10, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "1 (fastest) to 9")
   call write_table("plain.csv", stars, level=2, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%option_unknown, message, "not compressed")
   call close(stars)
   call finish()
end program text_table_columns_are_allocated
