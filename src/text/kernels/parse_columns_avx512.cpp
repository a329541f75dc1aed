// Columns of reals of one layout, with AVX-512: 64 fields in phases. The bytes of a field move to
// where multiply-add instructions make numbers of them. Next: parse_columns.hpp,
// parse_numbers_avx512_round.hpp.
#if defined(__x86_64__)

#include <cstring>

#include "intrinsics.hpp"
#include "number_types.hpp"
#include "parse_columns.hpp"
#include "parse_numbers_avx512_block.hpp"
#include "parse_numbers_avx512_round.hpp"

namespace headrace::avx512 {
namespace {

// A layout for two fields in one register.
struct layout_pair {
  __m512i lowest;
  __m512i range;
  __m512i order;
  __m512i power;
  __mmask64 kept;
};

// What the phases hand over.
struct layout_parts {
  alignas(64) std::uint32_t good[layout_fields];  // bytes that are as the layout says
  // If digits before the point may be missing:
  alignas(64) std::uint32_t blank[layout_fields];
  alignas(64) std::uint32_t minus[layout_fields];
  alignas(64) std::int64_t power[layout_fields];
  alignas(64) std::uint64_t significand[layout_fields];
  // Bits of eight fields each.
  alignas(8) unsigned char negative[layout_fields / 8];
  alignas(8) unsigned char unclear[layout_fields / 8];
};

HEADRACE_AVX512 inline __m512i twice(const unsigned char* bytes) noexcept {
  return _mm512_broadcast_i64x4(_mm256_load_si256(reinterpret_cast<const __m256i*>(bytes)));
}

HEADRACE_AVX512 inline layout_pair load_layout(const column_layout& layout) noexcept {
  const __m512i second = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi8(32), 1);
  return {twice(layout.lowest), twice(layout.range), _mm512_add_epi8(twice(layout.order), second),
          _mm512_set1_epi64(layout.power), layout.kept | std::uint64_t{layout.kept} << 32};
}

HEADRACE_AVX512 inline __m256i load_window(const layout_block& block, std::size_t i) noexcept {
  const char* const begin = block.text + block.ends[i] - layout_window;
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin));
}

// Fields i and k as eight numbers of four digits each.
template <bool has_one_digit>
HEADRACE_AVX512 inline __m512i read_fours(const layout_block block, const layout_pair& layout,
                                          std::size_t i, std::size_t place,
                                          layout_parts& parts) noexcept {
  const __m512i bytes = _mm512_inserti64x4(_mm512_castsi256_si512(load_window(block, i)),
                                           load_window(block, i + 1), 1);
  __m512i values = _mm512_sub_epi8(bytes, layout.lowest);
  const __mmask64 good = _mm512_cmple_epu8_mask(values, layout.range);
  store_masks(parts.good, place, good);
  if (!has_one_digit) {
    store_masks(parts.blank, place, _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')));
    store_masks(parts.minus, place, _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('-')));
    values = _mm512_maskz_mov_epi8(good, values);
  }
  const __m512i placed = _mm512_maskz_permutexvar_epi8(layout.kept, layout.order, values);
  const __m512i twos = _mm512_maddubs_epi16(placed, _mm512_set1_epi16(0x010A));
  return _mm512_madd_epi16(twos, _mm512_set1_epi32(0x00010064));
}

// Four fields: in the lanes 0 and 2 sixteen digits of each, as eight and eight in 64 bits. In the
// lanes 1 and 3 three digits and the signs, and the exponent.
template <bool has_one_digit>
HEADRACE_AVX512 inline __m512i read_eights(const layout_block block, const layout_pair& layout,
                                           std::size_t i, layout_parts& parts) noexcept {
  const __m512i weights = _mm512_broadcast_i64x4(
      _mm256_setr_epi16(10000, 1, 10000, 1, 10000, 1, 10000, 1, 1, 1024, 1, 0, 1, 1024, 1, 0));
  const __m512i first = read_fours<has_one_digit>(block, layout, i, i, parts);
  const __m512i second = read_fours<has_one_digit>(block, layout, i + 2, i + 2, parts);
  return _mm512_madd_epi16(_mm512_packus_epi32(first, second), weights);
}

