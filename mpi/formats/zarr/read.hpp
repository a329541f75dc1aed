// Reads a block of an array from the chunks that it lies in. Nothing here is collective.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../../../src/core/buffer.hpp"
#include "../../move/lines.hpp"
#include "../../together/timeline.hpp"
#include "decoder.hpp"

namespace headrace {

class zarr_block_reader {
 public:
  // state: index along the steps, -1 without.
  zarr_block_reader(std::string directory, const zarr_array& array, std::int64_t state,
                    zarr_file_maker make_file, timeline& line);

  // local: the elements of own, of the array's type (logicals of any length). Failures
  // chunk_missing, checksum_mismatch, file_size_mismatch, compression_damaged with the file and
  // the chunk.
  status read(const array_view& local, const box& own);

 private:
  // Boxes and views with the dimensions as they are in a file: the fastest first.
  box as_stored(const box& part) const;
  array_view as_stored(const array_view& local) const;

  std::string name_of_file(const index_list& file) const;
  status open_file(const index_list& file);
  status read_index();
  status check_entry(std::int64_t offset, std::int64_t bytes) const;
  status read_file(const index_list& file, const array_view& local, const box& own);
  status read_chunk(const index_list& chunk, const array_view& local, const box& own);
  status find_chunk(const index_list& chunk, std::int64_t& offset, std::int64_t& bytes) const;
  status missing(const box& chunk) const;

  // chunk, own and local as stored; part not
  status read_plain(std::int64_t offset, const box& chunk, const array_view& local, const box& own);
  status read_range(std::int64_t offset, const piece& range, const array_view& local,
                    const box& own);
  status read_coded(std::int64_t offset, std::int64_t bytes, const box& part,
                    const array_view& local, const box& own);
  void keep(const piece& range, char* data, const array_view& local, const box& own) const;
  void fill(const box& chunk, const array_view& local, const box& own) const;

  std::string directory_;
  const zarr_array& array_;
  std::int64_t state_;
  zarr_file_maker make_file_;
  timeline& line_;
  std::size_t array_rank_;
  index_list chunk_{};               // extents
  index_list chunks_of_file_{};      // 1 without shards
  std::unique_ptr<zarr_file> file_;  // null: it is missing
  std::string name_;
  std::int64_t file_bytes_ = 0;
  std::vector<std::uint64_t> index_;  // offset and length of each chunk of the shard
  buffer window_;
};

}  // namespace headrace
