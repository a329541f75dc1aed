// Items of work shared out among threads, and the failure that comes first among them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "status.hpp"
#include "threads.hpp"

namespace headrace {

// The failure of the earliest place, whichever thread finds its own first.
class first_failure {
 public:
  void add(std::size_t place, status failure) {
    const std::lock_guard<std::mutex> lock(guard_);
    if (!result_.ok() && place >= place_) return;
    place_ = place;
    result_ = std::move(failure);
  }
  status take() { return std::move(result_); }

 private:
  std::mutex guard_;
  std::size_t place_ = SIZE_MAX;
  status result_;
};

// Calls body(item, thread) for all items, each once; thread is from 0 to threads - 1.
template <class Body>
void share_out(int threads, std::size_t items, Body body) {
  std::atomic<std::size_t> next{0};
  const auto useful = static_cast<int>(std::min(items, static_cast<std::size_t>(threads)));
  run_threads(std::max(useful, 1), [&](int thread) {
    for (std::size_t item = next++; item < items; item = next++) body(item, thread);
  });
}

}  // namespace headrace
