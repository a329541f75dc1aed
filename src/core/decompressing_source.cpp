#include "decompressing_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace headrace {
namespace {

constexpr std::size_t input_bytes = std::size_t{256} << 10;

}  // namespace

decompressing_source::decompressing_source(std::unique_ptr<byte_source> compressed,
                                           std::unique_ptr<stream_decoder> decoder,
                                           std::string name, std::string file)
    : compressed_(std::move(compressed)),
      decoder_(std::move(decoder)),
      name_(std::move(name)),
      file_(std::move(file)),
      input_(new char[input_bytes]),
      worker_([this] { exchange_->end(as_status([this] { return decompress(); })); }) {}

decompressing_source::~decompressing_source() {
  if (!worker_.is_here()) return;
  exchange_->refuse({});
  worker_->join();
}

status decompressing_source::read(char* data, std::size_t capacity, std::size_t& count) {
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

status decompressing_source::decompress() {
  status result;
  byte_block block;
  bool ended = false;
  while (!ended && result.ok() && exchange_->take_empty(block)) {
    result = fill(block, ended);
    if (block.bytes > 0) exchange_->give_full(std::move(block));
  }
  return result;
}

// The block stays short at the end and before a failure.
status decompressing_source::fill(byte_block& block, bool& ended) {
  buffers_.output = block.data.get();
  buffers_.output_bytes = block_exchange::block_bytes;
  status result;
  while (buffers_.output_bytes > 0 && !ended && result.ok()) {
    if (buffers_.input_bytes == 0) result = read_more();
    if (result.ok()) result = decode_more(ended);
  }
  block.bytes = block_exchange::block_bytes - buffers_.output_bytes;
  return result;
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

status decompressing_source::decode_more(bool& ended) {
  const codec_buffers before = buffers_;
  if (const char* const wrong = decoder_->decode(buffers_)) return damaged(wrong);
  const bool moved =
      buffers_.input_bytes < before.input_bytes || buffers_.output_bytes < before.output_bytes;
  if (moved || !file_ended_) return {};
  ended = true;
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

}  // namespace headrace
