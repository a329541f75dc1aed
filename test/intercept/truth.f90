! Statements of every kind, whose counts follow from the text. Comments "!:" are true of the
! statement after them: the statements, items, elements and bytes in memory that it must have at
! the end; also errors and ends (of file or record; 0 if not named), and its traits.
!
!     items[flang]=, items[gfortran]=, items[gfortran-O0]= : of one compiler, or of it
! at -O0 and -Og only.
!
! test_trace_truth.py compares them with the profile.
module truth_types
  use, intrinsic :: iso_fortran_env, only: int32, real32, real64
  implicit none
  private
  public :: pair, point, described

  type :: pair
    integer(int32) :: number
    real(real32) :: value
  end type pair
  type :: point
    real(real64) :: x, y
  contains
    procedure :: write_point
    procedure :: read_point
    generic :: write (formatted) => write_point
    generic :: read (formatted) => read_point
  end type point
contains
  subroutine write_point(self, unit, iotype, v_list, iostat, iomsg)
    class(point), intent(in) :: self
    integer, intent(in) :: unit
    character(*), intent(in) :: iotype
    integer, intent(in) :: v_list(:)
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    !: statements=13 items=13 elements=13 payload=104 traits=formatted
    write (unit, "(f8.3)", iostat=iostat, iomsg=iomsg) self%x
    !: statements=13 items=13 elements=13 payload=104 traits=formatted
    write (unit, "(1x, f8.3)", iostat=iostat, iomsg=iomsg) self%y
  end subroutine write_point

  subroutine read_point(self, unit, iotype, v_list, iostat, iomsg)
    class(point), intent(inout) :: self
    integer, intent(in) :: unit
    character(*), intent(in) :: iotype
    integer, intent(in) :: v_list(:)
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    !: statements=3 items=6 elements=6 payload=48 traits=formatted
    read (unit, "(f8.3, 1x, f8.3)", iostat=iostat, iomsg=iomsg) self%x, self%y
  end subroutine read_point

  function described(number) result(text)
    integer, intent(in) :: number
    character(8) :: text
    !: statements=20 items=20 elements=20 payload=80 traits=formatted+internal
    write (text, "(i8)") number
  end function described
end module truth_types

