// Where the elements of a dataset lie in its file. Next: hdf5.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "../../move/placed_array.hpp"
#include "handle.hpp"

namespace headrace::hdf5 {

// HDF5's extents, slowest dimension first. With steps they come first.
std::vector<hsize_t> extents_in_file(const box& global, bool steps);

// Chunks of so many bytes at most, unless told otherwise: HDF5 takes less than 4 GiB.
inline constexpr std::int64_t largest_chunk = (std::int64_t{4} << 30) - 1;
// The fastest dimensions whole, one in parts, the slower ones one by one: such a chunk is a range
// of the element order.
std::vector<hsize_t> chunk_of(const std::vector<hsize_t>& extents, std::size_t elem_len,
                              std::int64_t chunk_bytes);

// A new dataset: contiguous, or with steps in chunks that are a step or whole planes of one.
// Space is allocated at once and not filled. HDF5 waits for all MPI ranks then: what takes memory
// is planned before.
struct dataset_plan {
  std::vector<hsize_t> extents;
  handle space;
  handle creation;
};
// It tracks the order of its attributes, as all datasets of ours do.
bool plan_creation(handle& creation);
// extents: as those above; the first of them is 0 with steps. made: the plan of another dataset, or
// an empty one; without steps what is the same in both stays.
status plan_dataset(hid_t type, const std::vector<hsize_t>& extents, bool steps,
                    std::int64_t chunk_bytes, dataset_plan& made);
status create_dataset(hid_t group, const std::string& name, hid_t type, const dataset_plan& plan,
                      handle& made);

// Space for one more step.
status extend_dataset(hid_t dataset, std::int64_t steps);

// HDF5 then counts the places of chunks from the end of that block, or from that of the file since
// version 1.14.4. Also true if HDF5 does not tell.
bool has_user_block(hid_t file);

// The segments of a dataset, or of one of its steps (-1: it has none); empty when it is not stored
// as plain bytes in element order: compressed, in chunks of another shape, in other files.
status segments_of(hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                   std::vector<file_segment>& found);
// HDF5 looks through all chunks for the place of one: behind many the library reads a small step
// sooner itself.
inline bool reads_sooner(std::int64_t step, std::int64_t bytes) noexcept {
  return step >= 1024 && bytes < (std::int64_t{1} << 20);
}
// The same for a contiguous dataset of ours that is not empty, without questions.
status segment_of_new(hid_t dataset, const std::vector<hsize_t>& extents,
                      std::vector<file_segment>& found);

// part of an array, or of one of its steps, selected in the dataset's space; memory becomes the
// space of its elements one after another. An empty part selects nothing.
status select_part(hid_t dataset, const box& part, std::int64_t step, handle& file_space,
                   handle& memory_space);

// Calls for parts of a dataset, or of one of its steps (-1: it has none), through HDF5.
class part_transfer {
 public:
  // dataset: stays open. collective: all MPI ranks then call equally often.
  status prepare(hid_t dataset, std::int64_t step, const element_kind& kind, bool collective);
  status move(direction way, const box& part, char* data) const;

 private:
  hid_t dataset_ = H5I_INVALID_HID;
  std::int64_t step_ = -1;
  handle how_;
  handle memory_;
  handle nothing_;  // of the dataset, for a collective call without a part
};

}  // namespace headrace::hdf5
