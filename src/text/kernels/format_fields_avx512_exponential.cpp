// E, ES and D fields of reals, eight at a time. Next: format_avx512.hpp, the arithmetic.
//
// The decimal exponent comes from a polynomial for the logarithm that is never too low; if it
// is one too high, and if the rounding is unclear, 64-bit arithmetic finds the digits again.
#if defined(__x86_64__)

#include <cmath>

#include "format_avx512.hpp"
#include "format_fields_avx512.hpp"
#include "format_fields_scalar.hpp"

namespace headrace {
namespace {

struct alignas(64) exponential_block {
  std::int64_t index[field_block];  // of powers, then of exponent texts
  std::int64_t exponent[field_block];
  std::int64_t shift[field_block];
  std::uint64_t upper[field_block];       // digits before the last eight
  std::uint64_t lower[field_block];       // the last eight digits
  std::uint8_t slow[most_field_vectors];  // write_field writes these
  int vectors;
};

HEADRACE_AVX512_INLINE __m512d value_at(const double* values, int v) noexcept {
  return _mm512_loadu_pd(values + 8 * v);
}

// floor(log10 |x|), or one more for one value in some thousands, below a power of ten.
HEADRACE_AVX512_INLINE __m512i estimate_exponent(__m512d exponent, __m512d significand) noexcept {
  // log10 on [1, 2), from above
  __m512d log = _mm512_set1_pd(-0.024568806478389816);
  log = _mm512_fmadd_pd(log, significand, _mm512_set1_pd(0.19420720291411672));
  log = _mm512_fmadd_pd(log, significand, _mm512_set1_pd(-0.6383868255257829));
  log = _mm512_fmadd_pd(log, significand, _mm512_set1_pd(1.2252194134252452));
  log = _mm512_fmadd_pd(log, significand, _mm512_set1_pd(-0.7564182487320744));
  log = _mm512_fmadd_pd(exponent, _mm512_set1_pd(0.30102999566398119521), log);
  return _mm512_cvt_roundpd_epi64(log, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

// The powers that leave the digits before the last eight, or all up to eight, before the point.
HEADRACE_AVX512 void choose_powers(exponential_block& b, const double* values,
                                   int digits_before) noexcept {
  for (int v = 0; v < b.vectors; ++v) {
    const __m512d value = value_at(values, v);
    const auto normal = static_cast<__mmask8>(~_mm512_fpclass_pd_mask(value, 0xBF));
    const __m512d exponent = _mm512_maskz_getexp_pd(normal, value);
    const __m512d significand = _mm512_getmant_pd(value, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero);
    const __m512i k = _mm512_maskz_mov_epi64(normal, estimate_exponent(exponent, significand));
    const __m512i p = _mm512_sub_epi64(_mm512_set1_epi64(digits_before - 1), k);
    const __m512i log2 = _mm512_srai_epi64(_mm512_mul_epi32(p, all(217706)), 16);
    const __m512i e = _mm512_cvtpd_epi64(exponent);
    _mm512_store_si512(b.exponent + 8 * v, k);
    _mm512_store_si512(b.index + 8 * v, _mm512_sub_epi64(p, _mm512_set1_epi64(lowest_power)));
    _mm512_store_si512(b.shift + 8 * v, _mm512_sub_epi64(all(51), _mm512_add_epi64(e, log2)));
  }
}

// Finds the digits of the values of a mask again; returns those that stay unknown.
unsigned decide(exponential_block& b, const double* values, int v, unsigned mask,
                const field_edit& edit) noexcept {
  unsigned unknown = 0;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const int i = 8 * v + __builtin_ctz(rest);
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    const std::uint64_t size = bits & (~std::uint64_t{0} >> 1);
    const rounded_decimal decimal = significant_decimal(size, edit.significant());
    b.upper[i] = decimal.digits / 100000000;
    b.lower[i] = decimal.digits % 100000000;
    b.index[i] = decimal.exponent - lowest_field_exponent + !edit.is_scientific();
    const bool unsure =
        edit.form == field_form::general && general_is_unsure(decimal, size, edit.significant());
    if (!decimal.known || unsure) unknown |= rest & (0 - rest);
  }
  return unknown;
}

HEADRACE_AVX512_INLINE void keep_exponent(exponential_block& b, int v, __mmask8 zero,
                                          __m512i offset, __m512i offset_of_zero) noexcept {
  const __m512i k = _mm512_load_si512(b.exponent + 8 * v);
  _mm512_store_si512(b.index + 8 * v,
                     _mm512_mask_mov_epi64(_mm512_add_epi64(k, offset), zero, offset_of_zero));
}

// unsure: values whose digits must be found again.
HEADRACE_AVX512_INLINE void keep_slow(exponential_block& b, const double* values, int v,
                                      __mmask8 unsure, __mmask8 slow,
                                      const field_edit& edit) noexcept {
  unsigned all_slow = slow;
  const unsigned again = unsure & ~all_slow;
  if (__builtin_expect(again != 0, 0)) all_slow |= decide(b, values, v, again, edit);
  b.slow[v] = static_cast<std::uint8_t>(all_slow);
}

// Nine to seventeen digits: the last eight are a fraction of 52 bits times 10^8.
HEADRACE_AVX512 void find_many_digits(exponential_block& b, const double* values,
                                      const field_edit& edit) noexcept {
  constexpr std::uint64_t half = std::uint64_t{1} << 51;
  constexpr std::uint64_t error = std::uint64_t{1} << 28;  // above 10^8
  const __m512i zeros = _mm512_setzero_si512();
  const __m512i least = all(decimal_units[static_cast<std::size_t>(edit.significant() - 9)]);
  const __m512i offset = _mm512_set1_epi64(!edit.is_scientific() - lowest_field_exponent);
  const __m512i offset_of_zero =
      _mm512_set1_epi64((edit.form == field_form::general) - lowest_field_exponent);
  for (int v = 0; v < b.vectors; ++v) {
    const __mmask8 zero = _mm512_fpclass_pd_mask(value_at(values, v), 0x06);
    const __mmask8 slow = _mm512_fpclass_pd_mask(value_at(values, v), 0xB9);
    const auto nonzero = static_cast<__mmask8>(~zero);
    // The multiplications take the lower 52 bits, the fraction.
    const __m512i bits = _mm512_loadu_si512(values + 8 * v);
    const auto [power, power_low] = load_powers(ifma_powers_of_ten.data(), b.index + 8 * v);
    const __m512i shift = _mm512_load_si512(b.shift + 8 * v);
    const __m512i high = _mm512_madd52hi_epu64(power, bits, power);
    const __m512i low =
        _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(power_low, bits, power_low), bits, power);
    const __m512i upper =
        _mm512_maskz_srlv_epi64(nonzero, _mm512_add_epi64(high, _mm512_srli_epi64(low, 52)), shift);
    const __m512i fraction =
        _mm512_add_epi64(_mm512_maskz_sllv_epi64(nonzero, high, _mm512_sub_epi64(all(52), shift)),
                         _mm512_maskz_srlv_epi64(nonzero, low, shift));
    const __m512i rest = _mm512_madd52lo_epu64(zeros, fraction, all(100000000));
    __m512i lower = _mm512_madd52hi_epu64(zeros, fraction, all(100000000));
    lower = _mm512_mask_add_epi64(lower, _mm512_test_epi64_mask(rest, all(half)), lower, all(1));
    const __mmask8 unclear =
        _mm512_cmplt_epu64_mask(_mm512_sub_epi64(rest, all(half - error)), all(2 * error));
    const __mmask8 carry = _mm512_cmpeq_epi64_mask(lower, all(100000000));
    const __mmask8 too_high = _mm512_mask_cmplt_epu64_mask(nonzero, upper, least);
    _mm512_store_si512(b.upper + 8 * v, upper);
    _mm512_store_si512(b.lower + 8 * v, lower);
    keep_exponent(b, v, zero, offset, offset_of_zero);
    keep_slow(b, values, v, static_cast<__mmask8>(unclear | carry | too_high), slow, edit);
  }
}

// Up to eight digits: the upper limb of the power suffices.
HEADRACE_AVX512 void find_few_digits(exponential_block& b, const double* values,
                                     const field_edit& edit) noexcept {
  constexpr std::uint64_t error = std::uint64_t{1} << 41;  // three units of the product
  const auto count = static_cast<std::size_t>(edit.significant());
  const __m512i least = all(decimal_units[count - 1]);
  const __m512i limit = all(decimal_units[count]);
  const __m512i offset = _mm512_set1_epi64(!edit.is_scientific() - lowest_field_exponent);
  const __m512i offset_of_zero =
      _mm512_set1_epi64((edit.form == field_form::general) - lowest_field_exponent);
  const auto* const table = &ifma_powers_of_ten[0].high;
  for (int v = 0; v < b.vectors; ++v) {
    const __mmask8 zero = _mm512_fpclass_pd_mask(value_at(values, v), 0x06);
    const __mmask8 slow = _mm512_fpclass_pd_mask(value_at(values, v), 0xB9);
    const auto nonzero = static_cast<__mmask8>(~zero);
    const __m512i power = load_words(table, b.index + 8 * v, 2);
    const __m512i shift = _mm512_load_si512(b.shift + 8 * v);
    const __m512i high = _mm512_madd52hi_epu64(power, _mm512_loadu_si512(values + 8 * v), power);
    const __m512i integer = _mm512_maskz_srlv_epi64(nonzero, high, shift);
    const __m512i fraction =
        _mm512_maskz_sllv_epi64(nonzero, high, _mm512_sub_epi64(all(64), shift));
    const __m512i digits =
        _mm512_mask_add_epi64(integer, _mm512_movepi64_mask(fraction), integer, all(1));
    const __mmask8 unclear = _mm512_cmplt_epu64_mask(
        _mm512_sub_epi64(fraction, all(half_of_fraction - error)), all(2 * error));
    const __mmask8 carry = _mm512_cmpeq_epi64_mask(digits, limit);
    const __mmask8 too_high = _mm512_mask_cmplt_epu64_mask(nonzero, integer, least);
    _mm512_store_si512(b.lower + 8 * v, digits);
    keep_exponent(b, v, zero, offset, offset_of_zero);
    keep_slow(b, values, v, static_cast<__mmask8>(unclear | carry | too_high), slow, edit);
  }
}

// Adds the fields whose exponent or minus has no place to the slow ones.
HEADRACE_AVX512 void find_misfits(exponential_block& b, const double* values,
                                  const field_layout& layout) noexcept {
  const int largest = layout.edit.largest_exponent();
  if (largest > highest_threshold && layout.negative_fits) return;
  const unsigned minus = layout.negative_fits ? 0 : 0xFF;
  for (int v = 0; v < b.vectors; ++v) {
    const __m512i k = _mm512_add_epi64(_mm512_load_si512(b.index + 8 * v),
                                       _mm512_set1_epi64(lowest_field_exponent));
    const unsigned misfit =
        _mm512_cmpgt_epi64_mask(_mm512_abs_epi64(k), _mm512_set1_epi64(largest)) |
        (_mm512_movepi64_mask(_mm512_loadu_si512(values + 8 * v)) & minus);
    b.slow[v] = static_cast<std::uint8_t>(b.slow[v] | misfit);
  }
}

// Adds what general_is_unsure says of digits that were not rounded up: all nines.
HEADRACE_AVX512 void find_nines(exponential_block& b, const field_edit& edit) noexcept {
  const int count = edit.significant();
  const int upper_count = count > 8 ? count - 8 : 0;
  const __m512i upper = all(decimal_units[static_cast<std::size_t>(upper_count)] - 1);
  const __m512i lower = all(decimal_units[static_cast<std::size_t>(count - upper_count)] - 1);
  for (int v = 0; v < b.vectors; ++v) {
    __mmask8 nines = _mm512_cmpeq_epi64_mask(_mm512_load_si512(b.lower + 8 * v), lower);
    if (upper_count > 0)
      nines = _mm512_mask_cmpeq_epi64_mask(nines, _mm512_load_si512(b.upper + 8 * v), upper);
    b.slow[v] = static_cast<std::uint8_t>(b.slow[v] | nines);
  }
}

// Where the bytes of two fields come from: two rows of sixteen digits, then the other bytes of
// four values.
struct pair_layout {
  __m512i even, odd, text;
  __mmask64 taken;
};

HEADRACE_AVX512_INLINE pair_layout pair_layout_of(const field_bytes& bytes) noexcept {
  const __m512i index = _mm512_broadcast_i64x4(
      _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.index.data())));
  const __mmask64 other = _mm512_cmpge_epu8_mask(index, _mm512_set1_epi8(16));
  const __m512i upper = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi8(16), 1);
  pair_layout pair;
  // Value 2 of a pair lies sixteen bytes behind value 0, with its digits and with the other bytes.
  pair.even = _mm512_add_epi8(index, upper);
  pair.even = _mm512_mask_add_epi8(pair.even, other, pair.even, _mm512_set1_epi8(16));
  pair.odd = _mm512_mask_add_epi8(pair.even, other, pair.even, _mm512_set1_epi8(8));
  pair.text = _mm512_broadcast_i64x4(
      _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.text.data())));
  pair.taken = _mm512_cmpneq_epi8_mask(index, _mm512_set1_epi8(31));
  return pair;
}

