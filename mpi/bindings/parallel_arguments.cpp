#include "parallel_arguments.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "../abi/for_bindings.hpp"
#include "../dataset/statements.hpp"

// In src/headrace/stop.f90.
extern "C" void hr_fortran_flush_units();

namespace headrace {
namespace {

#ifndef OPEN_MPI
void abort_all() {
  if (mpi_is_running()) MPI_Abort(MPI_COMM_WORLD, 2);
}
#endif

// MPICH's mpirun (4.2) may lose the exit code of a process that ends without MPI_Finalize, and end
// with 0 itself; that of MPI_Abort it keeps. At the exit: first the Fortran run time says what it
// has to say. Open MPI's mpirun loses none.
void let_exit_abort() noexcept {
#ifndef OPEN_MPI
  hr_fortran_flush_units();  // nobody waits for the run time to close them
  std::atexit(abort_all);
#endif
}

}  // namespace

void fill_text(const char* text, CFI_cdesc_t* argument) noexcept {
  if (argument == nullptr || argument->base_addr == nullptr) return;
  char* const to = static_cast<char*>(argument->base_addr);
  const std::size_t length = std::min(std::strlen(text), argument->elem_len);
  std::memcpy(to, text, length);
  std::memset(to + length, ' ', argument->elem_len - length);
}

void report_together(const hr_error& error, int* iostat, CFI_cdesc_t* iomsg) noexcept {
  int rank = 0;
  const bool stops = error.status != 0 && iostat == nullptr && mpi_is_running();
  if (stops) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // If it has the failure too, its end ends the others; if not, they speak. Fortran run times
  // print a backtrace first, which takes long for large programs.
  if (rank > 0) std::this_thread::sleep_for(std::chrono::seconds(5));
  if (stops) let_exit_abort();
  report(error, iostat, iomsg);
}

hr_parallel_options options_of(const parallel_arguments& arguments, option_texts& texts) {
  hr_mpi_register_statements();  // format="statements" is there in Fortran programs
  hr_parallel_options options{};
  options.pattern = texts.add(arguments.pattern);
  options.mode = texts.add(arguments.mode);
  options.transfer = texts.add(arguments.transfer);
  options.hints = texts.add(arguments.hints);
  options.checksum = texts.add(arguments.checksum);
  options.compression = texts.add(arguments.compression);
  options.sync = texts.add(arguments.sync);
  options.format = texts.add(arguments.format);
  return options;
}

}  // namespace headrace
