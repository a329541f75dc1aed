#include "compressed.hpp"

#include <strings.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "block_exchange.hpp"
#include "codecs.hpp"
#include "own_process.hpp"

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

// Decompresses as much as is asked for.
class decompressing_source final : public byte_source {
 public:
  // name: of the compression, for messages.
  decompressing_source(std::unique_ptr<byte_source> compressed,
                       std::unique_ptr<stream_decoder> decoder, std::string name, std::string file)
      : compressed_(std::move(compressed)),
        decoder_(std::move(decoder)),
        name_(std::move(name)),
        file_(std::move(file)),
        input_(new char[input_bytes]) {}

  // Less than the capacity at the end and before a failure.
  status read(char* data, std::size_t capacity, std::size_t& count) override;

 private:
  static constexpr std::size_t input_bytes = std::size_t{256} << 10;

  status read_more();
  status decode_more();
  status damaged(const char* wrong) const;
  status cut() const;

  std::unique_ptr<byte_source> compressed_;
  std::unique_ptr<stream_decoder> decoder_;
  std::string name_;
  std::string file_;
  std::unique_ptr<char[]> input_;
  codec_buffers buffers_;
  std::uint64_t read_ = 0;  // bytes of the compressed file
  bool file_ended_ = false;
  bool ended_ = false;
  status result_;
};

status decompressing_source::read(char* data, std::size_t capacity, std::size_t& count) {
  buffers_.output = data;
  buffers_.output_bytes = capacity;
  while (buffers_.output_bytes > 0 && !ended_ && result_.ok()) {
    if (buffers_.input_bytes == 0) result_ = read_more();
    if (result_.ok()) result_ = decode_more();
  }
  count = capacity - buffers_.output_bytes;
  return count > 0 ? status() : result_;
}

status decompressing_source::read_more() {
  if (file_ended_) return {};
  std::size_t count = 0;
  if (status s = compressed_->read(input_.get(), input_bytes, count); !s.ok()) return s;
  buffers_.input = input_.get();
  buffers_.input_bytes = count;
  read_ += count;
  file_ended_ = count == 0;
  return {};
}

status decompressing_source::decode_more() {
  const codec_buffers before = buffers_;
  if (const char* const wrong = decoder_->decode(buffers_)) return damaged(wrong);
  const bool moved =
      buffers_.input_bytes < before.input_bytes || buffers_.output_bytes < before.output_bytes;
  if (moved || !file_ended_) return {};
  ended_ = true;
  return decoder_->complete() ? status() : cut();
}

status decompressing_source::damaged(const char* wrong) const {
  return status::failure(stat_code::compression_damaged,
                         "the " + name_ + " file is damaged: " + wrong)
      .in_file(file_)
      .at_byte(read_ - buffers_.input_bytes)
      .advise("copy or write it again");
}

status decompressing_source::cut() const {
  const char* const where = read_ == 0 ? " file is empty" : " file ends in the middle of its data";
  return status::failure(stat_code::compression_damaged, "the " + name_ + where)
      .in_file(file_)
      .at_byte(read_)
      .advise("check that its writer has finished, copy or write it again");
}

// Reads ahead in a thread beside the one that reads the text.
class reading_ahead final : public byte_source {
 public:
  // Throws std::system_error when no thread can be started.
  explicit reading_ahead(std::unique_ptr<byte_source> source)
      : source_(std::move(source)),
        worker_([this] { exchange_->end(as_status([this] { return work(); })); }) {}
  // Waits for the thread's current block, no longer.
  ~reading_ahead() override;

  status read(char* data, std::size_t capacity, std::size_t& count) override;

 private:
  status work();  // in the thread

  std::unique_ptr<byte_source> source_;

  // Of the thread that reads the text:
  byte_block current_;
  std::size_t used_ = 0;

  own_process<block_exchange> exchange_;
  own_process<std::thread> worker_;  // last: it uses all the others
};

reading_ahead::~reading_ahead() {
  if (!worker_.is_here()) return;
  exchange_->refuse({});
  worker_->join();
}

status reading_ahead::read(char* data, std::size_t capacity, std::size_t& count) {
  count = 0;
  if (used_ == current_.bytes) {
    if (current_.data) exchange_->give_empty(std::move(current_));
    current_ = {};
    used_ = 0;
    if (!exchange_->take_full(current_)) return exchange_->result();
  }
  count = std::min(capacity, current_.bytes - used_);
  std::memcpy(data, current_.data.get() + used_, count);
  used_ += count;
  return {};
}

status reading_ahead::work() {
  byte_block block;
  while (exchange_->take_empty(block)) {
    const status result = source_->read(block.data.get(), block_exchange::block_bytes, block.bytes);
    if (block.bytes == 0) return result;
    exchange_->give_full(std::move(block));
  }
  return {};
}

// Compresses and writes in a thread beside the one that makes the text.
class background_compressor final : public compressing_sink {
 public:
  // Throws std::system_error when no thread can be started.
  background_compressor(byte_sink& file, std::unique_ptr<stream_encoder> encoder, std::string name);
  ~background_compressor() override;

  // Failures of compression and of the file come with the next write, finish at the latest.
  status write(const char* data, std::size_t bytes) override;
  status finish() override;

