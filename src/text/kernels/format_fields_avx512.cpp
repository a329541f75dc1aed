// Reals into fields, eight at a time: see format_fields.hpp for the method and format_avx512.hpp
// for the arithmetic. One byte permutation lays out each field.
#if defined(__x86_64__)

#include "format_fields_avx512.hpp"
#include "format_avx512.hpp"
#include "format_fields_scalar.hpp"

namespace headrace {
namespace {

struct alignas(64) decimal_block {
  std::int64_t index[field_block];  // of powers, then the digits before the point
  std::uint64_t digits[field_block];
  std::uint8_t slow[most_field_vectors];  // write_field writes these
  int vectors;
};

HEADRACE_AVX512_INLINE __m512i load(const void* words) noexcept {
  return _mm512_loadu_si512(words);
}

// integer + fraction / 2^64 to the nearest integer; near a half the slow path decides.
HEADRACE_AVX512_INLINE __m512i round_nearest(__m512i integer, __m512i fraction,
                                             __mmask8& unclear) noexcept {
  constexpr std::uint64_t error = 1 << 20;  // the powers have 104 bits, the integers 57
  unclear = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(fraction, all(half_of_fraction - error)),
                                    all(2 * error));
  return _mm512_mask_add_epi64(integer, _mm512_movepi64_mask(fraction), integer, all(1));
}

// Rounds the values of an unclear mask with whole numbers; returns those that stay unclear or
// round up to limit.
__mmask8 decide(decimal_block& b, const double* values, int v, __mmask8 unclear,
                std::uint64_t limit) noexcept {
  unsigned undecided = 0;
  for (unsigned rest = unclear; rest != 0; rest &= rest - 1) {
    const int i = 8 * v + __builtin_ctz(rest);
    const int power = static_cast<int>(b.index[i]) + lowest_power;
    if (!round_exactly(values[i], power, b.digits[i]) || b.digits[i] >= limit)
      undecided |= rest & (0 - rest);
  }
  return static_cast<__mmask8>(undecided);
}

// Sign and first digit in the two highest bytes.
HEADRACE_AVX512_INLINE __m512i sign_and_first(__m512i bits, __m512i first, char positive) noexcept {
  const __m512i plus =
      all((std::uint64_t{'0'} << 56) | (std::uint64_t{static_cast<unsigned char>(positive)} << 48));
  const __m512i minus = all((std::uint64_t{'0'} << 56) | (std::uint64_t{'-'} << 48));
  return _mm512_or_si512(_mm512_mask_mov_epi64(plus, _mm512_movepi64_mask(bits), minus),
                         _mm512_slli_epi64(first, 56));
}

// Fixed notation: the digits of |x| * 10^d.
HEADRACE_AVX512 void find_fixed(decimal_block& b, const double* values,
                                const field_layout& layout) noexcept {
  const auto row = static_cast<std::size_t>(layout.edit.digits - lowest_power);
  const __m512i high = all(ifma_powers_of_ten[row].high);
  const __m512i low = all(ifma_powers_of_ten[row].low);
  const int log2 = exponent_of_power(layout.edit.digits);
  for (int v = 0; v < b.vectors; ++v) {
    const __m512i bits = load(values + 8 * v);
    const __m512i fraction = _mm512_and_si512(bits, all((std::uint64_t{1} << 52) - 1));
    const __m512i biased = _mm512_srli_epi64(_mm512_slli_epi64(bits, 1), 53);
    const limbs512 product = multiply(high, low, fraction);
    // A shift beyond 127 leaves nothing; one below 7 leaves more than seventeen digits.
    const __m512i shift = _mm512_sub_epi64(_mm512_set1_epi64(62 + 1023 - log2), biased);
    const __m512i upper = upper_bits(product);
    const __mmask8 tiny = _mm512_cmpgt_epi64_mask(shift, all(63));
    __m512i part = _mm512_shrdv_epi64(lower_bits(product), upper, shift);
    part = _mm512_mask_srlv_epi64(part, tiny, upper, _mm512_sub_epi64(shift, all(64)));
    __mmask8 unclear = 0;
    const __m512i digits = round_nearest(_mm512_srlv_epi64(upper, shift), part, unclear);
    const __mmask8 subnormal = _mm512_testn_epi64_mask(biased, biased);
    const __mmask8 large = _mm512_cmplt_epi64_mask(shift, all(7)) |
                           _mm512_cmpge_epu64_mask(digits, all(decimal_units[most_digits]));
    _mm512_store_si512(b.digits + 8 * v,
                       _mm512_maskz_mov_epi64(static_cast<__mmask8>(~subnormal), digits));
    unclear = static_cast<__mmask8>(unclear & ~(subnormal | large));
    if (__builtin_expect(unclear != 0, 0)) {
      _mm512_store_si512(b.index + 8 * v, _mm512_set1_epi64(layout.edit.digits - lowest_power));
      unclear = decide(b, values, v, unclear, decimal_units[most_digits]);
    }
    b.slow[v] = static_cast<std::uint8_t>(unclear | large);
  }
}

// The number of digits before the point, and which fields are too narrow for it.
HEADRACE_AVX512_INLINE __m512i digits_before(decimal_block& b, int v, const digits512& parts,
                                             __m512i bits, const field_layout& layout) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  const __mmask8 upper_empty = _mm512_testn_epi64_mask(parts.upper, parts.upper);
  // The first digit that is not zero has the lowest bit set of a word.
  const __m512i word = _mm512_mask_mov_epi64(parts.upper, upper_empty, parts.lower);
  const __m512i lowest = _mm512_and_si512(word, _mm512_sub_epi64(zero, word));
  __m512i count = _mm512_srli_epi64(_mm512_lzcnt_epi64(lowest), 3);  // digits behind in the word
  count = _mm512_add_epi64(count, all(1));
  count = _mm512_mask_mov_epi64(count, _mm512_testn_epi64_mask(word, word), zero);
  count = _mm512_mask_add_epi64(count, static_cast<__mmask8>(~upper_empty), count, all(8));
  count = _mm512_mask_mov_epi64(count, _mm512_test_epi64_mask(parts.first, parts.first), all(17));
  const int decimals = layout.edit.digits;
  const __m512i least = all(decimals == 0 ? 1 : 0);
  const __m512i before =
      _mm512_max_epi64(_mm512_sub_epi64(count, _mm512_set1_epi64(decimals)), least);
  const __m512i room = _mm512_sub_epi64(_mm512_set1_epi64(layout.edit.width - decimals - 1),
                                        _mm512_srli_epi64(bits, 63));
  b.slow[v] = static_cast<std::uint8_t>(b.slow[v] | _mm512_cmpgt_epi64_mask(before, room));
  return before;
}

