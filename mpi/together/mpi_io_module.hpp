// Which of its two modules Open MPI serves MPI-IO by.
#pragma once

#include <string>

namespace headrace {

// "ompio", "romio" or "romio321" as Open MPI names it; "" with another MPI. Where Open MPI chooses
// by itself this is its default; it takes ROMIO on Lustre.
const std::string& open_mpi_io_module();

// Before MPI-IO opens the first file of the process. Where the pieces of a collective write leave
// gaps, OMPIO of Open MPI 4.1.0 to 4.1.6 and 5.0.0 to 5.0.5 reads what lies around them and writes
// it back (data sieving), over what others have written meanwhile: elements are lost without a word
// (github.com/open-mpi/ompi issue 12718). And 4.1.0 to 4.1.4 lose some in reads (issue 10546). So
// it is switched off, unless the environment says otherwise; who used MPI-IO before is not helped.
void avoid_unsafe_sieving() noexcept;

}  // namespace headrace
