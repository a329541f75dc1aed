// Dimensions with names, as netCDF, xarray and h5py know them: HDF5's dimension scales, which are
// attributes and small datasets, written and read here without HDF5's high-level library, which not
// every MPI has. Next: dimensions.hpp chooses the names.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "handle.hpp"

namespace headrace::hdf5 {

// What netCDF calls a dimension of which there is no coordinate variable.
std::string title_of_dimension(std::int64_t extent);

// The dataset becomes a scale of that title.
status make_scale(hid_t dataset, const std::string& title);
// The attribute in which NetCDF numbers its dimensions.
inline constexpr const char* dimension_number = "_Netcdf4Dimid";
status number_scale(hid_t scale, int number);
// The datasets that use a scale, and as which dimension; in place of those that were listed.
using scale_references = std::vector<std::pair<hobj_ref_t, unsigned>>;
status list_references(hid_t scale, const scale_references& users);
status refer_to(hid_t dataset, hobj_ref_t& reference);
// What such lists are stored as, kept from one dataset to the next.
struct list_form {
  handle type;
  handle space;
  std::size_t dimensions = 0;  // that space is for
};
// The scales of a dataset's dimensions, slowest first; in place of those that it had.
status name_dimensions(hid_t dataset, std::vector<hobj_ref_t>& scales, list_form& form);

// Numbers of steps, from a place on.
status write_numbers(hid_t scale, const std::vector<std::int64_t>& numbers, std::size_t from);

// The paths of the scales of a dataset's dimensions, slowest first; "" if there is none. steps:
// the numbers of the states along the first one, if that is ours.
status read_dimensions(hid_t dataset, std::vector<std::string>& scales, bool& has_steps,
                       std::vector<std::int64_t>& steps);

// A dimension that has only a name, or the numbers of steps: no array of the user.
bool is_dimension_only(hid_t dataset);
// CLASS, NAME, DIMENSION_LIST, REFERENCE_LIST.
bool is_reserved_attribute(const std::string& name);

// An attribute, in place of an old one.
status replace_attribute(hid_t object, const char* name, hid_t type, hid_t space,
                         const void* values, const std::string& what);
status write_text(hid_t object, const char* name, const std::string& text);

// Scalars and arrays of array rank 1 beside an array or the whole file. If the file is open by
// MPI-IO, all MPI ranks write the same.
// value: contiguous. An old attribute of that name is replaced.
status put_attribute(hid_t object, const std::string& name, const array_view& value);

// Texts are filled up with blanks to the length of value; longer ones are the failure
// kind_mismatch, other extents shape_mismatch, no such attribute array_missing.
status get_attribute(hid_t object, const std::string& name, const array_view& value);

}  // namespace headrace::hdf5
