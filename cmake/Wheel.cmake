# The Python package carries the shared library with the C interface beside its modules, under one
# plain name: a wheel cannot hold the links of a versioned one. python/headrace/native.py loads it.
option(HEADRACE_WHEEL "Install the library for the Python package (set by pyproject.toml)" OFF)

if(HEADRACE_WHEEL)
  set_property(TARGET headrace_core PROPERTY VERSION)
  set_property(TARGET headrace_core PROPERTY SOVERSION)
  target_link_options(headrace_core PRIVATE LINKER:--no-undefined)
  install(TARGETS headrace_core LIBRARY DESTINATION . COMPONENT wheel)
endif()
