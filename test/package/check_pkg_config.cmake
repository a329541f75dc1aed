# cmake -DBUILD=... -DPACKAGE=... -DC=... -DC_SOURCE=... [-DFORTRAN=... -DFORTRAN_SOURCE=...]
# [-DLAUNCH=...] [-DEXPECT=...] -P check_pkg_config.cmake: install the library, compile programs with
# what pkg-config says of it, run them; they print what is expected.
find_program(pkg_config NAMES pkg-config pkgconf)
if(NOT pkg_config)
  message("skipped: pkg-config is not installed")
  return()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

# The prefix is another one than the build was told: files for pkg-config find their own.
file(REMOVE_RECURSE installed)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${CMAKE_CURRENT_BINARY_DIR}/installed)
file(GLOB_RECURSE package installed/${PACKAGE}.pc)
get_filename_component(directory "${package}" DIRECTORY)
get_filename_component(libraries "${directory}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${directory}")
set(ENV{LD_LIBRARY_PATH} "${libraries}:$ENV{LD_LIBRARY_PATH}") # of shared ones
run(${pkg_config} --cflags --libs ${PACKAGE})
separate_arguments(flags UNIX_COMMAND "${output}")
separate_arguments(launch UNIX_COMMAND "${LAUNCH}")

# build_and_run(<compiler> <source> <program>)
function(build_and_run compiler source program)
  run(${compiler} ${source} ${flags} -o ${program})
  run(${launch} ./${program})
  if(NOT output MATCHES "${EXPECT}")
    message(FATAL_ERROR "${program} did not print '${EXPECT}':\n${output}")
  endif()
endfunction()
build_and_run(${C} ${C_SOURCE} from_c)
if(FORTRAN)
  build_and_run(${FORTRAN} ${FORTRAN_SOURCE} from_fortran)
endif()
