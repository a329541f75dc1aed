# cmake -DPROJECT=... -DSOURCE=... -DFORTRAN=... -DCXX=... -DBUILD=... -DFLAGS=... -DUNITY=... -P check_part.cmake: a
# project in Fortran alone takes headrace in, builds it with optimisation, links it without C++, and installs nothing
# of it. BUILD is the folder of its build; FLAGS and UNITY are those of the build that this test belongs to: what that
# has compiled is in the compiler cache.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE fetched ${BUILD} installed)
set(configure ${CMAKE_COMMAND} -S ${PROJECT} -G Ninja -DSOURCE=${SOURCE} -DCMAKE_Fortran_COMPILER=${FORTRAN}
  -DCMAKE_CXX_COMPILER=${CXX})
run(${configure} -B fetched -DFETCH=ON)
file(STRINGS fetched/build.ninja slow REGEX "^ *FLAGS = .*-Wconversion")
list(FILTER slow EXCLUDE REGEX "-O[23]")
if(slow)
  message(FATAL_ERROR "the library is compiled without optimisation: ${slow}")
endif()
run(${configure} -B ${BUILD} -DCMAKE_INSTALL_PREFIX=${CMAKE_CURRENT_BINARY_DIR}/installed -DHEADRACE_UNITY=${UNITY}
  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=${FLAGS}")
run(${CMAKE_COMMAND} --build ${BUILD})
run(${BUILD}/from_fortran)
# A compiler cache tells files apart by their path from the folder of the build.
if(UNITY AND NOT EXISTS ${BUILD}/headrace_together/headrace_core/src_core_others.cpp)
  message(FATAL_ERROR "what is compiled together lies elsewhere than in a build of headrace alone")
endif()
run(${CMAKE_COMMAND} --install ${BUILD})
file(GLOB_RECURSE files RELATIVE "${CMAKE_CURRENT_BINARY_DIR}/installed" installed/*)
if(NOT files STREQUAL "bin/from_fortran")
  message(FATAL_ERROR "expected bin/from_fortran alone to be installed, found: ${files}")
endif()