// The numbers i to i + 7. Fields 0, 2, 1, 3 of each four in this order.
template <bool has_one_digit>
HEADRACE_AVX512 inline void read_numbers(const layout_block block, const layout_pair& layout,
                                         std::size_t i, layout_parts& parts) noexcept {
  const __m512i first = read_eights<has_one_digit>(block, layout, i, parts);
  const __m512i second = read_eights<has_one_digit>(block, layout, i + 4, parts);
  const __m512i in_order = _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13);
  const __m512i behind = _mm512_add_epi64(in_order, _mm512_set1_epi64(2));
  const __m512i sixteen = _mm512_permutex2var_epi64(first, in_order, second);
  const __m512i others = _mm512_permutex2var_epi64(first, behind, second);

  // (first 8 * 10^8 + second 8) * 1000 + three; 10^11 = 48828125 * 2^11
  const __m512i three = _mm512_and_si512(others, _mm512_set1_epi64(1023));
  const __m512i upper =
      _mm512_slli_epi64(_mm512_mul_epu32(sixteen, _mm512_set1_epi64(48828125)), 11);
  const __m512i lower = _mm512_srli_epi64(sixteen, 32);
  const __m512i significand =
      _mm512_add_epi64(upper, _mm512_madd52lo_epu64(three, lower, _mm512_set1_epi64(1000)));
  _mm512_store_si512(parts.significand + i, significand);

  // 100 * (exponent sign - '+') + (sign - ' ')
  constexpr int minus = sign_range;
  constexpr int exponent_minus = 100 * exponent_sign_range;
  const __mmask8 negative = _mm512_test_epi64_mask(others, _mm512_set1_epi64(1 << 10));
  const __mmask8 small = _mm512_test_epi64_mask(others, _mm512_set1_epi64(128 << 10));
  __m512i expected = _mm512_maskz_set1_epi64(negative, minus << 10);
  expected =
      _mm512_mask_add_epi64(expected, small, expected, _mm512_set1_epi64(exponent_minus << 10));
  const __m512i signs = _mm512_and_si512(others, _mm512_set1_epi64(255 << 10));
  const __mmask8 unclear = _mm512_cmpneq_epi64_mask(signs, expected);

  __m512i exponent = _mm512_srli_epi64(others, 32);
  exponent = _mm512_mask_sub_epi64(exponent, small, _mm512_setzero_si512(), exponent);
  exponent = _mm512_add_epi64(exponent, layout.power);
  // Any number but 0 overflows or underflows with the limits, so that it is unclear.
  exponent = _mm512_min_epi64(exponent, _mm512_set1_epi64(-lowest_decimal_power));
  exponent = _mm512_max_epi64(exponent, _mm512_set1_epi64(lowest_decimal_power));
  _mm512_store_si512(parts.power + i, exponent);
  parts.negative[i / 8] = static_cast<unsigned char>(negative);
  parts.unclear[i / 8] = static_cast<unsigned char>(unclear);
}

// Fields with bytes that are not as they should be.
HEADRACE_AVX512 inline std::uint64_t check_places(const layout_parts& parts) noexcept {
  const __m512i all = _mm512_set1_epi32(-1);
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < layout_fields; i += 16) {
    const __m512i good = _mm512_load_si512(parts.good + i);
    unclear |= std::uint64_t{_mm512_cmpneq_epi32_mask(good, all)} << i;
  }
  return unclear;
}

