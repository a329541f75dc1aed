! An implied DO ends at an error: its variable and the calls of functions show it.
program implied_do_ends_at_an_error
  implicit none
  integer :: i,k,st,calls
  character(10) :: t
  calls=0
  open(10,file='n1.txt',recl=20)
  do k=1,3
    write(t,*,iostat=st) (k*1000+i, i=1,50)
    print *,'internal, list',st,i
    write(t,'(50i5)',iostat=st) (k*1000+i, i=1,50)
    print *,'internal, format',st,i
    write(10,'(50i5)',iostat=st) (k*1000+i, i=1,50)
    print *,'RECL=20, format',st,i
    write(10,*,iostat=st) (f(i), i=1,50)
    print *,'RECL=20, list',st,i,calls
    write(10,'(50i5)',advance='no',iostat=st) (f(i), i=1,50)
    print *,'RECL=20, no',st,i,calls
    write(10,'(a)',iostat=st) ''
  end do
contains
  integer function f(i)
    integer, intent(in) :: i
    calls=calls+1
    f=i
  end function
end program implied_do_ends_at_an_error
