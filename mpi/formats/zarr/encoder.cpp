#include "encoder.hpp"

#include <algorithm>
#include <array>

#include "../../../src/core/crc32c.hpp"

namespace headrace {
namespace {

// Still in the cache for its checksum when it has been written.
constexpr std::int64_t checked_block = std::int64_t{256} << 10;
constexpr std::size_t compressed_block = std::size_t{1} << 20;

}  // namespace

zarr_encoder::zarr_encoder(const std::vector<zarr_codec>& codecs) {
  for (const zarr_codec codec : codecs)
    (codec == zarr_codec::crc32c ? checks_ : compresses_) = true;
}

status zarr_encoder::begin(zarr_file& file, std::int64_t offset) {
  file_ = &file;
  begin_ = offset;
  at_ = offset;
  crc_ = 0;
  if (!compresses_) return {};
  compressor_ = make_zstd_encoder(zarr_zstd_level, 1);
  if (compressor_ == nullptr)
    return status::failure(stat_code::compression_unavailable,
                           "the library was built without libzstd")
        .advise("write without compression, or install libzstd-dev and build again");
  compressed_.reserve(compressed_block);
  return {};
}

status zarr_encoder::store(const char* data, std::int64_t bytes) {
  const std::int64_t most = checks_ ? checked_block : bytes;
  while (bytes > 0) {
    const std::int64_t block = std::min(bytes, most);
    if (status s = file_->write_at(at_, data, block); !s.ok()) return s;
    if (checks_) crc_ = crc32c(crc_, data, static_cast<std::size_t>(block));
    at_ += block;
    data += block;
    bytes -= block;
  }
  return {};
}

status zarr_encoder::compress(const char* data, std::int64_t bytes, bool last) {
  codec_buffers buffers;
  buffers.input = data;
  buffers.input_bytes = static_cast<std::size_t>(bytes);
  for (bool finished = false; last ? !finished : buffers.input_bytes > 0;) {
    buffers.output = compressed_.data();
    buffers.output_bytes = compressed_block;
    if (const char* const wrong = compressor_->encode(buffers, last, finished); wrong != nullptr)
      return status::failure(stat_code::library_failed, std::string("libzstd: ") + wrong);
    const auto ready = static_cast<std::int64_t>(compressed_block - buffers.output_bytes);
    if (status s = store(compressed_.data(), ready); !s.ok()) return s;
  }
  return {};
}

status zarr_encoder::put(const char* data, std::int64_t bytes) {
  return compresses_ ? compress(data, bytes, false) : store(data, bytes);
}

status zarr_encoder::end(std::int64_t& stored) {
  if (compresses_) {
    if (status s = compress(nullptr, 0, true); !s.ok()) return s;
    compressor_.reset();
  }
  if (checks_) {
    std::array<char, 4> little{};
    for (unsigned i = 0; i < 4; ++i) little[i] = static_cast<char>(crc_ >> (8 * i) & 0xFFU);
    if (status s = file_->write_at(at_, little.data(), 4); !s.ok()) return s;
    at_ += 4;
  }
  stored = at_ - begin_;
  return {};
}

}  // namespace headrace
