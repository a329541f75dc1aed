// Compresses and writes in a thread beside the one that makes the text.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "block_exchange.hpp"
#include "codecs.hpp"
#include "compressed.hpp"
#include "own_process.hpp"

namespace headrace {

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

}  // namespace headrace
