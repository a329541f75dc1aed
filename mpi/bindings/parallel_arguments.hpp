// Fortran's arguments of parallel arrays as the C interface takes them.
#pragma once

#include "../../include/headrace_mpi.h"
#include "../../src/bindings/arguments.hpp"
#include "../../src/bindings/descriptor.hpp"
#include "../../src/bindings/option_texts.hpp"
#include "../abi/for_bindings.hpp"

namespace headrace {

// type(MPI_Comm) has one component, the INTEGER of the other interfaces: both are an MPI_Fint here.
// Open MPI ends a program that asks for one while MPI is not running.
inline MPI_Comm communicator_of(const void* comm) {
  return mpi_is_running() ? MPI_Comm_f2c(*static_cast<const MPI_Fint*>(comm)) : MPI_COMM_NULL;
}

// Fills a character argument, with blanks behind; nothing when it is absent.
void fill_text(const char* text, CFI_cdesc_t* argument) noexcept;

// The options that writing, reading and opening have in common; absent ones are null.
struct parallel_arguments {
  const CFI_cdesc_t* pattern;
  const CFI_cdesc_t* mode;
  const CFI_cdesc_t* transfer;
  const CFI_cdesc_t* hints;
  const CFI_cdesc_t* checksum;
  const CFI_cdesc_t* compression;
  const CFI_cdesc_t* sync;
  const CFI_cdesc_t* format;
};
hr_parallel_options options_of(const parallel_arguments& arguments, option_texts& texts);

// As report(). Without iostat a failure stops the program: the first MPI rank says it for all.
void report_together(const hr_error& error, int* iostat, CFI_cdesc_t* iomsg) noexcept;

}  // namespace headrace
