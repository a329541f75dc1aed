#include "shared_counter.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>

namespace headrace {
namespace {

// Linux looks at 32 bits: the lower ones.
std::uint32_t* word_of(std::atomic<std::int64_t>& count) noexcept {
  const bool lower_first = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  return reinterpret_cast<std::uint32_t*>(&count) + (lower_first ? 0 : 1);
}

// Sleepers name the count that they wait for by one of 32 bits.
std::uint32_t bit_of(std::int64_t count) noexcept {
  return std::uint32_t{1} << (count & 31);
}

std::timespec time_after(std::int64_t nanoseconds) noexcept {
  constexpr std::int64_t second = 1'000'000'000;
  std::timespec end{};
  ::clock_gettime(CLOCK_MONOTONIC, &end);
  nanoseconds += end.tv_nsec;
  end.tv_sec += nanoseconds / second;
  end.tv_nsec = static_cast<long>(nanoseconds % second);
  return end;
}

}  // namespace

void shared_counter::add() noexcept {
  const std::int64_t reached = count_.fetch_add(1) + 1;
  if (sleepers_.load() > 0)
    ::syscall(SYS_futex, word_of(count_), FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr,
              bit_of(reached));
}

bool shared_counter::sleep_until(std::int64_t wanted, std::int64_t nanoseconds) noexcept {
  if (has_reached(wanted)) return true;
  const std::timespec end = time_after(nanoseconds);
  sleepers_.fetch_add(1);  // before the look: who adds looks the other way round
  bool in_time = true;
  for (std::int64_t seen = count_.load(); seen < wanted && in_time; seen = count_.load()) {
    const long slept = ::syscall(SYS_futex, word_of(count_), FUTEX_WAIT_BITSET,
                                 static_cast<std::uint32_t>(seen), &end, nullptr, bit_of(wanted));
    in_time = slept == 0 || errno == EAGAIN || errno == EINTR;
    if (!in_time && errno != ETIMEDOUT) ::sched_yield();  // where Linux lets nobody sleep
  }
  sleepers_.fetch_sub(1);
  return has_reached(wanted);
}

}  // namespace headrace