program truth
  use truth_types, only: described, pair, point
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, output_unit
  implicit none
  integer, parameter :: n = 1000, m = 50
  integer :: i, j, status, unit, length, token, values(n), table(20, 30), many(5)
  integer(int8) :: tiny_number
  integer(int16) :: short_number
  integer(int64) :: long_number, place
  integer(selected_int_kind(38)) :: longest_number
  real(real32) :: single
  real(real64) :: double, field(n), grid(40, 25)
  real(selected_real_kind(18)) :: extended
  complex(real32) :: complex_single
  complex(real64) :: complex_double, waves(10)
  logical :: flag, flags(7)
  logical(1) :: small_flag
  character(12) :: word, words(5)
  character(80) :: text, page(4)
  type(pair) :: pairs(6), one_pair
  type(point) :: points(4), one_point
  real(real64), allocatable :: nothing(:)
  logical :: is_there
  namelist /settings/ i, double, field, words, flags
  namelist /few/ j, single

  values = [(i, i=1, n)]
  table = 7
  field = 0.5_real64
  grid = 1.25_real64
  waves = (1, 2)
  flags = .true.
  words = "word"
  page = "page"
  pairs = pair(3, 0.25)
  points = point(1, 2)
  one_point = point(3, 4)
  one_pair = pair(1, 2)
  tiny_number = 1; short_number = 2; long_number = 3; longest_number = 4
  single = 1.5; double = 2.5; extended = 3.5
  complex_single = (1, 2); complex_double = (3, 4)
  flag = .true.; small_flag = .true.
  word = "twelve chars"
  allocate (nothing(0))

  ! unformatted, sequential
  !: statements=1 items=0 elements=0 payload=0
  open (10, file="sequential.dat", form="unformatted", action="readwrite", status="replace")
  do i = 1, n
    !: statements=1000 items=1000 elements=1000 payload=4000 traits=unformatted
    write (10) i
  end do
  !: statements=1 items=1 elements=1000 payload=8000 traits=unformatted
  write (10) field
  !: statements=1 items=1 items[gfortran-O0]=1000 items[flang]=1000 elements=1000 payload=8000
  write (10) (field(i), i=1, n)
  !: statements=1 items=1000 elements=1000 payload=4000
  write (10) (i, i=1, n)
  !: statements=1 items=1 elements=40 payload=320
  write (10) grid(:, 3)
  !: statements=1 items=1 elements=100 payload=800
  write (10) grid(1:40:2, 1:25:5)
  !: statements=1 items=2 elements=50 payload=200
  write (10) table(3, :), table(:, 4)
  !: statements=1 items=5 elements=5 payload=31
  write (10) tiny_number, short_number, i, long_number, longest_number
  !: statements=1 items=3 elements=3 payload=28
  write (10) single, double, extended
  !: statements=1 items=3 elements=12 payload=184
  write (10) complex_single, complex_double, waves
  !: statements=1 items=3 elements=9 payload=33
  write (10) flag, small_flag, flags
  !: statements=1 items=3 elements=7 payload=79
  write (10) word, words, "literal"
  !: statements=1 items=2 items[flang]=1 elements=2 elements[flang]=1 payload=8
  write (10) one_pair
  !: statements=1 items=12 items[flang]=1 elements=12 elements[flang]=6 payload=48
  write (10) pairs
  !: statements=1 items=1 elements=0 payload=0
  write (10) nothing
  !: statements=1 items=2 elements=1 payload=4
  write (10) values(5:4), i
  !: statements=1 items=0 elements=0 payload=0
  write (10)
  !: statements=1 items=0 elements=0 payload=0
  rewind (10)
  do i = 1, n
    !: statements=1000 items=1000 elements=1000 payload=4000
    read (10) j
  end do
  !: statements=1 items=1 elements=1000 payload=8000
  read (10) field
  do i = 1, m
    !: statements=50 items=0 elements=0 payload=0
    backspace (10)
    !: statements=50 items=50 elements=500 payload=4000
    read (10) field(1:10)
  end do
  !: statements=1 items=0 elements=0 payload=0
  endfile (10)
  !: statements=1 items=0 elements=0 payload=0
  rewind 10
  j = 0
  do
    !: statements=1002 items=1002 elements=1002 payload=4008 ends=1
    read (10, iostat=status) i
    if (status /= 0) exit
    j = j + 1
  end do
  !: statements=1 items=0 elements=0 payload=0
  close (10)

  ! formatted
  !: statements=1 items=0 elements=0 payload=0
  open (newunit=unit, file="formatted.txt")
  do i = 1, n
    !: statements=1000 items=2000 elements=2000 payload=12000 traits=formatted
    write (unit, "(i6, es22.14)") i, field(i)
  end do
  !: statements=1 items=4 elements=4 payload=28 traits=list
  write (unit, *) i, double, word, flag
  !: statements=1 items=1 elements=100 payload=400
  write (unit, *) values(1:100)
  !: statements=1 items=1 elements=1000 payload=8000
  write (unit, "(10f8.3)") grid
  !: statements=1 items=10 elements=10 payload=40
  write (unit, "(5i5)") (table(1, j), table(2, j), j=1, 5)
  !: statements=1 items=7 elements=7 payload=45
  write (unit, "(a, 3i3, 2f6.2, f8.3)") "kinds ", tiny_number, short_number, long_number, &
    single, double, extended
  !: statements=1 items=2 elements=2 payload=24
  write (unit, "(2f6.2, 2f6.2)") complex_single, complex_double
  !: statements=1 items=2 elements=8 payload=32
  write (unit, "(l2, 7l2)") flag, flags
  !: statements=1 items=1 elements=5 payload=60
  write (unit, "(a)") words
  !: statements=1 items=1 elements=1 payload=16
  write (unit, "(i20)") longest_number
  !: statements=1 items=2 elements=2 payload=12 traits=formatted
  write (unit, 100) i, double
