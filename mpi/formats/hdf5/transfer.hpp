// Moves the elements of a spread array to and from a dataset: by our own calls at the bytes where
// they lie, or through H5Dwrite and H5Dread. All of it is collective and agrees on the status.
#pragma once

#include "../../dataset/backend.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../together/function_ref.hpp"
#include "storage.hpp"

namespace headrace {

// An array on its way.
struct hdf5_cargo {
  const array_layout& layout;
  const array_view& local;
  hdf5_kind kind;          // in the file
  std::int64_t step = -1;  // its place in the dataset
  // Bytes of a chunk when the next one may lie anywhere; 0: what follows is near.
  std::int64_t scattered_chunk = 0;
  bool can_fail = true;  // a write of it, as take_room() says
};

// Collective for hdf5_library_read(), of MPI rank 0 alone for segments_from_root().
using segment_search = function_ref<status(std::vector<hdf5_segment>&)>;

// Collective: what find() gives MPI rank 0, on all.
status segments_from_root(const communicator& comm, const segment_search& find,
                          std::vector<hdf5_segment>& segments);

// By pwrite and pread of the MPI ranks, in a file that need not be open in HDF5.
class hdf5_direct_transfer {
 public:
  hdf5_direct_transfer(std::string path, const parallel_settings& settings, parallel_notes& notes);

  status write(const hdf5_cargo& cargo, const std::vector<hdf5_segment>& segments);
  status read(const hdf5_cargo& cargo, const std::vector<hdf5_segment>& segments);
  // Not collective.
  status close() { return file_.close(); }

 private:
  status open(const communicator& comm, bool writes);

  std::string path_;
  const parallel_settings& settings_;
  parallel_notes& notes_;
  positioned_file file_;
  bool opened_ = false;  // on every MPI rank
};

// Through the library. Serial: dataset is open on MPI rank 0 only; otherwise on all.
status hdf5_library_write(const hdf5_cargo& cargo, hid_t dataset, const parallel_settings& settings,
                          parallel_notes& notes);
// parallel: the dataset is of a file that was opened by MPI-IO; segments: where in it the array
// lies, none where HDF5 does not tell.
status hdf5_library_read(const hdf5_cargo& cargo, hid_t dataset, bool parallel,
                         const segment_search& find, const parallel_settings& settings,
                         parallel_notes& notes);

}  // namespace headrace