// Stores reach over the fields that follow, so they ascend.
HEADRACE_AVX512_INLINE void store_four(char* out, const std::uint32_t* offsets,
                                       const pair_layout& pair, __m512i even,
                                       __m512i odd) noexcept {
  even = _mm512_mask_permutexvar_epi8(pair.text, pair.taken, pair.even, even);
  odd = _mm512_mask_permutexvar_epi8(pair.text, pair.taken, pair.odd, odd);
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

// Two rows of sixteen digits as text, and the other bytes of each value.
struct value_texts {
  digit_rows512 rows;
  __m512i other;
};

template <bool many>
HEADRACE_AVX512_INLINE value_texts texts_of(const exponential_block& b, const double* values,
                                            const field_layout& layout, int v) noexcept {
  __m512i first = _mm512_setzero_si512();
  __m512i fours = _mm512_slli_epi64(split_eight(_mm512_load_si512(b.lower + 8 * v)), 32);
  if (many) {
    const __m512i upper = _mm512_load_si512(b.upper + 8 * v);
    first = _mm512_srli_epi64(_mm512_mul_epu32(upper, all(1441151881U)), 57);
    fours = _mm512_mask_blend_epi32(0xAAAA, split_eight(subtract_multiple(upper, first, 100000000)),
                                    fours);
  }
  return {rows_of_fours(fours), _mm512_or_si512(load_words(layout.exponents, b.index + 8 * v),
                                                sign_and_first(_mm512_loadu_si512(values + 8 * v),
                                                               first, layout.positive_sign))};
}

template <bool many>
HEADRACE_AVX512 void place(const exponential_block& b, const double* values,
                           const field_layout& layout, char* out,
                           const std::uint32_t* offsets) noexcept {
  const pair_layout pair = pair_layout_of(layout.bytes);
  for (int v = 0; v < b.vectors; ++v) {
    const value_texts text = texts_of<many>(b, values, layout, v);
    const digit_rows512& rows = text.rows;
    const __m512i other = text.other;
    store_four(out, offsets + 8 * v, pair, _mm512_shuffle_i64x2(rows.even, other, 0x44),
               _mm512_shuffle_i64x2(rows.odd, other, 0x44));
    store_four(out, offsets + 8 * v + 4, pair, _mm512_shuffle_i64x2(rows.even, other, 0xEE),
               _mm512_shuffle_i64x2(rows.odd, other, 0xEE));
  }
}

// Sources of the fields of eight values, 32 bytes each, and a way to lay out each of them.
struct general_sources {
  __m256i row[8];
};

HEADRACE_AVX512_INLINE void store_rows(general_sources& sources, const value_texts& text) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i even = _mm512_unpacklo_epi64(text.other, zero);
  const __m512i odd = _mm512_unpackhi_epi64(text.other, zero);
  const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  const __m512i row02 = _mm512_permutex2var_epi64(text.rows.even, lower, even);
  const __m512i row13 = _mm512_permutex2var_epi64(text.rows.odd, lower, odd);
  const __m512i row46 = _mm512_permutex2var_epi64(text.rows.even, upper, even);
  const __m512i row57 = _mm512_permutex2var_epi64(text.rows.odd, upper, odd);
  sources.row[0] = _mm512_castsi512_si256(row02);
  sources.row[1] = _mm512_castsi512_si256(row13);
  sources.row[2] = _mm512_extracti64x4_epi64(row02, 1);
  sources.row[3] = _mm512_extracti64x4_epi64(row13, 1);
  sources.row[4] = _mm512_castsi512_si256(row46);
  sources.row[5] = _mm512_castsi512_si256(row57);
  sources.row[6] = _mm512_extracti64x4_epi64(row46, 1);
  sources.row[7] = _mm512_extracti64x4_epi64(row57, 1);
}

