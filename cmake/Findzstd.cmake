# Finds libzstd.
include("${CMAKE_CURRENT_LIST_DIR}/FindLibrary.cmake")
headrace_find_library(zstd zstd.h zstd)
