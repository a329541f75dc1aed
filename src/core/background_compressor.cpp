#include "background_compressor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace headrace {
namespace {

constexpr std::size_t output_bytes = std::size_t{256} << 10;

}  // namespace

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

}  // namespace headrace