template <bool many>
HEADRACE_AVX512 void place_general(const exponential_block& b, const double* values,
                                   const field_layout& layout, char* out,
                                   const std::uint32_t* offsets) noexcept {
  const auto most = static_cast<unsigned>(layout.edit.significant());
  for (int v = 0; v < b.vectors; ++v) {
    general_sources sources;
    store_rows(sources, texts_of<many>(b, values, layout, v));
    for (int i = 0; i < 8; ++i) {
      const int exponent = static_cast<int>(b.index[8 * v + i]) + lowest_field_exponent;
      const unsigned before = general_before(layout.edit, exponent);
      const field_bytes& bytes = before <= most ? layout.fixed_bytes[before] : layout.bytes;
      place_one(out + offsets[8 * v + i], bytes, sources.row[i]);
    }
  }
}

template <bool many>
HEADRACE_AVX512 char* place_packed(const exponential_block& b, const double* values, std::size_t n,
                                   const field_layout& layout, const char* separators,
                                   char* out) noexcept {
  const auto most = static_cast<unsigned>(layout.edit.significant());
  for (std::size_t first = 0; first < n; first += 8) {
    general_sources sources;
    const int v = static_cast<int>(first / 8);
    store_rows(sources, texts_of<many>(b, values, layout, v));
    const std::size_t count = n - first < 8 ? n - first : 8;
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(b.index[first + i]);
      const auto before = static_cast<unsigned>(static_cast<int>(row) + lowest_field_exponent);
      if (__builtin_expect(b.slow[v] >> i & 1, 0)) {
        out = write_packed(layout.edit, values[first + i], out);
      } else {
        *out = '-';
        out += std::signbit(values[first + i]);
        const bool fixed = before <= most;
        place_one(out, fixed ? layout.fixed_bytes[before] : layout.bytes, sources.row[i]);
        out += most + 1 + (before == 0);
        if (!fixed) out += 1 + (71 - __builtin_clzll(layout.exponents[row])) / 8;
      }
      *out++ = separators[first + i];
    }
  }
  return out;
}

