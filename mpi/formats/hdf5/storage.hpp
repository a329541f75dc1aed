// Where the elements of a dataset lie in its file. Next: description.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "../../disk/byte_ranges.hpp"
#include "../../move/placed_array.hpp"
#include "types.hpp"

namespace headrace {

// HDF5's extents, slowest dimension first. With steps they come first.
std::vector<hsize_t> hdf5_extents(const index_list& extents, int array_rank, bool steps);

// Chunks of so many bytes at most, unless told otherwise: HDF5 takes less than 4 GiB.
inline constexpr std::int64_t largest_hdf5_chunk = (std::int64_t{4} << 30) - 1;

// A new dataset: contiguous, or with steps in chunks that are a step or whole planes of one.
// Space is allocated at once and not filled. HDF5 waits for all MPI ranks then: what takes memory
// is planned before.
struct hdf5_dataset_plan {
  hdf5_handle space;
  hdf5_handle creation;
};
// It tracks the order of its attributes, as all datasets of ours do.
bool hdf5_plan_creation(hdf5_handle& creation);
// extents: as those above; the first of them is 0 with steps. made.creation: that of another
// dataset without steps may be used again.
status hdf5_plan_dataset(hid_t type, const std::vector<hsize_t>& extents, bool steps,
                         std::int64_t chunk_bytes, hdf5_dataset_plan& made);
status hdf5_create_dataset(hid_t group, const std::string& name, hid_t type,
                           const hdf5_dataset_plan& plan, hdf5_handle& made);

// Space for one more step.
status hdf5_extend(hid_t dataset, std::int64_t steps);

// The segments of a dataset, or of one of its steps (-1: it has none); empty when it is not stored
// as plain bytes in element order: compressed, in chunks of another shape, in other files.
status hdf5_segments_of(hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                        std::vector<file_segment>& found);
// The same for a contiguous dataset of ours that is not empty, without questions.
status hdf5_segment_of_new(hid_t dataset, const std::vector<hsize_t>& extents,
                           std::vector<file_segment>& found);

// The bytes of segments behind others; joined where they follow them.
void hdf5_add_elements(const std::vector<file_segment>& segments, std::size_t elem_len,
                       std::vector<byte_range>& elements);

// part of an array, or of one of its steps, selected in the dataset's space; memory becomes the
// space of its elements one after another. An empty part selects nothing.
status hdf5_select(hid_t dataset, const box& part, std::int64_t step, hdf5_handle& file_space,
                   hdf5_handle& memory_space);

}  // namespace headrace
