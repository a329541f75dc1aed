# A module file for clusters: `module use PREFIX/share/modulefiles && module load headrace`.
set(modulefile_directory "${CMAKE_INSTALL_DATADIR}/modulefiles/headrace")
if(IS_ABSOLUTE "${CMAKE_INSTALL_DATADIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR
   IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  return() # parts of the installation lie apart: no file can name its own prefix
endif()
file(RELATIVE_PATH modulefile_to_prefix "/${modulefile_directory}" "/")
configure_file("${CMAKE_CURRENT_LIST_DIR}/headrace.modulefile.in"
  "${PROJECT_BINARY_DIR}/modulefile/${PROJECT_VERSION}" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/modulefile/${PROJECT_VERSION}" DESTINATION "${modulefile_directory}")
