// transfer="library": the plain calls of HDF5, by all MPI ranks together through MPI-IO or by MPI
// rank 0 alone. As safe as the library is: MPI ranks agree before and after each call, and the size
// of the file is checked.
#pragma once

#include "../../dataset/backend.hpp"

namespace headrace::hdf5 {

// Collective.
status create_by_library(const dataset_opening& how, std::unique_ptr<dataset_writer>& made);
// Not for the pattern serial.
status open_by_library(const dataset_opening& how, std::unique_ptr<dataset_reader>& made);

}  // namespace headrace::hdf5
