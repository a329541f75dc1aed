// gzip (RFC 1952) through zlib.
#include "codecs.hpp"

#if defined(HEADRACE_HAVE_ZLIB)

#include <zlib.h>

#include <algorithm>
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

class gzip_decoder final : public stream_decoder {
 public:
  gzip_decoder() noexcept : ready_(inflateInit2(&stream_, gzip_wrapper) == Z_OK) {}
  ~gzip_decoder() override {
    if (ready_) inflateEnd(&stream_);
  }
  gzip_decoder(const gzip_decoder&) = delete;
  gzip_decoder& operator=(const gzip_decoder&) = delete;

  bool ready() const noexcept { return ready_; }
  bool complete() const noexcept override { return complete_; }

  const char* decode(codec_buffers& buffers) noexcept override {
    if (complete_ && buffers.input_bytes > 0) {
      // Another member, or garbage, follows.
      inflateReset(&stream_);
      complete_ = false;
      follows_ = true;
    }
    if (complete_) return nullptr;
    const int result =
        with_buffers(stream_, buffers, [](z_stream* s) { return inflate(s, Z_NO_FLUSH); });
    if (result == Z_STREAM_END) complete_ = true;
    // Z_BUF_ERROR: it waits for more input or more room.
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return nullptr;
    if (result == Z_MEM_ERROR) return "no memory left";
    if (follows_ && stream_.total_out == 0 && stream_.total_in <= 2)
      return "bytes that are no gzip data follow its end";
    return stream_.msg != nullptr ? stream_.msg : "it needs a dictionary";
  }

 private:
  z_stream stream_{};
  bool ready_;
  bool complete_ = false;
  bool follows_ = false;
};

class gzip_encoder final : public stream_encoder {
 public:
  explicit gzip_encoder(int level) noexcept
      : ready_(deflateInit2(&stream_, level, Z_DEFLATED, gzip_wrapper, 8, Z_DEFAULT_STRATEGY) ==
               Z_OK) {}
  ~gzip_encoder() override {
    if (ready_) deflateEnd(&stream_);
  }
  gzip_encoder(const gzip_encoder&) = delete;
  gzip_encoder& operator=(const gzip_encoder&) = delete;

  bool ready() const noexcept { return ready_; }

  const char* encode(codec_buffers& buffers, bool last, bool& finished) noexcept override {
    const int flush = last ? Z_FINISH : Z_NO_FLUSH;
    const int result =
        with_buffers(stream_, buffers, [flush](z_stream* s) { return deflate(s, flush); });
    finished = result == Z_STREAM_END;
    return result == Z_STREAM_ERROR ? "zlib refuses its own state" : nullptr;
  }

 private:
  z_stream stream_{};
  bool ready_;
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

std::unique_ptr<stream_encoder> make_gzip_encoder(int level) {
  return only_if_ready(std::make_unique<gzip_encoder>(level));
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

std::unique_ptr<stream_encoder> make_gzip_encoder(int /*level*/) {
  return nullptr;
}

bool has_gzip() noexcept {
  return false;
}

}  // namespace headrace

#endif
