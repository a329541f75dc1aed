!> load_array takes integers of 8 and 16 bits, every logical kind and characters, and array ranks up
!> to 7 with the shape that the file states.
program text_load_array_takes_every_kind_and_rank
   use, intrinsic :: iso_c_binding, only : c_bool
   use, intrinsic :: iso_fortran_env, only : int16, int64, int8, real32, real64
   use headrace, only : load_array, write_array
   use checks, only : check, finish
   implicit none

   call small_integers()
   call logicals()
   call stated_shapes()
   call finish()

contains

subroutine small_integers()
   integer(int8), allocatable :: bytes(:, :)
   integer(int16), allocatable :: shorts(:)
   integer, allocatable :: one

   call write_array("i.csv", reshape([127, -128, 0, 1, 2, 3], [3, 2]))
   call load_array("i.csv", bytes)
   call check(all(shape(bytes) == [3, 2]), "the shape of int8")
   if (size(bytes) == 6) call check(all(bytes == reshape([127, -128, 0, 1, 2, 3], [3, 2])), "int8")
   call load_array("i.csv", shorts, columns=[1])
   call check(size(shorts) == 3, "the size of int16")
   if (size(shorts) == 3) call check(all(shorts == [127, -128, 0]), "int16")
   call write_array("one.csv", [42])
   call load_array("one.csv", one)
   call check(one == 42, "a scalar takes a file of one value")
end subroutine small_integers

subroutine logicals()
   logical :: source(2, 3, 2)
   logical, allocatable :: flags(:, :, :), rows(:, :), column(:), four(:, :, :, :)
   logical(c_bool), allocatable :: bytes(:, :, :)
   logical(int16), allocatable :: shorts(:, :)
   logical(int64), allocatable :: wide(:, :, :)

   source = reshape([.true., .false., .true., .true., .false., .false., .true., .true., .true., &
      & .false., .false., .true.], [2, 3, 2])
   call write_array("l.csv", source)
   allocate(flags(1, 1, 1))
   call load_array("l.csv", flags)
   call check(all(shape(flags) == [2, 3, 2]), "the shape of default logicals")
   if (size(flags) == 12) call check(all(flags .eqv. source), "default logicals")
   call load_array("l.csv", bytes)
   if (size(bytes) == 12) call check(all(source .eqv. bytes), "logical(c_bool)")
   call load_array("l.csv", shorts)
   call check(all(shape(shorts) == [6, 2]), "the rows of the file in rank 2")
   if (size(shorts) == 12) call check(all(shorts(5, :) .eqv. source(:, 2, 2)), "logical(int16)")
   call load_array("l.csv", wide)
   if (size(wide) == 12) call check(logical(all(wide .eqv. source)), "logical(int64)")
   call load_array("l.csv", column, columns=[2], delimiter=",", header="no", skip_rows=0, threads=1)
   call check(size(column) == 6, "a column of logicals")
   if (size(column) == 6) call check(all(column(4:) .eqv. [.true., .false., .true.]), "its values")
   call write_array("semicolons.csv", source(:, :, 1), delimiter=";")
   call load_array("semicolons.csv", rows, delimiter=";")
   call check(all(shape(rows) == [2, 3]), "logicals between semicolons")
   call write_array("four.csv", reshape(source, [1, 2, 3, 2]))
   call load_array("four.csv", four)
   call check(all(shape(four) == [1, 2, 3, 2]), "logicals of array rank 4")
end subroutine logicals

subroutine stated_shapes()
   real(real64) :: source(2, 3, 2, 2, 1, 3, 2)
   real(real64), allocatable :: x3(:, :, :), x7(:, :, :, :, :, :, :), x5(:, :, :, :, :)
   complex(real32), allocatable :: z4(:, :, :, :)
   integer :: nothing(2, 0, 3)
   integer, allocatable :: none(:, :, :)

   call random_number(source)
   call write_array("x3.csv", source(:, :, :, 1, 1, 1, 1))
   call load_array("x3.csv", x3)
   call check(all(shape(x3) == [2, 3, 2]), "a stated shape")
   if (size(x3) == 12) call check(all(abs(x3 - source(:, :, :, 1, 1, 1, 1)) <= 0), "its values")
   call load_array("x3.csv", x3, columns=[2])
   call check(all(shape(x3) == [1, 3, 2]), "columns= chooses along the first dimension")
   if (size(x3) == 6) call check(all(abs(x3 - source(2:2, :, :, 1, 1, 1, 1)) <= 0), "its values")
   call write_array("x7.csv.gz", source, header="x")
   call load_array("x7.csv.gz", x7)
   call check(all(shape(x7) == shape(source)), "array rank 7, a header, compressed")
   if (size(x7) == size(source)) call check(all(abs(x7 - source) <= 0), "its values")
   call write_array("x5.txt", source(:, 2:1:-1, :, 2, :, :, 1), number="es24.16")
   call load_array("x5.txt", x5)
   call check(all(shape(x5) == [2, 2, 2, 1, 3]), "a section of array rank 5")
   call write_array("z4.csv", cmplx(source(:, :, :, :, 1, 1, 1), kind=real32))
   call load_array("z4.csv", z4)
   call check(all(shape(z4) == [2, 3, 2, 2]), "complex of array rank 4")
   call write_array("none.csv", nothing)
   call load_array("none.csv", none)
   call check(all(shape(none) == [2, 0, 3]), "a stated shape without elements")
end subroutine stated_shapes
end program text_load_array_takes_every_kind_and_rank
