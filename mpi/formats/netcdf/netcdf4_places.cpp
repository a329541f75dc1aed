#include "netcdf4_places.hpp"

#include <netcdf.h>

#include <algorithm>

#include "../../../src/core/name_text.hpp"
#include "../../together/communicator.hpp"
#include "../hdf5/handle.hpp"
#include "../hdf5/mpi_file.hpp"
#include "../hdf5/storage.hpp"
#include "netcdf4_file.hpp"

namespace headrace {

namespace {

using sizes = std::vector<hsize_t>;

// A variable named like a dimension that is not its own has another name in HDF5.
std::string other_name(const std::string& variable) {
  const std::size_t name = variable.rfind('/') + 1;  // behind the groups, or all of it
  return variable.substr(0, name) + "_nc4_non_coord_" + variable.substr(name);
}

hdf5_handle dataset_named(hid_t file, const std::string& variable, const std::string& other) {
  const bool has_other = H5Lexists(file, other.c_str(), H5P_DEFAULT) > 0;
  return owned_dataset(H5Dopen2(file, (has_other ? other : variable).c_str(), H5P_DEFAULT));
}

// The ranges of so many records.
std::size_t ranges_of(const sizes& extents, const sizes& chunk, std::int64_t records) {
  hsize_t ranges = static_cast<hsize_t>(std::max<std::int64_t>(1, records));
  for (std::size_t d = 1; d < chunk.size(); ++d)
    ranges *= std::max<hsize_t>(1, (extents[d] + chunk[d] - 1) / chunk[d]);
  return static_cast<std::size_t>(ranges);
}

bool extents_of(hid_t dataset, sizes& extents) {
  const hdf5_handle space = owned_space(H5Dget_space(dataset));
  const int array_rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (array_rank < 0) return false;
  extents.resize(static_cast<std::size_t>(array_rank));
  return H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr) >= 0;
}

// The chunks of a record are cut along its slowest dimensions, so the elements in the last one are
// at its beginning.
hsize_t bytes_within(hid_t dataset, const sizes& extents, const sizes& chunk, const sizes& at) {
  const hdf5_handle type = owned_type(H5Dget_type(dataset));
  hsize_t bytes = H5Tget_size(type.get());
  for (std::size_t d = 1; d < chunk.size(); ++d) bytes *= std::min(chunk[d], extents[d] - at[d]);
  return bytes;
}

// To the next chunk of the same record; false behind the last.
bool advance(const sizes& extents, const sizes& chunk, sizes& at) {
  for (std::size_t d = at.size(); d-- > 1;) {
    at[d] += chunk[d];
    if (at[d] < extents[d]) return true;
    at[d] = 0;
  }
  return false;
}

// False where a chunk has no place.
bool add_record(hid_t dataset, const sizes& extents, const sizes& chunk, std::int64_t record,
                std::vector<byte_range>& found) {
  sizes at(extents.size(), 0);
  at[0] = static_cast<hsize_t>(record);
  do {
    unsigned mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t stored = 0;
    if (H5Dget_chunk_info_by_coord(dataset, at.data(), &mask, &address, &stored) < 0 ||
        address == HADDR_UNDEF)
      return false;
    const auto begin = static_cast<std::int64_t>(address);
    const hsize_t bytes = bytes_within(dataset, extents, chunk, at);
    found.push_back({begin, begin + static_cast<std::int64_t>(bytes)});
  } while (advance(extents, chunk, at));
  return true;
}

void find_contiguous(hid_t dataset, std::vector<byte_range>& found) {
  const haddr_t address = H5Dget_offset(dataset);
  if (address == HADDR_UNDEF) return;
  const auto begin = static_cast<std::int64_t>(address);
  found.push_back({begin, begin + static_cast<std::int64_t>(H5Dget_storage_size(dataset))});
}

}  // namespace

status netcdf4_places(const std::string& file, function_ref<status(std::string& name)> find_name,
                      std::int64_t first, std::int64_t last, bool extends,
                      function_ref<status(status mine)> agreed, std::vector<byte_range>& found) {
  const hdf5_quiet quiet;
  found.clear();
  std::string variable;
  std::string other;
  hid_t open_file = -1;
  hdf5_handle dataset;
  sizes extents;
  sizes chunk;
  bool has_records = false;
  // NetCDF may have told HDF5 to read metadata together: all memory before the first of its calls.
  const auto prepare = [&] {
    open_file = hdf5_open_file_of_name(file, hdf5_driver::mpi_io);
    if (open_file < 0) return status();
    extents.reserve(H5S_MAX_RANK);
    chunk.reserve(H5S_MAX_RANK);
    found.reserve(1);
    if (status s = find_name(variable); !s.ok()) return s;
    other = other_name(variable);
    return status();
  };
  if (status s = agreed(caught(prepare)); !s.ok()) return s;
  const auto look = [&] {
    if (open_file < 0) return status();
    dataset = dataset_named(open_file, variable, other);
    if (!dataset || !extents_of(dataset.get(), extents)) return status();
    if (last < 0) {
      find_contiguous(dataset.get(), found);
      return status();
    }
    const hdf5_handle creation = owned_properties(H5Dget_create_plist(dataset.get()));
    chunk.assign(extents.size(), 0);
    if (H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()) < 0)
      return status();
    found.reserve(ranges_of(extents, chunk, last - first + 1));
    has_records = extends;
    if (extends || extents[0] <= static_cast<hsize_t>(last)) return status();
    bool few = false;
    status counted = hdf5_count_chunks(dataset.get(), few);
    has_records = few && H5Pget_nfilters(creation.get()) == 0;
    return counted;
  };
  if (status s = agreed(caught(look)); !s.ok() || !has_records) return s;
  if (extents[0] < static_cast<hsize_t>(last) + 1) {
    extents[0] = static_cast<hsize_t>(last) + 1;
    if (H5Dset_extent(dataset.get(), extents.data()) < 0)
      return hdf5_failure("cannot add a step to " + shown(variable)).in_file(file);
  }
  bool all = true;
  for (std::int64_t record = first; record <= last && all; ++record)
    all = add_record(dataset.get(), extents, chunk, record, found);
  if (!all) found.clear();
  return {};
}

// Of one process alone HDF5 chooses a place only when it writes.
status netcdf4_file::place(int variable, std::int64_t first, std::int64_t last,
                           std::int64_t /*bytes*/, function_ref<status(status mine)> agreed,
                           std::vector<byte_range>& found) {
  found.clear();
  if (!parallel_) return {};
  const auto find_name = [&](std::string& path) {
    const target of = at(variable);
    char name[NC_MAX_NAME + 1] = "";
    std::size_t length = 0;
    int code = nc_inq_varname(of.group, of.variable, name);
    if (code == NC_NOERR) code = nc_inq_grpname_full(of.group, &length, nullptr);
    std::string groups(length + 1, '\0');
    if (code == NC_NOERR) code = nc_inq_grpname_full(of.group, nullptr, groups.data());
    groups.resize(length);
    path = groups == "/" ? name : groups + "/" + name;
    return check(code, "cannot learn a name");
  };
  return netcdf4_places(path_, find_name, first, last, descriptions_ != nullptr, agreed, found);
}

}  // namespace headrace