 private:
  void hand_over() noexcept;
  // In the thread:
  status compress();
  status encode(const byte_block& block, bool last);

  byte_sink& file_;
  own_process<std::unique_ptr<stream_encoder>> encoder_;  // may have threads of its own
  std::string name_;
  std::unique_ptr<char[]> output_;

  byte_block current_;  // of the thread that makes the text
  own_process<block_exchange> exchange_;
  own_process<std::thread> worker_;  // last: it uses all the others
};

constexpr std::size_t output_bytes = std::size_t{256} << 10;

background_compressor::background_compressor(byte_sink& file,
                                             std::unique_ptr<stream_encoder> encoder,
                                             std::string name)
    : file_(file),
      encoder_(std::move(encoder)),
      name_(std::move(name)),
      output_(new char[output_bytes]),
      worker_([this] { exchange_->refuse(as_status([this] { return compress(); })); }) {}

background_compressor::~background_compressor() {
  if (!worker_.is_here() || !worker_->joinable()) return;
  exchange_->end(status::failure(stat_code::interrupted, "abandoned"));
  worker_->join();
}

status background_compressor::write(const char* data, std::size_t bytes) {
  while (bytes > 0) {
    if (!current_.data && !exchange_->take_empty(current_)) return exchange_->result();
    const std::size_t count = std::min(bytes, block_exchange::block_bytes - current_.bytes);
    std::memcpy(current_.data.get() + current_.bytes, data, count);
    current_.bytes += count;
    data += count;
    bytes -= count;
    if (current_.bytes == block_exchange::block_bytes) hand_over();
  }
  return {};
}

status background_compressor::finish() {
  if (current_.data) hand_over();
  exchange_->end({});
  if (worker_->joinable()) worker_->join();
  return exchange_->result();
}

void background_compressor::hand_over() noexcept {
  exchange_->give_full(std::move(current_));
  current_ = {};
}

status background_compressor::compress() {
  byte_block block;
  while (exchange_->take_full(block)) {
    // Abandoned: nobody wants the rest.
    if (status s = exchange_->result(); !s.ok()) return s;
    if (status s = encode(block, false); !s.ok()) return s;
    exchange_->give_empty(std::move(block));
  }
  if (status s = exchange_->result(); !s.ok()) return s;
  return encode({}, true);
}

status background_compressor::encode(const byte_block& block, bool last) {
  codec_buffers buffers{block.data.get(), block.bytes, nullptr, 0};
  bool finished = false;
  do {
    buffers.output = output_.get();
    buffers.output_bytes = output_bytes;
    if (const char* const wrong = (*encoder_)->encode(buffers, last, finished))
      return status::system(EIO, std::string("cannot compress: ") + wrong).in_file(name_);
    const std::size_t made = output_bytes - buffers.output_bytes;
    if (status s = file_.write(output_.get(), made); !s.ok()) return s;
  } while (last ? !finished : buffers.input_bytes > 0);
  return {};
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
      .advise("leave it out, or give the file an ending .gz or .zst");
}

status check_deflate_level(int level) {
  return check_level_of({compression::gzip, "", "deflate", "", "", 6, 9}, level);
}

std::unique_ptr<stream_decoder> make_decoder(compression kind) {
  return kind == compression::gzip ? make_gzip_decoder() : make_zstd_decoder();
}

bool may_begin(compression kind, const char* bytes) noexcept {
  return kind == compression::gzip ? may_begin_gzip(bytes) : may_begin_zstd(bytes);
}

status open_decoder(std::unique_ptr<byte_source> compressed, compression kind,
                    const std::string& file, std::unique_ptr<byte_source>& plain) {
  plain = std::move(compressed);
  if (kind == compression::none) return {};
  const compressed_kind& known = description_of(kind);
  if (!is_available(kind)) return unavailable(known, file);
  std::unique_ptr<stream_decoder> decoder = make_decoder(kind);
  if (!decoder) throw std::bad_alloc();
  plain = std::make_unique<decompressing_source>(std::move(plain), std::move(decoder), known.name,
                                                 file);
  return {};
}

status open_decompressor(std::unique_ptr<byte_source> compressed, compression kind,
                         const std::string& file, std::unique_ptr<byte_source>& plain) {
  if (status s = open_decoder(std::move(compressed), kind, file, plain); !s.ok()) return s;
  if (kind == compression::none) return {};
  return with_thread(file, [&] { plain = std::make_unique<reading_ahead>(std::move(plain)); });
}

status open_compressor(byte_sink& file, compression kind, int level, int threads,
                       const std::string& name, std::unique_ptr<compressing_sink>& plain) {
  const compressed_kind& known = description_of(kind);
  if (!is_available(kind)) return unavailable(known, name);
  if (status s = check_level_of(known, level); !s.ok()) return std::move(s).in_file(name);
  if (level == default_level) level = known.usual_level;
  if (kind == compression::gzip) {
    plain = compress_in_blocks(file, make_gzip_encoder, level, threads, name);
    return {};
  }
  std::unique_ptr<stream_encoder> encoder = make_zstd_encoder(level, threads);
  if (!encoder) throw std::bad_alloc();
  return with_thread(name, [&] {
    plain = std::make_unique<background_compressor>(file, std::move(encoder), name);
  });
}

}  // namespace headrace
