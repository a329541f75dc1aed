#include "compressed.hpp"

#include <strings.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "background_compressor.hpp"
#include "block_compressor.hpp"
#include "codecs.hpp"
#include "decompressing_source.hpp"

namespace headrace {
namespace {

struct compressed_kind {
  compression kind;
  std::string_view ending;
  const char* name;
  const char* library;
  const char* package;
  int usual_level;
  int highest_level;
};
constexpr compressed_kind kinds[] = {
    {compression::gzip, ".gz", "gzip", "zlib", "zlib1g-dev", 6, 9},
    {compression::zstd, ".zst", "zstd", "libzstd", "libzstd-dev", 3, 19},
};

const compressed_kind* kind_by_ending(std::string_view file) noexcept {
  for (const compressed_kind& known : kinds) {
    const std::size_t length = known.ending.size();
    if (file.size() >= length &&
        ::strncasecmp(file.data() + file.size() - length, known.ending.data(), length) == 0)
      return &known;
  }
  return nullptr;
}

const compressed_kind& description_of(compression kind) noexcept {
  return kind == compression::zstd ? kinds[1] : kinds[0];
}

status unavailable(const compressed_kind& needed, const std::string& file) {
  return status::failure(stat_code::compression_unavailable,
                         std::string("headrace was built without ") + needed.library + ", which " +
                             needed.name + " files need")
      .in_file(file)
      .advise(std::string("install its development package (Debian: ") + needed.package +
              ") and build headrace with CMake again");
}

status check_level_of(const compressed_kind& known, int level) {
  if (level == default_level || (level >= 1 && level <= known.highest_level)) return {};
  return status::failure(stat_code::option_unknown,
                         std::string(known.name) + " has no level " + std::to_string(level))
      .expected("1 (fastest) to " + std::to_string(known.highest_level) + " (smallest)",
                std::to_string(level))
      .advise("leave it out for level " + std::to_string(known.usual_level));
}

// Makes something with a thread of its own; says why not.
template <class Make>
status with_thread(const std::string& file, Make make) {
  try {
    make();
    return {};
  } catch (const std::system_error& error) {
    return status::system(error.code().value(), "cannot start a thread for the compressed file")
        .in_file(file);
  }
}

bool is_available(compression kind) noexcept {
  return kind == compression::gzip ? has_gzip() : has_zstd();
}

}  // namespace

compression compression_of(std::string_view file) noexcept {
  const compressed_kind* const known = kind_by_ending(file);
  return known == nullptr ? compression::none : known->kind;
}

std::string_view without_compression_ending(std::string_view file) noexcept {
  const compressed_kind* const known = kind_by_ending(file);
  if (known != nullptr) file.remove_suffix(known->ending.size());
  return file;
}

status check_level(const std::string& file, int level) {
  const compressed_kind* const known = kind_by_ending(file);
  if (level == default_level) return {};
  if (known != nullptr) return check_level_of(*known, level);
  return status::failure(stat_code::option_unknown,
                         "level= has no meaning for a file that is not compressed")
      .advise("leave it out, or let the name of the file end in .gz or .zst");
}

status check_deflate_level(int level) {
  return check_level_of({compression::gzip, "", "deflate", "", "", 6, 9}, level);
}

status open_decompressor(std::unique_ptr<byte_source> compressed, compression kind,
                         const std::string& file, std::unique_ptr<byte_source>& plain) {
  plain = std::move(compressed);
  if (kind == compression::none) return {};
  const compressed_kind& known = description_of(kind);
  if (!is_available(kind)) return unavailable(known, file);
  std::unique_ptr<stream_decoder> decoder =
      kind == compression::gzip ? make_gzip_decoder() : make_zstd_decoder();
  if (!decoder) throw std::bad_alloc();
  return with_thread(file, [&] {
    plain = std::make_unique<decompressing_source>(std::move(plain), std::move(decoder), known.name,
                                                   file);
  });
}

status open_compressor(byte_sink& file, compression kind, int level, int threads,
                       const std::string& name, std::unique_ptr<compressing_sink>& plain) {
  const compressed_kind& known = description_of(kind);
  if (!is_available(kind)) return unavailable(known, name);
  if (status s = check_level_of(known, level); !s.ok()) return std::move(s).in_file(name);
  if (level == default_level) level = known.usual_level;
  if (kind == compression::gzip) {
    plain = std::make_unique<block_compressor>(file, make_gzip_encoder, level, threads, name);
    return {};
  }
  std::unique_ptr<stream_encoder> encoder = make_zstd_encoder(level, threads);
  if (!encoder) throw std::bad_alloc();
  return with_thread(name, [&] {
    plain = std::make_unique<background_compressor>(file, std::move(encoder), name);
  });
}

}  // namespace headrace
