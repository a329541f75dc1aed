// What the AVX-512 kernels that write numbers share: digits, and powers of ten by index.
#pragma once

#if defined(__x86_64__)

#include <cstdint>

#include "../powers_of_ten.hpp"
#include "format_digits.hpp"
#include "intrinsics.hpp"

namespace headrace {

#define HEADRACE_AVX512_INLINE static inline __attribute__((always_inline)) HEADRACE_AVX512

// The phases of a block must not be mixed again: each keeps many independent chains in flight.
HEADRACE_INLINE void end_phase() noexcept {
  asm volatile("" ::: "memory");
}

// Keeps a constant in a register: the compiler otherwise builds it anew in each round of a loop,
// and multiplies by it with shifts and additions, which cost more here.
HEADRACE_AVX512_INLINE __m512i kept(__m512i constant) noexcept {
  asm("" : "+v"(constant));
  return constant;
}

HEADRACE_AVX512_INLINE __m512i all(std::uint64_t value) noexcept {
  return kept(_mm512_set1_epi64(static_cast<long long>(value)));
}

HEADRACE_AVX512_INLINE __m512i all16(std::int16_t value) noexcept {
  return kept(_mm512_set1_epi16(value));
}

// Powers of ten in two limbs of 52 bits.
struct power_limbs {
  __m512i high;
  __m512i low;
};

// Rows index[0], [2], [4] and [6].
HEADRACE_AVX512_INLINE __m512i load_four_powers(const ifma_power* table,
                                                const std::int64_t* index) noexcept {
  const __m128i a = _mm_load_si128(reinterpret_cast<const __m128i*>(table + index[0]));
  const __m128i b = _mm_load_si128(reinterpret_cast<const __m128i*>(table + index[2]));
  const __m128i c = _mm_load_si128(reinterpret_cast<const __m128i*>(table + index[4]));
  const __m128i d = _mm_load_si128(reinterpret_cast<const __m128i*>(table + index[6]));
  const __m256i lower = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
  const __m256i upper = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(lower), upper, 1);
}

// Eight rows. Loads of a pair are faster than two gathers.
HEADRACE_AVX512_INLINE power_limbs load_powers(const ifma_power* table,
                                               const std::int64_t* index) noexcept {
  const __m512i even = load_four_powers(table, index);
  const __m512i odd = load_four_powers(table, index + 1);
  return {_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd)};
}

// Eight words of a table with rows of some words. Single loads are faster than a gather instruction
// on most processors.
HEADRACE_AVX512_INLINE __m512i load_words(const std::uint64_t* table, const std::int64_t* index,
                                          int row = 1) noexcept {
  const auto* const words = reinterpret_cast<const long long*>(table);
  const __m256i lower = _mm256_set_epi64x(words[row * index[3]], words[row * index[2]],
                                          words[row * index[1]], words[row * index[0]]);
  const __m256i upper = _mm256_set_epi64x(words[row * index[7]], words[row * index[6]],
                                          words[row * index[5]], words[row * index[4]]);
  return _mm512_inserti64x4(_mm512_castsi256_si512(lower), upper, 1);
}

// A product of 157 bits as three limbs of 52 bits.
struct limbs512 {
  __m512i high;
  __m512i middle;
  __m512i low;
};

// (2^52 + fraction) * 10^p for the powers at index; high: the upper limb of 10^p.
struct scaled512 {
  limbs512 product;
  __m512i power_high;
  __m512i power_low;
};

HEADRACE_AVX512_INLINE limbs512 multiply(__m512i high, __m512i low, __m512i fraction) noexcept {
  const __m512i limb = all((std::uint64_t{1} << 52) - 1);
  limbs512 result;
  result.low = _mm512_madd52lo_epu64(_mm512_setzero_si512(), fraction, low);
  result.middle = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(low, fraction, low), fraction, high);
  result.high = _mm512_madd52hi_epu64(high, fraction, high);
  result.high = _mm512_add_epi64(result.high, _mm512_srli_epi64(result.middle, 52));
  result.middle = _mm512_and_si512(result.middle, limb);
  return result;
}

HEADRACE_AVX512_INLINE scaled512 scale(const std::int64_t* index, __m512i fraction) noexcept {
  const power_limbs power = load_powers(&ifma_powers_of_ten[0], index);
  return {multiply(power.high, power.low, fraction), power.high, power.low};
}

// Bits 93 to 156 of a product, and the 64 bits below them.
HEADRACE_AVX512_INLINE __m512i upper_bits(const limbs512& product) noexcept {
  return _mm512_or_si512(_mm512_slli_epi64(product.high, 11),
                         _mm512_srli_epi64(product.middle, 41));
}
HEADRACE_AVX512_INLINE __m512i lower_bits(const limbs512& product) noexcept {
  return _mm512_or_si512(_mm512_slli_epi64(product.middle, 23), _mm512_srli_epi64(product.low, 29));
}

// Eight values below 10^8 to eight digits each, the first in the lowest byte (see eight_digits).
HEADRACE_AVX512_INLINE __m512i eight_digits(__m512i value) noexcept {
  const __m512i upper = _mm512_srli_epi64(_mm512_mul_epu32(value, all(3518437209U)), 45);
  const __m512i lower = _mm512_sub_epi64(value, _mm512_mul_epu32(upper, all(10000)));
  const __m512i fours = _mm512_or_si512(upper, _mm512_slli_epi64(lower, 32));
  const __m512i hundreds =
      _mm512_srli_epi16(_mm512_mulhi_epu16(fours, kept(_mm512_set1_epi32(10486))), 4);
  const __m512i units =
      _mm512_sub_epi16(fours, _mm512_mullo_epi16(hundreds, kept(_mm512_set1_epi32(100))));
  const __m512i twos = _mm512_or_si512(hundreds, _mm512_slli_epi32(units, 16));
  const __m512i tens = _mm512_mulhi_epu16(twos, all16(6554));
  const __m512i ones = _mm512_sub_epi16(twos, _mm512_mullo_epi16(tens, all16(10)));
  return _mm512_or_si512(tens, _mm512_slli_epi16(ones, 8));
}

