# cmake -DCXX=... -DSOURCE=... -DHEADER=... -DTHIS=... -DOTHER=... -DOLD=... -P check_headers.cmake:
# the bindings must not compile with another compiler's header or for a compiler that is too old.
function(compile_with definition expected)
  execute_process(
    COMMAND ${CXX} -std=c++17 -fsyntax-only -isystem ${HEADER} -D${definition} ${SOURCE}
    RESULT_VARIABLE code ERROR_VARIABLE errors)
  if(expected STREQUAL "" AND NOT code EQUAL 0)
    message(FATAL_ERROR "${definition} does not compile:\n${errors}")
  elseif(NOT expected STREQUAL "" AND (code EQUAL 0 OR NOT errors MATCHES "${expected}"))
    message(FATAL_ERROR "${definition} is not refused with '${expected}':\n${errors}")
  endif()
endfunction()

compile_with(HEADRACE_FORTRAN_IS_${THIS}=99 "")
compile_with(HEADRACE_FORTRAN_IS_${OTHER}=99 "ISO_Fortran_binding.h is not")
compile_with(HEADRACE_FORTRAN_IS_${THIS}=${OLD} "too old")
