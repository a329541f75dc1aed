// Blocks that threads work on at the same time, counted in the order of the file.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "text_rows.hpp"

namespace headrace {

class block_order {
 public:
  // Waits until all blocks before index have passed, tells where this one stands and lets the next
  // one pass. False when stop() was called: the position is not known then.
  bool pass(std::size_t index, const row_block& block, row_position& position) {
    std::unique_lock<std::mutex> lock(guard_);
    passed_.wait(lock, [&] { return next_ == index || stopped_; });
    if (stopped_) return false;
    position = position_;
    block.pass(position_);
    ++next_;
    lock.unlock();
    passed_.notify_all();
    return true;
  }

  // Lines before the first block.
  void begin_at_line(std::uint64_t lines) noexcept { position_.lines = lines; }

  std::uint64_t rows() const {
    const std::lock_guard<std::mutex> lock(guard_);
    return position_.rows;
  }

  // Lets no block pass any more.
  void stop() {
    const std::lock_guard<std::mutex> lock(guard_);
    stopped_ = true;
    passed_.notify_all();
  }

  bool stopped() const {
    const std::lock_guard<std::mutex> lock(guard_);
    return stopped_;
  }

 private:
  mutable std::mutex guard_;
  std::condition_variable passed_;
  std::size_t next_ = 0;
  row_position position_;
  bool stopped_ = false;
};

}  // namespace headrace
