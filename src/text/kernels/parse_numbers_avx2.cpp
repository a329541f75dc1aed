// The AVX2 tier of parse_fields for reals: one field after the other without branches in the
// common forms. Next: parse_numbers_scalar.hpp.
#if defined(__x86_64__)

#include "intrinsics.hpp"
#include "number_types.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace::avx2 {
namespace {

constexpr std::uint32_t window_bytes = 32;

// The 32 bytes before the end of a field as masks; bit 31 is the last byte of the field.
struct window_masks {
  std::uint32_t inside;  // belongs to the field and is no blank
  std::uint32_t digit;
  std::uint32_t point;
  std::uint32_t minus;
};

HEADRACE_AVX2 inline std::uint32_t mask_of(__m256i bytes) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

HEADRACE_AVX2 inline __m256i load_bytes(const char* text) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
}

HEADRACE_AVX2 inline window_masks classify(const char* end, std::uint32_t length,
                                           char decimal) noexcept {
  const __m256i bytes = load_bytes(end - window_bytes);
  const __m256i value = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
  const __m256i nine = _mm256_set1_epi8(9);
  // The only blank with these low four bits.
  const __m256i blanks = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
  const std::uint32_t blank = mask_of(_mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(blanks, bytes)));
  const auto window = static_cast<std::uint32_t>(0xFFFFFFFF00000000U >> length);
  const std::uint32_t inside = window & ~blank;
  return {inside, mask_of(_mm256_cmpeq_epi8(_mm256_min_epu8(value, nine), value)) & inside,
          mask_of(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(decimal))) & inside,
          mask_of(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('-'))) & inside};
}

// Bytes from here on are kept or not: 32 bytes from place n on are n bytes of ones before zeros.
alignas(64) constexpr unsigned char ones_before_zeros[64] = {
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

// All ones in the first n bytes, n <= 32.
HEADRACE_AVX2 inline __m256i first_bytes(std::uint32_t n) noexcept {
  const auto* const begin = ones_before_zeros + (window_bytes - n);
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin));
}

// The digits of a mantissa of 19 digits at most, with a point or without, that ends at end. point:
// digits behind it; has_point: 0 or 1.
HEADRACE_AVX2 inline std::uint64_t mantissa_value(const char* end, std::uint32_t digits,
                                                  std::uint32_t behind_point,
                                                  std::uint32_t has_point) noexcept {
  // Digits before the point move one place towards the end.
  const __m256i moved = load_bytes(end - window_bytes - has_point);
  const __m256i in_place = load_bytes(end - window_bytes);
  const __m256i joined =
      _mm256_blendv_epi8(in_place, moved, first_bytes(window_bytes - behind_point));
  const __m256i value = _mm256_sub_epi8(joined, _mm256_set1_epi8('0'));
  const __m256i kept = _mm256_andnot_si256(first_bytes(window_bytes - digits), value);
  // Digits by multiply-add (W. Mula and D. Lemire): pairs, fours, eights.
  const __m256i pairs = _mm256_maddubs_epi16(kept, _mm256_set1_epi16(0x010A));
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
  const __m256i packed = _mm256_packus_epi32(fours, fours);
  const __m256i eights = _mm256_madd_epi16(packed, _mm256_set1_epi32(0x00012710));
  const auto leading = static_cast<std::uint64_t>(
      _mm256_cvtsi256_si32(_mm256_srli_epi64(eights, 32)));  // the first three digits
  const auto last_16 =
      static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1)));
  return leading * 10000000000000000 + (last_16 & 0xFFFFFFFF) * 100000000 + (last_16 >> 32);
}

// False: not plain.
HEADRACE_AVX2 inline bool read_decimal(const char* begin, const char* end, number_style style,
                                       scalar::decimal_parts& parts) noexcept {
  const auto length = static_cast<std::uint32_t>(end - begin);
  if (length - 1 > window_bytes - 1) return false;
  const window_masks masks = classify(end, length, style.decimal);
  const std::uint32_t first = masks.inside & (0 - masks.inside);
  const std::uint32_t other = masks.inside & ~(masks.digit | masks.point);
  const std::uint32_t leading = other & first;
  const std::uint32_t marks = other & ~first;
  bool plain = masks.inside != 0 && masks.inside == 0 - first;
  parts.negative = (leading & masks.minus) != 0;
  if (leading != 0 && !parts.negative)
    plain = plain && end[__builtin_ctz(leading) - static_cast<int>(window_bytes)] == '+';

  const char* mantissa_end = end;
  std::uint32_t mantissa = ~std::uint32_t{0};
  if (marks != 0) {
    const std::uint32_t mark = marks & (0 - marks);
    mantissa = mark - 1;
    mantissa_end = end - window_bytes + __builtin_ctz(marks);
    plain = plain && scalar::read_exponent(mantissa_end, end, style, parts.power);
  }
  const std::uint32_t digit = masks.digit & mantissa;
  const std::uint32_t point = masks.point;
  const auto digits = static_cast<std::uint32_t>(__builtin_popcount(digit));
  const auto behind = static_cast<std::uint32_t>(__builtin_popcount(digit & (0 - point)));
  plain = plain && digits - 1 < 19 && (point & (point - 1)) == 0 && (point & ~mantissa) == 0;
  if (!plain) return false;
  parts.power -= static_cast<int>(behind);
  parts.has_point = point != 0;
  parts.has_exponent = marks != 0;
  parts.significand = mantissa_value(mantissa_end, digits, behind, point != 0);
  return true;
}

}  // namespace

template <class Real>
HEADRACE_AVX2 std::size_t parse_reals(const field_list& fields, Real* values,
                                      field_state& state) noexcept {
  state = field_state::good;
  for (std::size_t i = fields.first; i < fields.last; ++i, ++values) {
    const scalar::field_text field = scalar::field_at(fields.text, fields.ends + i);
    scalar::decimal_parts parts;
    if (read_decimal(field.begin, field.end, fields.style, parts) &&
        scalar::round_parts(parts, *values))
      continue;
    state = scalar::parse_real_field(field, fields.style, *values);
    if (state != field_state::good) return i;
  }
  return fields.last;
}

template <class Real>
HEADRACE_AVX2 std::uint64_t parse_real_columns(const column_block& columns, Real* values) noexcept {
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < columns.n; ++i) {
    const auto [begin, end] = scalar::column_at(columns, i);
    scalar::decimal_parts parts;
    const bool good = read_decimal(begin, end, {columns.decimal, true}, parts) && parts.has_point &&
                      (parts.has_exponent || !columns.needs_exponent) &&
                      begin<end&& static_cast<unsigned char>(*begin)> ' ' &&
                      scalar::round_parts(parts, values[i]);
    unclear |= std::uint64_t{!good} << i;
  }
  return unclear;
}

#define HEADRACE_INSTANTIATE(REAL)                                                   \
  template std::size_t parse_reals(const field_list&, REAL*, field_state&) noexcept; \
  template std::uint64_t parse_real_columns(const column_block&, REAL*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace::avx2

#endif
