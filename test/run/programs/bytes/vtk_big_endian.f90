! As programs write VTK files: lines of text and big-endian numbers, one by one, to a stream.
program vtk_big_endian
   implicit none
   character, parameter :: end_of_line = achar(10)
   character(20) :: count
   integer :: unit, i
   real :: points(3)
   open (newunit=unit, file="mesh.vtk", access="stream", form="unformatted", convert="big_endian", status="replace")
   write (unit) "# vtk DataFile Version 3.0"//end_of_line
   write (unit) "a mesh"//end_of_line//"BINARY"//end_of_line//"DATASET POLYDATA"//end_of_line
   write (count, "(i0)") 1000
   write (unit) "POINTS "//trim(count)//" float"//end_of_line
   do i = 1, 1000
      points = [real :: i, i / 3., -i * 1e-3]
      write (unit) points
   end do
   write (unit) end_of_line, "VERTICES", end_of_line
   do i = 1, 1000
      write (unit) 1, i - 1
   end do
   write (unit) end_of_line
   do i = 1, 1000
      write (unit) real(points(1)), points(3:1:-1), points(1:3:2), int(i, 2), int(i, 1), int(i, 8)
   end do
   close (unit)
end program vtk_big_endian
