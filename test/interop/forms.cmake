# The ways an array can reach a procedure other than by its name; included by generate_matrix.
# Cases use x, y, z (5, 4, 3), pointers px, py, pz, allocatables ax, ay, az, and arrays of a derived
# type hx, hy, hz.

set(body "")
append_case("scalar" "s#" "s#")
append_case("element" "#(2, 3, 1)" "#")
append_case("allocatable" "a#" "a#")
append_case("section of an allocatable" "a#(4:1:-3, 2:)" "a#")
append_case("allocatable of no elements" "e#" "e#")
append_case("scalar component" "h#(2)%v" "h#%v")
append_case("component of an array" "h#%v" "h#%v")
append_case("component of a section" "h#(5:1:-2)%v" "h#%v")
append_case("array component" "h#(3)%m" "h#(3)%m")
append_case("section of an array component" "h#(3)%m(3:1:-2, :)" "h#(3)%m")
append_case("element of array components" "h#(::3)%m(2, 2)" "h#%m(2, 2)")

foreach(form
    "pointer to an array|#"
    "pointer to a section|#(::2, 4:1:-1, 2:)"
    "pointer to a reversed array|#(5:1:-1, 4:1:-1, 3:1:-1)"
    "pointer to no elements|#(3:2, :, :)")
  string(REPLACE "|" ";" label_and_target "${form}")
  list(GET label_and_target 0 label)
  list(GET label_and_target 1 target)
  foreach(array x y z)
    string(REPLACE "#" "${array}" to "${target}")
    string(APPEND body "   p${array} => ${to}\n")
  endforeach()
  append_case("${label}" "p#" "#")
  append_case("section of a ${label}" "p#(:, ::2, :)" "#")
endforeach()

foreach(array x y z)
  string(APPEND body "   p${array}(-2:, 0:, 7:) => ${array}\n")
endforeach()
append_case("pointer with lower bounds" "p#" "#")
append_case("section of a pointer with lower bounds" "p#(-1::2, 1:0:-1, 9)" "#")

foreach(array x y z)
  string(APPEND body "   l${array}(1:60) => ${array}\n"
    "   q${array}(1:4, 0:4) => l${array}(2:60:2)\n")
endforeach()
append_case("pointer of another rank" "l#" "#")
append_case("pointer of another rank to a section" "q#" "#")

foreach(array x y z)
  string(APPEND body "   q${array} => ${array}(:, 2, :)\n")
endforeach()
append_case("pointer to a plane" "q#" "#")
if(has_transpose)
  foreach(array x y z)
    string(APPEND body "   call transpose_pointer(q${array})\n")
  endforeach()
  append_case("pointer to a transposed plane" "q#" "#")
  append_case("section of a transposed plane" "q#(3:1:-2, 2:4)" "#")
  set(transpose_interface "
   interface
      subroutine transpose_pointer(pointer) bind(c, name=\"hr_test_transpose\")
         implicit none
         ${type}, pointer, intent(inout) :: pointer(:, :)
      end subroutine transpose_pointer
   end interface
")
endif()

append_written("expression in parentheses" "(x)")
append_written("function result of no elements" "plane(x(:, :0, :), 2)")
append_written("vector subscript in parentheses" "(x([4, 1, 3, 1], 2, :))")
append_written("array constructor" "[x(1, 1, 1), x(3, 2, 1), sx]")
append_written("transposed expression" "transpose(x(:, :, 2))")
append_written("function result" "plane(x, 2)")
append_written("literal shape" "reshape(x, [2, 30])")
if(class EQUAL 3)
  string(APPEND body "   class = 2\n   element_bytes = element_bytes/2\n")
  foreach(part re im)
    append_case("%${part} of a scalar" "s#%${part}" "s#")
    append_case("%${part} of an array" "#%${part}" "#")
    append_case("%${part} of a section" "#(4:1:-3, ::2, 2)%${part}" "#")
    append_case("%${part} of a component" "h#(::2)%v%${part}" "h#%v")
  endforeach()
endif()
if(name MATCHES "^character_(3|17)$")
  string(APPEND body "   element_bytes = 2\n")
  append_case("substrings of an array" "#(:, :, 2)(2:3)" "#")
  append_case("substrings of a section" "#(5:1:-2, 2, :)(1:2)" "#")
endif()

string(APPEND calls "   call other_ways()\n")
string(APPEND procedures "
subroutine other_ways()
   ${type}, target :: x(5, 4, 3), y(5, 4, 3), z(5, 4, 3)
   ${type}, pointer :: px(:, :, :), py(:, :, :), pz(:, :, :), lx(:), ly(:), lz(:)
   ${type}, pointer :: qx(:, :), qy(:, :), qz(:, :)
   ${type}, allocatable :: ax(:, :), ay(:, :), az(:, :), ex(:), ey(:), ez(:)
   ${type} :: sx, sy, sz
   type(holder), target :: hx(5), hy(5), hz(5)
   integer :: d(4), i

   call fill(x, size(x))
   sx = value(7)
   allocate(ax(4, 3), ay(4, 3), az(4, 3), ex(0), ey(0), ez(0))
   call fill(ax, size(ax))
   do i = 1, size(hx)
      hx(i)%v = value(i)
      call fill(hx(i)%m, size(hx(i)%m))
      call fill(hy(i)%m, size(hy(i)%m))
      call fill(hz(i)%m, size(hz(i)%m))
   end do
${body}end subroutine other_ways

function plane(array, index) result(values)
   ${type}, intent(in) :: array(:, :, :)
   integer, intent(in) :: index
   ${type} :: values(size(array, 1), size(array, 2))

   values = array(:, :, index)
end function plane
")

if(has_assumed_rank)
  set(body "")
  foreach(array_rank RANGE 1 15)
    extents_of(${array_rank} extents)
    list(JOIN extents ", " shape)
    string(REGEX REPLACE "[0-9]+" "1::2" odd "${shape}")
    string(APPEND body
      "   block\n"
      "      ${type}, dimension(${shape}) :: x, y, z\n\n"
      "      call fill(x, size(x))\n"
      "      call erase(y, size(y))\n"
      "      call erase(z, size(z))\n"
      "      z(${odd}) = &\n         & x(${odd})\n"
      "      call begin(\"assumed rank ${array_rank}\")\n"
      "      write(unit) x(${odd})\n"
      "      call assumed_rank( &\n         & x(${odd}), &\n         & y(${odd}))\n"
      "      call compare(y, z, size(y))\n"
      "   end block\n")
  endforeach()
  string(APPEND calls "   call assumed_ranks()\n")
  string(APPEND procedures "
subroutine assumed_ranks()
${body}end subroutine assumed_ranks

subroutine assumed_rank(from, to)
   ${type}, intent(in) :: from(..)
   ${type}, intent(inout) :: to(..)

   call write_array(\"library.raw\", from, iostat=written, iomsg=message)
   call compare_files(significant, total())
   call read_array(\"library.raw\", to, iostat=stat, iomsg=message)
end subroutine assumed_rank
")
endif()
