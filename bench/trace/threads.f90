! A hundred source lines of I/O, each run by all threads: what counting them takes in memory.
!
!     threads N
!
! Prints the resident memory of the process at its highest, in kB.
program threads
  implicit none
  integer :: thread, threads_used, i
  character(32) :: text
  call get_command_argument(1, text)
  read (text, *) threads_used
  !$omp parallel do num_threads(threads_used) private(i, text) schedule(static, 1)
  do thread = 1, threads_used
    do i = 1, 100
      write (text, "(i0)") i + 1
      write (text, "(i0)") i + 2
      write (text, "(i0)") i + 3
      write (text, "(i0)") i + 4
      write (text, "(i0)") i + 5
      write (text, "(i0)") i + 6
      write (text, "(i0)") i + 7
      write (text, "(i0)") i + 8
      write (text, "(i0)") i + 9
      write (text, "(i0)") i + 10
      write (text, "(i0)") i + 11
      write (text, "(i0)") i + 12
      write (text, "(i0)") i + 13
      write (text, "(i0)") i + 14
      write (text, "(i0)") i + 15
      write (text, "(i0)") i + 16
      write (text, "(i0)") i + 17
      write (text, "(i0)") i + 18
      write (text, "(i0)") i + 19
      write (text, "(i0)") i + 20
      write (text, "(i0)") i + 21
      write (text, "(i0)") i + 22
      write (text, "(i0)") i + 23
      write (text, "(i0)") i + 24
      write (text, "(i0)") i + 25
      write (text, "(i0)") i + 26
      write (text, "(i0)") i + 27
      write (text, "(i0)") i + 28
      write (text, "(i0)") i + 29
      write (text, "(i0)") i + 30
      write (text, "(i0)") i + 31
      write (text, "(i0)") i + 32
      write (text, "(i0)") i + 33
      write (text, "(i0)") i + 34
      write (text, "(i0)") i + 35
      write (text, "(i0)") i + 36
      write (text, "(i0)") i + 37
      write (text, "(i0)") i + 38
      write (text, "(i0)") i + 39
      write (text, "(i0)") i + 40
      write (text, "(i0)") i + 41
      write (text, "(i0)") i + 42
      write (text, "(i0)") i + 43
      write (text, "(i0)") i + 44
      write (text, "(i0)") i + 45
      write (text, "(i0)") i + 46
      write (text, "(i0)") i + 47
      write (text, "(i0)") i + 48
      write (text, "(i0)") i + 49
      write (text, "(i0)") i + 50
      write (text, "(i0)") i + 51
      write (text, "(i0)") i + 52
      write (text, "(i0)") i + 53
      write (text, "(i0)") i + 54
      write (text, "(i0)") i + 55
      write (text, "(i0)") i + 56
      write (text, "(i0)") i + 57
      write (text, "(i0)") i + 58
      write (text, "(i0)") i + 59
      write (text, "(i0)") i + 60
      write (text, "(i0)") i + 61
      write (text, "(i0)") i + 62
      write (text, "(i0)") i + 63
      write (text, "(i0)") i + 64
      write (text, "(i0)") i + 65
      write (text, "(i0)") i + 66
      write (text, "(i0)") i + 67
      write (text, "(i0)") i + 68
      write (text, "(i0)") i + 69
      write (text, "(i0)") i + 70
      write (text, "(i0)") i + 71
      write (text, "(i0)") i + 72
      write (text, "(i0)") i + 73
      write (text, "(i0)") i + 74
      write (text, "(i0)") i + 75
      write (text, "(i0)") i + 76
      write (text, "(i0)") i + 77
      write (text, "(i0)") i + 78
      write (text, "(i0)") i + 79
      write (text, "(i0)") i + 80
      write (text, "(i0)") i + 81
      write (text, "(i0)") i + 82
      write (text, "(i0)") i + 83
      write (text, "(i0)") i + 84
      write (text, "(i0)") i + 85
      write (text, "(i0)") i + 86
      write (text, "(i0)") i + 87
      write (text, "(i0)") i + 88
      write (text, "(i0)") i + 89
      write (text, "(i0)") i + 90
      write (text, "(i0)") i + 91
      write (text, "(i0)") i + 92
      write (text, "(i0)") i + 93
      write (text, "(i0)") i + 94
      write (text, "(i0)") i + 95
      write (text, "(i0)") i + 96
      write (text, "(i0)") i + 97
      write (text, "(i0)") i + 98
      write (text, "(i0)") i + 99
      write (text, "(i0)") i + 100
    end do
  end do
  call print_memory()
contains
  subroutine print_memory()
    character(80) :: line
    integer :: unit, code
    open (newunit=unit, file="/proc/self/status", action="read")
    do
      read (unit, "(a)", iostat=code) line
      if (code /= 0) exit
      if (line(1:6) == "VmHWM:") print "(a)", trim(adjustl(line(7:index(line, "kB") - 1)))
    end do
    close (unit)
  end subroutine print_memory
end program threads
