#include "byte_swap.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

// The loops are plain: the compiler turns them into byte shuffles, once for each of these machines.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define HEADRACE_CLONES __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define HEADRACE_CLONES
#endif

namespace headrace {
namespace {

inline std::uint16_t reversed(std::uint16_t word) noexcept {
  return __builtin_bswap16(word);
}
inline std::uint32_t reversed(std::uint32_t word) noexcept {
  return __builtin_bswap32(word);
}
inline std::uint64_t reversed(std::uint64_t word) noexcept {
  return __builtin_bswap64(word);
}

template <class Word>
inline __attribute__((always_inline)) void swap_words(char* to, const char* from,
                                                      std::size_t words) noexcept {
  for (std::size_t i = 0; i < words; ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    word = reversed(word);
    std::memcpy(to + i * sizeof word, &word, sizeof word);
  }
}

HEADRACE_CLONES void swap_2(char* to, const char* from, std::size_t words) noexcept {
  swap_words<std::uint16_t>(to, from, words);
}

HEADRACE_CLONES void swap_4(char* to, const char* from, std::size_t words) noexcept {
  swap_words<std::uint32_t>(to, from, words);
}

HEADRACE_CLONES void swap_8(char* to, const char* from, std::size_t words) noexcept {
  swap_words<std::uint64_t>(to, from, words);
}

void swap_16(char* to, const char* from, std::size_t words) noexcept {
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t low;
    std::uint64_t high;
    std::memcpy(&low, from + i * 16, 8);
    std::memcpy(&high, from + i * 16 + 8, 8);
    low = reversed(low);
    high = reversed(high);
    std::memcpy(to + i * 16, &high, 8);
    std::memcpy(to + i * 16 + 8, &low, 8);
  }
}

}  // namespace

void swap_bytes(char* to, const char* from, std::size_t words, std::size_t word_bytes) noexcept {
  switch (word_bytes) {
    case 2:
      return swap_2(to, from, words);
    case 4:
      return swap_4(to, from, words);
    case 8:
      return swap_8(to, from, words);
    case 16:
      return swap_16(to, from, words);
    default:
      if (to != from) std::memcpy(to, from, words * word_bytes);
      if (word_bytes > 1)
        for (std::size_t i = 0; i < words; ++i)
          std::reverse(to + i * word_bytes, to + (i + 1) * word_bytes);
  }
}

bool is_swapped(byte_order order) noexcept {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return order == byte_order::little;
#else
  return order == byte_order::big;
#endif
}

}  // namespace headrace
