#include "displaced_copy.hpp"

#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace headrace {
namespace {

constexpr std::uintptr_t compared_bytes = 4096;  // of two addresses
constexpr std::uintptr_t slow_distance = 64;

}  // namespace

std::size_t slow_displacement(std::uintptr_t to, std::uint64_t offset) noexcept {
  const std::uintptr_t ahead = (to - static_cast<std::uintptr_t>(offset)) % compared_bytes;
  return ahead > 0 && ahead < slow_distance ? slow_distance - ahead : 0;
}

#if defined(__x86_64__)

std::size_t displacement_of(const char* to, std::uint64_t offset) noexcept {
  static const bool slow = __builtin_cpu_is("amd") != 0;
  return slow ? slow_displacement(reinterpret_cast<std::uintptr_t>(to), offset) : 0;
}

void move_back(char* to, std::size_t away, std::size_t bytes) noexcept {
  const char* from = to + away;
  // All loads of a step come before its stores: what they overwrite was moved already.
  for (; bytes >= 64; bytes -= 64, to += 64, from += 64) {
    const auto load = [from](int i) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
    };
    const __m128i a = load(0);
    const __m128i b = load(1);
    const __m128i c = load(2);
    const __m128i d = load(3);
    const auto store = [to](int i, __m128i value) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to) + i, value);
    };
    store(0, a);
    store(1, b);
    store(2, c);
    store(3, d);
  }
  std::memmove(to, from, bytes);
}

#else

std::size_t displacement_of(const char*, std::uint64_t) noexcept {
  return 0;
}

void move_back(char* to, std::size_t away, std::size_t bytes) noexcept {
  std::memmove(to, to + away, bytes);
}

#endif

}  // namespace headrace
