// Reads a block of an array from the chunks that it lies in. Nothing here is collective.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../../src/core/buffer.hpp"
#include "../../../src/core/streams.hpp"
#include "../../move/lines.hpp"
#include "../../together/timeline.hpp"
#include "files.hpp"
#include "metadata.hpp"
#include "place.hpp"

namespace headrace::zarr {

// Blocks of that size stay in the cache between the steps.
inline constexpr std::int64_t block_bytes = std::int64_t{256} << 10;

class chunk_decoder {
 public:
  // chunk: what messages call it.
  explicit chunk_decoder(std::string chunk) : chunk_(std::move(chunk)) {}
  chunk_decoder(const chunk_decoder&) = delete;
  chunk_decoder& operator=(const chunk_decoder&) = delete;

  // The chunk is at [offset, offset + stored) of the file and has plain bytes without its codecs.
  // Failure compression_unavailable.
  status open(chunk_file& file, std::int64_t offset, std::int64_t stored, std::int64_t plain,
              const std::vector<byte_codec>& codecs);
  // Fills data. Failures checksum_mismatch (with the bytes before the checksum),
  // compression_damaged and end_of_file.
  status read(char* data, std::int64_t bytes);
  // Failure compression_damaged when there is more than the chunk has.
  status finish();

 private:
  std::string chunk_;
  std::unique_ptr<byte_source> source_;
  std::int64_t left_ = 0;
};

class block_reader {
 public:
  // state: index along the steps, -1 without.
  block_reader(std::string directory, const array_document& array, std::int64_t state,
               file_maker make_file, timeline& line);

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
  status read_file(const index_list& file, const array_view& local, const box& own);
  status read_chunk(const index_list& chunk, const array_view& local, const box& own);
  status find_chunk(const index_list& chunk, std::int64_t& offset, std::int64_t& bytes) const;
  status missing(const box& chunk) const;

  element_form form_in_file(const array_view& local) const noexcept;
  // chunk, own and local as stored; part not
  status read_plain(std::int64_t offset, const box& chunk, const array_view& local, const box& own);
  status read_coded(std::int64_t offset, std::int64_t bytes, const box& part,
                    const array_view& local, const box& own);
  void fill(const box& chunk, const array_view& local, const box& own) const;

  std::string directory_;
  const array_document& array_;
  std::int64_t state_;
  file_maker make_file_;
  timeline& line_;
  chunk_grid grid_;
  std::unique_ptr<chunk_file> file_;  // null: it is missing
  std::string name_;
  std::int64_t file_bytes_ = 0;
  std::vector<std::uint64_t> index_;  // offset and length of each chunk of the shard
  buffer window_;
};

}  // namespace headrace::zarr
