# cmake -DBUILD=... -DSOURCE=... -DEXAMPLE=... -DFORTRAN=... -P check_package.cmake: install the
# library, build a project that finds it, run its programs.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

# expect_failure(WORDS COMMAND...): the command ends with an error that has these words.
function(expect_failure words)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${words}" place)
  if(code EQUAL 0 OR place EQUAL -1)
    message(FATAL_ERROR "expected '${words}' and an error from ${ARGN}, found:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE installed build alone other)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${CMAKE_CURRENT_BINARY_DIR}/installed)
set(fortran -DWITH_FORTRAN=OFF)
if(FORTRAN)
  set(fortran -DWITH_FORTRAN=ON -DCMAKE_Fortran_COMPILER=${FORTRAN})
endif()
run(${CMAKE_COMMAND} -S ${SOURCE} -B build -DEXAMPLE=${EXAMPLE} ${fortran}
  -Dheadrace_ROOT=${CMAKE_CURRENT_BINARY_DIR}/installed)
run(${CMAKE_COMMAND} --build build)
run(build/from_c)
if(NOT FORTRAN)
  return()
endif()
run(build/from_fortran)
run(${CMAKE_COMMAND} -S ${SOURCE} -B alone -DEXAMPLE=${EXAMPLE} ${fortran} -DFORTRAN_ALONE=ON
  -Dheadrace_ROOT=${CMAKE_CURRENT_BINARY_DIR}/installed)
run(${CMAKE_COMMAND} --build alone)
run(alone/from_fortran)

# The same installation, as if another compiler or another gfortran had built it.
set(configure ${CMAKE_COMMAND} -S ${SOURCE} -B other -DEXAMPLE=${EXAMPLE}
  -Dheadrace_ROOT=${CMAKE_CURRENT_BINARY_DIR}/installed)
file(GLOB_RECURSE config installed/headraceConfig.cmake)
file(READ "${config}" original)
foreach(pretended "Other;1.2.3" "GNU;1.2.3")
  list(GET pretended 0 compiler)
  list(GET pretended 1 version)
  string(REGEX REPLACE "(headrace_compiler) \"[^\"]*" "\\1 \"${compiler}" text "${original}")
  string(REGEX REPLACE "(headrace_compiler_version) \"[^\"]*" "\\1 \"${version}" text "${text}")
  file(WRITE "${config}" "${text}")
  foreach(first ON OFF)
    file(REMOVE_RECURSE other)
    expect_failure("built with the Fortran compiler ${compiler} ${version}, this project uses"
      ${configure} ${fortran} -DFORTRAN_FIRST=${first})
  endforeach()
  file(REMOVE_RECURSE other)
  run(${configure} -DWITH_FORTRAN=OFF)
endforeach()
