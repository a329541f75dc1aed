// The shortest decimal text of reals, eight values at a time: see format_shortest.hpp for the
// method. The products come from the multiply-add of AVX-512 IFMA with powers of ten of 104 bits
// (52 bits for real32); one byte permutation lays out each text.
#if defined(__x86_64__)

#include <limits>

#include "format_avx512.hpp"
#include "format_shortest.hpp"
#include "format_shortest_layout.hpp"
#include "number_types.hpp"

namespace headrace {
namespace {

constexpr int vectors = 16;
constexpr std::size_t block = 8 * vectors;

struct alignas(64) shortest_block {
  std::int64_t power[block];     // row in the table of powers, then the decimal exponent
  std::int64_t exponent[block];  // of the last digit but one; then of the first
  std::int64_t shift[block];
  std::uint64_t digits[block];
  std::uint8_t source[block][32];
  std::uint64_t layout[block];
  std::uint64_t length[block];
  std::uint8_t slow[vectors];        // shortest_exact writes these
  std::uint8_t scientific[vectors];  // these end with an exponent
};

// The bits of eight values in words of 64 bits.
HEADRACE_AVX512_INLINE __m512i load_bits(const double* values) noexcept {
  return _mm512_loadu_si512(values);
}
HEADRACE_AVX512_INLINE __m512i load_bits(const float* values) noexcept {
  return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)));
}

template <class Real>
struct real_bits {
  static constexpr unsigned fraction = std::numeric_limits<Real>::digits - 1;
  static constexpr unsigned sign = 8 * sizeof(Real) - 1;
  static constexpr std::uint64_t fraction_mask = (std::uint64_t{1} << fraction) - 1;
  static constexpr std::uint64_t size_mask = (std::uint64_t{1} << sign) - 1;
  static constexpr std::uint64_t special_exponent = size_mask >> fraction;
  // A value is its significand as an integer times 2^(biased exponent - bias).
  static constexpr std::uint64_t bias = special_exponent / 2 + fraction;
};

// Which power of ten scales each value.
template <class Real>
HEADRACE_AVX512 void choose_powers(shortest_block& b, const Real* values) noexcept {
  using bits_of = real_bits<Real>;
  for (int v = 0; v < vectors; ++v) {
    const __m512i size = _mm512_and_si512(load_bits(values + 8 * v), all(bits_of::size_mask));
    const __m512i biased = _mm512_srli_epi64(size, bits_of::fraction);
    const __mmask8 zero = _mm512_testn_epi64_mask(size, size);
    const __mmask8 odd = _mm512_testn_epi64_mask(biased, biased) |
                         _mm512_cmpeq_epi64_mask(biased, all(bits_of::special_exponent));
    b.slow[v] = static_cast<std::uint8_t>(odd & ~zero);
    const __m512i e =
        _mm512_maskz_sub_epi64(static_cast<__mmask8>(~odd), biased, all(bits_of::bias));
    const __m512i k = _mm512_srai_epi64(_mm512_mul_epi32(e, all(315653)), 20);
    const __m512i p = _mm512_sub_epi64(_mm512_set1_epi64(-1), k);
    const __m512i log2 = _mm512_srai_epi64(_mm512_mul_epi32(p, all(217706)), 16);
    _mm512_store_si512(b.exponent + 8 * v, k);
    _mm512_store_si512(b.power + 8 * v, _mm512_sub_epi64(p, _mm512_set1_epi64(lowest_power)));
    _mm512_store_si512(b.shift + 8 * v, _mm512_sub_epi64(all(10), _mm512_add_epi64(e, log2)));
  }
}

// Whether a fraction lies within error of an edge.
HEADRACE_AVX512_INLINE __mmask8 near(__m512i fraction, __m512i edge, std::uint64_t error) noexcept {
  return _mm512_cmple_epu64_mask(_mm512_add_epi64(_mm512_sub_epi64(fraction, edge), all(error)),
                                 all(2 * error));
}

