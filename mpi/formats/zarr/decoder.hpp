// The bytes of a chunk as they come from its file: verified and decompressed step by step.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../../src/core/streams.hpp"
#include "file.hpp"
#include "metadata.hpp"

namespace headrace {

// Blocks of that size stay in the cache between the steps.
inline constexpr std::int64_t zarr_block_bytes = std::int64_t{256} << 10;

class zarr_decoder {
 public:
  // chunk: what messages call it.
  explicit zarr_decoder(std::string chunk) : chunk_(std::move(chunk)) {}
  zarr_decoder(const zarr_decoder&) = delete;
  zarr_decoder& operator=(const zarr_decoder&) = delete;

  // The chunk is at [offset, offset + stored) of the file and has plain bytes without its codecs.
  // Failure compression_unavailable.
  status open(zarr_file& file, std::int64_t offset, std::int64_t stored, std::int64_t plain,
              const std::vector<zarr_codec>& codecs);
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

}  // namespace headrace
