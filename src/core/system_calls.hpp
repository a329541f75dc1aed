// What all calls of the operating system that move bytes have in common.
#pragma once

#include <cerrno>
#include <cstddef>

namespace headrace {

// One call moves at most this much: Linux cuts at 2 GiB, and a signal is answered between calls.
inline constexpr std::size_t largest_block = std::size_t{64} << 20;

// Calls again when a signal came before anything happened.
template <class Call>
auto uninterrupted(Call call) noexcept {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace headrace
