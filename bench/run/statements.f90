! Loops of I/O statements for `headrace bench run`, which runs each with and without the library of
! `headrace run`.
!
!     statements CASE BLOCKS FILE
!
! Runs BLOCKS blocks of the case, OPEN and CLOSE of the file included, and says on standard error:
! statements of a block, seconds of all blocks, processor seconds, and a checksum of what is in
! memory. The case "nothing" ends before any I/O statement, "one_write" after the first WRITE, which
! is not part of the time of others. Cases: writes.f90, reads.f90, others.f90, threads.f90.
program statements
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use run_data, only: file, counted, fill, fresh, contents
  use run_writes, only: write_block, internal_block
  use run_reads, only: prepare_read, read_block, internal_read_block
  use run_others, only: others_block, namelist_block, unformatted_block
  use run_threads, only: threads_block
  implicit none
  character(32) :: kind, number
  integer :: blocks, block
  integer(int64) :: begun, ended, rate
  real(real64) :: processor_begun, processor_ended

  call get_command_argument(1, kind)
  if (kind == "nothing") stop
  call get_command_argument(2, number)
  call get_command_argument(3, file)
  call one_write()
  if (kind == "one_write") stop
  read (number, *) blocks
  call fill()
  call prepare()
  call cpu_time(processor_begun)
  call system_clock(begun, rate)
  do block = 1, blocks
    if (.not. one_block()) error stop "no such case"
  end do
  call system_clock(ended)
  call cpu_time(processor_ended)
  write (error_unit, "(i0, 2(1x, es24.16), 1x, z16.16)") counted, &
    real(ended - begun, real64) / real(rate, real64), processor_ended - processor_begun, contents()

contains

  ! What starts the library
  subroutine one_write()
    integer :: unit
    call fresh(unit)
    write (unit, "(es22.14)") 1.0_real64
    close (unit)
  end subroutine one_write

  ! What is read
  subroutine prepare()
    logical :: done
    if (kind == "namelist_read") then
      done = namelist_block("namelist_write")
      if (.not. done) error stop "namelist_write: no such case"
    else if (index(kind, "read_") == 1 .or. index(kind, "internal_read_") == 1) then
      call prepare_read(trim(kind))
    end if
  end subroutine prepare

  logical function one_block()
    one_block = .true.
    if (index(kind, "write_") == 1) then
      one_block = write_block(trim(kind))
    else if (index(kind, "read_") == 1) then
      one_block = read_block(trim(kind))
    else if (index(kind, "threads_") == 1) then
      one_block = threads_block(trim(kind))
    else if (.not. in_memory()) then
      one_block = other_case()
    end if
  end function one_block

  logical function in_memory()
    in_memory = internal_block(trim(kind))
    if (.not. in_memory) in_memory = internal_read_block(trim(kind))
  end function in_memory

  logical function other_case()
    other_case = others_block(trim(kind))
    if (.not. other_case) other_case = namelist_block(trim(kind))
    if (.not. other_case) other_case = unformatted_block(trim(kind))
  end function other_case
end program statements
