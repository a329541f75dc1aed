program pointers_and_allocatables
   implicit none
   real(8), target :: x(30)
   real(8), pointer :: p(:), q(:, :)
   real(8), allocatable :: a(:), b(:, :)
   character(:), allocatable :: text
   integer :: i
   x = [(i * 1.25d0, i = 1, 30)]
   open (10, file="pointers.txt")
   do i = 1, 15
      p => x(i::3)
      q(1:3, 1:5) => x(1:15)
      if (allocated(a)) deallocate (a)
      allocate (a(0:i))
      a = i
      b = q * 2
      text = repeat("ab", i)
      write (10, "(5f9.3)") p
      write (10, "(3f9.3)") q(:, 5:1:-1)
      write (10, "(10f6.1)") a
      write (10, *) b
      write (10, "(a,i4)") text, len(text)
      write (10, *) text, p(1), a(0)
   end do
   p => null()
   allocate (p(0))
   write (10, *) p, "none"
end program pointers_and_allocatables
