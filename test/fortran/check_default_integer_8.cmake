# cmake -DCOMPILER=... -DSOURCE=... -P check_default_integer_8.cmake: the compiler must refuse, and
# the lines it shows must say why.
execute_process(COMMAND ${COMPILER} -fdefault-integer-8 -c ${SOURCE} -o default_integer_8.o
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
message("${output}${errors}")
if(code EQUAL 0)
  message(FATAL_ERROR "compiled with -fdefault-integer-8")
endif()
if(NOT errors MATCHES "default_integer_is_c_int")
  message(FATAL_ERROR "the reason is missing")
endif()
