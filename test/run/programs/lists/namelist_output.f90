program namelist_output
   implicit none
   type :: point
      real(8) :: x = 1, y = 2
   end type point
   integer :: i, many(30)
   real(8) :: x, grid(3, 4)
   character(12) :: name
   complex :: z
   logical :: on
   type(point) :: p
   namelist /all/ i, many, x, grid, name, z, on, p
   namelist /few/ i, x
   many = 7
   grid = 0.5d0
   name = "it's ""so"""
   open (10, file="nml.txt", delim="apostrophe")
   open (11, file="nml2.txt", delim="quote")
   do i = 1, 8
      x = i / 3d0
      many(i) = i
      z = cmplx(i, x)
      on = i > 4
      write (10, nml=all)
      write (10, *) "between", i
      write (10, nml=few)
      write (11, all)
   end do
   rewind (10)
   read (10, nml=all)
   write (*, *) i, x, many, name
end program namelist_output
