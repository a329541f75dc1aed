! Items of every type, in both byte orders, and read again in the same way.
!run: case native
!run: case little_endian
!run: case big_endian
!run: case swap
program every_type
   use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128
   implicit none
   type :: pair
      integer :: number
      real(real64) :: value
   end type pair
   character(20) :: convert
   character(7) :: word
   character(kind=selected_char_kind("ISO_10646"), len=3) :: wide
   type(pair) :: one, many(5)
   integer(int8) :: i1
   integer(int16) :: i2
   integer(int32) :: i4, matrix(4, 5)
   integer(int64) :: i8
   logical(int8) :: l1
   logical :: l4
   real(real32) :: r4
   real(real64) :: r8, long(400)
   real(10), save, volatile :: r10 = 0
   real(real128) :: r16
   complex :: c4, c(3)
   complex(real64) :: c8
   integer :: i, round, bad
   call get_command_argument(1, convert)
   open (10, file="types.bin", access="stream", convert=convert, status="replace")
   do round = 1, 200
      i1 = int(mod(round, 100), int8); i2 = int(round * 3, int16); i4 = round * 70000; i8 = i4 * 70000_int64
      r4 = round / 3.; r8 = -round / 7d0; r10 = round / 9._10; r16 = round / 11._real128
      c4 = cmplx(r4, -r4); c8 = cmplx(r8, r4, real64); c = c4 * [1, 2, 3]
      l1 = mod(round, 2) == 0; l4 = .not. l1
      matrix = reshape([(i * round, i=1, 20)], [4, 5])
      long = [(i * r8, i=1, 400)]
      word = "word" // achar(mod(round, 26) + 97)
      wide = "abc"
      one = pair(round, r8)
      many = one
      write (10) i1, i2, i4, i8, l1, l4, r4, r8
      write (10) c4, c8, c, c(3:1:-2)
      write (10) word, word(2:3), "", [character(3) :: "ab", "c"]
      write (10) matrix(2, :), matrix(:, 3), matrix, matrix(4:1:-1, ::2), matrix(2:1, :)
      write (10) one, many, many%value
      if (mod(round, 7) == 0) write (10) long, r8
      if (mod(round, 9) == 0) write (10) r8, r10, r16, i1
      if (mod(round, 11) == 0) write (10) wide, i2
      write (10)
      write (10) (i, r8 * i, i=1, 5)
   end do
   close (10)
   open (10, file="types.bin", access="stream", convert=convert, status="old", action="read")
   bad = 0
   do round = 1, 200
      read (10) i1, i2, i4, i8, l1, l4, r4, r8
      if (i1 /= int(mod(round, 100), int8) .or. i2 /= round * 3 .or. i4 /= round * 70000 .or. i8 /= i4 * 70000_int64) bad = bad + 1
      if (l1 .neqv. mod(round, 2) == 0 .or. (l4 .eqv. l1) .or. r4 /= round / 3. .or. r8 /= -round / 7d0) bad = bad + 1
      read (10) c4, c8, c, c(3:1:-2)
      if (c4 /= cmplx(r4, -r4) .or. c8 /= cmplx(r8, r4, real64) .or. c(2) /= 2 * c4 .or. c(1) /= c4) bad = bad + 1
      read (10) word, word(2:3), word(1:0), word(1:6)
      if (word(1:6) /= "ab c") bad = bad + 1
      read (10) matrix(2, :), matrix(:, 3), matrix, matrix(4:1:-1, ::2), matrix(2:1, :)
      if (any(matrix /= reshape([(i * round, i=1, 20)], [4, 5]))) bad = bad + 1
      read (10) one, many, many%value
      if (one%number /= round .or. any(many%value /= r8)) bad = bad + 1
      if (mod(round, 7) == 0) read (10) long, r8
      if (mod(round, 9) == 0) read (10) r8, r10, r16, i1
      if (mod(round, 11) == 0) read (10) wide, i2
      read (10)
      read (10) (i4, r4, r4, i=1, 5)
   end do
   read (10, iostat=i) i1
   write (*, *) bad, i, r10, r16, wide, long(400), matrix(3, :)
end program every_type