// integer + fraction / 2^64, rounded to the shortest number, times ten (see round_shortest).
HEADRACE_AVX512_INLINE __m512i round_shortest(__m512i integer, __m512i fraction, __m512i half,
                                              __mmask8 power_of_two, std::uint64_t error,
                                              __mmask8& slow) noexcept {
  const __m512i one = all(1);
  const __m512i below = _mm512_mask_srli_epi64(half, power_of_two, half, 1);
  const __m512i above = _mm512_sub_epi64(_mm512_setzero_si512(), half);
  const __mmask8 down = _mm512_cmplt_epu64_mask(fraction, below);
  const __mmask8 up = static_cast<__mmask8>(_mm512_cmpgt_epu64_mask(fraction, above) & ~down);
  // fraction * 10 in two halves
  const __m512i low = _mm512_mul_epu32(fraction, all(10));
  const __m512i high = _mm512_add_epi64(_mm512_mul_epu32(_mm512_srli_epi64(fraction, 32), all(10)),
                                        _mm512_srli_epi64(low, 32));
  const __m512i rest = _mm512_mask_blend_epi32(0x5555, _mm512_slli_epi64(high, 32), low);
  const __mmask8 is_long = static_cast<__mmask8>(~(down | up));
  slow = static_cast<__mmask8>(
      slow | near(fraction, below, error) | near(fraction, above, error) |
      (is_long & (power_of_two | near(rest, all(std::uint64_t{1} << 63), 16 * error))));
  __m512i digit = _mm512_maskz_srli_epi64(is_long, high, 32);
  digit = _mm512_mask_add_epi64(digit, is_long & _mm512_movepi64_mask(rest), digit, one);
  integer = _mm512_mask_add_epi64(integer, up, integer, one);
  const __m512i ten =
      _mm512_add_epi64(_mm512_slli_epi64(integer, 3), _mm512_slli_epi64(integer, 1));
  return _mm512_add_epi64(ten, digit);
}

HEADRACE_AVX512_INLINE void keep_digits(shortest_block& b, int v, __m512i digits, __mmask8 slow,
                                        __mmask8 zero) noexcept {
  b.slow[v] = static_cast<std::uint8_t>(b.slow[v] | (slow & ~zero));
  _mm512_store_si512(b.digits + 8 * v,
                     _mm512_maskz_mov_epi64(static_cast<__mmask8>(~zero), digits));
}

// The digits of each value: sixteen or seventeen, and an exponent to sixteen after the first.
HEADRACE_AVX512 void find_digits(shortest_block& b, const double* values) noexcept {
  for (int v = 0; v < vectors; ++v) {
    const __m512i bits = load_bits(values + 8 * v);
    const __m512i fraction = _mm512_and_si512(bits, all(real_bits<double>::fraction_mask));
    const scaled512 scaled = scale(b.power + 8 * v, fraction);
    const __m512i shift = _mm512_load_si512(b.shift + 8 * v);
    const __m512i upper = upper_bits(scaled.product);
    const __m512i power = _mm512_or_si512(_mm512_slli_epi64(scaled.power_high, 12),
                                          _mm512_srli_epi64(scaled.power_low, 40));
    __mmask8 slow = 0;
    const __m512i digits =
        round_shortest(_mm512_srlv_epi64(upper, shift),
                       _mm512_shrdv_epi64(lower_bits(scaled.product), upper, shift),
                       _mm512_srlv_epi64(power, _mm512_sub_epi64(shift, all(10))),
                       _mm512_testn_epi64_mask(fraction, fraction), 1 << 14, slow);
    keep_digits(b, v, digits, slow,
                _mm512_testn_epi64_mask(bits, all(real_bits<double>::size_mask)));
  }
}

// Seven to nine digits, filled up with zeros. The upper limb of the power suffices.
HEADRACE_AVX512 void find_digits(shortest_block& b, const float* values) noexcept {
  for (int v = 0; v < vectors; ++v) {
    const __m512i bits = load_bits(values + 8 * v);
    const __m512i fraction = _mm512_and_si512(bits, all(real_bits<float>::fraction_mask));
    const __m512i significand = _mm512_or_si512(fraction, all(std::uint64_t{1} << 23));
    const __m512i power = load_words(&ifma_powers_of_ten[0].high, b.power + 8 * v, 2);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i product =
        _mm512_or_si512(_mm512_slli_epi64(_mm512_madd52hi_epu64(zero, significand, power), 40),
                        _mm512_srli_epi64(_mm512_madd52lo_epu64(zero, significand, power), 12));
    // 10 - shift is the binary exponent of the last place: -4 to -1.
    const __m512i shift = _mm512_load_si512(b.shift + 8 * v);
    __mmask8 slow = 0;
    __m512i digits =
        round_shortest(_mm512_srlv_epi64(product, _mm512_add_epi64(shift, all(29))),
                       _mm512_sllv_epi64(product, _mm512_sub_epi64(all(35), shift)),
                       _mm512_sllv_epi64(power, _mm512_sub_epi64(all(22), shift)),
                       _mm512_testn_epi64_mask(fraction, fraction), std::uint64_t{1} << 38, slow);
    const __mmask8 seven = _mm512_cmplt_epu64_mask(digits, all(10000000));
    const __m512i exponent = _mm512_load_si512(b.exponent + 8 * v);
    _mm512_store_si512(
        b.exponent + 8 * v,
        _mm512_sub_epi64(_mm512_mask_sub_epi64(exponent, seven, exponent, all(1)), all(8)));
    digits =
        _mm512_mul_epu32(digits, _mm512_mask_mov_epi64(all(100000000), seven, all(1000000000)));
    keep_digits(b, v, digits, slow,
                _mm512_testn_epi64_mask(bits, all(real_bits<float>::size_mask)));
  }
}

