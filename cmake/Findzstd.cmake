# Finds libzstd, makes the target zstd::libzstd_any. Its own CMake files are not used: not every
# distribution has them, and the names of their targets differ between versions.
include(FindPackageHandleStandardArgs)

find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY zstd)
mark_as_advanced(ZSTD_INCLUDE_DIR ZSTD_LIBRARY)
find_package_handle_standard_args(zstd REQUIRED_VARS ZSTD_LIBRARY ZSTD_INCLUDE_DIR)

if(zstd_FOUND AND NOT TARGET zstd::libzstd_any)
  add_library(zstd::libzstd_any UNKNOWN IMPORTED)
  set_target_properties(zstd::libzstd_any PROPERTIES
    IMPORTED_LOCATION "${ZSTD_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")
endif()
