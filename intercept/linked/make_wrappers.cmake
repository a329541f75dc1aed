# Of the functions that the preloaded library wraps, makes what is linked into fully static programs:
# names.h (those of libc, which every program has), the archive of small objects that lead the calls of a Fortran run time to
# our wrappers, the options for the linker, and the names for objcopy.
# An archive, since a program has only some of them: an object is taken if the program calls its function, and not else.
#   cmake -DNM=... -DAR=... -DCOMPILER=... -DLIBRARY=... -DFOLDER=... -P make_wrappers.cmake
execute_process(COMMAND ${NM} -D --defined-only -j ${LIBRARY} OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z_0-9]+" names "${listed}")
list(REMOVE_ITEM names dlclose _init _fini) # nothing is unloaded from a static program
list(FILTER names EXCLUDE REGEX "^(__|p?mpi|P?MPI|nc|nf|H5|h5)") # libraries are not traced in static programs

# What a run time calls of itself, across its own objects, after our archive was read: ours must be there already.
set(needed_by_gfortran st_write st_write_done transfer_character_write transfer_complex transfer_complex_write transfer_real)
list(TRANSFORM needed_by_gfortran PREPEND "__wrap__gfortran_")
set(needed_by_flang __wrap__FortranAioBeginFlush __wrap__FortranAioEndIoStatement)
set(needed_by_namelist __wrap__FortranAioInputDerivedType __wrap__FortranAioOutputDerivedType)

set(redefinitions "")
set(options "")
set(header "")
set(members "")
file(REMOVE_RECURSE ${FOLDER}/members)
foreach(name IN LISTS names)
  string(APPEND redefinitions "${name} headrace_wrap_${name}\n")
  string(APPEND options "-Wl,--wrap=${name}\n")
  if(NOT name MATCHES "^(_gfortran_|_Fortran)")
    string(APPEND header "NAME(${name})\n")
    set(entry "")
  else()
    if(name MATCHES "^_gfortran_")
      list(JOIN needed_by_gfortran ", " needed)
    elseif(name MATCHES "Namelist$")
      list(JOIN needed_by_namelist ", " needed)
    else()
      list(JOIN needed_by_flang ", " needed)
    endif()
    set(weak "")
    if(name MATCHES "DerivedType$") # flang 16 has none; others have them beside what every program needs
      set(weak ".weak __real_${name}\n")
    endif()
    set(entry "${weak}.section .data.rel.ro,\"aw\"\n.balign 8\n.quad ${needed}\n.section headrace_behind,\"aw\"\n.balign 8\n.quad 1f, __real_${name}\n.zero 32\n.section .rodata\n1: .asciz \"${name}\"\n")
  endif()
  file(WRITE ${FOLDER}/members/${name}.S "#if defined(__x86_64__)
#define GO jmp
#else
#define GO b
#endif
.section .note.GNU-stack,\"\"
${entry}.text
.globl __wrap_${name}
.type __wrap_${name}, @function
__wrap_${name}: GO headrace_wrap_${name}
.size __wrap_${name}, .-__wrap_${name}
")
  list(APPEND members ${FOLDER}/members/${name}.S)
endforeach()
file(WRITE ${FOLDER}/names.h "${header}")
file(WRITE ${FOLDER}/redefinitions.txt "${redefinitions}")
file(WRITE ${FOLDER}/headrace_trace.link "${options}")
execute_process(COMMAND ${COMPILER} -c ${members} WORKING_DIRECTORY ${FOLDER}/members COMMAND_ERROR_IS_FATAL ANY)
file(GLOB objects ${FOLDER}/members/*.o)
file(REMOVE ${FOLDER}/headrace_trace.a)
execute_process(COMMAND ${AR} rcs ${FOLDER}/headrace_trace.a ${objects} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${FOLDER}/members)
