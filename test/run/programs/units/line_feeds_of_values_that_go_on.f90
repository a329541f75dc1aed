! A record that goes on behind a character that is a line feed.
program line_feeds_of_values_that_go_on
  implicit none
  integer :: i,k
  character :: c
  character(12) :: pos
  character(30) :: line
  integer :: st
  do k=1,4
  open(10,file='a'//achar(48+k)//'.txt')
  do i=1,30
    c='x'; if (i==30) c=achar(10)
    if (i==20) write(10,'(a)') 'ended'
    write(10,'(i3,a)',advance='no') i, c
  end do
  if (k==1) inquire(10,position=pos)
  if (k==1) print *,pos
  if (k==2) backspace(10)
  if (k==2) write(10,'(a)') 'after'
  if (k==3) write(10,'(t5,a)') 'after'
  if (k==4) rewind(10)
  if (k==4) then
    do
      read(10,'(a)',iostat=st) line
      print *,st,line
      if (st/=0) exit
    end do
  end if
  close(10)
  end do
end program line_feeds_of_values_that_go_on
