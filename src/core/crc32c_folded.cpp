#include "crc32c_folded.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#include "cpu.hpp"

namespace headrace {
namespace {

// Four lanes keep the multiplier busy, and the memory: the processor's own prefetching stops at
// each page, and a lane is one.
constexpr std::size_t lane = crc32c_group / 4;
constexpr std::size_t word = crc32c_remainder;

// The remainder of x^power; reflected, and shifted because the product of two reflected numbers is.
constexpr std::int64_t remainder_of(unsigned power) {
  std::uint32_t rest = 0x80000000;
  for (; power > 0; --power) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0x82F63B78U : 0U);
  return static_cast<std::int64_t>(std::uint64_t{rest} << 1);
}

// What the two halves of 128 bits are multiplied by to come so many bits further.
struct fold_factors {
  std::int64_t low, high;
};
constexpr fold_factors factors_for(unsigned bits) {
  return {remainder_of(bits + 32), remainder_of(bits - 32)};
}
constexpr fold_factors word_factors = factors_for(8 * word);
constexpr fold_factors lane_factors = factors_for(8 * lane);

#define HEADRACE_FOLDS __attribute__((target("avx512f,vpclmulqdq")))

HEADRACE_FOLDS inline __m512i in_every_lane(const fold_factors& factors) noexcept {
  return _mm512_set_epi64(factors.high, factors.low, factors.high, factors.low, factors.high,
                          factors.low, factors.high, factors.low);
}

HEADRACE_FOLDS inline __m512i folded(__m512i sum, __m512i factors, __m512i next) noexcept {
  constexpr int exclusive_or_of_three = 0x96;
  return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(sum, factors, 0x00),
                                   _mm512_clmulepi64_epi128(sum, factors, 0x11), next,
                                   exclusive_or_of_three);
}

// Of the next group.
inline void prefetch_lanes(const char* at) noexcept {
  for (std::size_t i = 0; i < crc32c_group; i += lane) __builtin_prefetch(at + i);
}

}  // namespace

bool can_fold_crc32c() noexcept {
  static const bool has = __builtin_cpu_supports("vpclmulqdq") != 0;
  return has && current_tier() == simd_tier::avx512;
}

HEADRACE_FOLDS std::size_t fold_crc32c(std::uint32_t crc, const char* data, std::size_t bytes,
                                       char* remainder) noexcept {
  const __m512i by_word = in_every_lane(word_factors);
  const __m512i by_lane = in_every_lane(lane_factors);
  // What came before, in the place of the first word.
  __m512i before = _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(crc)));
  __m512i last = before;
  std::size_t at = 0;
  for (; at + crc32c_group <= bytes; at += crc32c_group) {
    const char* const group = data + at;
    __m512i first = _mm512_xor_si512(before, _mm512_loadu_si512(group));
    __m512i second = _mm512_loadu_si512(group + lane);
    __m512i third = _mm512_loadu_si512(group + 2 * lane);
    __m512i fourth = _mm512_loadu_si512(group + 3 * lane);
    prefetch_lanes(group + crc32c_group);
    for (std::size_t i = word; i < lane; i += word) {
      prefetch_lanes(group + crc32c_group + i);
      first = folded(first, by_word, _mm512_loadu_si512(group + i));
      second = folded(second, by_word, _mm512_loadu_si512(group + lane + i));
      third = folded(third, by_word, _mm512_loadu_si512(group + 2 * lane + i));
      fourth = folded(fourth, by_word, _mm512_loadu_si512(group + 3 * lane + i));
    }
    second = folded(first, by_lane, second);
    third = folded(second, by_lane, third);
    last = folded(third, by_lane, fourth);
    before = folded(last, by_word, _mm512_setzero_si512());
  }
  _mm512_storeu_si512(remainder, last);
  return at;
}

}  // namespace headrace

#else

namespace headrace {

bool can_fold_crc32c() noexcept {
  return false;
}

std::size_t fold_crc32c(std::uint32_t /*crc*/, const char* /*data*/, std::size_t /*bytes*/,
                        char* /*remainder*/) noexcept {
  return 0;
}

}  // namespace headrace

#endif