// Seventeen digits of values below 10^17.
struct digits512 {
  __m512i first;
  __m512i upper;
  __m512i lower;
};

HEADRACE_AVX512_INLINE digits512 seventeen_digits(__m512i value) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  // value / 10^8 = (value / 2^8) / 390625, by a reciprocal of 70 bits
  const __m512i nine = _mm512_srli_epi64(
      _mm512_madd52hi_epu64(zero, _mm512_srli_epi64(value, 8), all(3022314549036573U)), 18);
  const __m512i rest = _mm512_sub_epi64(value, _mm512_madd52lo_epu64(zero, nine, all(100000000)));
  const __m512i first = _mm512_srli_epi64(_mm512_mul_epu32(nine, all(1441151881U)), 57);
  const __m512i eight = _mm512_sub_epi64(nine, _mm512_mul_epu32(first, all(100000000)));
  return {first, eight_digits(eight),
          eight_digits(_mm512_and_si512(rest, all((std::uint64_t{1} << 52) - 1)))};
}

// The lower 52 bits of value - count * multiple, for count > 0 perhaps with one bit above them.
HEADRACE_AVX512_INLINE __m512i subtract_multiple(__m512i value, __m512i count,
                                                 std::uint64_t multiple) noexcept {
  return _mm512_madd52lo_epu64(value, count, all((std::uint64_t{1} << 52) - multiple));
}

// Lower 52 bits below 10^8: the first four digits in 16 bits, the last four in the next 16. The
// bits above those are undefined.
HEADRACE_AVX512_INLINE __m512i split_eight(__m512i value) noexcept {
  const __m512i upper = _mm512_madd52hi_epu64(_mm512_setzero_si512(), value, all(450359962738U));
  return subtract_multiple(_mm512_slli_epi64(value, 16), upper, (10000U << 16) - 1);
}

// Sixteen digits as text in each 128 bits, of the values 0, 2, 4, 6 and of 1, 3, 5, 7.
struct digit_rows512 {
  __m512i even, odd;
};

// Two digits in each 16 bits to text.
HEADRACE_AVX512_INLINE __m512i text_of_twos(__m512i twos) noexcept {
  const __m512i tens = _mm512_mulhi_epu16(twos, all16(6554));
  // tens + 256 * (twos - 10 * tens)
  const __m512i digits =
      _mm512_sub_epi16(_mm512_slli_epi16(twos, 8), _mm512_mullo_epi16(tens, all16(2559)));
  return _mm512_or_si512(digits, all(eight_zeros));
}

// Four digits in each 16 bits.
HEADRACE_AVX512_INLINE digit_rows512 rows_of_fours(__m512i fours) noexcept {
  const __m512i hundreds = _mm512_srli_epi16(_mm512_mulhi_epu16(fours, all16(10486)), 4);
  const __m512i units = _mm512_sub_epi16(fours, _mm512_mullo_epi16(hundreds, all16(100)));
  return {text_of_twos(_mm512_unpacklo_epi16(hundreds, units)),
          text_of_twos(_mm512_unpackhi_epi16(hundreds, units))};
}

// The text of seventeen digits: the first as a number, and sixteen.
struct text512 {
  __m512i first;
  digit_rows512 rows;
};

// Values below 10^17.
HEADRACE_AVX512_INLINE text512 seventeen_digits_text(__m512i value) noexcept {
  // value / 10^8 = (value / 2^8) / 390625, by a reciprocal of 70 bits
  const __m512i nine =
      _mm512_srli_epi64(_mm512_madd52hi_epu64(_mm512_setzero_si512(), _mm512_srli_epi64(value, 8),
                                              all(3022314549036573U)),
                        18);
  const __m512i first = _mm512_srli_epi64(_mm512_mul_epu32(nine, all(1441151881U)), 57);
  const __m512i upper = split_eight(subtract_multiple(nine, first, 100000000));
  const __m512i lower = split_eight(subtract_multiple(value, nine, 100000000));
  return {first,
          rows_of_fours(_mm512_mask_blend_epi32(0xAAAA, upper, _mm512_slli_epi64(lower, 32)))};
}

// Rows of 32 bytes: word i of a, b, c and a zero for value i.
struct rows512 {
  __m512i row02, row13, row46, row57;
};

HEADRACE_AVX512_INLINE rows512 rows_of(__m512i a, __m512i b, __m512i c) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i even = _mm512_unpacklo_epi64(a, b);
  const __m512i odd = _mm512_unpackhi_epi64(a, b);
  const __m512i even_rest = _mm512_unpacklo_epi64(c, zero);
  const __m512i odd_rest = _mm512_unpackhi_epi64(c, zero);
  const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  return {_mm512_permutex2var_epi64(even, lower, even_rest),
          _mm512_permutex2var_epi64(odd, lower, odd_rest),
          _mm512_permutex2var_epi64(even, upper, even_rest),
          _mm512_permutex2var_epi64(odd, upper, odd_rest)};
}

HEADRACE_AVX512_INLINE void store_half(void* out, __m256i half) noexcept {
  _mm256_storeu_si256(static_cast<__m256i*>(out), half);
}

}  // namespace headrace

#endif