// The length of each text without its exponent, and the number of its layout.
HEADRACE_AVX512_INLINE void measure(shortest_block& b, int v, __m512i exponent, __m512i count,
                                    __m512i negative) noexcept {
  const __m512i one = all(1);
  __m512i layout = _mm512_sub_epi64(exponent, _mm512_set1_epi64(lowest_fixed));
  const __mmask8 scientific = _mm512_cmpgt_epu64_mask(layout, all(highest_fixed - lowest_fixed));
  layout = _mm512_mask_mov_epi64(layout, scientific, all(scientific_layout));
  const __m512i longer = _mm512_add_epi64(count, one);
  __m512i length = _mm512_max_epi64(longer, _mm512_add_epi64(exponent, all(3)));
  length = _mm512_mask_sub_epi64(length, _mm512_movepi64_mask(exponent), longer, exponent);
  length = _mm512_mask_mov_epi64(length, scientific, longer);
  length = _mm512_mask_mov_epi64(length, scientific & _mm512_cmpeq_epi64_mask(count, one), one);
  b.scientific[v] = scientific;
  _mm512_store_si512(b.length + 8 * v, _mm512_add_epi64(length, negative));
  layout = _mm512_mask_add_epi64(layout, _mm512_test_epi64_mask(negative, negative), layout,
                                 all(shortest_layouts));
  _mm512_store_si512(b.layout + 8 * v, _mm512_slli_epi64(layout, 5));
}

// Each source: sixteen digits and the other bytes, twice.
HEADRACE_AVX512_INLINE void store_sources(std::uint8_t (*source)[32], const digit_rows512& rows,
                                          __m512i other) noexcept {
  const __m512i even_lower = _mm512_setr_epi64(0, 1, 8, 8, 2, 3, 10, 10);
  const __m512i even_upper = _mm512_setr_epi64(4, 5, 12, 12, 6, 7, 14, 14);
  const __m512i odd_lower = _mm512_setr_epi64(0, 1, 9, 9, 2, 3, 11, 11);
  const __m512i odd_upper = _mm512_setr_epi64(4, 5, 13, 13, 6, 7, 15, 15);
  const __m512i row02 = _mm512_permutex2var_epi64(rows.even, even_lower, other);
  const __m512i row13 = _mm512_permutex2var_epi64(rows.odd, odd_lower, other);
  const __m512i row46 = _mm512_permutex2var_epi64(rows.even, even_upper, other);
  const __m512i row57 = _mm512_permutex2var_epi64(rows.odd, odd_upper, other);
  store_half(source[0], _mm512_castsi512_si256(row02));
  store_half(source[1], _mm512_castsi512_si256(row13));
  store_half(source[2], _mm512_extracti64x4_epi64(row02, 1));
  store_half(source[3], _mm512_extracti64x4_epi64(row13, 1));
  store_half(source[4], _mm512_castsi512_si256(row46));
  store_half(source[5], _mm512_castsi512_si256(row57));
  store_half(source[6], _mm512_extracti64x4_epi64(row46, 1));
  store_half(source[7], _mm512_extracti64x4_epi64(row57, 1));
}