100 format("labelled ", i5, f8.3)
  do i = 1, 5
    !: statements=5 items=5 elements=5 payload=20 traits=formatted+non-advancing
    write (unit, "(i3)", advance="no") i
  end do
  !: statements=1 items=1 elements=1 payload=4
  write (unit, "(a)") " end"
  !: statements=1 items=3 elements=3 payload=12
  write (unit, &
         "(3i8)", &
         iostat=status) &
    i, &
    j, &
    n
  !: statements=1 items=4 items[flang]=1 elements=4 elements[flang]=2 payload=16
  write (unit, "(2(i4, f6.2))") pairs(1:2)
  !: statements=1 items=1 elements=1 payload=0
  write (unit, "(dt)") one_point
  !: statements=1 items=4 items[flang]=2 elements=4 payload=0
  write (unit, *) one_point, points(1:3)
  !: statements=1 items=4 elements=4 payload=0
  write (unit, "(4dt)") (points(i), i=1, 4)
  !: statements=1 items=4 items[flang]=2 elements=4 payload=0
  write (unit, "(2dt)") points(::2), points(2::2)
  do i = 1, 10
    !: statements=10 items=20 elements=20 payload=160 traits=formatted
    write (unit, "(2a)") described(i), described(-i)
  end do
  !: statements=1 items=0 elements=0 payload=0
  flush (unit)
  do i = 1, m
    !: statements=50 items=0 elements=0 payload=0
    flush unit
  end do
  !: statements=1 items=0 elements=0 payload=0
  rewind (unit)
  do i = 1, n
    !: statements=1000 items=2000 elements=2000 payload=12000
    read (unit, "(i6, es22.14)") j, field(i)
  end do
  !: statements=1 items=2 elements=2 payload=12 traits=list
  read (unit, *) i, double
  !: statements=1 items=1 items[gfortran-O0]=100 items[flang]=100 elements=100 payload=400
  read (unit, *) (values(i), i=1, 100)
  !: statements=1 items=0 elements=0 payload=0
  close (unit, status="keep")

  ! direct and stream
  !: statements=1 items=0 elements=0 payload=0
  open (11, file="direct.dat", access="direct", form="unformatted", recl=64, status="replace")
  do i = m, 1, -1
    !: statements=50 items=50 elements=400 payload=3200 traits=unformatted+direct
    write (11, rec=i) field(i:i + 7)
  end do
  do i = 1, m
    !: statements=50 items=100 elements=400 payload=3200 traits=unformatted+direct
    read (11, rec=i) double, field(2:8)
  end do
  !: statements=1 items=1 elements=1 payload=8 errors[gfortran]=1 ends[flang]=1
  read (11, rec=10 * m, iostat=status) double
  !: statements=1 items=0 elements=0 payload=0
  inquire (11, nextrec=i, recl=length)
  !: statements=1 items=0 elements=0 payload=0
  close (11, status="delete")
  !: statements=1 items=0 elements=0 payload=0
  open (12, file="stream.dat", access="stream", form="unformatted", convert="big_endian")
  do i = 1, n
    !: statements=1000 items=2000 elements=2000 payload=12000 traits=unformatted
    write (12) field(i), i
  end do
  do i = 1, m
    !: statements=50 items=50 elements=50 payload=400 traits=unformatted+positioned
    write (12, pos=1 + 12 * (i - 1)) double
  end do
  !: statements=1 items=0 elements=0 payload=0
  inquire (12, pos=place, size=length)
  !: statements=1 items=2 elements=81 payload=644 traits=unformatted+positioned
  read (12, pos=1) grid(:, 1:2), i
  !: statements=1 items=0 elements=0 payload=0
  close (12)

  ! internal
  do i = 1, n
    !: statements=1000 items=1000 elements=1000 payload=4000 traits=formatted+internal
    write (text, "(i10)") i
    !: statements=1000 items=1000 elements=1000 payload=4000 traits=formatted+internal
    read (text, "(i10)") j
  end do
  !: statements=1 items=2 elements=2 payload=12 traits=list+internal
  write (text, *) 1.0d0, flag
  text = "1 2 3"
  !: statements=1 items=1 elements=3 payload=12 traits=list+internal
  read (text, *) many(1:3)
  !: statements=1 items=1 elements=3 payload=12 traits=formatted+internal
  write (page, "(i5)") many(1:3)
  !: statements=1 items=3 elements=3 payload=12 traits=formatted+internal
  read (page, "(i5)") i, j, many(1)
  !: statements=1 items=2 elements=2 payload=8 traits=list+internal
  write (page, *) i, j
  !: statements=1 items=2 elements=2 payload=8 traits=list+internal
  read (page, *) i, j
  word = "abc"
  !: statements=1 items=1 elements=1 payload=4 errors=1
  read (word, "(i3)", iostat=status) i
  !: statements=1 items=1 elements=1 payload=4 ends=1
  read (text(1:0), *, iostat=status) i

  ! namelists
  !: statements=1 items=0 elements=0 payload=0
  open (13, file="settings.nml", delim="apostrophe", status="replace")
  !: statements=1 items=5 elements=1014 payload=8100 traits=namelist
  write (13, nml=settings)
  !: statements=1 items=2 elements=2 payload=8
  write (13, nml=few)
  !: statements=1 items=0 elements=0 payload=0
  rewind (13)
  !: statements=1 items=5 elements=1014 payload=8100 traits=namelist
  read (13, nml=settings)
  !: statements=1 items=2 elements=2 payload=8
  read (13, nml=few)
  !: statements=1 items=2 elements=2 payload=8 ends=1
  read (13, nml=few, iostat=status)
  !: statements=1 items=0 elements=0 payload=0
  close (13)

  ! defined input, end of record
  !: statements=1 items=0 elements=0 payload=0
  open (14, file="points.txt", status="replace")
  do i = 1, 3
    !: statements=3 items=3 elements=3 payload=51
    write (14, "(a)") "   1.500    2.500"
  end do
  !: statements=1 items=0 elements=0 payload=0
  rewind (14)
  do i = 1, 3
    !: statements=3 items=3 elements=3 payload=0
    read (14, "(dt)") one_point
  end do
  !: statements=1 items=0 elements=0 payload=0
  rewind (14)
  !: statements=1 items=1 elements=1 payload=80 ends=1 traits=formatted+non-advancing
  read (14, "(a)", advance="no", eor=300, size=length) text
