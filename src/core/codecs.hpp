// One compression format as a machine that turns input into output, step by step. The formats:
// gzip.cpp, zstd.cpp; compressed.cpp and block_compressor.cpp run them in threads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace headrace {

class byte_sink;
class compressing_sink;
enum class compression;

// Input that is left and room that is left; a step moves both on.
struct codec_buffers {
  const char* input = nullptr;
  std::size_t input_bytes = 0;
  char* output = nullptr;
  std::size_t output_bytes = 0;
};

class stream_decoder {
 public:
  virtual ~stream_decoder() = default;
  // Decodes what it can. Returns null, or what is wrong with the input where it now stands.
  virtual const char* decode(codec_buffers& buffers) noexcept = 0;
  // The input may end here: after a member or frame, all of its text delivered.
  virtual bool complete() const noexcept = 0;
};

class stream_encoder {
 public:
  virtual ~stream_encoder() = default;
  // Encodes what it can. With last there is no input after this; finished is true when the end mark
  // is in the output. Returns null, or what went wrong.
  virtual const char* encode(codec_buffers& buffers, bool last, bool& finished) noexcept = 0;
};

// Blocks that are compressed each by itself and stand one behind the other in the file.
class block_encoder {
 public:
  virtual ~block_encoder() = default;
  // Room that a block of so many bytes may take.
  virtual std::size_t bound(std::size_t bytes) const noexcept = 0;
  // Encodes a whole block; returns the bytes that it takes, 0 if the library refuses. A block that
  // is not the last says so in the file: one that is cut behind it is known as damaged.
  virtual std::size_t encode(const char* text, std::size_t bytes, bool last, char* packed,
                             std::size_t room) noexcept = 0;
};

// Null when the library was built without zlib or libzstd, or when there is no memory left.
std::unique_ptr<stream_decoder> make_decoder(compression kind);
std::unique_ptr<stream_decoder> make_gzip_decoder();
std::unique_ptr<stream_decoder> make_zstd_decoder();
std::unique_ptr<block_encoder> make_gzip_encoder(int level);
std::unique_ptr<stream_encoder> make_zstd_encoder(int level, int threads);

// Writes blocks of a text to file, compressed beside the caller by as many threads at most. Each
// calls make_encoder once.
using block_encoder_maker = std::unique_ptr<block_encoder> (*)(int level);
std::unique_ptr<compressing_sink> compress_in_blocks(byte_sink& file,
                                                     block_encoder_maker make_encoder, int level,
                                                     int threads, const std::string& name);

// Whether a member or frame of that kind may begin with these four bytes.
bool may_begin(compression kind, const char* bytes) noexcept;
bool may_begin_gzip(const char* bytes) noexcept;
bool may_begin_zstd(const char* bytes) noexcept;

bool has_gzip() noexcept;
bool has_zstd() noexcept;

}  // namespace headrace