// The same when blanks, a sign or none, and digits stand before the point.
HEADRACE_AVX512 inline std::uint64_t check_beginnings(const column_layout& layout,
                                                      layout_parts& parts) noexcept {
  std::uint64_t unclear = 0;
  std::uint64_t negative = 0;
  const __m512i field = _mm512_set1_epi32(static_cast<int>(layout.field));
  const __m512i before = _mm512_set1_epi32(static_cast<int>(layout.before_point));
  const __m512i place_of_digits = _mm512_set1_epi32(
      static_cast<int>(layout.digits_before_point | (layout.field & ~layout.before_point)));
  const __m512i lowest = _mm512_set1_epi32(static_cast<int>(layout.field & (0 - layout.field)));
  for (std::size_t i = 0; i < layout_fields; i += 16) {
    const __m512i good = _mm512_and_si512(_mm512_load_si512(parts.good + i), place_of_digits);
    const __m512i blank = _mm512_and_si512(_mm512_load_si512(parts.blank + i), before);
    const __m512i minus = _mm512_and_si512(_mm512_load_si512(parts.minus + i), before);
    const __m512i all = _mm512_or_si512(_mm512_or_si512(good, blank), minus);
    // Blanks come first; the byte behind them may be the sign.
    const __m512i behind = _mm512_add_epi32(blank, lowest);
    const __m512i misplaced =
        _mm512_or_si512(_mm512_and_si512(blank, behind), _mm512_andnot_si512(behind, minus));
    unclear |= std::uint64_t{_mm512_cmpneq_epi32_mask(all, field)} << i;
    unclear |= std::uint64_t{_mm512_test_epi32_mask(misplaced, misplaced)} << i;
    negative |= std::uint64_t{_mm512_test_epi32_mask(minus, minus)} << i;
  }
  std::memcpy(parts.negative, &negative, sizeof negative);
  return unclear;
}

HEADRACE_AVX512 inline void store(double* values, __m512i bits, __mmask8 negative) noexcept {
  const __m512i sign = _mm512_maskz_set1_epi64(negative, INT64_MIN);
  _mm512_storeu_si512(values, _mm512_or_si512(bits, sign));
}

HEADRACE_AVX512 inline void store(float* values, __m512i bits, __mmask8 negative) noexcept {
  const __m256i sign = _mm256_maskz_set1_epi32(negative, INT32_MIN);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values),
                      _mm256_or_si256(_mm512_cvtepi64_epi32(bits), sign));
}

template <class Real>
HEADRACE_AVX512 inline std::uint64_t round_numbers(layout_parts& parts, Real* values) noexcept {
  for (std::size_t i = 0; i < layout_fields; i += 8) {
    const rounded result =
        round_decimals<Real>(_mm512_load_si512(parts.significand + i), parts.power + i);
    parts.unclear[i / 8] = static_cast<unsigned char>(parts.unclear[i / 8] | result.unclear);
    store(values + i, result.bits, parts.negative[i / 8]);
  }
  std::uint64_t unclear;
  std::memcpy(&unclear, parts.unclear, sizeof unclear);
  return unclear;
}

template <bool has_one_digit>
HEADRACE_AVX512 void read_block(const layout_block block, const column_layout& layout,
                                layout_parts& parts) noexcept {
  const layout_pair pair = load_layout(layout);
  for (std::size_t i = 0; i < layout_fields; i += 8)
    read_numbers<has_one_digit>(block, pair, i, parts);
}

HEADRACE_AVX512 inline __mmask64 line_feeds(__m512i bytes) noexcept {
  return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\n'));
}

HEADRACE_AVX512 std::size_t count(const char* text, std::size_t bytes) noexcept {
  std::size_t result = 0;
  std::size_t i = 0;
  for (; i + 64 <= bytes; i += 64)
    result +=
        static_cast<std::size_t>(__builtin_popcountll(line_feeds(_mm512_loadu_si512(text + i))));
  const __mmask64 rest = (std::uint64_t{1} << (bytes - i)) - 1;
  return result + static_cast<std::size_t>(
                      __builtin_popcountll(line_feeds(_mm512_maskz_loadu_epi8(rest, text + i))));
}

}  // namespace

std::size_t count_line_feeds(const char* text, std::size_t bytes) noexcept {
  return count(text, bytes);
}

template <class Real>
HEADRACE_AVX512 std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                                           Real* values) noexcept {
  layout_parts parts;
  std::uint64_t unclear = 0;
  if (layout.has_one_digit) {
    read_block<true>(block, layout, parts);
    unclear = check_places(parts);
  } else {
    read_block<false>(block, layout, parts);
    unclear = check_beginnings(layout, parts);
  }
  return unclear | round_numbers(parts, values);
}

#define HEADRACE_INSTANTIATE(REAL) \
  template std::uint64_t parse_layout(const layout_block&, const column_layout&, REAL*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace::avx512

#endif
