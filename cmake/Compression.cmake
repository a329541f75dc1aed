# Compressed files, each kind if its library is found. To leave one out:
# -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON, -DCMAKE_DISABLE_FIND_PACKAGE_zstd=ON.
#
# libdeflate, if it is found too, makes .gz files two to three times as fast as zlib.
#
# Sets headrace_static_dependencies: what a program must find that links headrace statically, and
# compression_libraries: the targets of these.
set(headrace_static_dependencies "")
set(compression_libraries "")
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")

macro(headrace_use_compression package target definition without debian)
  find_package(${package})
  if(${package}_FOUND)
    target_compile_definitions(headrace_core PRIVATE ${definition})
    target_link_libraries(headrace_core PRIVATE ${target})
    list(APPEND headrace_static_dependencies ${package})
    list(APPEND compression_libraries ${target})
  else()
    message(STATUS "${package} not found: ${without} (Debian: apt install ${debian})")
  endif()
endmacro()
headrace_use_compression(ZLIB ZLIB::ZLIB HEADRACE_HAVE_ZLIB ".gz files are refused" zlib1g-dev)
if(ZLIB_FOUND)
  headrace_use_compression(deflate deflate::libdeflate_any HEADRACE_HAVE_LIBDEFLATE
    ".gz files are written more slowly" libdeflate-dev)
endif()
headrace_use_compression(zstd zstd::libzstd_any HEADRACE_HAVE_ZSTD ".zst files are refused"
  libzstd-dev)

get_target_property(headrace_core_type headrace_core TYPE)
if(NOT headrace_core_type STREQUAL "STATIC_LIBRARY")
  set(headrace_static_dependencies "")
endif()
