// The chunks that this MPI rank writes of one array: which file, where in it, and the index of a
// shard. Nothing here is collective.
#pragma once

#include <string>
#include <vector>

#include "encoder.hpp"
#include "grid.hpp"

namespace headrace {

// A file that is to have so many bytes in the end.
struct written_file {
  std::string name;
  std::int64_t bytes = 0;
};

// What all MPI ranks know about where the chunks of an array, or of one of its states, go.
struct zarr_destination {
  std::string directory;
  zarr_array array;  // its chunk and shard count the steps too, the grid does not
  chunk_grid grid;
  std::int64_t state = -1;  // index along the steps
  zarr_file_maker make_file = zarr_plain_file::make;
  bool sync = false;
};

class zarr_output {
 public:
  // written receives the files whose size this MPI rank answers for.
  zarr_output(const zarr_destination& to, std::vector<written_file>& written);

  // One chunk after another, those of a shard without others between them.
  status begin(std::int64_t chunk);
  status put(const char* data, std::int64_t bytes);
  status end();
  status close();

 private:
  struct index_entry {
    std::int64_t place;
    std::int64_t offset;
    std::int64_t bytes;
  };

  std::string name_of(const index_list& place) const;
  status open(const std::string& name, bool is_shared);
  void learn_known_index(const index_list& shard);
  status write_index();

  const zarr_destination& to_;
  std::vector<written_file>& written_;
  bool sizes_known_;
  std::int64_t known_bytes_;  // of a chunk in a file, if sizes are known
  std::unique_ptr<zarr_file> file_;
  std::string name_;
  zarr_encoder encoder_;
  index_list place_{};              // of the chunk
  std::vector<index_entry> index_;  // of the shard, complete when this MPI rank closes the file
  std::int64_t end_ = 0;            // of the data in a shard
  bool writes_index_ = false;
};

}  // namespace headrace