// Digits to text, and what the layout needs.
template <class Real>
HEADRACE_AVX512 void make_texts(shortest_block& b, const Real* values) noexcept {
  for (int v = 0; v < vectors; ++v) {
    __m512i digits = _mm512_load_si512(b.digits + 8 * v);
    const __mmask8 sixteen = _mm512_cmplt_epu64_mask(digits, all(10000000000000000U));
    digits = _mm512_mask_add_epi64(digits, sixteen, _mm512_slli_epi64(digits, 3),
                                   _mm512_slli_epi64(digits, 1));
    __m512i exponent = _mm512_add_epi64(_mm512_load_si512(b.exponent + 8 * v), all(16));
    exponent = _mm512_mask_sub_epi64(exponent, sixteen, exponent, all(1));
    const __mmask8 zero = _mm512_testn_epi64_mask(digits, digits);
    exponent = _mm512_maskz_mov_epi64(static_cast<__mmask8>(~zero), exponent);
    const text512 text = seventeen_digits_text(digits);
    const __m512i upper = _mm512_unpacklo_epi64(text.rows.even, text.rows.odd);
    const __m512i lower =
        _mm512_xor_si512(_mm512_unpackhi_epi64(text.rows.even, text.rows.odd), all(eight_zeros));
    const __mmask8 short_text = _mm512_testn_epi64_mask(lower, lower);
    __m512i zeros = _mm512_lzcnt_epi64(lower);
    zeros = _mm512_mask_add_epi64(
        zeros, short_text, _mm512_lzcnt_epi64(_mm512_xor_si512(upper, all(eight_zeros))), zeros);
    zeros = _mm512_srli_epi64(zeros, 3);
    const __m512i negative = _mm512_srli_epi64(load_bits(values + 8 * v), real_bits<Real>::sign);
    measure(b, v, exponent, _mm512_sub_epi64(all(17), zeros), negative);
    _mm512_store_si512(b.exponent + 8 * v, exponent);
    store_sources(b.source + 8 * v, text.rows,
                  _mm512_or_si512(text.first, all(shortest_characters)));
  }
}

HEADRACE_AVX512_INLINE char* place(char* out, const shortest_block& b, int i) noexcept {
  const auto* const table = reinterpret_cast<const char*>(shortest_layout_table.data());
  const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(table + b.layout[i]));
  const __m256i source = _mm256_load_si256(reinterpret_cast<const __m256i*>(b.source[i]));
  store_half(out, _mm256_permutexvar_epi8(index, source));
  return out + b.length[i];
}

// Values of which some are scientific or slow.
template <class Real>
HEADRACE_AVX512 char* place_unusual(char* out, const shortest_block& b, int first, int last,
                                    const Real* values, const char* separators) noexcept {
  for (int i = first; i < last; ++i) {
    const unsigned bit = 1U << (i & 7);
    if (b.slow[i / 8] & bit) {
      out = shortest_exact(out, values[i]);
    } else {
      out = place(out, b, i);
      if (b.scientific[i / 8] & bit) {
        const std::uint64_t text =
            exponent_texts[static_cast<std::size_t>(b.exponent[i] - lowest_exponent)];
        store_word(out, text);
        out += text >> 56;
      }
    }
    *out++ = separators[i];
  }
  return out;
}

template <class Real>
HEADRACE_AVX512 char* place_texts(char* out, const shortest_block& b, const Real* values,
                                  const char* separators) noexcept {
  for (int v = 0; v < vectors; ++v) {
    if (__builtin_expect((b.slow[v] | b.scientific[v]) != 0, 0)) {
      out = place_unusual(out, b, 8 * v, 8 * v + 8, values, separators);
      continue;
    }
    for (int i = 8 * v; i < 8 * v + 8; ++i) {
      out = place(out, b, i);
      *out++ = separators[i];
    }
  }
  return out;
}

template <class Real>
HEADRACE_AVX512 void format_block(shortest_block& b, const Real* values) noexcept {
  choose_powers(b, values);
  end_phase();
  find_digits(b, values);
  end_phase();
  make_texts(b, values);
  end_phase();
}

}  // namespace

template <class Real>
HEADRACE_AVX512 char* format_shortest_avx512(char* out, const Real* values, std::size_t n,
                                             const char* separators) noexcept {
  shortest_block b;
  for (; n >= block; n -= block, values += block, separators += block) {
    format_block(b, values);
    out = place_texts(out, b, values, separators);
  }
  if (n < 8) return format_shortest_portable(out, values, n, separators);
  Real rest[block] = {};
  std::memcpy(rest, values, n * sizeof(Real));
  format_block(b, rest);
  return place_unusual(out, b, 0, static_cast<int>(n), rest, separators);
}

#define HEADRACE_INSTANTIATE(REAL) \
  template char* format_shortest_avx512(char*, const REAL*, std::size_t, const char*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace

#endif
