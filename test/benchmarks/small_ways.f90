!> The ways of small_calls.f90: each a procedure that is called many times, with one that comes
!> before and one behind, outside of the clock.
module small_ways
   use, intrinsic :: iso_fortran_env, only : real64
   use bench_tools, only : remove
   use headrace, only : close_records, close_text, open_records, open_text, read_array, &
         & read_record, record_file, text_writer, write_array, write_record, write_rows
   implicit none
   private

   public :: all_ways, clear, elements, folder, way, x, y

   abstract interface
      subroutine action()
         implicit none
      end subroutine action
   end interface

   type :: way
      character(len=34) :: name
      !> The statement that the ways behind it are compared with
      logical :: is_peer
      procedure(action), pointer, nopass :: call
      procedure(action), pointer, nopass :: begin
      procedure(action), pointer, nopass :: finish
      !> y must be x afterwards
      logical :: reads
   end type way

   integer, parameter :: elements = 10
   character(len=*), parameter :: form = "(*(g0,:,','))", fixed = "(10es24.16e3)"
   real(real64) :: x(elements) = 0, y(elements) = 0
   !> Files are this and a name
   character(len=:), allocatable :: folder
   integer :: unit = 0, number = 0
   type(record_file) :: records
   type(text_writer) :: log

contains

function all_ways() result(ways)
   type(way), allocatable :: ways(:)

   ways = [ &
         & kept("open, append, close a row: WRITE", .true., append_statements, clear, nothing), &
         & kept("write_array(append), csv", .false., append_csv, clear, nothing), &
         & kept("write_array(append, edit), dat", .false., append_edited, clear, nothing), &
         & kept("row to a kept unit: WRITE", .true., write_row, open_rows, close_unit), &
         & kept("write_rows", .false., write_log, open_log, close_log), &
         & kept("record to a kept unit: WRITE", .true., write_unit, open_new, close_unit), &
         & kept("write_record", .false., write_kept, open_new_records, close_kept), &
         & reading("record of a kept unit: READ", .true., read_unit, open_old, close_unit), &
         & reading("read_record", .false., read_kept, open_old_records, close_kept), &
         & kept("stream file replaced: WRITE", .true., replace_stream, nothing, nothing), &
         & kept("write_array, raw", .false., replace_raw, nothing, nothing), &
         & kept("write_array, raw, in_place", .false., overwrite_raw, nothing, nothing), &
         & kept("write_array, npy", .false., replace_npy, nothing, nothing), &
         & kept("unformatted file replaced: WRITE", .true., replace_unformatted, nothing, &
         & nothing), &
         & kept("write_array, unformatted", .false., replace_records, nothing, nothing), &
         & kept("csv file replaced: WRITE", .true., replace_text, nothing, nothing), &
         & kept("write_array, csv", .false., replace_csv, nothing, nothing), &
         & kept("a file more each time: WRITE", .true., new_stream, clear, clear), &
         & kept("write_array, raw, a file more", .false., new_raw, clear, clear), &
         & reading("stream file: READ", .true., read_stream, nothing, nothing), &
         & reading("read_array, raw", .false., read_raw, nothing, nothing), &
         & reading("read_array, npy", .false., read_npy, nothing, nothing), &
         & reading("unformatted file: READ", .true., read_unformatted, nothing, nothing), &
         & reading("read_array, unformatted", .false., read_records, nothing, nothing), &
         & reading("csv file: READ", .true., read_text, nothing, nothing), &
         & reading("read_array, csv", .false., read_csv, nothing, nothing)]
end function all_ways

function kept(name, is_peer, call, begin, finish) result(one)
   character(len=*), intent(in) :: name
   logical, intent(in) :: is_peer
   procedure(action) :: call, begin, finish
   type(way) :: one

   one%name = name
   one%is_peer = is_peer
   one%call => call
   one%begin => begin
   one%finish => finish
   one%reads = .false.
end function kept

function reading(name, is_peer, call, begin, finish) result(one)
   character(len=*), intent(in) :: name
   logical, intent(in) :: is_peer
   procedure(action) :: call, begin, finish
   type(way) :: one

   one = kept(name, is_peer, call, begin, finish)
   one%reads = .true.
end function reading

subroutine nothing()
end subroutine nothing

