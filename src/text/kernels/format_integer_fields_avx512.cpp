// Integers and bits into fields of a fixed width (I and Z), eight at a time: digits with leading
// zeros and the suffix in rows of 32 bytes, blanks over the zeros, and one byte permutation that
// takes them to the width of the field. Next: format_integers_avx512.hpp.
#if defined(__x86_64__)

#include "format_fields.hpp"
#include "format_integers_avx512.hpp"
#include "format_tiers.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_vectors = field_block / 8;
constexpr int digits_end = 24;  // byte of a row: digits stand before it, the suffix behind

// Masks have a bit for each byte of a row.
struct field_rows {
  alignas(64) char bytes[field_block][field_window];  // digits, also leading zeros
  alignas(64) std::uint32_t shown[field_block];       // nonzero digits, then all that count
  alignas(64) std::uint32_t minus[field_block];
  std::uint16_t slow[field_block / 16];  // these do not fit their fields
};

HEADRACE_AVX512_INLINE __mmask8 lanes(std::size_t n, std::size_t first) noexcept {
  return n - first >= 8 ? static_cast<__mmask8>(0xFF)
                        : static_cast<__mmask8>((1U << (n - first)) - 1);
}

template <class Word>
HEADRACE_AVX512_INLINE __m512i load(const Word* values, std::size_t n, std::size_t i) noexcept {
  return _mm512_maskz_loadu_epi64(lanes(n, i), values + i);
}

HEADRACE_AVX512 std::uint64_t largest_size(const std::int64_t* values, std::size_t n) noexcept {
  __m512i largest = _mm512_setzero_si512();
  for (std::size_t i = 0; i < n; i += 8)
    largest = _mm512_max_epu64(largest, _mm512_abs_epi64(load(values, n, i)));
  return _mm512_reduce_max_epu64(largest);
}

HEADRACE_AVX512_INLINE void store_rows(field_rows& rows, std::size_t i, __m512i two,
                                       __m512i text) noexcept {
  const std::uint64_t nonzero = _mm512_test_epi8_mask(two, two);
  _mm512_store_si512(rows.bytes[i], text);
  std::memcpy(rows.shown + i, &nonzero, sizeof nonzero);
}

HEADRACE_AVX512_INLINE void store_decimal(field_rows& rows, std::size_t i, __m512i two) noexcept {
  store_rows(rows, i, two, _mm512_or_si512(two, _mm512_set1_epi8('0')));
}

// Values of at most 8 * Words digits; eight rows each time.
template <int Words>
HEADRACE_AVX512 void make_rows(field_rows& rows, const std::int64_t* values,
                               std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; i += 8) {
    const __m512i size = _mm512_abs_epi64(load(values, n, i));
    __m512i first = _mm512_setzero_si512();
    __m512i second = first;
    halves512 half{first, size};
    if constexpr (Words == 3) {
      const parts512 parts = split_19(size);
      first = eight_digits(parts.top);
      half = split_16(parts.rest);
    } else if constexpr (Words == 2) {
      half = split_16(size);
    }
    if constexpr (Words > 1) second = eight_digits(half.upper);
    const __m512i third = eight_digits(half.lower);
    store_decimal(rows, i, two_rows<0>(first, second, third));
    store_decimal(rows, i + 2, two_rows<2>(first, second, third));
    store_decimal(rows, i + 4, two_rows<4>(first, second, third));
    store_decimal(rows, i + 6, two_rows<6>(first, second, third));
  }
}

// Two rows of sixteen hexadecimal digits, at the places of the last sixteen decimal ones.
template <int I>
HEADRACE_AVX512_INLINE void store_hexadecimal(field_rows& rows, std::size_t i,
                                              __m512i values) noexcept {
  const __m512i from = _mm512_setr_epi64(0, I, I, 0, 0, I + 1, I + 1, 0);
  const __m512i letters = _mm512_broadcast_i32x4(_mm_setr_epi8(
      '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'));
  // Bits that begin at these are moved to the first place of a byte.
  constexpr long long upper_half = 0x2024282C3034383C;
  constexpr long long lower_half = 0x0004080C1014181C;
  const __m512i bits =
      _mm512_setr_epi64(0, upper_half, lower_half, 0, 0, upper_half, lower_half, 0);
  const __m512i moved = _mm512_maskz_multishift_epi64_epi8(0x00FFFF0000FFFF00, bits,
                                                           _mm512_permutexvar_epi64(from, values));
  const __m512i two = _mm512_and_si512(moved, _mm512_set1_epi8(15));
  store_rows(rows, i, two, _mm512_shuffle_epi8(letters, two));
}

HEADRACE_AVX512 void make_rows(field_rows& rows, const std::uint64_t* values,
                               std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; i += 8) {
    const __m512i eight = load(values, n, i);
    store_hexadecimal<0>(rows, i, eight);
    store_hexadecimal<2>(rows, i + 2, eight);
    store_hexadecimal<4>(rows, i + 4, eight);
    store_hexadecimal<6>(rows, i + 6, eight);
  }
}

// Those that have a sign.
HEADRACE_AVX512_INLINE __mmask16 negative_of(const std::int64_t* values, std::size_t n,
                                             std::size_t i) noexcept {
  const __mmask8 lower = _mm512_movepi64_mask(load(values, n, i));
  const __mmask8 upper = i + 8 < n ? _mm512_movepi64_mask(load(values, n, i + 8)) : __mmask8{0};
  return _mm512_kunpackb(upper, lower);
}
HEADRACE_AVX512_INLINE __mmask16 negative_of(const std::uint64_t*, std::size_t,
                                             std::size_t) noexcept {
  return 0;
}

