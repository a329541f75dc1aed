// Reals into fields, eight at a time: see format_fields.hpp for the method and format_avx512.hpp
// for the arithmetic. One byte permutation lays out each field.
#if defined(__x86_64__)

#include "format_avx512.hpp"
#include "format_fields.hpp"
#include "format_fields_scalar.hpp"

namespace headrace {
namespace {

constexpr int most_vectors = static_cast<int>(field_block / 8);

struct alignas(64) decimal_block {
  std::int64_t index[field_block];  // of thresholds, then of powers, then of exponent texts
  std::int64_t exponent[field_block];
  std::int64_t shift[field_block];
  std::uint64_t digits[field_block];
  std::uint8_t slow[most_vectors];  // write_field writes these
  std::uint8_t zero[most_vectors];
  int vectors;
};

HEADRACE_AVX512_INLINE __m512i load(const void* words) noexcept {
  return _mm512_loadu_si512(words);
}

// The decimal exponents, perhaps one too low.
HEADRACE_AVX512 void estimate_exponents(decimal_block& b, const double* values) noexcept {
  for (int v = 0; v < b.vectors; ++v) {
    const __m512i bits = _mm512_slli_epi64(load(values + 8 * v), 1);
    const __m512i biased = _mm512_srli_epi64(bits, 53);
    const __mmask8 zero = _mm512_testn_epi64_mask(bits, bits);
    const __mmask8 odd =
        _mm512_testn_epi64_mask(biased, biased) | _mm512_cmpeq_epi64_mask(biased, all(2047));
    b.zero[v] = zero;
    b.slow[v] = static_cast<std::uint8_t>(odd & ~zero);
    const __m512i e = _mm512_maskz_sub_epi64(static_cast<__mmask8>(~odd), biased, all(1023));
    const __m512i k = _mm512_srai_epi64(_mm512_mul_epi32(e, all(315653)), 20);
    _mm512_store_si512(b.exponent + 8 * v, k);
    _mm512_store_si512(b.shift + 8 * v, e);
    _mm512_store_si512(b.index + 8 * v,
                       _mm512_sub_epi64(k, _mm512_set1_epi64(lowest_threshold - 1)));
  }
}

// The exact decimal exponents, and the powers that leave count digits before the point.
HEADRACE_AVX512 void choose_powers(decimal_block& b, const double* values, int count) noexcept {
  for (int v = 0; v < b.vectors; ++v) {
    const __m512i size = _mm512_and_si512(load(values + 8 * v), all(~std::uint64_t{0} >> 1));
    const __m512i threshold = load_words(decimal_thresholds.data(), b.index + 8 * v);
    __m512i k = _mm512_load_si512(b.exponent + 8 * v);
    const auto normal = static_cast<__mmask8>(~(b.slow[v] | b.zero[v]));
    k = _mm512_mask_add_epi64(k, _mm512_mask_cmpge_epu64_mask(normal, size, threshold), k, all(1));
    const __m512i p = _mm512_sub_epi64(_mm512_set1_epi64(count - 1), k);
    const __m512i log2 = _mm512_srai_epi64(_mm512_mul_epi32(p, all(217706)), 16);
    const __m512i e = _mm512_load_si512(b.shift + 8 * v);
    _mm512_store_si512(b.exponent + 8 * v, k);
    _mm512_store_si512(b.index + 8 * v, _mm512_sub_epi64(p, _mm512_set1_epi64(lowest_power)));
    _mm512_store_si512(b.shift + 8 * v, _mm512_sub_epi64(all(62), _mm512_add_epi64(e, log2)));
  }
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

// count significant digits of each value, and its exponent text.
HEADRACE_AVX512 void find_significant(decimal_block& b, const double* values,
                                      const field_layout& layout) noexcept {
  const auto count = static_cast<std::size_t>(layout.edit.significant());
  const __m512i limit = all(decimal_units[count]);
  const __m512i tenth = all(decimal_units[count - 1]);
  const __m512i largest = all(static_cast<std::uint64_t>(layout.edit.largest_exponent()));
  const __m512i before_point = all(layout.edit.form == field_form::scientific ? 0 : 1);
  const std::uint8_t negative_fits = layout.negative_fits ? 0xFF : 0;
  for (int v = 0; v < b.vectors; ++v) {
    const __m512i bits = load(values + 8 * v);
    const __m512i fraction = _mm512_and_si512(bits, all((std::uint64_t{1} << 52) - 1));
    const limbs512 product = scale(b.index + 8 * v, fraction).product;
    const __m512i shift = _mm512_load_si512(b.shift + 8 * v);
    const __m512i upper = upper_bits(product);
    __mmask8 unclear = 0;
    const auto nonzero = static_cast<__mmask8>(~b.zero[v]);
    __m512i digits = round_nearest(_mm512_srlv_epi64(upper, shift),
                                   _mm512_shrdv_epi64(lower_bits(product), upper, shift), unclear);
    digits = _mm512_maskz_mov_epi64(nonzero, digits);
    const __mmask8 carry = _mm512_cmpeq_epi64_mask(digits, limit);
    __m512i k = _mm512_load_si512(b.exponent + 8 * v);
    k = _mm512_mask_add_epi64(k, carry, k, all(1));
    k = _mm512_mask_add_epi64(k, nonzero, k, before_point);
    const __mmask8 misfit = _mm512_cmpgt_epi64_mask(_mm512_abs_epi64(k), largest) |
                            static_cast<__mmask8>(_mm512_movepi64_mask(bits) & ~negative_fits);
    _mm512_store_si512(b.digits + 8 * v, _mm512_mask_mov_epi64(digits, carry, tenth));
    unclear = static_cast<__mmask8>(unclear & nonzero & ~b.slow[v]);
    if (__builtin_expect(unclear != 0, 0))
      unclear = decide(b, values, v, unclear, decimal_units[count]);
    b.slow[v] = static_cast<std::uint8_t>(b.slow[v] | unclear | misfit);
    _mm512_store_si512(b.index + 8 * v,
                       _mm512_sub_epi64(k, _mm512_set1_epi64(lowest_field_exponent)));
  }
}

HEADRACE_AVX512_INLINE void store_rows(char* out, const std::uint32_t* offsets, __m512i even,
                                       __m512i odd) noexcept {
  store_half(out + offsets[0], _mm512_castsi512_si256(even));
  store_half(out + offsets[1], _mm512_castsi512_si256(odd));
  store_half(out + offsets[2], _mm512_extracti64x4_epi64(even, 1));
  store_half(out + offsets[3], _mm512_extracti64x4_epi64(odd, 1));
}

// Sign and first digit in the two highest bytes.
HEADRACE_AVX512_INLINE __m512i sign_and_first(__m512i bits, __m512i first, char positive) noexcept {
  const __m512i plus =
      all((std::uint64_t{'0'} << 56) | (std::uint64_t{static_cast<unsigned char>(positive)} << 48));
  const __m512i minus = all((std::uint64_t{'0'} << 56) | (std::uint64_t{'-'} << 48));
  return _mm512_or_si512(_mm512_mask_mov_epi64(plus, _mm512_movepi64_mask(bits), minus),
                         _mm512_slli_epi64(first, 56));
}

HEADRACE_AVX512 void place_exponential(const decimal_block& b, const double* values,
                                       const field_layout& layout, char* out,
                                       const std::uint32_t* offsets) noexcept {
  const __m512i lane = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi8(32), 1);
  const __m512i index = _mm512_add_epi8(
      _mm512_broadcast_i64x4(
          _mm256_load_si256(reinterpret_cast<const __m256i*>(layout.bytes.index.data()))),
      lane);
  const __m512i text = _mm512_broadcast_i64x4(
      _mm256_load_si256(reinterpret_cast<const __m256i*>(layout.bytes.text.data())));
  const __m512i zeros = all(eight_zeros);
  for (int v = 0; v < b.vectors; ++v) {
    const digits512 parts = seventeen_digits(_mm512_load_si512(b.digits + 8 * v));
    const __m512i exponent = load_words(layout.exponents.data(), b.index + 8 * v);
    const __m512i rest = _mm512_or_si512(
        exponent, sign_and_first(load(values + 8 * v), parts.first, layout.positive_sign));
    const rows512 rows =
        rows_of(_mm512_or_si512(parts.upper, zeros), _mm512_or_si512(parts.lower, zeros), rest);
    store_rows(out, offsets + 8 * v,
               _mm512_or_si512(_mm512_permutexvar_epi8(index, rows.row02), text),
               _mm512_or_si512(_mm512_permutexvar_epi8(index, rows.row13), text));
    store_rows(out, offsets + 8 * v + 4,
               _mm512_or_si512(_mm512_permutexvar_epi8(index, rows.row46), text),
               _mm512_or_si512(_mm512_permutexvar_epi8(index, rows.row57), text));
  }
}

void write_one(const field_edit& edit, double value, char* out) noexcept {
  write_field(edit, value, out);
}
void write_one(const field_edit& edit, std::int64_t value, char* out) noexcept {
  write_integer_field(edit, value, out);
}

template <class Value>
void place_slow(const decimal_block& b, const Value* values, const field_layout& layout, char* out,
                const std::uint32_t* offsets) noexcept {
  for (int v = 0; v < b.vectors; ++v)
    for (unsigned rest = b.slow[v]; rest != 0; rest &= rest - 1) {
      const int i = 8 * v + __builtin_ctz(rest);
      char* const field = out + offsets[i];
      write_one(layout.edit, values[i], field);
      std::memcpy(field + layout.edit.width, &layout.suffix,
                  static_cast<std::size_t>(layout.suffix_length));
    }
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
  const int point = layout.edit.form == field_form::fixed ? 1 : 0;
  const int decimals = point == 1 ? layout.edit.digits : 0;
  const __m512i least = all(decimals == 0 ? 1 : 0);
  const __m512i before =
      _mm512_max_epi64(_mm512_sub_epi64(count, _mm512_set1_epi64(decimals)), least);
  const __m512i room = _mm512_sub_epi64(_mm512_set1_epi64(layout.edit.width - decimals - point),
                                        _mm512_srli_epi64(bits, 63));
  b.slow[v] = static_cast<std::uint8_t>(b.slow[v] | _mm512_cmpgt_epi64_mask(before, room));
  return before;
}

HEADRACE_AVX512_INLINE void place_one(char* out, const field_bytes& bytes, __m256i row) noexcept {
  const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.index.data()));
  const __m256i text = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.text.data()));
  store_half(out, _mm256_or_si256(_mm256_permutexvar_epi8(index, row), text));
}

