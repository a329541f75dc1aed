! After a READ that failed, gfortran's REWIND keeps what was written since in its own buffer: the file has the older text.
program rewound_without_flush
   implicit none
   character(20) :: text
   integer :: i, k, stat, number
   namelist /few/ number
   do k = 0, 63
      open (10, file="reused.txt", status="replace")
      write (10, "(a,i0)") ("an older line of text ", i, i=1, 300)
      rewind (10)
      if (btest(k, 0)) read (10, nml=few, iostat=stat)
      if (btest(k, 1)) open (10, file="reused.txt", position="rewind", iostat=stat)
      if (btest(k, 2)) read (10, "(3i6)", advance="no", iostat=stat) text
      if (btest(k, 3)) rewind (10)
      do i = 1, 30
         write (10, "(a,i0)", advance=merge("yes", "no ", btest(k, 4) .or. mod(i, 4) == 0), iostat=stat) " piece ", i
      end do
      rewind (10)
      do i = 1, 3
         number = -1
         text = " "
         if (btest(k, 5)) then
            read (10, *, iostat=stat) text, number
         else
            read (10, "(a)", iostat=stat) text
         end if
         write (*, "(3(i0,1x),a)") k, stat, number, text
      end do
      close (10)
   end do
end program rewound_without_flush
