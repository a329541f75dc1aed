# Finds libdeflate, makes the target deflate::libdeflate_any; its own CMake files are not everywhere.
include(FindPackageHandleStandardArgs)

find_path(DEFLATE_INCLUDE_DIR libdeflate.h)
find_library(DEFLATE_LIBRARY deflate)
mark_as_advanced(DEFLATE_INCLUDE_DIR DEFLATE_LIBRARY)
find_package_handle_standard_args(deflate REQUIRED_VARS DEFLATE_LIBRARY DEFLATE_INCLUDE_DIR)

if(deflate_FOUND AND NOT TARGET deflate::libdeflate_any)
  add_library(deflate::libdeflate_any UNKNOWN IMPORTED)
  set_target_properties(deflate::libdeflate_any PROPERTIES
    IMPORTED_LOCATION "${DEFLATE_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${DEFLATE_INCLUDE_DIR}")
endif()