HEADRACE_AVX512 void place_fixed(decimal_block& b, const double* values, const field_layout& layout,
                                 char* out, const std::uint32_t* offsets) noexcept {
  const __m512i zeros = all(eight_zeros);
  const field_bytes* const bytes = layout.fixed_bytes.data();
  for (int v = 0; v < b.vectors; ++v) {
    const __m512i bits = load(values + 8 * v);
    __m512i digits = _mm512_load_si512(b.digits + 8 * v);
    digits = _mm512_maskz_mov_epi64(static_cast<__mmask8>(~b.slow[v]), digits);
    const digits512 parts = seventeen_digits(digits);
    _mm512_store_si512(b.index + 8 * v, digits_before(b, v, parts, bits, layout));
    const rows512 rows =
        rows_of(_mm512_or_si512(parts.upper, zeros), _mm512_or_si512(parts.lower, zeros),
                sign_and_first(bits, parts.first, layout.positive_sign));
    const std::int64_t* const before = b.index + 8 * v;
    const std::uint32_t* const offset = offsets + 8 * v;
    place_one(out + offset[0], bytes[before[0]], _mm512_castsi512_si256(rows.row02));
    place_one(out + offset[1], bytes[before[1]], _mm512_castsi512_si256(rows.row13));
    place_one(out + offset[2], bytes[before[2]], _mm512_extracti64x4_epi64(rows.row02, 1));
    place_one(out + offset[3], bytes[before[3]], _mm512_extracti64x4_epi64(rows.row13, 1));
    place_one(out + offset[4], bytes[before[4]], _mm512_castsi512_si256(rows.row46));
    place_one(out + offset[5], bytes[before[5]], _mm512_castsi512_si256(rows.row57));
    place_one(out + offset[6], bytes[before[6]], _mm512_extracti64x4_epi64(rows.row46, 1));
    place_one(out + offset[7], bytes[before[7]], _mm512_extracti64x4_epi64(rows.row57, 1));
  }
}

void format_block(const field_layout& layout, const double* values, std::size_t n, char* out,
                  const std::uint32_t* offsets) noexcept {
  decimal_block b;
  b.vectors = static_cast<int>(n / 8);
  if (layout.edit.form == field_form::fixed) {
    find_fixed(b, values, layout);
    end_phase();
    place_fixed(b, values, layout, out, offsets);
    place_slow(b.slow, b.vectors, values, layout, out, offsets);
  } else {
    format_exponential_avx512(layout, values, b.vectors, out, offsets);
  }
}

}  // namespace

void format_fields_avx512(const field_layout& layout, const double* values, std::size_t n,
                          char* out, const std::uint32_t* offsets) noexcept {
  if (n % 8 == 0) return format_block(layout, values, n, out, offsets);
  // Fills the last vector with the last value, written once more at the same place.
  double filled[field_block];
  std::uint32_t filled_offsets[field_block];
  const std::size_t whole = (n + 7) / 8 * 8;
  for (std::size_t i = 0; i < whole; ++i) {
    filled[i] = values[i < n ? i : n - 1];
    filled_offsets[i] = offsets[i < n ? i : n - 1];
  }
  format_block(layout, filled, whole, out, filled_offsets);
}

}  // namespace headrace

#endif
