# Compiles several files at a time (HEADRACE_UNITY, for builds that begin with nothing): what they
# include is read once, and what they instantiate is compiled once.
#
# Files of a folder whose names begin with the same word are taken together, and so are those that
# share it with no other: a new file changes few groups. Names that are local to a file must differ
# from those of its group; ALONE names the files that are compiled by themselves because they do not.
option(HEADRACE_UNITY "Compile several files at a time: faster where none is compiled yet" OFF)

# headrace_compile_together(<target> [ALONE <files, from the top of the repository...>])
function(headrace_compile_together target)
  if(NOT HEADRACE_UNITY)
    return()
  endif()
  cmake_parse_arguments(files "" "" "ALONE" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  set(groups "")
  foreach(source IN LISTS sources)
    get_filename_component(absolute "${source}" ABSOLUTE)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${absolute}")
    if(path IN_LIST files_ALONE)
      list(REMOVE_ITEM files_ALONE "${path}")
      set_source_files_properties("${source}" TARGET_DIRECTORY ${target}
        PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    string(REGEX MATCH ".*/" folder "${path}")
    string(REGEX REPLACE "[_.][^/]*$" "" family "${path}")
    list(APPEND groups "${family}")
    list(APPEND in_${family} "${source}")
    set(others_of_${family} "${folder}others")
  endforeach()
  if(files_ALONE)
    message(FATAL_ERROR "${target} has no ${files_ALONE}: correct the list of files that are compiled alone")
  endif()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    list(LENGTH in_${group} number)
    set(name "${group}")
    if(number EQUAL 1)
      set(name "${others_of_${group}}")
    endif()
    string(MAKE_C_IDENTIFIER "${name}" name)
    set_source_files_properties(${in_${group}} TARGET_DIRECTORY ${target}
      PROPERTIES UNITY_GROUP ${name})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
