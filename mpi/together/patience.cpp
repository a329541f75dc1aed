#include "patience.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

namespace headrace {
namespace {

// A sleep takes some 50 microseconds more than it was told.
constexpr long long shortest_sleep = 50'000;
constexpr long long longest_sleep = 300'000;

long long nanoseconds_now() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

void patience::pause() noexcept {
  const long long now = nanoseconds_now();
  if (begin_ == 0) begin_ = now;
  const long long eighth = (now - begin_) / 8;
  if (eighth < shortest_sleep) {
    ::sched_yield();
    return;
  }
  const timespec time{0, static_cast<long>(std::min(eighth, longest_sleep))};
  ::clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
}

}  // namespace headrace
