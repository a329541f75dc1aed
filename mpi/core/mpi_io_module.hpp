// Which of its two modules Open MPI serves MPI-IO by.
#pragma once

#include <string>

namespace headrace {

// "ompio", "romio" or "romio321" as Open MPI names it; "" with another MPI. Where Open MPI chooses
// by itself this is its default; it takes ROMIO on Lustre.
const std::string& open_mpi_io_module();

// OMPIO reports success of writes that failed or were cut.
bool mpi_io_may_lose_writes();

}  // namespace headrace
