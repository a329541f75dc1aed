# Writes the text of a test program for one type and kind: every array rank and section, and every
# way an array can reach a procedure. Included by CMakeLists.txt.
#
# A case is an expression with # for x, y and z, three arrays of one shape. The library and the
# compiler write it with x; then the library reads it into y, while z = x shows what y must be.

# Appends to body: the compiler writes and describes the array; then the library writes and reads it
# as every form of file, the raw one first. around: the whole array that holds it. Each mention of
# the expression is code to compile in every case of every type.
macro(append_case label expression around)
  foreach(array x y z)
    string(REPLACE "#" "${array}" in_${array} "${expression}")
    string(REPLACE "#" "${array}" around_${array} "${around}")
  endforeach()
  if("${around}" STREQUAL "s#")
    set(erase_y "   ${around_y} = value(1000)\n")
    set(erase_z "   ${around_z} = value(1000)\n")
    set(compare "   call compare([${around_y}], [${around_z}], 1)\n")
  else()
    set(erase_y "   call erase(${around_y}, size(${around_y}))\n")
    set(erase_z "   call erase(${around_z}, size(${around_z}))\n")
    set(compare "   call compare(${around_y}, ${around_z}, size(${around_y}))\n")
  endif()
  append_described("${label}" "${in_x}")
  string(APPEND body
    "${erase_z}"
    "   ${in_z} = &\n      & ${in_x}\n"
    "   do form = 1, size(forms)\n"
    "   call write_array(forms(form)%file, &\n      & ${in_x}, &\n"
    "      & forms(form)%edit, iostat=written, iomsg=message)\n"
    "   if (form == 1) call compare_files(significant, total())\n"
    "${erase_y}"
    "   call read_array(forms(form)%file, &\n      & ${in_y}, &\n"
    "      & forms(form)%edit, iostat=stat, iomsg=message)\n"
    "${compare}"
    "   end do\n")
endmacro()

# Appends to body: the compiler writes and describes.
macro(append_described label expression)
  string(APPEND body
    "   call begin(\"${label}\")\n"
    "   write(unit) ${expression}\n"
    "   call describe( &\n      & ${expression}, d(1), d(2), d(3), d(4))\n"
    "   call compare_description(d, class, element_bytes, shape( &\n      & ${expression}))\n")
endmacro()

# Appends to body: what can only be written.
macro(append_written label expression)
  append_described("${label}" "${expression}")
  string(APPEND body
    "   call write_array(\"library.raw\", &\n      & ${expression}, iostat=written, iomsg=message)\n"
    "   call compare_files(significant, total())\n")
endmacro()

# Extents of an array of that rank; few elements, also with 15 dimensions.
function(extents_of array_rank result)
  set(pattern 5 4 3 2)
  if(array_rank GREATER 4)
    set(pattern 3 2 2 2 1 2 1 1 2 1 1 2 1 1 2)
  endif()
  list(SUBLIST pattern 0 ${array_rank} extents)
  set(${result} "${extents}" PARENT_SCOPE)
endfunction()

