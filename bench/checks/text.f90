!> Numbers as text, and namelists. First: answers.f90.
program text
   use, intrinsic :: ieee_arithmetic, only : ieee_is_finite, ieee_is_nan, ieee_negative_inf, &
      & ieee_positive_inf, ieee_quiet_nan, ieee_value
   use, intrinsic :: iso_fortran_env, only : int32, int64, real64
   use check_answers, only : answer, asked_check, asked_number, digits, said, unknown_check
   implicit none

   character(len=200) :: message = " "
   character(len=80) :: line
   integer :: status

   select case (asked_check())
   case ("real-overflow"); call real_overflow()
   case ("integer-overflow"); call integer_overflow()
   case ("nan-infinity"); call nan_infinity()
   case ("field-overflow"); call field_overflow()
   case ("exact-list"); call exact_list()
   case ("exact-g0"); call exact_g0()
   case ("exact-es24"); call exact_es24()
   case ("namelist"); call namelist_round_trip()
   case ("namelist-unknown"); call namelist_unknown()
   case default; call unknown_check()
   end select

contains

!> Check real-overflow: Is 1e400, too large for real64, reported on reading?
!> Instead: test what was read with ieee_is_finite.
subroutine real_overflow()
   real(real64) :: listed, edited
   integer :: other

   listed = 0; edited = 0
   line = "1e400"
   read (line, *, iostat=status, iomsg=message) listed
   read (line, "(e5.0)", iostat=other) edited
   write (line, "(es10.3, a, es10.3)") listed, " and ", edited
   if (status /= 0 .and. other /= 0) then
      call answer("right", said(status, message))
   else
      call answer("wrong", "list-directed and E5.0 give" // trim(line) // ", iostat " // &
         & digits(status) // " and " // digits(other))
   end if
end subroutine real_overflow

!> Check integer-overflow: Is 2147483648, too large for int32, reported on reading?
!> Instead: read into int64 and compare.
subroutine integer_overflow()
   integer(int32) :: listed, edited
   integer :: other

   listed = 0; edited = 0
   line = "2147483648"
   read (line, *, iostat=status, iomsg=message) listed
   read (line, "(i10)", iostat=other) edited
   call answer(status /= 0 .and. other /= 0, "list-directed: " // said(status, message) // &
      & ", I10: iostat " // digits(other))
end subroutine integer_overflow

!> Check nan-infinity: Do NaN and the infinities come back from text?
!> Instead: write flags beside the values.
subroutine nan_infinity()
   real(real64) :: sent(3), listed(3), edited(3)
   integer :: other

   sent = [ieee_value(1.0_real64, ieee_quiet_nan), ieee_value(1.0_real64, ieee_positive_inf), &
      & ieee_value(1.0_real64, ieee_negative_inf)]
   listed = 0; edited = 0
   write (line, *) sent
   read (line, *, iostat=status, iomsg=message) listed
   write (line, "(3es24.16e3)") sent
   read (line, "(3es24.16e3)", iostat=other) edited
   call answer(status + other == 0 .and. same(listed) .and. same(edited), "list-directed: " // &
      & said(status, message) // ", ES24.16E3: iostat " // digits(other) // ", written as " // &
      & trim(adjustl(line)))
end subroutine nan_infinity

logical function same(found)
   real(real64), intent(in) :: found(3)

   same = ieee_is_nan(found(1)) .and. found(2) > huge(1.0_real64) .and. found(3) < -huge(1.0_real64)
end function same

!> Check field-overflow: Does a value too wide for F5.1 become stars?
!> Instead: use es24.16e3, or g0.
subroutine field_overflow()

   write (line, "(f5.1)", iostat=status, iomsg=message) 12345.6_real64
   call answer(status == 0 .and. line == "*****", "12345.6 in F5.1 is written as '" // &
      & trim(line) // "', " // said(status, message))
end subroutine field_overflow

!> Check exact-list: Do 100,000 random real64 come back equal from list-directed text?
!> Instead: write with es24.16e3.
subroutine exact_list()

   call round_trip("*")
end subroutine exact_list

!> Check exact-g0: Do 100,000 random real64 come back equal from g0?
!> Instead: write with es24.16e3.
subroutine exact_g0()

   call round_trip("(g0)")
end subroutine exact_g0

!> Check exact-es24: Do 100,000 random real64 come back equal from es24.16e3?
!> Instead: write unformatted records.
subroutine exact_es24()

   call round_trip("(es24.16e3)")
end subroutine exact_es24

subroutine round_trip(edit)
   character(len=*), intent(in) :: edit
   integer(int64) :: state, patterns, i, different, characters
   real(real64) :: value, back
   character(len=80) :: first

   patterns = asked_number(1, 100000_int64)
   state = 88172645463325252_int64
   different = 0
   characters = 0
   first = " "
   do i = 1, patterns
      call next_finite(state, value)
      line = " "
      back = 0
      if (edit == "*") then
         write (line, *, iostat=status) value
      else
         write (line, edit, iostat=status) value
      end if
      if (status == 0) read (line, *, iostat=status) back
      characters = characters + len_trim(adjustl(line))
      if (status == 0 .and. transfer(back, 0_int64) == transfer(value, 0_int64)) cycle
      different = different + 1
      if (first == " ") write (first, "(a, a, z16.16)") trim(adjustl(line)), " for bits ", value
   end do
   if (different == 0) then
      call answer("right", digits(patterns) // " of " // digits(patterns) // &
         & " bit patterns come back equal, " // digits(characters / patterns) // " characters each")
   else
      call answer("wrong", digits(different) // " of " // digits(patterns) // &
         & " bit patterns differ, first " // first)
   end if
end subroutine round_trip

!> The next finite value of a xorshift generator of bit patterns
subroutine next_finite(state, value)
   integer(int64), intent(inout) :: state
   real(real64), intent(out) :: value

   do
      state = ieor(state, ishft(state, 13))
      state = ieor(state, ishft(state, -7))
      state = ieor(state, ishft(state, 17))
      value = transfer(state, value)
      if (ieee_is_finite(value)) exit
   end do
end subroutine next_finite

!> Check namelist: Does a namelist group come back, with text, logicals and an array?
!> Instead: write one value per line.
subroutine namelist_round_trip()
   real(real64), parameter :: sent_width(3) = [0.1_real64, -2.5e-300_real64, 3e300_real64]
   character(len=*), parameter :: sent_title = "it's a ""name"", & more"
   integer :: steps, unit
   real(real64) :: width(3)
   character(len=24) :: title
   logical :: restart, equal
   namelist /setup/ steps, width, title, restart

   steps = 12
   width = sent_width
   title = sent_title
   restart = .true.
   open (newunit=unit, file="setup.nml", status="replace", delim="quote")
   write (unit, nml=setup, iostat=status, iomsg=message)
   rewind (unit)
   steps = 0
   width = 0
   title = " "
   restart = .false.
   if (status == 0) read (unit, nml=setup, iostat=status, iomsg=message)
   close (unit)
   equal = steps == 12 .and. restart .and. title == sent_title .and. &
      & all(abs(width - sent_width) <= 0)
   call answer(status == 0 .and. equal, "4 variables written with delim='quote' and read: " // &
      & said(status, message) // ", text " // trim(title))
end subroutine namelist_round_trip

!> Check namelist-unknown: Is a name reported that is not in the namelist group?
!> Instead: check the names in the program before reading.
subroutine namelist_unknown()
   integer :: steps, unit
   namelist /setup/ steps

   steps = 0
   open (newunit=unit, file="setup.nml", status="replace")
   write (unit, "(a)") "&setup", " stepps = 5", "/"
   rewind (unit)
   read (unit, nml=setup, iostat=status, iomsg=message)
   call answer(status /= 0, "'stepps' for 'steps': " // said(status, message))
end subroutine namelist_unknown

end program text
