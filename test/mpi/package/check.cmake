# Installs the build, builds a project that finds it, runs its program on two MPI ranks.
include("${CMAKE_CURRENT_LIST_DIR}/../../package/run.cmake")
separate_arguments(launch UNIX_COMMAND "${LAUNCH}")
separate_arguments(configure UNIX_COMMAND "${CONFIGURE}")
file(REMOVE_RECURSE installed build)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${CMAKE_CURRENT_BINARY_DIR}/installed)
run(${CMAKE_COMMAND} -S ${SOURCE} -B build ${configure} -DEXAMPLE=${EXAMPLE}
  -DCMAKE_PREFIX_PATH=${CMAKE_CURRENT_BINARY_DIR}/installed)
run(${CMAKE_COMMAND} --build build)
run(${launch} build/spread)
if(NOT output MATCHES "MPI rank 1: equal")
  message(FATAL_ERROR "the program did not say that the arrays are equal:\n${output}")
endif()
