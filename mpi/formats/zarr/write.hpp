// Writes the chunks of a spread array: compressed, checked, in their place in a file or a shard.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../../../src/core/buffer.hpp"
#include "../../../src/core/codecs.hpp"
#include "../../together/timeline.hpp"
#include "files.hpp"
#include "metadata.hpp"
#include "place.hpp"

namespace headrace::zarr {

// A file that is to have so many bytes in the end.
struct written_file {
  std::string name;
  std::int64_t bytes = 0;
};

// What all MPI ranks know about where the chunks of an array, or of one of its states, go.
struct destination {
  std::string directory;
  const array_document& array;  // codecs, and chunk_bytes: of a chunk before them
  const chunk_grid& grid;
  std::int64_t chunk_bytes = 0;
  std::int64_t state = -1;  // index along the steps
  file_maker make_file = make_system_file;
  bool sync = false;
};

// The chunks that this MPI rank writes of one array: which file, where in it, and the index of a
// shard. Nothing here is collective.
class chunk_output {
 public:
  // written receives the files whose size this MPI rank answers for.
  chunk_output(const destination& to, std::vector<written_file>& written);

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
  status compress(const char* data, std::int64_t bytes, bool last);
  status store(const char* data, std::int64_t bytes);
  void learn_known_index(const index_list& shard);
  status write_index();

  const destination& to_;
  std::vector<written_file>& written_;
  bool checks_ = false;
  bool compresses_ = false;       // so that sizes are not known before
  std::int64_t known_bytes_ = 0;  // of a chunk in a file, if sizes are known
  std::unique_ptr<chunk_file> file_;
  std::string name_;
  index_list place_{};      // of the chunk
  std::int64_t begin_ = 0;  // of the chunk in the file
  std::int64_t at_ = 0;
  std::uint32_t crc_ = 0;
  std::unique_ptr<stream_encoder> compressor_;
  buffer compressed_;
  std::vector<index_entry> index_;  // of the shard, complete when this MPI rank closes the file
  std::int64_t end_ = 0;            // of the data in a shard
  bool writes_index_ = false;
};

// Not collective, for a direct plan: this MPI rank's block, which is a chunk.
status write_own_chunk(const destination& to, const array_view& local, const array_layout& layout,
                       timeline& line, std::vector<written_file>& written);
// Collective: the blocks come to the writers of the chunks.
status write_chunks(const destination& to, const write_plan& plan, const array_view& local,
                    const array_layout& layout, timeline& line, std::vector<written_file>& written);

}  // namespace headrace::zarr
