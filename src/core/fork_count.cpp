#include "fork_count.hpp"

#include <pthread.h>

#include <atomic>

namespace headrace {
namespace {

std::atomic<unsigned> forks{0};

// Without them the count is odd for ever: every lock is taken back by a call of its own.
bool count_forks() noexcept {
  const auto one_more = [] { forks.fetch_add(1, std::memory_order_seq_cst); };
  if (::pthread_atfork(one_more, one_more, one_more) == 0) return true;
  forks.store(1);
  return false;
}

}  // namespace

unsigned fork_count() noexcept {
  static const bool counts = count_forks();
  return counts ? forks.load(std::memory_order_seq_cst) : 1;
}

}  // namespace headrace
