// The Fortran compiler's own ISO_Fortran_binding.h, checked. Layouts and codes differ between
// compilers, and a program built with another compiler's header links, runs and lies.
#pragma once

#include <stddef.h>

#include <ISO_Fortran_binding.h>

#if defined(CFI_type_mask) && defined(CFI_type_kind_shift)
#define HEADRACE_HEADER_OF_GCC 1
#elif defined(CFI_type_half_float) && defined(CFI_ISO_FORTRAN_BINDING_H_)
#define HEADRACE_HEADER_OF_FLANG 1
#else
#error "this ISO_Fortran_binding.h is neither GCC's nor LLVM flang's: use GCC >= 12 or flang >= 19"
#endif

// CMake names the Fortran compiler; without it (fpm) the header is taken as it is, and
// headrace::view_of refuses descriptors of another compiler at run time.
#if defined(HEADRACE_FORTRAN_IS_GCC) && !defined(HEADRACE_HEADER_OF_GCC)
#error "ISO_Fortran_binding.h is not gfortran's: put `gfortran -print-file-name=include` first"
#endif
#if defined(HEADRACE_FORTRAN_IS_FLANG) && !defined(HEADRACE_HEADER_OF_FLANG)
#error "ISO_Fortran_binding.h is not flang's: put its directory, <prefix>/include/flang, first"
#endif
#if defined(HEADRACE_FORTRAN_IS_GCC) && HEADRACE_FORTRAN_IS_GCC < 12
#error "gfortran is too old: its array descriptors have errors before GCC 12"
#endif
#if defined(HEADRACE_FORTRAN_IS_FLANG) && HEADRACE_FORTRAN_IS_FLANG < 19
#error "flang is too old: headrace needs LLVM flang 19 or newer"
#endif
#if defined(HEADRACE_HEADER_OF_GCC) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#error "GCC is too old: its array descriptors have errors before GCC 12"
#endif
