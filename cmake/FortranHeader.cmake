# Makes the target headrace_fortran_header: the Fortran compiler's own ISO_Fortran_binding.h.
#
# Its layout and codes differ between compilers, so the header that the C++ compiler would find is
# wrong in general. The header is copied to a directory of its own: the directory it comes from has
# others (stddef.h) that only fit the compiler they belong to.

set(compiler_version "${CMAKE_Fortran_COMPILER_VERSION}")
if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
  set(oldest 12)
  set(definition HEADRACE_FORTRAN_IS_GCC)
  execute_process(
    COMMAND ${CMAKE_Fortran_COMPILER} -print-file-name=include
    OUTPUT_VARIABLE hints
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
elseif(CMAKE_Fortran_COMPILER_ID STREQUAL "LLVMFlang")
  set(oldest 19)
  set(definition HEADRACE_FORTRAN_IS_FLANG)
  execute_process(
    COMMAND ${CMAKE_Fortran_COMPILER} -print-resource-dir
    OUTPUT_VARIABLE resources
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(hints "${resources}/../../../include/flang" "${resources}/include")
else()
  message(FATAL_ERROR "headrace works with gfortran >= 12 and LLVM flang >= 19, not with "
    "${CMAKE_Fortran_COMPILER_ID}. Choose one with -DCMAKE_Fortran_COMPILER=gfortran")
endif()

if(compiler_version AND compiler_version VERSION_LESS oldest)
  message(FATAL_ERROR "${CMAKE_Fortran_COMPILER} is version ${compiler_version}: headrace needs "
    "gfortran >= 12 or LLVM flang >= 19. Choose one with -DCMAKE_Fortran_COMPILER=...")
endif()
if(CMAKE_Fortran_FLAGS MATCHES "-fdefault-integer-8|-i8")
  message(FATAL_ERROR "headrace cannot be built with ${CMAKE_MATCH_0}: default integers must be "
    "C's int. Declare large integers as integer(int64) instead")
endif()

find_path(HEADRACE_FORTRAN_INCLUDE ISO_Fortran_binding.h HINTS ${hints} NO_DEFAULT_PATH
  DOC "Directory of the Fortran compiler's ISO_Fortran_binding.h")
if(NOT HEADRACE_FORTRAN_INCLUDE)
  message(FATAL_ERROR "No ISO_Fortran_binding.h of ${CMAKE_Fortran_COMPILER} in ${hints}. Install "
    "its development package (Debian: libflang-19-dev) or set HEADRACE_FORTRAN_INCLUDE")
endif()
message(STATUS "ISO_Fortran_binding.h from ${HEADRACE_FORTRAN_INCLUDE}")

configure_file("${HEADRACE_FORTRAN_INCLUDE}/ISO_Fortran_binding.h"
  "${PROJECT_BINARY_DIR}/fortran_header/ISO_Fortran_binding.h" COPYONLY)
add_library(headrace_fortran_header INTERFACE)
target_include_directories(headrace_fortran_header SYSTEM INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/fortran_header>")
if(compiler_version)
  string(REGEX MATCH "^[0-9]+" compiler_major "${compiler_version}")
  target_compile_definitions(headrace_fortran_header INTERFACE
    "$<BUILD_INTERFACE:${definition}=${compiler_major}>")
endif()
