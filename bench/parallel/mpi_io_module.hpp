// Who serves MPI-IO.
#pragma once

#include <string>

namespace headrace::bench {

// "ompio", "romio" or "romio321" as Open MPI names it, or "unknown". Where Open MPI chooses by
// itself this is its default; it takes ROMIO on Lustre.
const std::string& mpi_io_module();

}  // namespace headrace::bench
