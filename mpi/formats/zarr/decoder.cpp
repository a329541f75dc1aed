#include "decoder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "../../../src/core/buffer.hpp"
#include "../../../src/core/codecs.hpp"
#include "../../../src/core/crc32c.hpp"

namespace headrace {
namespace {

status damaged(const std::string& chunk, const std::string& what) {
  return status::failure(stat_code::compression_damaged, chunk + " " + what)
      .advise("restore the file from a copy");
}

class range_source final : public byte_source {
 public:
  range_source(zarr_file& file, std::int64_t offset, std::int64_t bytes)
      : file_(file), at_(offset), end_(offset + bytes) {}

  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = std::min(capacity, static_cast<std::size_t>(end_ - at_));
    const auto bytes = static_cast<std::int64_t>(count);
    at_ += bytes;
    return bytes == 0 ? status() : file_.read_at(at_ - bytes, data, bytes);
  }

 private:
  zarr_file& file_;
  std::int64_t at_;
  std::int64_t end_;
};

// Still in the cache for its checksum when it has been read.
constexpr std::size_t checked_block = std::size_t{256} << 10;

// Delivers all but the last four bytes, which are the checksum of the others.
class checked_source final : public byte_source {
 public:
  checked_source(std::unique_ptr<byte_source> from, std::int64_t bytes, const std::string& chunk)
      : from_(std::move(from)), left_(bytes - 4), chunk_(chunk) {}

  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = 0;
    if (left_ < 0) return mismatch("4 bytes of a checksum", "fewer");
    if (left_ > 0) {
      capacity = std::min({capacity, checked_block, static_cast<std::size_t>(left_)});
      if (status s = from_->read(data, capacity, count); !s.ok()) return s;
      if (count == 0) return mismatch("a checksum", "the end of the chunk");
      crc_ = crc32c(crc_, data, count);
      left_ -= static_cast<std::int64_t>(count);
    }
    return left_ > 0 || compared_ ? status() : compare();
  }

 private:
  status mismatch(const std::string& expected, const std::string& found) const {
    return status::failure(stat_code::checksum_mismatch,
                           chunk_ + " is not what was written: its crc32c is wrong")
        .expected(expected, found)
        .advise("restore the file from a copy; the disk or the network may be faulty");
  }

  status compare() {
    compared_ = true;
    std::array<char, 4> stored{};
    for (std::size_t have = 0, count = 0; have < stored.size(); have += count) {
      if (status s = from_->read(stored.data() + have, stored.size() - have, count); !s.ok())
        return s;
      if (count == 0) return mismatch("4 bytes of a checksum", "fewer");
    }
    std::uint32_t wanted = 0;
    for (unsigned i = 0; i < 4; ++i)
      wanted |= static_cast<std::uint32_t>(static_cast<unsigned char>(stored[i])) << (8 * i);
    return wanted == crc_ ? status() : mismatch(std::to_string(wanted), std::to_string(crc_));
  }

  std::unique_ptr<byte_source> from_;
  std::int64_t left_;
  const std::string& chunk_;
  std::uint32_t crc_ = 0;
  bool compared_ = false;
};

class unpacking_source final : public byte_source {
 public:
  unpacking_source(std::unique_ptr<byte_source> from, std::unique_ptr<stream_decoder> decoder,
                   const std::string& chunk)
      : from_(std::move(from)), decoder_(std::move(decoder)), chunk_(chunk) {
    packed_.reserve(static_cast<std::size_t>(zarr_block_bytes));
  }

  status read(char* data, std::size_t capacity, std::size_t& count) override {
    buffers_.output = data;
    buffers_.output_bytes = capacity;
    for (;;) {
      if (const char* const wrong = decoder_->decode(buffers_); wrong != nullptr)
        return damaged(chunk_, std::string("is damaged: ") + wrong);
      count = capacity - buffers_.output_bytes;
      if (count > 0 || capacity == 0) return {};
      if (ended_) return decoder_->complete() ? status() : damaged(chunk_, "is cut short");
      if (buffers_.input_bytes > 0) continue;
      std::size_t packed = 0;
      const auto most = static_cast<std::size_t>(zarr_block_bytes);
      if (status s = from_->read(packed_.data(), most, packed); !s.ok()) return s;
      ended_ = packed == 0;
      buffers_.input = packed_.data();
      buffers_.input_bytes = packed;
    }
  }

 private:
  std::unique_ptr<byte_source> from_;
  std::unique_ptr<stream_decoder> decoder_;
  const std::string& chunk_;
  buffer packed_;
  codec_buffers buffers_;
  bool ended_ = false;
};

}  // namespace

status zarr_decoder::open(zarr_file& file, std::int64_t offset, std::int64_t stored,
                          std::int64_t plain, const std::vector<zarr_codec>& codecs) {
  left_ = plain;
  source_ = std::make_unique<range_source>(file, offset, stored);
  // The last codec was applied last. Behind a decompression the length is what the codecs before it
  // made of the chunk.
  std::int64_t length = stored;
  auto checks = std::count(codecs.begin(), codecs.end(), zarr_codec::crc32c);
  for (auto codec = codecs.rbegin(); codec != codecs.rend(); ++codec) {
    if (*codec == zarr_codec::crc32c) {
      source_ = std::make_unique<checked_source>(std::move(source_), length, chunk_);
      length -= 4;
      --checks;
      continue;
    }
    const bool zstd = *codec == zarr_codec::zstd;
    auto decoder = zstd ? make_zstd_decoder() : make_gzip_decoder();
    if (decoder == nullptr)
      return status::failure(
                 stat_code::compression_unavailable,
                 std::string("the library was built without ") + (zstd ? "libzstd" : "zlib"))
          .advise(std::string("install ") + (zstd ? "libzstd-dev" : "zlib1g-dev") +
                  " and build it again");
    source_ = std::make_unique<unpacking_source>(std::move(source_), std::move(decoder), chunk_);
    length = plain + 4 * checks;
  }
  return {};
}

status zarr_decoder::read(char* data, std::int64_t bytes) {
  while (bytes > 0) {
    std::size_t count = 0;
    const auto most = static_cast<std::size_t>(std::min(bytes, zarr_block_bytes));
    if (status s = source_->read(data, most, count); !s.ok()) return s;
    if (count == 0)
      return damaged(chunk_, "has fewer elements than it should")
          .expected(bytes_text(static_cast<std::uint64_t>(left_)) + " more", "none");
    data += count;
    bytes -= static_cast<std::int64_t>(count);
    left_ -= static_cast<std::int64_t>(count);
  }
  return {};
}

status zarr_decoder::finish() {
  char more = 0;
  std::size_t count = 0;
  if (status s = source_->read(&more, 1, count); !s.ok()) return s;
  return count == 0 ? status() : damaged(chunk_, "has more elements than it should");
}

}  // namespace headrace