// The digits that count, and the place of a minus before them.
template <class Word>
HEADRACE_AVX512 void choose(field_rows& rows, const field_layout& layout, const Word* values,
                            std::size_t n) noexcept {
  const int digits = layout.edit.digits;
  const int width = layout.edit.width;
  const __m512i zero = _mm512_setzero_si512();
  const __m512i least = _mm512_set1_epi32(digits == 0 ? 0 : 1 << (digits_end - digits));
  const __m512i before_field =
      _mm512_set1_epi32(width < digits_end ? (1 << (digits_end - width)) - 1 : 0);
  for (std::size_t i = 0; i < n; i += 16) {
    const __m512i marks = _mm512_or_si512(_mm512_load_si512(rows.shown + i), least);
    const __m512i first = _mm512_and_si512(marks, _mm512_sub_epi32(zero, marks));
    const __m512i shown = _mm512_andnot_si512(_mm512_set1_epi32(~((1 << digits_end) - 1)),
                                              _mm512_sub_epi32(zero, first));
    const __m512i minus = _mm512_maskz_srli_epi32(negative_of(values, n, i), first, 1);
    _mm512_store_si512(rows.shown + i, shown);
    _mm512_store_si512(rows.minus + i, minus);
    rows.slow[i / 16] = _mm512_test_epi32_mask(_mm512_or_si512(shown, minus), before_field);
  }
}

// Where the bytes of two fields come from. Byte 0 of a row is always blank.
HEADRACE_AVX512_INLINE __m512i places_of(int width) noexcept {
  alignas(64) std::uint8_t places[2 * field_window];
  for (int i = 0; i < field_window; ++i) {
    const int from = i + digits_end - width;
    const int place = from < 0 ? 0 : from < field_window ? from : field_window - 1;
    places[i] = static_cast<std::uint8_t>(place);
    places[field_window + i] = static_cast<std::uint8_t>(field_window + place);
  }
  return _mm512_load_si512(places);
}

HEADRACE_AVX512 void place(const field_rows& rows, const field_layout& layout, std::size_t n,
                           char* out, const std::uint32_t* offsets) noexcept {
  const __m512i places = places_of(layout.edit.width);
  const __m512i minus = _mm512_set1_epi8('-');
  const auto blanks = static_cast<long long>(0x2020202020202020U);
  const __m512i empty = _mm512_broadcast_i64x4(
      _mm256_set_epi64x(static_cast<long long>(layout.suffix), blanks, blanks, blanks));
  for (std::size_t i = 0; i < n; i += 2) {
    std::uint64_t shown = 0;
    std::uint64_t signs = 0;
    std::memcpy(&shown, rows.shown + i, sizeof shown);
    std::memcpy(&signs, rows.minus + i, sizeof signs);
    __m512i text = _mm512_mask_mov_epi8(empty, shown, _mm512_load_si512(rows.bytes[i]));
    text = _mm512_permutexvar_epi8(places, _mm512_mask_mov_epi8(text, signs, minus));
    store_half(out + offsets[i], _mm512_castsi512_si256(text));
    if (i + 1 < n) store_half(out + offsets[i + 1], _mm512_extracti64x4_epi64(text, 1));
  }
}

void write_one(const field_edit& edit, std::int64_t value, char* out) noexcept {
  write_integer_field(edit, value, out);
}
void write_one(const field_edit& edit, std::uint64_t value, char* out) noexcept {
  write_hexadecimal_field(edit, value, out);
}

template <class Word>
void place_slow(const field_rows& rows, const field_layout& layout, const Word* values,
                std::size_t n, char* out, const std::uint32_t* offsets) noexcept {
  for (std::size_t first = 0; first < n; first += 16)
    for (unsigned rest = rows.slow[first / 16]; rest != 0; rest &= rest - 1) {
      const std::size_t i = first + static_cast<std::size_t>(__builtin_ctz(rest));
      if (i >= n) return;
      char* const field = out + offsets[i];
      write_one(layout.edit, values[i], field);
      std::memcpy(field + layout.edit.width, &layout.suffix,
                  static_cast<std::size_t>(layout.suffix_length));
    }
}

template <class Word>
void place_rows(field_rows& rows, const field_layout& layout, const Word* values, std::size_t n,
                char* out, const std::uint32_t* offsets) noexcept {
  end_phase();
  choose(rows, layout, values, n);
  end_phase();
  place(rows, layout, n, out, offsets);
  place_slow(rows, layout, values, n, out, offsets);
}

}  // namespace

void write_integer_fields_avx512(const field_layout& layout, const std::int64_t* values,
                                 std::size_t n, char* out, const std::uint32_t* offsets) noexcept {
  field_rows rows;
  const std::uint64_t largest = largest_size(values, n);
  if (largest < 100000000U)
    make_rows<1>(rows, values, n);
  else if (largest < 10000000000000000U)
    make_rows<2>(rows, values, n);
  else
    make_rows<3>(rows, values, n);
  place_rows(rows, layout, values, n, out, offsets);
}

void write_hexadecimal_fields_avx512(const field_layout& layout, const std::uint64_t* values,
                                     std::size_t n, char* out,
                                     const std::uint32_t* offsets) noexcept {
  field_rows rows;
  make_rows(rows, values, n);
  place_rows(rows, layout, values, n, out, offsets);
}

}  // namespace headrace

#endif
