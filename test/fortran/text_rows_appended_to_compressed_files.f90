!> Rows that are appended to a compressed file: its text is that of a plain file after the same
!> calls, and with edit= all records come back.
program text_rows_appended_to_compressed_files
   use, intrinsic :: iso_fortran_env, only : real64
   use headrace, only : close_text, hr_stat, open_text, read_array, text_writer, write_array, &
      & write_rows
   use headrace_cells, only : close, put, text_cells, write_file
   use headrace_strings, only : echo, read_file, write_file
   use headrace_tables, only : close, text_table, put, write_table
   use checks, only : check, finish
   implicit none

   character(len=*), parameter :: endings(2) = [character(len=4) :: ".gz", ".zst"]
   character(len=*), parameter :: begin(4) = [character(len=16) :: "", "a,b"//achar(10), &
      & "a,b"//achar(10)//"1,2", "a,b"//achar(10)//"1,2"//achar(10)]
   integer :: i, k, way, stat

   do i = 1, size(endings)
      call write_file("probe"//trim(endings(i)), "", iostat=stat)
      if (stat == hr_stat%compression_unavailable) cycle
      call records_come_back("records.dat"//trim(endings(i)))
      do way = 1, 8
         do k = 1, size(begin)
            call same_text(trim(endings(i)), way, trim(begin(k)))
         end do
      end do
   end do
   call finish()

contains

subroutine records_come_back(file)
   character(len=*), intent(in) :: file
   real(real64) :: x(8)

   call write_array(file, [1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64], edit="(2f8.2)")
   call write_array(file, [5.0_real64, 6.0_real64, 7.0_real64, 8.0_real64], edit="(2f8.2)", &
      & append="yes")
   x = -1
   call read_array(file, x, edit="(2f8.2)")
   call check(all(nint(x) == [1, 2, 3, 4, 5, 6, 7, 8]), file//": all records come back")
end subroutine records_come_back

subroutine same_text(ending, way, text)
   character(len=*), intent(in) :: ending, text
   integer, intent(in) :: way
   character(len=:), allocatable :: plain, packed
   character(len=2) :: number
   integer :: call_number

   call write_file("x.csv", text)
   call write_file("x.csv"//ending, text)
   do call_number = 1, 3
      call append(way, "x.csv")
      call append(way, "x.csv"//ending)
   end do
   call read_file("x.csv", plain)
   call read_file("x.csv"//ending, packed)
   write (number, "(i0)") way
   call check(len(plain) > len(text), "way "//number//" appends")
   call check(plain == packed, ending//", way "//number//" below """//text//"""")
end subroutine same_text

subroutine append(way, file)
   integer, intent(in) :: way
   character(len=*), intent(in) :: file
   character(len=*), parameter :: names(2) = ["a", "b"]
   real(real64), parameter :: rows(2, 2) = reshape([1, 2, 3, 4], [2, 2])/8.0_real64
   type(text_writer) :: log
   type(text_cells) :: cells
   type(text_table) :: table

   select case (way)
   case (1)
      call write_array(file, rows, append="yes")
   case (2)
      call write_array(file, rows(1, :), append="yes", header=names)
   case (3)
      call write_array(file, rows, append="yes", edit="(2f8.2)")
   case (4)
      call write_array(file, rows, append="yes", edit="*")
   case (5)
      call open_text(log, file, append="yes", header=names)
      call write_rows(log, rows)
      call write_rows(log, rows(2, :))
      call close_text(log)
   case (6)
      call put(table, "a", rows(:, 1))
      call put(table, "b", rows(:, 2))
      call write_table(file, table, append=.true.)
      call close(table)
   case (7)
      call put(cells, rows)
      call write_file(file, cells, append=.true.)
      call close(cells)
   case default
      call echo("1,2", file)
   end select
end subroutine append

end program text_rows_appended_to_compressed_files
