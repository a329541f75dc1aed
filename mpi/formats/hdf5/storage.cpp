#include "storage.hpp"

#include <algorithm>
#include <array>

#include "../../together/communicator.hpp"

namespace headrace::hdf5 {
namespace {

bool is_range(const std::vector<hsize_t>& chunk, const std::vector<hsize_t>& extents,
              std::size_t first) {
  bool whole = true;
  for (std::size_t d = extents.size(); d-- > first;) {
    if (!whole && chunk[d] != 1) return false;
    whole = whole && chunk[d] == extents[d];
  }
  return first == 0 || chunk[0] == 1;
}

// More segments are no gain over the library, and every MPI rank would hold them.
constexpr std::size_t most_segments = 65536;

// In the file itself, without a filter.
bool is_plain_storage(hid_t dataset, hid_t creation) {
  if (H5Pget_nfilters(creation) != 0 || H5Pget_external_count(creation) != 0) return false;
  return !has_user_block(owned_file(H5Iget_file_id(dataset)).get());
}

status chunk_segments(hid_t dataset, hid_t creation, const std::vector<hsize_t>& extents,
                      std::int64_t step, std::vector<file_segment>& found) {
  std::vector<hsize_t> chunk(extents.size(), 0);
  if (H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()) < 0)
    return library_failure("cannot learn the chunks of a dataset");
  const std::size_t first_dimension = step >= 0 ? 1 : 0;
  if (!is_range(chunk, extents, first_dimension)) return {};
  // Chunks follow one another along dimension d - 1; those behind it are whole.
  std::size_t d = extents.size();
  hsize_t plane = 1;
  while (d > first_dimension && chunk[d - 1] == extents[d - 1]) plane *= extents[--d];
  hsize_t elements = plane;
  for (std::size_t k = first_dimension; k < d; ++k) elements *= extents[k];
  std::vector<hsize_t> index(extents.size(), 0);
  if (step >= 0) index[0] = static_cast<hsize_t>(step);
  for (hsize_t first = 0, last = 0; first < elements; first = last) {
    hsize_t place = first / plane;
    for (std::size_t k = d; k-- > first_dimension; place /= extents[k])
      index[k] = place % extents[k];
    last = first + plane;
    if (d > first_dimension)
      last = first + plane * std::min(chunk[d - 1], extents[d - 1] - index[d - 1]);
    unsigned mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    const bool is_known =
        H5Dget_chunk_info_by_coord(dataset, index.data(), &mask, &address, &bytes) >= 0;
    if (is_known && address != HADDR_UNDEF && found.size() < most_segments) {
      found.push_back({static_cast<std::int64_t>(first), static_cast<std::int64_t>(last),
                       static_cast<std::int64_t>(address)});
      continue;
    }
    found.clear();
    return is_known ? status() : library_failure("cannot learn where a chunk lies");
  }
  return {};
}

}  // namespace

bool has_user_block(hid_t file) {
  const handle creation = owned_properties(H5Fget_create_plist(file));
  hsize_t bytes = 0;
  return H5Pget_userblock(creation.get(), &bytes) < 0 || bytes > 0;
}

std::vector<hsize_t> extents_in_file(const box& global, bool steps) {
  std::vector<hsize_t> reversed;
  if (steps) reversed.push_back(0);
  for (int d = global.array_rank; d-- > 0;)
    reversed.push_back(static_cast<hsize_t>(global.count[static_cast<std::size_t>(d)]));
  return reversed;
}

bool plan_creation(handle& creation) {
  creation = owned_properties(H5Pcreate(H5P_DATASET_CREATE));
  return creation && H5Pset_attr_creation_order(creation.get(),
                                                H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0;
}

std::vector<hsize_t> chunk_of(const std::vector<hsize_t>& extents, std::size_t elem_len,
                              std::int64_t chunk_bytes) {
  std::vector<hsize_t> chunk(extents.size(), 1);
  auto left =
      std::max<hsize_t>(1, static_cast<hsize_t>(std::min(chunk_bytes, largest_chunk)) / elem_len);
  for (std::size_t d = extents.size(); d-- > 1;) {
    const hsize_t extent = std::max<hsize_t>(1, extents[d]);
    chunk[d] = std::min(extent, left);
    if (chunk[d] < extent) break;
    left /= extent;
  }
  return chunk;
}

status plan_dataset(hid_t type, const std::vector<hsize_t>& extents, bool steps,
                    std::int64_t chunk_bytes, dataset_plan& made) {
  if (!made.space || made.extents != extents) {
    std::vector<hsize_t> largest = extents;
    if (steps) largest[0] = H5S_UNLIMITED;
    made.extents = extents;
    made.space = owned_space(
        H5Screate_simple(static_cast<int>(extents.size()), extents.data(), largest.data()));
  }
  const auto make = [&] {
    return plan_creation(made.creation) &&
           H5Pset_alloc_time(made.creation.get(), H5D_ALLOC_TIME_EARLY) >= 0 &&
           H5Pset_fill_time(made.creation.get(), H5D_FILL_TIME_NEVER) >= 0;
  };
  bool done = made.space && ((made.creation && !steps) || make());
  if (done && steps) {
    const std::size_t elem_len = H5Tget_size(type);
    if (elem_len == 0) return library_failure("cannot learn the length of elements");
    const std::vector<hsize_t> chunk = chunk_of(extents, elem_len, chunk_bytes);
    done = H5Pset_chunk(made.creation.get(), static_cast<int>(chunk.size()), chunk.data()) >= 0;
  }
  return done ? status() : library_failure("cannot prepare a dataset");
}

status create_dataset(hid_t group, const std::string& name, hid_t type, const dataset_plan& plan,
                      handle& made) {
  made = owned_dataset(H5Dcreate2(group, name.c_str(), type, plan.space.get(), H5P_DEFAULT,
                                  plan.creation.get(), H5P_DEFAULT));
  return made ? status() : library_failure("cannot create a dataset");
}

// Collective in HDF5, if the dataset's file was opened by all: nobody leaves before the call.
status extend_dataset(hid_t dataset, std::int64_t steps) {
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  handle space = owned_space(H5Dget_space(dataset));
  status result;
  if (!space || H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr) < 0)
    result = caught([] { return library_failure("cannot learn the extents before a step"); });
  space.close();
  extents[0] = static_cast<hsize_t>(steps);
  if (H5Dset_extent(dataset, extents.data()) >= 0 || !result.ok()) return result;
  return library_failure("cannot add a step");
}