template <class Value>
HEADRACE_AVX512 void place_fixed(decimal_block& b, const Value* values, const field_layout& layout,
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

// Sizes of integers; beyond seventeen digits the slow path writes them.
HEADRACE_AVX512 void find_integers(decimal_block& b, const std::int64_t* values) noexcept {
  for (int v = 0; v < b.vectors; ++v) {
    const __m512i size = _mm512_abs_epi64(load(values + 8 * v));
    b.slow[v] = _mm512_cmpge_epu64_mask(size, all(decimal_units[most_digits]));
    _mm512_store_si512(b.digits + 8 * v, size);
  }
}

void format_block(const field_layout& layout, const std::int64_t* values, std::size_t n, char* out,
                  const std::uint32_t* offsets) noexcept {
  decimal_block b;
  b.vectors = static_cast<int>(n / 8);
  find_integers(b, values);
  end_phase();
  place_fixed(b, values, layout, out, offsets);
  place_slow(b, values, layout, out, offsets);
}

void format_block(const field_layout& layout, const double* values, std::size_t n, char* out,
                  const std::uint32_t* offsets) noexcept {
  decimal_block b;
  b.vectors = static_cast<int>(n / 8);
  if (layout.edit.form == field_form::fixed) {
    find_fixed(b, values, layout);
    end_phase();
    place_fixed(b, values, layout, out, offsets);
  } else {
    estimate_exponents(b, values);
    end_phase();
    choose_powers(b, values, layout.edit.significant());
    end_phase();
    find_significant(b, values, layout);
    end_phase();
    place_exponential(b, values, layout, out, offsets);
  }
  place_slow(b, values, layout, out, offsets);
}

// Fills the last vector with the last value, written once more at the same place.
template <class Value>
void format_filled(const field_layout& layout, const Value* values, std::size_t n, char* out,
                   const std::uint32_t* offsets) noexcept {
  if (n % 8 == 0) return format_block(layout, values, n, out, offsets);
  Value filled[field_block];
  std::uint32_t filled_offsets[field_block];
  const std::size_t whole = (n + 7) / 8 * 8;
  for (std::size_t i = 0; i < whole; ++i) {
    filled[i] = values[i < n ? i : n - 1];
    filled_offsets[i] = offsets[i < n ? i : n - 1];
  }
  format_block(layout, filled, whole, out, filled_offsets);
}

}  // namespace

void format_fields_avx512(const field_layout& layout, const double* values, std::size_t n,
                          char* out, const std::uint32_t* offsets) noexcept {
  format_filled(layout, values, n, out, offsets);
}

void format_integer_fields_avx512(const field_layout& layout, const std::int64_t* values,
                                  std::size_t n, char* out, const std::uint32_t* offsets) noexcept {
  format_filled(layout, values, n, out, offsets);
}

}  // namespace headrace

#endif
