! RECL= and characters that are line feeds: they end no record.
program line_feeds_and_recl
  implicit none
  integer :: i, j, k, st, n
  integer, parameter :: rl(5)=[1,2,10,24,100]
  character(200) :: s
  character(300) :: msg
  character(12) :: pos
  character(:), allocatable :: t
  real :: x(4)
  namelist /nl/ j, x
  x=1.5
  do k=1,5
    open(10,file='recl'//achar(48+k)//'.txt',recl=rl(k))
    do i=1,300
      j = i
      n=mod(i*7,rl(k)+2)
      t=repeat('a',n)
      if (mod(i,5)==0.and.n>1) t(n/2:n/2)=achar(10)
      if (mod(i,25)==0.and.n>1) t(n:n)=achar(10)
      if (mod(i,35)==0.and.n>1) t(1:1)=achar(10)
      write(10,'(a)',iostat=st,iomsg=msg) t
      if (st/=0) then; print *,i,st,trim(msg); endif
      if (mod(i,50)==0) then; inquire(10,position=pos); print *,pos; endif
      if (mod(i,60)==0) then
         write(10,nl,iostat=st,iomsg=msg); print *,'nl',st,trim(msg)
      end if
      if (mod(i,70)==0) then
         write(10,'(i8,/,a)',iostat=st,iomsg=msg) i,t; print *,'sl',st,trim(msg)
      end if
      if (mod(i,41)==0) then
         write(10,'(2i5)',advance='no',iostat=st,iomsg=msg) i,i; print *,'adv',st,trim(msg)
      end if
      if (i>100) then
         write(10,'(i4,f6.2)',iostat=st,iomsg=msg) i, i*0.5; if (st/=0.and.i<120) print *,'if',st,trim(msg)
      endif
      if (mod(i,80)==0) then
         write(10,*,iostat=st,iomsg=msg) i,x,t; print *,'ld',st,trim(msg)
      end if
      if (mod(i,90)==0) then
         backspace(10)
         read(10,'(a)',iostat=st) s; print *,st,s(1:10)
      end if
      write(10,'()')
    end do
    rewind(10)
    n=0
    do
      read(10,'(a)',iostat=st) s
      if (st/=0) exit
      n=n+len_trim(s)
    end do
    print *,n,st
    close(10)
  end do
end program line_feeds_and_recl