status segment_of_new(hid_t dataset, const std::vector<hsize_t>& extents,
                      std::vector<file_segment>& found) {
  hsize_t elements = 1;
  for (const hsize_t extent : extents) elements *= extent;
  const haddr_t address = H5Dget_offset(dataset);
  if (address == HADDR_UNDEF) return library_failure("HDF5 gave an array no place");
  found = {{0, static_cast<std::int64_t>(elements), static_cast<std::int64_t>(address)}};
  return {};
}

status segments_of(hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                   std::vector<file_segment>& found) {
  found.clear();
  hsize_t elements = 1;
  for (std::size_t d = step >= 0 ? 1 : 0; d < extents.size(); ++d) elements *= extents[d];
  const handle creation = owned_properties(H5Dget_create_plist(dataset));
  if (!creation) return library_failure("cannot learn how a dataset is stored");
  if (elements == 0 || !is_plain_storage(dataset, creation.get())) return {};
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout < 0) return library_failure("cannot learn how a dataset is stored");
  if (layout == H5D_CHUNKED) return chunk_segments(dataset, creation.get(), extents, step, found);
  if (layout != H5D_CONTIGUOUS || step >= 0) return {};
  const haddr_t address = H5Dget_offset(dataset);
  if (address != HADDR_UNDEF)
    found.push_back({0, static_cast<std::int64_t>(elements), static_cast<std::int64_t>(address)});
  H5Eclear2(H5E_DEFAULT);  // a dataset without bytes is no failure
  return {};
}

status select_part(hid_t dataset, const box& part, std::int64_t step, handle& file_space,
                   handle& memory_space) {
  // No memory: all MPI ranks go on to a call together.
  std::array<hsize_t, std::size_t{max_parallel_rank} + 1> count{};
  std::array<hsize_t, std::size_t{max_parallel_rank} + 1> start{};
  std::size_t dimensions = 0;
  if (step >= 0) {
    count[dimensions] = 1;
    start[dimensions++] = static_cast<hsize_t>(step);
  }
  for (auto d = static_cast<std::size_t>(part.array_rank); d-- > 0;) {
    count[dimensions] = static_cast<hsize_t>(part.count[d]);
    start[dimensions++] = static_cast<hsize_t>(part.start[d]);
  }
  const auto elements = static_cast<hsize_t>(volume(part));
  // Closed after a failure of the new ones, those of the call before would take its reason away.
  file_space.close();
  memory_space.close();
  file_space = owned_space(H5Dget_space(dataset));
  // Of the part's shape: HDF5 takes each element by itself if the shapes differ (chunks).
  const bool is_list = dimensions == 0 || elements == 0;
  if (file_space)
    memory_space = owned_space(H5Screate_simple(is_list ? 1 : static_cast<int>(dimensions),
                                                is_list ? &elements : count.data(), nullptr));
  bool done = file_space && memory_space;
  if (done && elements == 0)
    done = H5Sselect_none(file_space.get()) >= 0 && H5Sselect_none(memory_space.get()) >= 0;
  else if (done && dimensions > 0)
    done = H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr,
                               count.data(), nullptr) >= 0;
  return done ? status() : library_failure("cannot select a part of a dataset");
}

status part_transfer::prepare(hid_t dataset, std::int64_t step, const element_kind& kind,
                              bool collective) {
  dataset_ = dataset;
  step_ = step;
  how_.close();
  nothing_.close();
  if (status s = memory_type(kind, memory_); !s.ok()) return s;
  if (!collective) return {};
  how_ = owned_properties(H5Pcreate(H5P_DATASET_XFER));
  if (how_) nothing_ = owned_space(H5Dget_space(dataset_));
  if (nothing_ && H5Pset_dxpl_mpio(how_.get(), H5FD_MPIO_COLLECTIVE) >= 0 &&
      H5Sselect_none(nothing_.get()) >= 0)
    return {};
  return library_failure("cannot ask for collective transfers");
}

status part_transfer::move(direction way, const box& part, char* data) const {
  const quiet_errors quiet;
  const hid_t how = how_ ? how_.get() : H5P_DEFAULT;
  const bool writes = way == direction::out;
  handle in_file;
  handle in_memory;
  const auto call = [&](const handle& memory, const handle& file) {
    return writes ? H5Dwrite(dataset_, memory_.get(), memory.get(), file.get(), how, data)
                  : H5Dread(dataset_, memory_.get(), memory.get(), file.get(), how, data);
  };
  status chosen = caught([&] { return select_part(dataset_, part, step_, in_file, in_memory); });
  // The others wait in a collective call for who has no selection: it makes one of nothing.
  if (!chosen.ok() && nothing_) call(nothing_, nothing_);
  if (!chosen.ok() || call(in_memory, in_file) >= 0) return chosen;
  return caught([&] {
    return library_failure(writes ? "cannot write an array through HDF5"
                                  : "cannot read an array through HDF5");
  });
}

}  // namespace headrace::hdf5
