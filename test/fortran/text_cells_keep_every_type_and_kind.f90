!> Every type and kind goes to cells, through a file and back without a difference.
program text_cells_keep_every_type_and_kind
   use, intrinsic :: iso_fortran_env, only : int8, int16, int32, int64, real32, real64
   use headrace_cells, only : text_cells, put, get, read_file, write_file, close, row_count, &
      & column_count, cell_text
   use checks, only : check, finish
   implicit none
   type(text_cells) :: cells
   real(real64) :: x(7, 3), y(7, 3), z(7)
   real(real32) :: a(7, 3), b(7, 3)
   complex(real64) :: c(4), d(4)
   complex(real32) :: e(4), f(4)
   logical :: l(5), m(5)
   character(len=12) :: t(3), u(3), w(2)
   character(len=1), parameter :: forms(3) = ["g", "e", "z"]
   integer(int8) :: i8(256), j8(256)
   integer(int16) :: i16(3), j16(3)
   integer(int32) :: i32(2, 2), j32(2, 2)
   integer(int64) :: i64(3), j64(3)
   integer :: i

   call random_number(x)
   x(1, 1) = -huge(x)
   x(2, 1) = tiny(x) / 8
   x(3, 1) = -0.0_real64
   a = real(x / 1e280_real64, real32)
   do i = 1, 3
      call put(cells, x, fmt=forms(i))
      call through_a_file(cells)
      y = 0
      call get(cells, y, fmt=forms(i))
      call check(all(transfer(x, [0_int64]) == transfer(y, [0_int64])), "real64 "//forms(i))
      call put(cells, a(:, 3:1:-1), fmt=forms(i), decimal=",")
      b = 0
      call get(cells, b(:, 3:1:-1), fmt=forms(i), decimal=",")
      call check(all(transfer(a, [0_int32]) == transfer(b, [0_int32])), "real32 "//forms(i))
   end do
   call put(cells, x)
   call get(cells, z, row=1, column=2)
   call check(all(abs(z - x(:, 2)) <= 0), "a column of cells")
   call get(cells, z(1:3), row=4, column=1, along="row")
   call check(all(abs(z(1:3) - x(4, :)) <= 0), "a row of cells")

   c = cmplx([1.5_real64, -2.0_real64, 0.1_real64, 1e300_real64], [0.0_real64, -1e-300_real64, &
      & 7.0_real64, -0.5_real64], real64)
   call put(cells, c, imaginary="j")
   call through_a_file(cells)
   call get(cells, d)
   call check(all(abs(c - d) <= 0), "complex as a sum")
   call put(cells, c)
   call get(cells, d)
   call check(all(abs(c - d) <= 0), "complex as a pair")
   e = cmplx(c / 1e270_real64, kind=real32)
   call put(cells, e, fmt="z", imaginary="*1i")
   call get(cells, f, fmt="z", imaginary="*1i")
   call check(all(abs(e - f) <= 0), "complex as hexadecimal digits")

   l = [.true., .false., .false., .true., .true.]
   call put(cells, l)
   call through_a_file(cells)
   call get(cells, m)
   call check(all(l .eqv. m), "logical")

   t = [character(len=12) :: "one", "", " two blanks"]
   call put(cells, t)
   call get(cells, u)
   call check(all(t == u), "characters")
   call check(cell_text(cells, 3, 1) == " two blanks", "the text of a cell")
   call put(cells, t(1:2), along="row")
   call put(cells, reshape([1, 2, 3, 4], [2, 2]), append=.true.)
   call check(row_count(cells) == 3, "the rows with a header")
   call check(column_count(cells) == 2, "the columns with a header")
   call get(cells, w, row=1, along="row")
   call get(cells, j32, row=2)
   call check(all(w == t(1:2)) .and. all(j32 == reshape([1, 2, 3, 4], [2, 2])), "a header above")

   i8 = [(int(i, int8), i = -128, 127)]
   i16 = [-huge(i16) - 1_int16, 0_int16, huge(i16)]
   i32 = reshape([-huge(i32) - 1, -1, 10, huge(i32)], [2, 2])
   i64 = [-huge(i64) - 1_int64, 1_int64, huge(i64)]
   do i = 0, 1
      call put(cells, i8, fmt=merge("z", "i", i == 1))
      call get(cells, j8, fmt=merge("z", "i", i == 1))
      call put(cells, i16, fmt=merge("z", "i", i == 1))
      call get(cells, j16, fmt=merge("z", "i", i == 1))
      call put(cells, i32, fmt=merge("z", "i", i == 1))
      call get(cells, j32, fmt=merge("z", "i", i == 1))
      call put(cells, i64, fmt=merge("z", "i", i == 1))
      call get(cells, j64, fmt=merge("z", "i", i == 1))
      call check(all(i8 == j8), "int8 "//merge("z", "i", i == 1))
      call check(all(i16 == j16), "int16 "//merge("z", "i", i == 1))
      call check(all(i32 == j32), "int32 "//merge("z", "i", i == 1))
      call check(all(i64 == j64), "int64 "//merge("z", "i", i == 1))
   end do
   call close(cells)
   call finish()

contains

!> Write cells, forget them, read them
subroutine through_a_file(cells)
   type(text_cells), intent(inout) :: cells   !! what to write and read

   call write_file("cells.txt", cells, column_separator="; ")
   call close(cells)
   call read_file("cells.txt", cells, column_separator="; ")
end subroutine through_a_file

end program text_cells_keep_every_type_and_kind
