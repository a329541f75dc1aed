// Compresses blocks of a text in several threads and writes them in their order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "codecs.hpp"
#include "compressed.hpp"
#include "own_process.hpp"

namespace headrace {

class block_compressor final : public compressing_sink {
 public:
  // make_encoder() is called once in each thread that compresses.
  using encoder_maker = std::unique_ptr<block_encoder> (*)(int level);

  // threads: as many at most compress beside the caller. A text of one block is compressed by
  // finish().
  block_compressor(byte_sink& file, encoder_maker make_encoder, int level, int threads,
                   std::string name);
  ~block_compressor() override;

  // Failures of compression and of the file come with a later write, finish at the latest.
  status write(const char* data, std::size_t bytes) override;
  status finish() override;

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 19;

  struct block {
    std::unique_ptr<char[]> text;
    std::size_t bytes = 0;
    std::unique_ptr<char[]> packed;
    std::size_t packed_bytes = 0;
    bool last = false;
    enum { empty, filled, being_packed, ready } state = empty;
  };

  // The block that is filled next, once it has been written out; null after a failure.
  block* take_empty();
  void hand_over(bool last);
  bool start_thread();
  void work();
  status pack(block_encoder& encoder, block& one);
  status pack_here(block& one);
  void write_ready(std::unique_lock<std::mutex>& lock);
  void fail(status why);
  status result();
  void stop();

  byte_sink& file_;
  const encoder_maker make_encoder_;
  const int level_;
  const std::size_t most_threads_;
  const std::string name_;

  std::vector<block> blocks_;    // a ring; block n of the text is in blocks_[n % blocks_.size()]
  block* current_ = nullptr;     // of the caller alone
  std::size_t handed_over_ = 0;  // blocks of the text so far
  std::size_t taken_ = 0;        // of these, by threads
  std::size_t written_ = 0;
  bool writing_ = false;
  bool stopped_ = false;
  bool finished_ = false;
  status result_;
  struct crew {
    std::mutex guard;
    std::condition_variable changed;
    std::vector<std::thread> threads;
  };
  own_process<crew> crew_;
};

}  // namespace headrace
