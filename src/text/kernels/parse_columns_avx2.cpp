// The AVX2 tier of columns of one layout: sixteen digits at a time by multiply-add instructions.
// Next: parse_columns_scalar.hpp.
#if defined(__x86_64__)

#include "intrinsics.hpp"
#include "number_types.hpp"
#include "parse_columns_scalar.hpp"

namespace headrace::avx2 {
namespace {

alignas(32) constexpr unsigned char zeros_before_ones[32] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

// The digits before end that kept has ones for; their number.
HEADRACE_AVX2 inline std::uint64_t read_sixteen(const char* end, __m128i kept,
                                                bool& good) noexcept {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - 16));
  const __m128i digits = _mm_and_si128(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), kept);
  const __m128i few = _mm_min_epu8(digits, _mm_set1_epi8(9));
  good = _mm_movemask_epi8(_mm_cmpeq_epi8(few, digits)) == 0xFFFF;
  const __m128i twos = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010A));
  const __m128i fours = _mm_madd_epi16(twos, _mm_set1_epi32(0x00010064));
  const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  return (both & 0xFFFFFFFF) * 100000000 + (both >> 32);
}

// The n > 16 digits before end.
HEADRACE_AVX2 inline std::uint64_t read_many(const char* end, std::uint32_t n,
                                             bool& good) noexcept {
  std::uint64_t first = 0;
  const bool are_digits = scalar::read_digits(end - n, end - 16, first) == end - 16;
  const std::uint64_t last = read_sixteen(end, _mm_set1_epi8(-1), good);
  good &= are_digits;
  return first * 10000000000000000 + last;
}

}  // namespace

template <class Real>
HEADRACE_AVX2 std::uint64_t parse_layout(const layout_block& block, const column_layout& given,
                                         Real* values) noexcept {
  const column_layout layout = given;
  const bool has_many = layout.decimals > 16;
  const __m128i kept = _mm_loadu_si128(
      reinterpret_cast<const __m128i*>(zeros_before_ones + (has_many ? 16 : layout.decimals)));
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < layout_fields; ++i) {
    const char* const end = block.text + block.ends[i];
    const char* const digits_end = scalar::end_of_digits(end, layout);
    bool good = true;
    const std::uint64_t fraction = has_many ? read_many(digits_end, layout.decimals, good)
                                            : read_sixteen(digits_end, kept, good);
    good = scalar::parse_by_layout(end, layout, fraction, good, values[i]);
    unclear |= std::uint64_t{!good} << i;
  }
  return unclear;
}

#define HEADRACE_INSTANTIATE(REAL) \
  template std::uint64_t parse_layout(const layout_block&, const column_layout&, REAL*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace::avx2

#endif