!> The logs, and the files of which there is one more each time
subroutine clear()
   integer :: i

   call remove(folder//"log.txt")
   call remove(folder//"log.csv")
   call remove(folder//"log.dat")
   do i = 1, number
      call remove(numbered(i))
   end do
   number = 0
end subroutine clear

function numbered(i) result(name)
   integer, intent(in) :: i
   character(len=:), allocatable :: name
   character(len=12) :: digits

   write(digits, "(i0)") i
   name = folder//trim(digits)//".raw"
end function numbered

function next_name() result(name)
   character(len=:), allocatable :: name

   number = number + 1
   name = numbered(number)
end function next_name

! A row at a time

subroutine append_statements()
   open(newunit=unit, file=folder//"log.txt", position="append", action="write")
   write(unit, form) x
   close(unit)
end subroutine append_statements

subroutine append_csv()
   call write_array(folder//"log.csv", reshape(x, [1, elements]), append="yes")
end subroutine append_csv

subroutine append_edited()
   call write_array(folder//"log.dat", x, append="yes", edit=fixed)
end subroutine append_edited

subroutine open_rows()
   open(newunit=unit, file=folder//"rows", status="replace", action="write")
end subroutine open_rows

subroutine write_row()
   write(unit, form) x
end subroutine write_row

subroutine close_unit()
   close(unit)
end subroutine close_unit

subroutine open_log()
   call open_text(log, folder//"rows", format="csv")
end subroutine open_log

subroutine write_log()
   call write_rows(log, reshape(x, [1, elements]))
end subroutine write_log

subroutine close_log()
   call close_text(log)
end subroutine close_log

! A record at a time

subroutine open_new()
   open(newunit=unit, file=folder//"unf", status="replace", form="unformatted", action="write")
end subroutine open_new

subroutine write_unit()
   write(unit) x
end subroutine write_unit

subroutine open_new_records()
   call open_records(records, folder//"unf", action="write")
end subroutine open_new_records

subroutine write_kept()
   call write_record(records, x)
end subroutine write_kept

subroutine open_old()
   open(newunit=unit, file=folder//"unf", status="old", form="unformatted", action="read")
end subroutine open_old

subroutine read_unit()
   read(unit) y
end subroutine read_unit

subroutine open_old_records()
   call open_records(records, folder//"unf", action="read")
end subroutine open_old_records

subroutine read_kept()
   call read_record(records, y)
end subroutine read_kept

subroutine close_kept()
   call close_records(records)
end subroutine close_kept

! Whole files

subroutine stream_to(name)
   character(len=*), intent(in) :: name

   open(newunit=unit, file=name, status="replace", form="unformatted", access="stream", &
         & action="write")
   write(unit) x
   close(unit)
end subroutine stream_to

subroutine replace_stream()
   call stream_to(folder//"bin")
end subroutine replace_stream

subroutine new_stream()
   call stream_to(next_name())
end subroutine new_stream

subroutine replace_raw()
   call write_array(folder//"raw", x)
end subroutine replace_raw

subroutine overwrite_raw()
   call write_array(folder//"raw", x, replace="in_place")
end subroutine overwrite_raw

subroutine new_raw()
   call write_array(next_name(), x)
end subroutine new_raw

subroutine replace_npy()
   call write_array(folder//"npy", x)
end subroutine replace_npy

subroutine replace_unformatted()
   open(newunit=unit, file=folder//"seq", status="replace", form="unformatted", action="write")
   write(unit) x
   close(unit)
end subroutine replace_unformatted

subroutine replace_records()
   call write_array(folder//"seq", x)
end subroutine replace_records

subroutine replace_text()
   open(newunit=unit, file=folder//"csv", status="replace", action="write")
   write(unit, form) x
   close(unit)
end subroutine replace_text

subroutine replace_csv()
   call write_array(folder//"csv", reshape(x, [1, elements]))
end subroutine replace_csv

subroutine read_stream()
   open(newunit=unit, file=folder//"bin", status="old", form="unformatted", access="stream", &
         & action="read")
   read(unit) y
   close(unit)
end subroutine read_stream

subroutine read_raw()
   call read_array(folder//"raw", y)
end subroutine read_raw

subroutine read_npy()
   call read_array(folder//"npy", y)
end subroutine read_npy

subroutine read_unformatted()
   open(newunit=unit, file=folder//"seq", status="old", form="unformatted", action="read")
   read(unit) y
   close(unit)
end subroutine read_unformatted

subroutine read_records()
   call read_array(folder//"seq", y)
end subroutine read_records

subroutine read_text()
   open(newunit=unit, file=folder//"csv", status="old", action="read")
   read(unit, *) y
   close(unit)
end subroutine read_text

subroutine read_csv()
   call read_array(folder//"csv", y)
end subroutine read_csv

end module small_ways
