// The files of a store: small ones, and those of chunks, written one after another or read by
// blocks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../../../src/core/file_target.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../together/timeline.hpp"
#include "metadata.hpp"
#include "place.hpp"

namespace headrace::zarr {

// Small files, whole. most: a longer file is the failure header_damaged.
status read_small_file(const std::string& file, std::int64_t most, std::string& text);
// replaces: there may be one, which is whole at every moment.
status write_small_file(const std::string& file, const std::string& text, bool replaces, bool sync);
// Failure file_size_mismatch; a file that is gone is file_changed_while_writing.
status check_file_size(const std::string& file, std::int64_t bytes);
// It may be there.
status make_directory(const std::string& directory);

// How the bytes of chunks are moved: by system calls, or by Fortran's statements (statements.cpp).
using file_maker = std::unique_ptr<positioned_file> (*)();
inline std::unique_ptr<positioned_file> make_system_file() {
  return std::make_unique<positioned_file>();
}

// A file that is to have so many bytes in the end.
struct written_file {
  std::string name;
  std::int64_t bytes = 0;
};

// Where the chunks of an array lie, or of one of its states.
struct chunk_files {
  std::string directory;
  const array_document& array;  // its type, codecs and names of files
  chunk_grid grid;
  std::int64_t state = -1;  // index along the steps
  file_maker make_file = make_system_file;
  bool sync = false;

  // Of a chunk before the codecs.
  std::int64_t chunk_bytes() const noexcept {
    return grid.chunk_volume() * static_cast<std::int64_t>(array.type.bytes);
  }
  // Of a shard, or of a chunk.
  std::string name_of(const index_list& file) const;
};

// Not collective: the one chunk of an array.
status write_only_chunk(const chunk_files& to, const char* data,
                        std::vector<written_file>& written);
// Collective: the blocks come to the writers of the chunks. A failure of one MPI rank may come back
// on it alone.
status write_chunks(const chunk_files& to, const write_plan& plan, const array_view& local,
                    const array_layout& layout, timeline& line, std::vector<written_file>& written);

// Not collective. local: the elements of own, of the array's type (logicals of any length).
// Failures chunk_missing, checksum_mismatch, file_size_mismatch, compression_damaged with the file
// and the chunk.
status read_block(const chunk_files& from, const array_view& local, const box& own, timeline& line);

}  // namespace headrace::zarr
