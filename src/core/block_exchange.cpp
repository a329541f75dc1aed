#include "block_exchange.hpp"

#include <utility>

namespace headrace {

block_exchange::block_exchange() {
  // Room for all, so that handing over never allocates.
  empty_.reserve(blocks);
  full_.reserve(blocks);
  empty_.resize(blocks);
}

bool block_exchange::take_empty(byte_block& block) {
  {
    std::unique_lock<std::mutex> lock(guard_);
    changed_.wait(lock, [this] { return refused_ || !empty_.empty(); });
    if (refused_) return false;
    block = std::move(empty_.back());
    empty_.pop_back();
  }
  block.bytes = 0;
  if (!block.data) block.data.reset(new char[block_bytes]);  // a short text needs one block only
  return true;
}

void block_exchange::give_full(byte_block block) noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  full_.push_back(std::move(block));
  changed_.notify_one();
}

void block_exchange::end(status how) {
  const std::lock_guard<std::mutex> lock(guard_);
  ended_ = true;
  result_.keep_first(std::move(how));
  changed_.notify_one();
}

bool block_exchange::take_full(byte_block& block) {
  std::unique_lock<std::mutex> lock(guard_);
  changed_.wait(lock, [this] { return ended_ || !full_.empty(); });
  if (full_.empty()) return false;
  block = std::move(full_.front());
  full_.erase(full_.begin());
  return true;
}

void block_exchange::give_empty(byte_block block) noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  empty_.push_back(std::move(block));
  changed_.notify_one();
}

void block_exchange::refuse(status why) {
  const std::lock_guard<std::mutex> lock(guard_);
  refused_ = true;
  result_.keep_first(std::move(why));
  changed_.notify_one();
}

status block_exchange::result() const {
  const std::lock_guard<std::mutex> lock(guard_);
  return result_;
}

}  // namespace headrace
