// gzip (RFC 1952): zlib reads it; libdeflate, or zlib if that is not there, writes members of a
// block each, which any number of threads make at a time and every reader of gzip takes as one
// text.
#include "codecs.hpp"

#if defined(HEADRACE_HAVE_ZLIB)

#include <zlib.h>

#if defined(HEADRACE_HAVE_LIBDEFLATE)
#include <libdeflate.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace headrace {
namespace {

constexpr int gzip_wrapper = 15 + 16;  // the largest window, and a gzip header around it

// zlib counts in unsigned int: at most this much is lent to it at a time.
constexpr std::size_t largest_loan = std::numeric_limits<uInt>::max() / 2;

// Lends the buffers to zlib, calls it, and moves them on by what it used.
template <class Call>
int with_buffers(z_stream& stream, codec_buffers& buffers, Call call) noexcept {
  const auto input = static_cast<uInt>(std::min(buffers.input_bytes, largest_loan));
  const auto room = static_cast<uInt>(std::min(buffers.output_bytes, largest_loan));
  // zlib does not write to its input, whatever its type says.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(buffers.input));
  stream.avail_in = input;
  stream.next_out = reinterpret_cast<Bytef*>(buffers.output);
  stream.avail_out = room;
  const int result = call(&stream);
  buffers.input += input - stream.avail_in;
  buffers.input_bytes -= input - stream.avail_in;
  buffers.output += room - stream.avail_out;
  buffers.output_bytes -= room - stream.avail_out;
  return result;
}

// The head of a member: method deflate, no time, unknown system. In a member that another one
// follows an extra field "HR" says so; readers ignore the extra fields that they do not know.
constexpr unsigned char last_head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
constexpr unsigned char head[] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 5, 0, 'H', 'R', 1, 0, 1};
constexpr std::size_t extra_bytes = 5;
constexpr std::size_t tail_bytes = 8;  // checksum and length

class gzip_decoder final : public stream_decoder {
 public:
  gzip_decoder() noexcept : ready_(inflateInit2(&stream_, gzip_wrapper) == Z_OK) {
    if (ready_) look_at_header();
  }
  ~gzip_decoder() override {
    if (ready_) inflateEnd(&stream_);
  }
  gzip_decoder(const gzip_decoder&) = delete;
  gzip_decoder& operator=(const gzip_decoder&) = delete;

  bool ready() const noexcept { return ready_; }
  bool complete() const noexcept override { return ended_ && !more_follows_; }

  const char* decode(codec_buffers& buffers) noexcept override {
    if (ended_ && buffers.input_bytes > 0) {
      // Another member, or garbage, follows.
      inflateReset(&stream_);
      look_at_header();
      ended_ = false;
      follows_ = true;
    }
    if (ended_) return nullptr;
    const int result =
        with_buffers(stream_, buffers, [](z_stream* s) { return inflate(s, Z_NO_FLUSH); });
    if (result == Z_STREAM_END) {
      ended_ = true;
      more_follows_ = header_.extra != nullptr && header_.extra_len == extra_bytes &&
                      std::memcmp(extra_, head + sizeof head - extra_bytes, extra_bytes) == 0;
    }
    // Z_BUF_ERROR: it waits for more input or more room.
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return nullptr;
    if (result == Z_MEM_ERROR) return "no memory left";
    if (follows_ && stream_.total_out == 0 && stream_.total_in <= 2)
      return "bytes that are not gzip data follow its end";
    return stream_.msg != nullptr ? stream_.msg : "it needs a dictionary";
  }

 private:
  void look_at_header() noexcept {
    header_ = {};
    header_.extra = extra_;
    header_.extra_max = sizeof extra_;
    inflateGetHeader(&stream_, &header_);
  }

  z_stream stream_{};
  gz_header header_{};
  unsigned char extra_[extra_bytes] = {};
  bool ready_;
  bool ended_ = false;  // a member has ended
  bool more_follows_ = false;
  bool follows_ = false;
};

// The data of a member without head and tail.
#if defined(HEADRACE_HAVE_LIBDEFLATE)
class raw_deflate {
 public:
  explicit raw_deflate(int level) noexcept : state_(libdeflate_alloc_compressor(level)) {}
  ~raw_deflate() { libdeflate_free_compressor(state_); }
  raw_deflate(const raw_deflate&) = delete;
  raw_deflate& operator=(const raw_deflate&) = delete;

