# Finds libdeflate.
include("${CMAKE_CURRENT_LIST_DIR}/FindLibrary.cmake")
headrace_find_library(deflate libdeflate.h deflate)