300 continue
  !: statements=1 items=0 elements=0 payload=0
  rewind (14)
  !: statements=1 items=9 elements=9 payload=720 ends=1
  !: items[flang]=4 elements[flang]=4 payload[flang]=320
  read (14, "(a)", end=400) (text, i=1, 9)
400 continue
  !: statements=1 items=0 elements=0 payload=0
  close (14)

  ! connections
  do i = 1, m
    !: statements=50 items=0 elements=0 payload=0
    open (15, file="again.txt", position="append", iostat=status)
    !: statements=50 items=50 elements=50 payload=200
    write (15, *) i
    !: statements=50 items=0 elements=0 payload=0
    close (15)
  end do
  !: statements=1 items=0 elements=0 payload=0
  open (16, status="scratch", form="unformatted")
  !: statements=1 items=1 elements=100 payload=800
  write (16) field(1:100)
  !: statements=1 items=0 elements=0 payload=0
  close (16)
  !: statements=1 items=1 elements=1 payload=16
  write (99, "(a)") "nobody opened it"
  !: statements=1 items=1 elements=2 payload=24
  write (99, "(a)") words(1:2)
  !: statements=1 items=0 elements=0 payload=0 errors=1
  open (17, file="is/not/there", status="old", iostat=status)
  !: statements=1 items=0 elements=0 payload=0
  inquire (file="again.txt", exist=is_there, size=length)
  !: statements=1 items=0 elements=0 payload=0
  inquire (unit=99, opened=is_there)
  !: statements=1 items=3 elements=1006 payload=8064
  inquire (iolength=length) i, field, words
  !: statements=1 items=0 elements=0 payload=0
  open (18, file="swapped.dat", form="unformatted", convert="big_endian", access="sequential")
  !: statements=1 items=1 elements=1000 payload=8000
  write (18) field
  !: statements=1 items=0 elements=0 payload=0
  close (18)

  ! asynchronous
  !: statements=1 items=0 elements=0 payload=0
  open (19, file="asynchronous.dat", form="unformatted", access="stream", &
        asynchronous="yes", status="replace")
  do i = 1, 10
    !: statements=10 items=10 elements=10000 payload=80000 traits=unformatted+asynchronous
    write (19, asynchronous="yes", id=token) grid
    !: statements=10 items=0 elements=0 payload=0
    wait (19, id=token)
  end do
  !: statements=1 items=0 elements=0 payload=0
  wait (19)
  !: statements=1 items=0 elements=0 payload=0
  close (19)

  ! the terminal's units
  !: statements=1 items=2 elements=2 payload=8 traits=list
  read (*, *) i, j
  !: statements=1 items=2 elements=2 payload=7 traits=list
  print *, "sum", i + j
  !: statements=1 items=2 elements=2 payload=9
  print "(a, i0)", "left ", j
  !: statements=1 items=3 elements=3 payload=12
  write (output_unit, "(i4)") (i, i=1, 3)
end program truth
