// What the AVX-512 kernels that write integers share: numbers of eight digits, and rows of 32
// bytes. Next: format_avx512.hpp.
#pragma once

#if defined(__x86_64__)

#include "format_avx512.hpp"

namespace headrace {

// Values below 10^16 as two numbers of eight digits.
struct halves512 {
  __m512i upper;
  __m512i lower;
};

HEADRACE_AVX512_INLINE halves512 split_16(__m512i value) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  // value / 10^8 = (value / 2^8) / 390625, by a reciprocal of 70 bits
  const __m512i upper = _mm512_srli_epi64(
      _mm512_madd52hi_epu64(zero, _mm512_srli_epi64(value, 8), all(3022314549036573U)), 18);
  return {upper, _mm512_sub_epi64(value, _mm512_mul_epu32(upper, all(100000000)))};
}

// Values up to 2^63 as a number of three digits, and what is below 10^16.
struct parts512 {
  __m512i top;
  __m512i rest;
};

HEADRACE_AVX512_INLINE parts512 split_19(__m512i value) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i high = _mm512_srli_epi64(value, 16);
  // 10^16 = 5^16 * 2^16; the reciprocal of 5^16 has 89 bits.
  const __m512i top =
      _mm512_srli_epi64(_mm512_madd52hi_epu64(zero, high, all(4056481920730335U)), 37);
  const __m512i rest = _mm512_sub_epi64(high, _mm512_madd52lo_epu64(zero, top, all(152587890625U)));
  return {top, _mm512_or_si512(_mm512_slli_epi64(rest, 16), _mm512_and_si512(value, all(0xFFFF)))};
}

// Two rows of 32 bytes from values i and i + 1 of three words each; the last eight bytes are empty.
template <int I>
HEADRACE_AVX512_INLINE __m512i two_rows(__m512i first, __m512i second, __m512i third) noexcept {
  const __m512i from_two = _mm512_setr_epi64(I, I + 8, 0, 0, I + 1, I + 9, 0, 0);
  const __m512i from_third = _mm512_setr_epi64(0, 0, I, 0, 0, 0, I + 1, 0);
  const __m512i two = _mm512_maskz_permutex2var_epi64(0x33, first, from_two, second);
  return _mm512_mask_permutexvar_epi64(two, 0x44, from_third, third);
}

}  // namespace headrace

#endif
