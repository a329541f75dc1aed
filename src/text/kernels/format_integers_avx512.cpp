// Decimal integers, 64 at a time: digits with leading zeros in rows of 16 or 32 bytes, then the
// bytes that count move together. Next: format_integers_avx512.hpp.
//
// A row begins with the separator of the value before it, so the text of four rows has no gaps.
#if defined(__x86_64__)

#include <type_traits>

#include "format_integers_avx512.hpp"
#include "format_tiers.hpp"
#include "number_types.hpp"

namespace headrace {
namespace {

constexpr std::size_t block = 64;
constexpr std::size_t vectors = block / 8;

// Bytes of a row: 0 the separator before, 1 the sign, then digits up to the end. Masks: a bit a
// byte, a word of 16 bits (32 in long rows) a row.
struct integer_rows {
  alignas(64) char bytes[block * 32];
  alignas(64) std::uint64_t masks[block / 2];
};

HEADRACE_AVX512_INLINE __m512i load_integers(const std::int8_t* values) noexcept {
  return _mm512_cvtepi8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(values)));
}
HEADRACE_AVX512_INLINE __m512i load_integers(const std::int16_t* values) noexcept {
  return _mm512_cvtepi16_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
}
HEADRACE_AVX512_INLINE __m512i load_integers(const std::int32_t* values) noexcept {
  return _mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)));
}
HEADRACE_AVX512_INLINE __m512i load_integers(const std::int64_t* values) noexcept {
  return _mm512_loadu_si512(values);
}

// Two digits of values below 100, in the two highest bytes.
HEADRACE_AVX512_INLINE __m512i two_digits(__m512i value) noexcept {
  const __m512i tens = _mm512_srli_epi64(_mm512_mul_epu32(value, all(103)), 10);
  const __m512i ones = _mm512_sub_epi64(value, _mm512_mul_epu32(tens, all(10)));
  return _mm512_or_si512(_mm512_slli_epi64(tens, 48), _mm512_slli_epi64(ones, 56));
}

// The first word of a row without digits: separator and sign, nothing for a plus.
HEADRACE_AVX512_INLINE __m512i row_begin(__m512i value, __m128i separators) noexcept {
  const __m512i minus = _mm512_maskz_mov_epi64(_mm512_movepi64_mask(value), all('-' << 8));
  return _mm512_or_si512(_mm512_cvtepu8_epi64(separators), minus);
}

HEADRACE_AVX512_INLINE void store_row(char* bytes, std::uint64_t& mask, __m512i row,
                                      __m512i zeros) noexcept {
  mask = _mm512_test_epi8_mask(row, row);
  _mm512_store_si512(bytes, _mm512_or_si512(row, zeros));
}

// Eight rows of 16 bytes from their halves.
HEADRACE_AVX512_INLINE void store_short_rows(integer_rows& rows, std::size_t v, __m512i first,
                                             __m512i second) noexcept {
  const __m512i zeros = _mm512_broadcast_i32x4(_mm_set_epi64x(
      static_cast<long long>(eight_zeros), static_cast<long long>(eight_zeros & ~0xFFFFULL)));
  const __m512i lower = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i upper = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  store_row(rows.bytes + 128 * v, rows.masks[2 * v],
            _mm512_permutex2var_epi64(first, lower, second), zeros);
  store_row(rows.bytes + 128 * v + 64, rows.masks[2 * v + 1],
            _mm512_permutex2var_epi64(first, upper, second), zeros);
}

HEADRACE_AVX512_INLINE void store_long_rows(integer_rows& rows, std::size_t v, __m512i first,
                                            __m512i second, __m512i third) noexcept {
  const __m512i zeros = _mm512_broadcast_i64x4(
      _mm256_set_epi64x(0, static_cast<long long>(eight_zeros), static_cast<long long>(eight_zeros),
                        static_cast<long long>(eight_zeros & ~0xFFFFULL)));
  char* const bytes = rows.bytes + 256 * v;
  std::uint64_t* const masks = rows.masks + 4 * v;
  store_row(bytes, masks[0], two_rows<0>(first, second, third), zeros);
  store_row(bytes + 64, masks[1], two_rows<2>(first, second, third), zeros);
  store_row(bytes + 128, masks[2], two_rows<4>(first, second, third), zeros);
  store_row(bytes + 192, masks[3], two_rows<6>(first, second, third), zeros);
}

// Values below 10^10 in size (Digits = 10), or below 10^14.
template <int Digits, class Integer>
HEADRACE_AVX512 void make_short_rows(integer_rows& rows, const Integer* values,
                                     const char* separators, __mmask8 first) noexcept {
  for (std::size_t v = 0; v < vectors; ++v) {
    const __m512i value = load_integers(values + 8 * v);
    const __m128i before =
        _mm_maskz_loadu_epi8(v == 0 ? first : __mmask16{0xFF}, separators + 8 * v - 1);
    const __m512i size = _mm512_abs_epi64(value);
    halves512 half{};
    if constexpr (Digits == 10) {
      half.upper = _mm512_srli_epi64(_mm512_mul_epu32(size, all(1441151881U)), 57);
      half.lower = _mm512_sub_epi64(size, _mm512_mul_epu32(half.upper, all(100000000)));
      half.upper = two_digits(half.upper);
    } else {
      half = split_16(size);
      half.upper = eight_digits(half.upper);
    }
    store_short_rows(rows, v, _mm512_or_si512(half.upper, row_begin(value, before)),
                     eight_digits(half.lower));
  }
}

