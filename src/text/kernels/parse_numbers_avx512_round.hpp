// Eight decimal numbers to the nearest binary ones.
//
// Method: D. Lemire, "Number parsing at a gigabyte per second" (Eisel-Lemire), with the product of
// 64 and 104 bits by IFMA's multiplications of 52 bits. What lies so close to a midpoint that the
// truncated product does not decide is left to the caller, as are overflow and
// subnormal numbers.
#pragma once

#include "../powers_of_ten.hpp"
#include "decimal_to_binary.hpp"
#include "intrinsics.hpp"

namespace headrace::avx512 {

// Powers that round_decimals takes.
inline constexpr int lowest_decimal_power = -340;
inline constexpr int highest_decimal_power = 300;

struct rounded {
  __m512i bits;      // of the values without their signs
  __mmask8 unclear;  // these are not right
};

struct power_limbs {
  __m512i high;
  __m512i low;
};

HEADRACE_AVX512 inline __m128i load_power(std::int64_t power) noexcept {
  const auto index = static_cast<std::size_t>(power - lowest_power);
  return _mm_load_si128(reinterpret_cast<const __m128i*>(&ifma_powers_of_ten[index]));
}

HEADRACE_AVX512 inline __m512i join(__m128i a, __m128i b, __m128i c, __m128i d) noexcept {
  const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
  const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// Eight loads of a pair are faster than two gathers.
HEADRACE_AVX512 inline power_limbs load_powers(const std::int64_t* powers) noexcept {
  const __m512i even = join(load_power(powers[0]), load_power(powers[2]), load_power(powers[4]),
                            load_power(powers[6]));
  const __m512i odd = join(load_power(powers[1]), load_power(powers[3]), load_power(powers[5]),
                           load_power(powers[7]));
  return {_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd)};
}

// The upper 104 bits of a product of 64 and 104 bits, in two limbs of 52 bits; at most four units
// too small.
struct product_limbs {
  __m512i high;
  __m512i low;
};

HEADRACE_AVX512 inline product_limbs multiply(__m512i normalized, power_limbs power) noexcept {
  const __m512i limb = _mm512_set1_epi64((std::int64_t{1} << 52) - 1);
  const __m512i zero = _mm512_setzero_si512();
  const __m512i upper = _mm512_srli_epi64(normalized, 12);
  const __m512i lower = _mm512_and_si512(_mm512_slli_epi64(normalized, 40), limb);
  __m512i low = _mm512_madd52hi_epu64(zero, upper, power.low);
  low = _mm512_madd52lo_epu64(low, upper, power.high);
  low = _mm512_madd52hi_epu64(low, lower, power.high);
  __m512i high = _mm512_madd52hi_epu64(zero, upper, power.high);
  high = _mm512_add_epi64(high, _mm512_srli_epi64(low, 52));
  return {high, _mm512_and_si512(low, limb)};
}

// The first bits of a product, and the 64 bits that follow them (some more below are lost).
struct split_product {
  __m512i significand;
  __m512i fraction;
};

// carry: 1 when the product has its top bit set, else 0.
template <class Real>
HEADRACE_AVX512 inline split_product split(product_limbs product, __m512i carry) noexcept;

template <>
HEADRACE_AVX512 inline split_product split<double>(product_limbs product, __m512i carry) noexcept {
  const __m512i below = _mm512_add_epi64(carry, _mm512_set1_epi64(50));  // bits of the low limb
  const __m512i above = _mm512_sub_epi64(_mm512_set1_epi64(52), below);
  return {_mm512_or_si512(_mm512_sllv_epi64(product.high, above),
                          _mm512_srlv_epi64(product.low, below)),
          _mm512_sllv_epi64(product.low, _mm512_add_epi64(above, _mm512_set1_epi64(12)))};
}

template <>
HEADRACE_AVX512 inline split_product split<float>(product_limbs product, __m512i carry) noexcept {
  const __m512i below = _mm512_add_epi64(carry, _mm512_set1_epi64(27));  // bits of the high limb
  const __m512i above = _mm512_sub_epi64(_mm512_set1_epi64(64), below);
  return {_mm512_srlv_epi64(product.high, below),
          _mm512_or_si512(
              _mm512_sllv_epi64(product.high, above),
              _mm512_srlv_epi64(product.low, _mm512_sub_epi64(_mm512_set1_epi64(52), above)))};
}

// floor(log2(10^power)): exponent_of_power
HEADRACE_AVX512 inline __m512i binary_exponents(__m512i power) noexcept {
  return _mm512_srai_epi64(_mm512_mul_epi32(power, _mm512_set1_epi64(217706)), 16);
}

// significands[i] * 10^powers[i], for eight 64-bit integers each in aligned memory. Powers must be
// between lowest_decimal_power and highest_decimal_power.
template <class Real>
HEADRACE_AVX512 inline rounded round_decimals(__m512i significand,
                                              const std::int64_t* powers) noexcept {
  using format = binary_format<Real>;
  constexpr int bias = format::highest_exponent;
  constexpr int stored_bits = format::precision - 1;
  const __m512i zeros = _mm512_lzcnt_epi64(significand);
  const __mmask8 nonzero = _mm512_test_epi64_mask(significand, significand);
  const product_limbs product =
      multiply(_mm512_sllv_epi64(significand, zeros), load_powers(powers));
  const __m512i carry = _mm512_srli_epi64(product.high, 51);
  const split_product parts = split<Real>(product, carry);

  // Four lost units of the product are fewer than margin units of the fraction.
  constexpr std::int64_t margin = std::int64_t{1} << 18;
  const __m512i one = _mm512_set1_epi64(1);
  const __m512i from = _mm512_set1_epi64(INT64_MAX - margin);
  const __mmask8 near_midpoint = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(parts.fraction, from),
                                                         _mm512_set1_epi64(2 * margin));
  const __m512i nearest = _mm512_mask_add_epi64(
      parts.significand, _mm512_movepi64_mask(parts.fraction), parts.significand, one);

  const __m512i exponent =
      _mm512_add_epi64(_mm512_sub_epi64(binary_exponents(_mm512_load_si512(powers)), zeros),
                       _mm512_add_epi64(carry, _mm512_set1_epi64(63 + bias)));
  const __mmask8 out_of_range =
      _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(exponent, one), _mm512_set1_epi64(2 * bias - 2));
  // The hidden bit adds one to the exponent field, and so does a carry out of the significand.
  const __m512i field = _mm512_slli_epi64(_mm512_sub_epi64(exponent, one), stored_bits);
  return {_mm512_maskz_add_epi64(nonzero, field, nearest),
          static_cast<__mmask8>((near_midpoint | out_of_range) & nonzero)};
}

}  // namespace headrace::avx512
