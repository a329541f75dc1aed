program namelist_input
   implicit none
   integer :: n, list(5), stat
   real :: x
   character(10) :: name
   namelist /in/ n, list, x, name
   open (10, file="a.nml")
   write (10, "(a)") "&in n=3, list=1,2,3*9", " x = 2.5 name='abc' /", "text between", "&in list(2)=7 / ", "&in unknown=1 /", &
      "&in n=4 /"
   rewind (10)
   list = 0
   name = ""
   x = 0
   n = 0
   read (10, nml=in)
   write (*, *) n, list, x, name
   read (10, in)
   write (*, *) list
   read (10, in, iostat=stat)
   write (*, *) stat
   read (10, in, iostat=stat)
   write (*, *) stat, n
end program namelist_input