// All values, in rows of 32 bytes.
HEADRACE_AVX512 void make_long_rows(integer_rows& rows, const std::int64_t* values,
                                    const char* separators, __mmask8 first) noexcept {
  for (std::size_t v = 0; v < vectors; ++v) {
    const __m512i value = load_integers(values + 8 * v);
    const __m128i before =
        _mm_maskz_loadu_epi8(v == 0 ? first : __mmask16{0xFF}, separators + 8 * v - 1);
    const parts512 parts = split_19(_mm512_abs_epi64(value));
    const halves512 half = split_16(parts.rest);
    const __m512i begin = _mm512_or_si512(eight_digits(parts.top), row_begin(value, before));
    store_long_rows(rows, v, begin, eight_digits(half.upper), eight_digits(half.lower));
  }
}

// From bytes that are not zero to bytes that count: the separator, a minus, and the digits from the
// first that is not zero on, or the last.
HEADRACE_AVX512 void choose_short(integer_rows& rows) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  for (std::size_t i = 0; i < block / 4; i += 8) {
    const __m512i nonzero = _mm512_load_si512(rows.masks + i);
    const __m512i digits =
        _mm512_or_si512(_mm512_and_si512(nonzero, _mm512_set1_epi16(static_cast<short>(0xFFFC))),
                        _mm512_set1_epi16(static_cast<short>(0x8000)));
    const __m512i from_first = _mm512_or_si512(digits, _mm512_sub_epi16(zero, digits));
    const __m512i others =
        _mm512_and_si512(_mm512_or_si512(nonzero, _mm512_set1_epi16(1)), _mm512_set1_epi16(3));
    _mm512_store_si512(rows.masks + i, _mm512_or_si512(from_first, others));
  }
}

HEADRACE_AVX512 void choose_long(integer_rows& rows) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  for (std::size_t i = 0; i < block / 2; i += 8) {
    const __m512i nonzero = _mm512_load_si512(rows.masks + i);
    const __m512i digits = _mm512_or_si512(_mm512_and_si512(nonzero, _mm512_set1_epi32(0x00FFFFFC)),
                                           _mm512_set1_epi32(0x00800000));
    const __m512i from_first = _mm512_and_si512(
        _mm512_or_si512(digits, _mm512_sub_epi32(zero, digits)), _mm512_set1_epi32(0x00FFFFFF));
    const __m512i others =
        _mm512_and_si512(_mm512_or_si512(nonzero, _mm512_set1_epi32(1)), _mm512_set1_epi32(3));
    _mm512_store_si512(rows.masks + i, _mm512_or_si512(from_first, others));
  }
}

// Registers of rows one behind the other.
HEADRACE_AVX512_INLINE char* place(char* out, const integer_rows& rows,
                                   std::size_t registers) noexcept {
  for (std::size_t i = 0; i < registers; ++i) {
    const std::uint64_t mask = rows.masks[i];
    const __m512i bytes = _mm512_load_si512(rows.bytes + 64 * i);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(mask, bytes));
    out += __builtin_popcountll(mask);
  }
  return out;
}

HEADRACE_AVX512_INLINE bool fit_short(const std::int64_t* values) noexcept {
  __m512i largest = _mm512_setzero_si512();
  for (std::size_t v = 0; v < vectors; ++v)
    largest = _mm512_max_epu64(largest, _mm512_abs_epi64(load_integers(values + 8 * v)));
  return _mm512_cmpge_epu64_mask(largest, all(100000000000000U)) == 0;
}

// A block, with the separator before it when is_first is not set, and without its own last.
template <class Integer>
HEADRACE_AVX512 char* format_block(char* out, const Integer* values, const char* separators,
                                   bool is_first, integer_rows& rows) noexcept {
  const __mmask8 first = is_first ? 0xFE : 0xFF;
  if constexpr (std::is_same_v<Integer, std::int64_t>) {
    if (!fit_short(values)) {
      make_long_rows(rows, values, separators, first);
      end_phase();
      choose_long(rows);
      if (is_first) rows.masks[0] &= ~std::uint64_t{1};
      return place(out, rows, block / 2);
    }
    make_short_rows<14>(rows, values, separators, first);
  } else {
    make_short_rows<10>(rows, values, separators, first);
  }
  end_phase();
  choose_short(rows);
  if (is_first) rows.masks[0] &= ~std::uint64_t{1};
  end_phase();
  return place(out, rows, block / 4);
}

}  // namespace

template <class Integer>
HEADRACE_AVX512 char* format_integers_avx512(char* out, const Integer* values, std::size_t n,
                                             const char* separators) noexcept {
  integer_rows rows;
  const std::size_t whole = n / block * block;
  for (std::size_t i = 0; i < whole; i += block)
    out = format_block(out, values + i, separators + i, i == 0, rows);
  if (whole > 0) *out++ = separators[whole - 1];
  return format_integers_portable(out, values + whole, n - whole, separators + whole);
}

#define HEADRACE_INSTANTIATE(INTEGER) \
  template char* format_integers_avx512(char*, const INTEGER*, std::size_t, const char*) noexcept;
HEADRACE_FOR_INTEGERS(HEADRACE_INSTANTIATE)

}  // namespace headrace

#endif
