// Dimensions with names, as netCDF, xarray and h5py know them: HDF5's dimension scales. They are
// attributes and small datasets, written here without HDF5's high-level library, which not every
// MPI has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../../move/boxes.hpp"
#include "../../together/function_ref.hpp"
#include "types.hpp"

namespace headrace {

// An array in a file that is being written.
struct hdf5_written_array {
  hdf5_handle dataset;  // where the file is open
  hdf5_kind kind;
  box global;
  std::vector<std::string> dimensions;  // in Fortran's order, without the steps
  bool has_steps = false;
  std::vector<std::int64_t> steps;
};
using hdf5_written_arrays = std::map<std::string, hdf5_written_array>;

// Names the dimensions of all arrays, once they are all there. Dimensions of one name and extent in
// one group are the same; another extent gets the array's name in front. An array of array rank 1
// that is called as its dimension holds the coordinates. is_root: writes the numbers of steps.
// agreed(): the outcome on all MPI ranks that have the file open, before HDF5 waits for them.
status hdf5_write_dimensions(hid_t file, const hdf5_written_arrays& arrays, bool is_root,
                             function_ref<status(status mine)> agreed);

// The names of a dataset's dimensions, slowest first; "" where there is none. steps: the numbers of
// the states along the first one, if that is ours.
status hdf5_read_dimensions(hid_t dataset, std::vector<std::string>& names, bool& has_steps,
                            std::vector<std::int64_t>& steps);

// A dimension that has only a name, or the numbers of steps: no array of the user.
bool hdf5_is_dimension_only(hid_t dataset);
// CLASS, NAME, DIMENSION_LIST, REFERENCE_LIST.
bool hdf5_is_reserved_attribute(const std::string& name);

}  // namespace headrace
