// Compressed files by their ending: gzip (.gz, zlib) and Zstandard (.zst, libzstd). The libraries
// are optional; without them such files are refused by name. Next: codecs.hpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "status.hpp"
#include "streams.hpp"

namespace headrace {

enum class compression { none, gzip, zstd };

// By the last ending of the name, in upper or lower case: "x.csv.gz" is gzip.
compression compression_of(std::string_view file) noexcept;

// "x.csv" for "x.csv.gz": the name whose ending tells the format.
std::string_view without_compression_ending(std::string_view file) noexcept;

// What a compressed file holds, read from its first byte. A thread of its own decompresses up to
// 4 MiB ahead; it ends with the stream. All bytes before a damage are delivered; then comes
// compression_damaged with the offset in the compressed file, or the failure of the file itself.
// Members or frames that follow each other are one text, anything else after them is refused.
// kind none gives the file back as it is. file is its name, for messages.
status open_decompressor(std::unique_ptr<byte_source> compressed, compression kind,
                         const std::string& file, std::unique_ptr<byte_source>& plain);

// The same in the calling thread, as much as is read: for a look at some of the text.
status open_decoder(std::unique_ptr<byte_source> compressed, compression kind,
                    const std::string& file, std::unique_ptr<byte_source>& plain);

// Takes text, writes it compressed.
class compressing_sink : public byte_sink {
 public:
  // Writes what is left and the end mark. Destroyed without it, the file stays incomplete.
  virtual status finish() = 0;
};

inline constexpr int default_level = 0;

// Refuses levels that the compression of a file's ending lacks, and any level of a file that is
// not compressed.
status check_level(const std::string& file, int level);
// The same of deflate, without a file.
status check_deflate_level(int level);

// Threads beside the caller compress (as many as threads says if the library can) and write to
// file, which must live until finish(). level: 1 to 9 for gzip, 1 to 19 for zstd.
status open_compressor(byte_sink& file, compression kind, int level, int threads,
                       const std::string& name, std::unique_ptr<compressing_sink>& plain);

}  // namespace headrace
