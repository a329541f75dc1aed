!run: c
program inquire_everything
   implicit none
   integer :: i, size, unit, next
   integer(8) :: position
   logical :: there, open
   character(20) :: name, access, form, where, action
   open (10, file="a.txt")
   open (11, file="b.txt", access="stream", form="formatted")
   open (12, file="c.dat", access="direct", form="formatted", recl=20)
   do i = 1, 40
      write (10, "(i6)") i
      write (11, "(i6)") i
      write (12, "(i6)", rec=i) i
      inquire (10, size=size, position=where, name=name, action=action)
      write (*, *) size, where, name, action
      inquire (file="a.txt", size=size, exist=there, number=unit, opened=open)
      write (*, *) size, there, unit, open
      inquire (11, pos=position, size=size)
      write (*, *) position, size
      inquire (12, nextrec=next, size=size, access=access, form=form)
      write (*, *) next, size, access, form
   end do
end program inquire_everything
