// Decompresses in a thread beside the one that reads the text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "block_exchange.hpp"
#include "codecs.hpp"
#include "own_process.hpp"
#include "streams.hpp"

namespace headrace {

class decompressing_source final : public byte_source {
 public:
  // name: of the compression, for messages. Throws std::system_error when no thread can be started.
  decompressing_source(std::unique_ptr<byte_source> compressed,
                       std::unique_ptr<stream_decoder> decoder, std::string name, std::string file);
  // Waits for the thread's current block, no longer.
  ~decompressing_source() override;

  status read(char* data, std::size_t capacity, std::size_t& count) override;

 private:
  // In the thread:
  status decompress();
  status fill(byte_block& block, bool& ended);
  status read_more();
  status decode_more(bool& ended);
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

  // Of the thread that reads the text:
  byte_block current_;
  std::size_t used_ = 0;

  own_process<block_exchange> exchange_;
  own_process<std::thread> worker_;  // last: it uses all the others
};

}  // namespace headrace