void find_all(exponential_block& b, const double* values, const field_layout& layout) noexcept {
  const int count = layout.edit.significant();
  const bool many = count > 8;
  choose_powers(b, values, many ? count - 8 : count);
  end_phase();
  if (many)
    find_many_digits(b, values, layout.edit);
  else
    find_few_digits(b, values, layout.edit);
  end_phase();
  if (layout.edit.form == field_form::general) find_nines(b, layout.edit);
}

}  // namespace

char* format_packed_avx512(const field_layout& layout, const double* values, std::size_t n,
                           const char* separators, char* out) noexcept {
  exponential_block b;
  const bool many = layout.edit.significant() > 8;
  for (; n > 0;) {
    double filled[field_block];
    const std::size_t count = n < field_block ? n : field_block;
    const double* source = values;
    b.vectors = static_cast<int>((count + 7) / 8);
    if (count % 8 != 0) {
      std::memcpy(filled, values, count * sizeof(double));
      for (std::size_t i = count; i % 8 != 0; ++i) filled[i] = 1;
      source = filled;
    }
    find_all(b, source, layout);
    out = many ? place_packed<true>(b, source, count, layout, separators, out)
               : place_packed<false>(b, source, count, layout, separators, out);
    n -= count;
    values += count;
    separators += count;
  }
  return out;
}

void format_exponential_avx512(const field_layout& layout, const double* values, int vectors,
                               char* out, const std::uint32_t* offsets) noexcept {
  exponential_block b;
  b.vectors = vectors;
  const bool many = layout.edit.significant() > 8;
  find_all(b, values, layout);
  find_misfits(b, values, layout);
  if (layout.edit.is_general()) {
    if (many)
      place_general<true>(b, values, layout, out, offsets);
    else
      place_general<false>(b, values, layout, out, offsets);
  } else if (many)
    place<true>(b, values, layout, out, offsets);
  else
    place<false>(b, values, layout, out, offsets);
  place_slow(b.slow, b.vectors, values, layout, out, offsets);
}

}  // namespace headrace

#endif