# Subscripts: the rule of each dimension (all, stride, reverse, back2, offset, one, none) as text.
function(subscripts_of rules extents result)
  set(text "")
  foreach(rule extent IN ZIP_LISTS rules extents)
    if(rule STREQUAL "all")
      set(part ":")
    elseif(rule STREQUAL "stride")
      set(part "::2")
    elseif(rule STREQUAL "reverse")
      set(part "${extent}:1:-1")
    elseif(rule STREQUAL "back2")
      set(part "${extent}::-2")
    elseif(rule STREQUAL "offset")
      set(part "${extent}:")
    elseif(rule STREQUAL "one")
      set(part "${extent}")
    elseif(rule STREQUAL "none")
      set(part "2:1")
    endif()
    list(APPEND text "${part}")
  endforeach()
  list(JOIN text ", " text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Appends the rules of a section to the list sections: one rule for the dimension at place (first,
# middle, last) or for every dimension.
macro(append_section rule place)
  set(rules "")
  math(EXPR middle "${array_rank} / 2")
  math(EXPR last "${array_rank} - 1")
  set(first 0)
  set(every -1)
  foreach(dimension RANGE ${last})
    if("${place}" STREQUAL "every" OR dimension EQUAL "${${place}}")
      list(APPEND rules ${rule})
    else()
      list(APPEND rules all)
    endif()
  endforeach()
  subscripts_of("${rules}" "${extents}" subscripts)
  list(APPEND sections "${subscripts}")
endmacro()

# Different sections of an array of that rank, as a list of subscripts: every rule at every place
# up to 4 dimensions, some beyond. few: every rule, and every place, but not one with the other.
function(sections_of array_rank extents few result)
  set(sections "")
  if(NOT few OR array_rank LESS_EQUAL 4)
    append_section(all every)
  endif()
  set(beyond "stride every" "reverse first" "back2 last" "one middle")
  if(few)
    math(EXPR chosen "${array_rank} % 4")
    list(GET beyond ${chosen} beyond)
  endif()
  foreach(section IN LISTS beyond)
    string(REPLACE " " ";" section "${section}")
    list(GET section 0 rule)
    list(GET section 1 place)
    append_section(${rule} ${place})
  endforeach()
  if(array_rank LESS_EQUAL 4)
    set(number ${array_rank})
    foreach(rule stride reverse back2 offset one none)
      append_section(${rule} every)
      set(places first middle last)
      if(few)
        math(EXPR chosen "${number} % 3")
        list(GET places ${chosen} places)
        math(EXPR number "${number} + 1")
      endif()
      foreach(place IN LISTS places)
        append_section(${rule} ${place})
      endforeach()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES sections)
  set(${result} "${sections}" PARENT_SCOPE)
endfunction()

# Appends to procedures and calls: the sections of one array rank, named directly and through an
# assumed-shape dummy argument.
macro(append_rank array_rank)
  set(extents "")
  extents_of(${array_rank} extents)
  sections_of(${array_rank} "${extents}" "${few_sections}" sections)
  list(JOIN extents ", " shape)
  string(REGEX REPLACE "[0-9]+" ":" colons "${shape}")
  set(body "")
  append_case("array of rank ${array_rank}" "#" "#")
  foreach(section IN LISTS sections)
    append_case("(${section})" "#(${section})" "#")
    if(NOT section MATCHES "(^|, )[0-9]+(,|$)")
      string(APPEND body
        "   call begin(\"assumed shape (${section})\")\n"
        "   write(unit) x(${section})\n"
        "   call erase(y, size(y))\n"
        "   call erase(z, size(z))\n"
        "   call assumed_shape_${array_rank}( &\n"
        "      & x(${section}), &\n      & y(${section}), &\n      & z(${section}))\n"
        "   call compare(y, z, size(y))\n")
    endif()
  endforeach()
  string(APPEND calls "   call rank_${array_rank}()\n")
  string(APPEND procedures "
subroutine rank_${array_rank}()
   ${type}, dimension(${shape}), target :: x, y, z
   integer :: d(4)

   call fill(x, size(x))
${body}end subroutine rank_${array_rank}

subroutine assumed_shape_${array_rank}(from, to, expected)
   ${type}, intent(in) :: from(${colons})
   ${type}, dimension(${colons}), intent(inout) :: to, expected

   call write_array(\"library.raw\", from, iostat=written, iomsg=message)
   call compare_files(significant, total())
   call read_array(\"library.raw\", to, iostat=stat, iomsg=message)
   expected = from
end subroutine assumed_shape_${array_rank}
")
endmacro()

# Is there text that holds every value of the type exactly?
function(find_text class significant name)
  set(has_text OFF)
  if(class EQUAL 5 AND NOT name STREQUAL "wide_character")
    set(has_text ON)
  elseif(class MATCHES "1|4" AND significant LESS_EQUAL 8)
    set(has_text ON)
  elseif(class MATCHES "2|3" AND significant MATCHES "^(4|8)$")
    set(has_text ON)
  endif()
  set(has_text ${has_text} PARENT_SCOPE)
endfunction()

# The program of one type: sets choose_forms, calls and procedures and fills in the template.
function(generate_matrix name type class significant value has_transpose has_assumed_rank few_sections file)
  set(calls "")
  set(procedures "")
  find_text(${class} "${significant}" "${name}")
  set(choose_forms "   call choose(class, significant, .false.)\n")
  if(has_text)
    set(choose_forms "   call choose(class, significant, .true.)\n")
  endif()
  foreach(array_rank RANGE 1 15)
    append_rank(${array_rank})
  endforeach()
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/forms.cmake")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/matrix.f90.in" "${file}" @ONLY)
endfunction()