  bool ready() const noexcept { return state_ != nullptr; }
  std::size_t bound(std::size_t bytes) const noexcept {
    return libdeflate_deflate_compress_bound(state_, bytes);
  }
  std::size_t run(const char* text, std::size_t bytes, char* packed, std::size_t room) noexcept {
    return libdeflate_deflate_compress(state_, text, bytes, packed, room);
  }
  static std::uint32_t checksum(const char* text, std::size_t bytes) noexcept {
    return libdeflate_crc32(0, text, bytes);
  }

 private:
  libdeflate_compressor* state_;
};
#else
class raw_deflate {
 public:
  explicit raw_deflate(int level) noexcept
      : ready_(deflateInit2(&stream_, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~raw_deflate() {
    if (ready_) deflateEnd(&stream_);
  }
  raw_deflate(const raw_deflate&) = delete;
  raw_deflate& operator=(const raw_deflate&) = delete;

  bool ready() const noexcept { return ready_; }
  std::size_t bound(std::size_t bytes) const noexcept {
    return compressBound(static_cast<uLong>(bytes));
  }
  std::size_t run(const char* text, std::size_t bytes, char* packed, std::size_t room) noexcept {
    codec_buffers buffers{text, bytes, packed, room};
    deflateReset(&stream_);
    const int result =
        with_buffers(stream_, buffers, [](z_stream* s) { return deflate(s, Z_FINISH); });
    return result == Z_STREAM_END ? room - buffers.output_bytes : 0;
  }
  static std::uint32_t checksum(const char* text, std::size_t bytes) noexcept {
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(text), static_cast<uInt>(bytes)));
  }

 private:
  z_stream stream_{};
  bool ready_;
};
#endif

class gzip_encoder final : public block_encoder {
 public:
  explicit gzip_encoder(int level) noexcept : deflate_(level) {}
  bool ready() const noexcept { return deflate_.ready(); }

  std::size_t bound(std::size_t bytes) const noexcept override {
    return sizeof head + deflate_.bound(bytes) + tail_bytes;
  }
  std::size_t encode(const char* text, std::size_t bytes, bool last, char* packed,
                     std::size_t room) noexcept override {
    const std::size_t begin = last ? sizeof last_head : sizeof head;
    std::memcpy(packed, last ? last_head : head, begin);
    const std::size_t data = deflate_.run(text, bytes, packed + begin, room - begin - tail_bytes);
    if (data == 0) return 0;
    char* const tail = packed + begin + data;
    put_number(tail, raw_deflate::checksum(text, bytes));
    put_number(tail + 4, static_cast<std::uint32_t>(bytes));
    return begin + data + tail_bytes;
  }

 private:
  // The lowest byte first, on any machine.
  static void put_number(char* place, std::uint32_t number) noexcept {
    for (int i = 0; i < 4; ++i) place[i] = static_cast<char>(number >> 8 * i);
  }

  raw_deflate deflate_;
};

template <class Codec>
std::unique_ptr<Codec> only_if_ready(std::unique_ptr<Codec> codec) noexcept {
  if (!codec->ready()) codec.reset();
  return codec;
}

}  // namespace

std::unique_ptr<stream_decoder> make_gzip_decoder() {
  return only_if_ready(std::make_unique<gzip_decoder>());
}

std::unique_ptr<block_encoder> make_gzip_encoder(int level) {
  return only_if_ready(std::make_unique<gzip_encoder>(level));
}

bool may_begin_gzip(const char* bytes) noexcept {
  return std::memcmp(bytes, head, 3) == 0;  // deflate is the only method
}

bool has_gzip() noexcept {
  return true;
}

}  // namespace headrace

#else

namespace headrace {

std::unique_ptr<stream_decoder> make_gzip_decoder() {
  return nullptr;
}

std::unique_ptr<block_encoder> make_gzip_encoder(int /*level*/) {
  return nullptr;
}

bool may_begin_gzip(const char* /*bytes*/) noexcept {
  return false;
}

bool has_gzip() noexcept {
  return false;
}

}  // namespace headrace

#endif
