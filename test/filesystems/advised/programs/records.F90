! Records of 16 reals. FLUSH_EACH, AS_TEXT, AS_STREAM: what is planted.
program records
   use, intrinsic :: iso_fortran_env, only : real64
   implicit none
   integer :: unit, i
   real(real64) :: x(16)

   x = 1.5_real64
#ifdef AS_TEXT
   open (newunit=unit, file="records", status="replace", action="write")
#elif defined(AS_STREAM)
   open (newunit=unit, file="records", form="unformatted", access="stream", status="replace", &
         action="write")
#else
   open (newunit=unit, file="records", form="unformatted", status="replace", action="write")
#endif
   do i = 1, RECORDS
#ifdef AS_TEXT
      write (unit, "(16es23.15)") x
#else
      write (unit) x
#endif
#ifdef FLUSH_EACH
      flush (unit)
#endif
   end do
   close (unit)
end program records
