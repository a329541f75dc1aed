// The AVX2 tier of parse_fields for integers: one field after the other, without branches in the
// common form: a minus or none, and digits. Next: parse_numbers_scalar.hpp.
#if defined(__x86_64__)

#include <limits>

#include "intrinsics.hpp"
#include "number_types.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace::avx2 {
namespace {

constexpr std::uint32_t window_bytes = 32;
constexpr std::uint32_t half_window = 16;

// The bytes from place n on are n zeros before ones.
alignas(64) constexpr unsigned char zeros_before_ones[2 * window_bytes] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

// A number without its sign; if bytes of the field are not digits, bit 31 for the last of them.
struct natural {
  std::uint64_t value;
  std::uint32_t other;
};

// The digits at the end of a field of 1 to 16 bytes (digits by multiply-add, after W. Mula and D.
// Lemire).
HEADRACE_AVX2 inline natural read_short(const char* end, std::uint32_t length) noexcept {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - half_window));
  const __m128i inside =
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(zeros_before_ones + half_window + length));
  const __m128i values = _mm_and_si128(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), inside);
  const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
  const __m128i pairs = _mm_maddubs_epi16(_mm_and_si128(values, digit), _mm_set1_epi16(0x010A));
  const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));
  const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  return {(both & 0xFFFFFFFF) * 100000000 + (both >> 32),
          ~static_cast<std::uint32_t>(_mm_movemask_epi8(digit)) << half_window};
}

// 17 to 32 bytes. Of more than 20 bytes value is anything.
HEADRACE_AVX2 inline natural read_long(const char* end, std::uint32_t length) noexcept {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - window_bytes));
  const __m256i inside =
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(zeros_before_ones + length));
  const __m256i values = _mm256_and_si256(_mm256_sub_epi8(bytes, _mm256_set1_epi8('0')), inside);
  const __m256i digit = _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);
  const __m256i pairs =
      _mm256_maddubs_epi16(_mm256_and_si256(values, digit), _mm256_set1_epi16(0x010A));
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
  const __m256i eights =
      _mm256_madd_epi16(_mm256_packus_epi32(fours, fours), _mm256_set1_epi32(0x00012710));
  const auto upper = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(eights)));
  const auto lower =
      static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1)));
  return {(upper >> 32) * 10000000000000000 + (lower & 0xFFFFFFFF) * 100000000 + (lower >> 32),
          ~static_cast<std::uint32_t>(_mm256_movemask_epi8(digit))};
}

// False: not plain, or out of range.
template <class Integer>
HEADRACE_AVX2 inline bool read_integer(const char* begin, const char* end,
                                       Integer& value) noexcept {
  const auto length = static_cast<std::uint32_t>(end - begin);
  constexpr std::uint32_t longest = 20;  // a minus and 19 digits
  if (length - 1 > longest - 1) return false;
  const natural number = length <= half_window ? read_short(end, length) : read_long(end, length);
  const bool negative = *begin == '-';
  const std::uint64_t sign = std::uint64_t{negative} << (window_bytes - length);
  const std::uint32_t digits = length - negative;
  const auto limit = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()) + negative;
  value = static_cast<Integer>(negative ? 0 - number.value : number.value);
  return number.other == sign && digits - 1 < longest - 1 && number.value <= limit;
}

}  // namespace

template <class Integer>
HEADRACE_AVX2 std::size_t parse_integers(const field_list& fields, Integer* values,
                                         field_state& state) noexcept {
  state = field_state::good;
  for (std::size_t i = fields.first; i < fields.last; ++i, ++values) {
    const scalar::field_text field = scalar::field_at(fields.text, fields.ends + i);
    const scalar::field_text text = scalar::trimmed(field.begin, field.end);
    if (read_integer(text.begin, text.end, *values)) continue;
    state = scalar::parse_integer_field(text, *values);
    if (state != field_state::good) return i;
  }
  return fields.last;
}

template <class Integer>
HEADRACE_AVX2 std::uint64_t parse_integer_columns(const column_block& columns,
                                                  Integer* values) noexcept {
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < columns.n; ++i) {
    const scalar::field_text field = scalar::column_at(columns, i);
    unclear |= std::uint64_t{!read_integer(field.begin, field.end, values[i])} << i;
  }
  return unclear;
}

#define HEADRACE_INSTANTIATE(INTEGER)                                                      \
  template std::size_t parse_integers(const field_list&, INTEGER*, field_state&) noexcept; \
  template std::uint64_t parse_integer_columns(const column_block&, INTEGER*) noexcept;
HEADRACE_FOR_INTEGERS(HEADRACE_INSTANTIATE)

}  // namespace headrace::avx2

#endif
