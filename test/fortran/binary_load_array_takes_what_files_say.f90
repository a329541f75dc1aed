program binary_load_array_takes_what_files_say
   use, intrinsic :: iso_fortran_env, only : int16, int32, real32, real64
   use headrace, only : hr_stat, load_array, write_array
   use checks, only : check, finish
   implicit none

   real(real64) :: x(3, 4, 2)
   real(real64), allocatable :: cube(:, :, :), flat(:), matrix(:, :)
   real(real32), allocatable :: single(:, :, :)
   integer(int16), allocatable :: numbers(:)
   complex(real64), allocatable :: z(:, :, :, :)
   logical(int32), allocatable :: flags(:)
   character(len=:), allocatable :: words(:)
   character(len=5), parameter :: endings(3) = [character(len=5) :: ".npy", ".npz", ".meta"]
   integer :: stat, i

   call random_number(x)
   do i = 1, size(endings)
      call write_array("x" // trim(endings(i)), x)
      call load_array("x" // trim(endings(i)), cube)
      call check(all(shape(cube) == shape(x)), endings(i) // " gives its shape")
      call check(all(cube == x), endings(i) // " gives its values")
      call load_array("x" // trim(endings(i)), matrix, iostat=stat)
      call check(stat == hr_stat%shape_mismatch, endings(i) // " refuses another array rank")
      call check(.not. allocated(matrix), "nothing is left")
      call load_array("x" // trim(endings(i)), single, iostat=stat)
      call check(stat == hr_stat%kind_mismatch, endings(i) // " refuses another kind")
      call write_array("z" // trim(endings(i)), reshape(cmplx(x, 2, real64), [3, 2, 2, 2]))
      call load_array("z" // trim(endings(i)), z)
      call check(all(abs(z - reshape(cmplx(x, 2, real64), [3, 2, 2, 2])) == 0), "complex, rank 4")
      call write_array("w" // trim(endings(i)), ["one  ", "seven"])
      call load_array("w" // trim(endings(i)), words)
      call check(len(words) == 5 .and. all(words == ["one  ", "seven"]), "characters")
      call write_array("l" // trim(endings(i)), [.true., .false., .true.])
      call load_array("l" // trim(endings(i)), flags)
      call check(all(flags .eqv. [.true., .false., .true.]), "logicals")
   end do

   call write_array("x.raw", x, byte_order="big")
   call load_array("x.raw", flat, byte_order="big")
   call check(all(flat == reshape(x, [24])), "a raw file becomes a vector")
   call write_array("x.unf", x, record_marker=8)
   call load_array("x.unf", flat, record_marker=8)
   call check(all(flat == reshape(x, [24])), "a record becomes a vector")
   call write_array("y.raw", [1.0_real64])
   call load_array("y.raw", numbers)
   call check(size(numbers) == 4, "a raw file is of any kind")
   call write_array("b.raw", [1_int16])
   call load_array("b.raw", flat, iostat=stat)
   call check(stat == hr_stat%file_size_mismatch, "half an element is refused")
   call load_array("x.raw", cube, iostat=stat)
   call check(stat == hr_stat%shape_mismatch, "raw files have no shape")
   call finish()
end program binary_load_array_takes_what_files_say
