// A chunk on its way into a file: compressed, checked, at its place.
#pragma once

#include <memory>
#include <vector>

#include "../../../src/core/buffer.hpp"
#include "../../../src/core/codecs.hpp"
#include "file.hpp"
#include "metadata.hpp"

namespace headrace {

class zarr_encoder {
 public:
  // codecs: zstd, crc32c, or both in this order.
  explicit zarr_encoder(const std::vector<zarr_codec>& codecs);

  // Failure compression_unavailable.
  status begin(zarr_file& file, std::int64_t offset);
  status put(const char* data, std::int64_t bytes);
  // stored: bytes of the chunk in the file.
  status end(std::int64_t& stored);

 private:
  status compress(const char* data, std::int64_t bytes, bool last);
  status store(const char* data, std::int64_t bytes);

  bool checks_ = false;
  bool compresses_ = false;
  zarr_file* file_ = nullptr;
  std::int64_t begin_ = 0;
  std::int64_t at_ = 0;
  std::uint32_t crc_ = 0;
  std::unique_ptr<stream_encoder> compressor_;
  buffer compressed_;
};

}  // namespace headrace
