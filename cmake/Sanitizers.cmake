# Builds that look for mistakes in memory and in arithmetic while the tests run:
#
# HEADRACE_SANITIZE  AddressSanitizer and UndefinedBehaviorSanitizer (the C interface, the kernels and
#                    their tests; with -DHEADRACE_FORTRAN=OFF).
# HEADRACE_FUZZ      the same for libFuzzer, which needs Clang; test/fuzz/run.sh uses it.
option(HEADRACE_SANITIZE "Stop at the first error of memory or arithmetic (for tests)" OFF)
option(HEADRACE_FUZZ "Build the fuzz targets (Clang)" OFF)

if(HEADRACE_SANITIZE OR HEADRACE_FUZZ)
  if(HEADRACE_FORTRAN)
    message(FATAL_ERROR "HEADRACE_SANITIZE and HEADRACE_FUZZ need -DHEADRACE_FORTRAN=OFF")
  endif()
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC then warns of its own headers of intrinsics: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105593
    list(APPEND sanitizers -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  add_compile_options(${sanitizers})
  if(HEADRACE_SANITIZE)
    # Not optimised it compiles in half the time, and the lines are still named. What the tests spend their
    # time in pays for it.
    add_compile_options(-O0 -g1)
    file(GLOB inner_loops CONFIGURE_DEPENDS src/text/kernels/*.cpp src/core/byte_swap.cpp)
    set_source_files_properties(${inner_loops} PROPERTIES COMPILE_OPTIONS -O1)
  endif()
  add_link_options(${sanitizers})
endif()
if(HEADRACE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HEADRACE_FUZZ needs Clang: set -DCMAKE_CXX_COMPILER=clang++")
  endif()
  # Code that the fuzzer watches; its main program comes with the targets only.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
