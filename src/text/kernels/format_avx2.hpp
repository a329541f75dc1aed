// What the AVX2 kernels that write numbers share: digits four at a time, and a layout by bytes.
#pragma once

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstdint>

#include "../../core/cpu.hpp"
#include "format_digits.hpp"

namespace headrace {

#define HEADRACE_AVX2_INLINE static inline __attribute__((always_inline)) HEADRACE_AVX2

// Keeps a constant in a register: the compiler otherwise multiplies by it with shifts and
// additions.
HEADRACE_AVX2_INLINE __m256i kept(__m256i constant) noexcept {
  asm("" : "+x"(constant));
  return constant;
}

HEADRACE_AVX2_INLINE __m256i all4(std::uint64_t value) noexcept {
  return kept(_mm256_set1_epi64x(static_cast<long long>(value)));
}

// Four values below 10^8 to eight digits each, the first in the lowest byte (see eight_digits).
HEADRACE_AVX2_INLINE __m256i eight_digits(__m256i value) noexcept {
  const __m256i upper = _mm256_srli_epi64(_mm256_mul_epu32(value, all4(3518437209U)), 45);
  const __m256i lower = _mm256_sub_epi64(value, _mm256_mul_epu32(upper, all4(10000)));
  const __m256i fours = _mm256_or_si256(upper, _mm256_slli_epi64(lower, 32));
  const __m256i hundreds =
      _mm256_srli_epi16(_mm256_mulhi_epu16(fours, kept(_mm256_set1_epi32(10486))), 4);
  const __m256i units =
      _mm256_sub_epi16(fours, _mm256_mullo_epi16(hundreds, kept(_mm256_set1_epi32(100))));
  const __m256i twos = _mm256_or_si256(hundreds, _mm256_slli_epi32(units, 16));
  const __m256i tens = _mm256_mulhi_epu16(twos, kept(_mm256_set1_epi16(6554)));
  const __m256i ones =
      _mm256_sub_epi16(twos, _mm256_mullo_epi16(tens, kept(_mm256_set1_epi16(10))));
  return _mm256_or_si256(tens, _mm256_slli_epi16(ones, 8));
}

// What 32 bytes of text are made of: sixteen digits, and up to eight other bytes.
struct alignas(16) text_source {
  std::uint64_t upper;  // digits 2 to 9 of 17 as numbers, then as text
  std::uint64_t lower;  // digits 10 to 17
  std::uint64_t other;
  std::uint64_t zero;
};

// value < 10^17; leaves the first digit, and the two numbers of eight digits in source.
HEADRACE_AVX2_INLINE std::uint64_t split_digits(text_source& source, std::uint64_t value) noexcept {
  const std::uint64_t nine = value / 100000000;
  const std::uint64_t first = static_cast<std::uint32_t>(nine) / 100000000U;
  source.upper = nine - first * 100000000;
  source.lower = value - nine * 100000000;
  source.zero = 0;
  return first;
}

// Two sources at once: numbers to digits, without the zero characters.
HEADRACE_AVX2_INLINE void make_digits(text_source* two) noexcept {
  const __m256i numbers = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(&two[0].upper))),
      _mm_load_si128(reinterpret_cast<const __m128i*>(&two[1].upper)), 1);
  const __m256i digits = eight_digits(numbers);
  _mm_store_si128(reinterpret_cast<__m128i*>(&two[0].upper), _mm256_castsi256_si128(digits));
  _mm_store_si128(reinterpret_cast<__m128i*>(&two[1].upper), _mm256_extracti128_si256(digits, 1));
}

// Byte i of the text: source byte index[i], 0 to 15 digits, 16 to 23 other bytes, 31 nothing.
HEADRACE_AVX2_INLINE __m256i lay_out(const text_source& source, __m256i index) noexcept {
  const __m256i digits = _mm256_or_si256(
      _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(&source.upper))),
      _mm256_set1_epi8('0'));
  const __m256i other =
      _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(&source.other)));
  // A byte permutation leaves nothing where the highest bit of the index is set.
  return _mm256_or_si256(
      _mm256_shuffle_epi8(digits, _mm256_add_epi8(index, _mm256_set1_epi8(0x70))),
      _mm256_shuffle_epi8(other, _mm256_sub_epi8(index, _mm256_set1_epi8(16))));
}

HEADRACE_AVX2_INLINE __m256i load_bytes(const std::uint8_t* bytes) noexcept {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes));
}

}  // namespace headrace

#endif
