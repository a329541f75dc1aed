// A counter in memory that processes share, and how they wait for it.
#pragma once

#include <atomic>
#include <cstdint>

namespace headrace {

// Grows by one at a time. Null bytes are a counter at 0. What was written before add() is seen by
// those who saw the count reached.
class shared_counter {
 public:
  void add() noexcept;
  bool has_reached(std::int64_t wanted) const noexcept {
    return count_.load(std::memory_order_acquire) >= wanted;
  }
  // Sleeps till then, but no longer than so many nanoseconds: false where the count is not reached.
  // Linux wakes those who wait for this very count, as soon as there is a processor for them, and
  // nobody else.
  bool sleep_until(std::int64_t wanted, std::int64_t nanoseconds) noexcept;

 private:
  std::atomic<std::int64_t> count_{0};
  std::atomic<std::int32_t> sleepers_{0};
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free &&
                  std::atomic<std::int32_t>::is_always_lock_free,
              "processes share them");

}  // namespace headrace
