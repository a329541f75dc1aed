!> What strings and cells can do: each line is a sentence of the documentation's table.
program text_cells_are_split_joined_and_replaced
   use, intrinsic :: iso_fortran_env, only : int16, int64, real32, real64
   use headrace_status, only : hr_stat
   use headrace_cells, only : text_cells, put, close, row_count, column_count, read_file, &
      & write_file, cell_text, set_cell, len64, get
   use headrace_cell_edits, only : split, join, replace_inplace, trim_inplace, push, &
      & repeat_inplace, count_text, operator(==), operator(/=)
   use headrace_string_operators, only : split, join, replace_inplace, trim_inplace, push, len64, &
      & operator(//), operator(+), operator(-), operator(**), LF, TAB, CR
   use headrace_strings, only : str, get, replace, trimmed, count_text, echo, read_file, write_file
   use checks, only : check, check_status, finish
   implicit none

   call check_numbers_and_texts()
   call check_texts()
   call check_cells()
   call check_separators()
   call check_echo()
   call check_shapes()
   call finish()

contains

!> Values to texts and back
subroutine check_numbers_and_texts()
   type(text_cells) :: cells
   character(len=500) :: message
   real(real64) :: x
   integer :: stat
   integer(int16) :: small

   call check(str(1.5) == "1.5", "str of a real")
   call check(str(-7) == "-7", "str of an integer")
   call check(str(.true.) == "T", "str of a logical")
   call check(str(0.1_real64) == "0.1", "str of real64")
   call check(str(1e22_real64) == "1e+22", "str of a large real64")
   call check(str(2.0_real64 / 3, fmt="f", decimals=3) == "0.667", "str rounds")
   call check(str(-1.0_real64 / 3, fmt="e", decimals=2) == "-3.33e-01", "str with exponent")
   call check(str(255_int16, fmt="z") == "0x00FF", "str in hexadecimal")
   call check(str(1.25, decimal=",") == "1,25", "str with a decimal comma")
   call check(str((1.0, -2.5)) == "(1.0,-2.5)", "str of complex")
   call check(str((1.0, 2.5), imaginary="j") == "1.0+2.5j", "str of complex as a sum")
   call check(str("abc ") == "abc ", "str of characters")
   call check(len(str(1, fmt="q", iostat=stat, iomsg=message)) == 0, "no text")
   call check_status(stat, hr_stat%option_unknown, message, "fmt=""q""")
   call check(str(cells, iostat=stat) == "" .and. stat /= 0, "a derived type has no text")
   call get(" 2.5d0 ", x)
   call check(abs(x - 2.5_real64) <= 0, "a text to a number")
   call get("40000", small, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%number_out_of_range, message, """40000""")
end subroutine check_numbers_and_texts

!> Operators, and changes of one text
subroutine check_texts()
   character(len=:), allocatable :: text
   ! save: gfortran 12 takes the length of a local one for uninitialized.
   character(len=:), allocatable, save :: tokens(:)

   call check("n = "//5//", x = "//0.5_real32//LF == "n = 5, x = 0.5"//LF, "// with numbers")
   call check(1//"a" + 2 + "b" + "c" == "1a2bc", "+ with numbers")
   call check("chr7chr" - "chr" == "7", "-")
   call check("ab"**3 == "ababab" .and. "ab"**0 == "", "**")
   call check(trimmed(TAB//" a b "//CR//LF) == "a b", "trimmed")
   call check(count_text("banana", "an") == 2, "count_text")
   call check(count_text("aaa", "aa") == 1, "count_text without overlaps")
   call check(replace("aaa", "aa", "b") == "ba", "replace from the beginning")
   call check(replace("aaa", "aa", "b", back=.true.) == "ab", "replace from the end")
   text = "x"
   call push(text, "yz")
   call replace_inplace(text, "y", "--")
   call push(text, " ")
   call trim_inplace(text)
   call check(text == "x--z" .and. len64(text) == 4_int64, "push, replace, trim")
   call split("one, two, three", tokens, separator=", ")
   call check(size(tokens) == 3 .and. len(tokens) == 5 .and. tokens(3) == "three", "split")
   call check(join(tokens, "+") == "one+two+three" .and. join(tokens) == "one two three", "join")
end subroutine check_texts

!> Changes of all cells
subroutine check_cells()
   type(text_cells) :: cells, other

   call split("one, two, three", cells, separator=", ")
   call check(row_count(cells) == 3, "split into cells")
   call check(join(cells, "|") == "one|two|three", "join cells")
   call check(count_text(cells, "e") == 3, "count_text of cells")
   call replace_inplace(cells, "o", "00")
   call push(cells, "  ")
   call check(cell_text(cells, 1, 1) == "00ne  ", "push to cells")
   call trim_inplace(cells)
   call repeat_inplace(cells, 2)
   call set_cell(cells, 2, 1, "")
   call check(join(cells, ",") == "00ne00ne,,threethree", "edits of cells")
   call split("00ne00ne||threethree", other, separator="|")
   call check(cells == other, "cells are the same")
   call push(other, "x")
   call check(cells /= other, "cells differ")
   call close(cells)
   call close(other)
end subroutine check_cells

!> Files with separators of any length
subroutine check_separators()
   type(text_cells) :: cells
   character(len=:), allocatable :: text
   integer :: numbers(2, 2)

   call put(cells, reshape([1, -20, 300, -4000], [2, 2]))
   call write_file("n.txt", cells, column_separator=" | ", row_separator=CR//LF)
   call write_file("n.txt", cells, column_separator=" | ", row_separator=CR//LF, append=.true.)
   call read_file("n.txt", text)
   call check(text == "1 | 300"//CR//LF//"-20 | -4000"//CR//LF//"1 | 300"//CR//LF//"-20 | -4000" &
      & //CR//LF, "separators of any length, append")
   call read_file("n.txt", cells, column_separator=" | ", row_separator=CR//LF)
   call check(row_count(cells) == 4, "rows with separators of any length")
   call check(column_count(cells) == 2, "columns with separators of any length")
   numbers = 0
   call get(cells, numbers, row=3, column=1)
   call check(all(numbers == reshape([1, -20, 300, -4000], [2, 2])), "a rectangle of cells")
   call check(len64(cells) == 32_int64, "len64")
   call close(cells)
end subroutine check_separators

!> Lines of a log
subroutine check_echo()
   character(len=:), allocatable :: text
   character(len=500) :: message
   integer :: stat

   call write_file("log.txt", "")
   call echo("first", "log.txt")
   call echo("second", "log.txt", terminator="!")
   call read_file("log.txt", text)
   call check(text == "first"//LF//"second!", "echo appends")
   call echo("third", "log.txt", append=.false.)
   call read_file("log.txt", text)
   call check(text == "third"//LF, "echo replaces")
   call echo("x", "no/such/directory", iostat=stat, iomsg=message)
   call check(stat /= 0 .and. index(message, "no/such") > 0, "echo reports")
   call echo("to the screen "//(-1))
end subroutine check_echo

!> Rows of different lengths, blank lines, arrays of another shape
subroutine check_shapes()
   type(text_cells) :: cells
   character(len=500) :: message
   integer :: i, numbers(2, 2), stat

   call write_file("gaps.txt", "a,b"//LF//"c"//LF)
   call read_file("gaps.txt", cells, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_length, message, "gaps.txt:2:2")
   call write_file("gaps.txt", LF//"a"//LF//LF)
   call read_file("gaps.txt", cells)
   call check(row_count(cells) == 3, "blank lines of a text are cells")
   call put(cells, [(i, i = 1, 3)])
   call get(cells, numbers, iostat=stat, iomsg=message)
   call check_status(stat, hr_stat%row_count, message, "expected 3, found 2")
   call close(cells)
end subroutine check_shapes

end program text_cells_are_split_joined_and_replaced
