// What is in an HDF5 file that is read, or gone on with.
#pragma once

#include "../../dataset/described.hpp"

namespace headrace::hdf5 {

// Collective.
status open(const dataset_opening& how, std::unique_ptr<dataset_reader>& made);

struct old_array {
  described_array described;
  std::vector<std::string> scales;  // paths of its dimensions', slowest first
  bool is_ours = false;             // it can be gone on with
};
// Not collective. Without those that Fortran has no kind or shape for, which stay as they are.
status find_arrays(const std::string& file, std::vector<old_array>& found);

}  // namespace headrace::hdf5
