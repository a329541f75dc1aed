# headrace_find_library(<package> <header> <library>): makes the target <package>::lib<package>_any. The
# libraries' own CMake files are not used: not every distribution has them, and the names of their
# targets differ between versions.
include(FindPackageHandleStandardArgs)

macro(headrace_find_library package header library)
  string(TOUPPER ${package} _prefix)
  find_path(${_prefix}_INCLUDE_DIR ${header})
  find_library(${_prefix}_LIBRARY ${library})
  mark_as_advanced(${_prefix}_INCLUDE_DIR ${_prefix}_LIBRARY)
  find_package_handle_standard_args(${package} REQUIRED_VARS ${_prefix}_LIBRARY ${_prefix}_INCLUDE_DIR)

  if(${package}_FOUND AND NOT TARGET ${package}::lib${package}_any)
    add_library(${package}::lib${package}_any UNKNOWN IMPORTED)
    set_target_properties(${package}::lib${package}_any PROPERTIES
      IMPORTED_LOCATION "${${_prefix}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${_prefix}_INCLUDE_DIR}")
  endif()
endmacro()
