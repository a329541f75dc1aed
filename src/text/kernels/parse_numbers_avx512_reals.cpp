// The AVX-512 tier of parse_fields for reals: 64 fields in three phases, and one by one what is not
// plain. Next: parse_numbers_avx512_block.hpp, parse_numbers_avx512_round.hpp.
#if defined(__x86_64__)

#include "intrinsics.hpp"
#include "number_types.hpp"
#include "parse_numbers_avx512_block.hpp"
#include "parse_numbers_avx512_round.hpp"

namespace headrace::avx512 {
namespace {

// Which bytes of each window are what.
struct byte_classes {
  alignas(64) std::uint32_t digit[block_fields];
  alignas(64) std::uint32_t nonzero[block_fields];  // of digits
  alignas(64) std::uint32_t point[block_fields];
  alignas(64) std::uint32_t minus[block_fields];
  alignas(64) std::uint32_t plus[block_fields];
  alignas(64) std::uint32_t letter[block_fields];  // of an exponent: e, E, d, D
  alignas(64) std::uint32_t blank[block_fields];
  alignas(64) std::uint32_t last_four[block_fields];  // bytes
};

// What the decimal numbers consist of.
struct decimals {
  alignas(64) std::uint32_t digits[block_fields];  // where the significant digits stand
  alignas(64) std::int64_t power[block_fields];    // of ten, for 19 digits before the point
  std::uint64_t negative;
  std::uint64_t unclear;
};

constexpr int significant_digits = 19;

// What counts as a plain number.
struct number_rules {
  number_style style;
  bool is_column;       // only blanks before it, and a point within
  bool needs_exponent;  // else a scale factor would count
};

HEADRACE_AVX512 void classify(const field_block& block, const number_rules& rules,
                              byte_classes& classes) noexcept {
  const __m512i point = _mm512_set1_epi8(rules.style.decimal);
  const __m512i one_to_top_bit = _mm512_set1_epi8(0x80 - '1');
  for (int i = 0; i < block_fields; i += 2) {
    const __m512i bytes = load_windows(block, i);
    // Setting bits 5 and 0 makes D, d, E and e the same, and nothing else like them.
    const __m512i folded = _mm512_or_si512(bytes, _mm512_set1_epi8(0x21));
    store_masks(classes.digit, i, digits_of(bytes));
    // Among digits; this runs beside the comparisons.
    store_masks(classes.nonzero, i, _mm512_movepi8_mask(_mm512_add_epi8(bytes, one_to_top_bit)));
    store_masks(classes.point, i, _mm512_cmpeq_epi8_mask(bytes, point));
    store_masks(classes.minus, i, _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('-')));
    store_masks(classes.plus, i, _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('+')));
    store_masks(classes.letter, i, _mm512_cmpeq_epi8_mask(folded, _mm512_set1_epi8('e')));
    if (rules.is_column)
      store_masks(classes.blank, i, _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(' ')));
    std::memcpy(classes.last_four + i, block.text + block.end[i] - 4, 4);
    std::memcpy(classes.last_four + i + 1, block.text + block.end[i + 1] - 4, 4);
  }
}

HEADRACE_AVX512 inline __m512i lowest_bit(__m512i mask) noexcept {
  return _mm512_and_si512(mask, _mm512_sub_epi32(_mm512_setzero_si512(), mask));
}

// All bits from a single bit upwards; none for none.
HEADRACE_AVX512 inline __m512i from_bit_up(__m512i bit) noexcept {
  return _mm512_sub_epi32(_mm512_setzero_si512(), bit);
}

// The one to three digits at the end of a field.
HEADRACE_AVX512 inline __m512i exponent_value(__m512i last_four, __m512i digits) noexcept {
  const __m512i bits = _mm512_slli_epi32(digits, 3);
  const __m512i mask = _mm512_sllv_epi32(_mm512_set1_epi32(0x0F0F0F0F),
                                         _mm512_sub_epi32(_mm512_set1_epi32(32), bits));
  const __m512i weights = _mm512_set1_epi32(0x010A6400);  // 0, 100, 10, 1
  const __m512i pairs = _mm512_maddubs_epi16(_mm512_and_si512(last_four, mask), weights);
  return _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
}

// What stands behind the digits of a number.
struct exponents {
  __m512i value;
  __m512i mantissa;  // the bits before the exponent
  __mmask16 unclear;
};

// marks: the bytes that are neither digits nor points nor the first of a field. An exponent has one
// (e5, in some styles +5) or two of them (e+5).
HEADRACE_AVX512 inline exponents read_exponents(__m512i marks, __m512i letter, __m512i minus,
                                                __m512i sign, __m512i last_four,
                                                number_style style) noexcept {
  const __m512i alone = style.as_read ? _mm512_or_si512(letter, sign) : letter;
  const __m512i first = lowest_bit(marks);
  const __m512i second = _mm512_xor_si512(marks, first);
  const __mmask16 present = _mm512_test_epi32_mask(marks, marks);
  const __mmask16 one =
      _mm512_testn_epi32_mask(second, second) & _mm512_test_epi32_mask(first, alone);
  const __mmask16 two = _mm512_cmpeq_epi32_mask(second, _mm512_add_epi32(first, first)) &
                        _mm512_test_epi32_mask(first, letter) &
                        _mm512_test_epi32_mask(second, sign);
  const __m512i digits = _mm512_lzcnt_epi32(marks);
  const __mmask16 few =
      _mm512_cmplt_epu32_mask(_mm512_sub_epi32(digits, _mm512_set1_epi32(1)), _mm512_set1_epi32(3));
  const __m512i magnitude = _mm512_maskz_mov_epi32(present, exponent_value(last_four, digits));
  const __mmask16 negative = _mm512_test_epi32_mask(marks, minus);
  return {_mm512_mask_sub_epi32(magnitude, negative, _mm512_setzero_si512(), magnitude),
          _mm512_sub_epi32(first, _mm512_set1_epi32(1)),  // all bits when there is none
          static_cast<__mmask16>(present & ~((one | two) & few))};
}

// Takes the fields i to i + 15 apart.
HEADRACE_AVX512 inline void take_apart(const field_block& block, const byte_classes& classes,
                                       const number_rules& rules, int i,
                                       decimals& numbers) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i length = _mm512_load_si512(block.length + i);
  const __m512i minus = _mm512_load_si512(classes.minus + i);
  const __m512i sign = _mm512_or_si512(minus, _mm512_load_si512(classes.plus + i));
  const __m512i inside =
      _mm512_andnot_si512(_mm512_load_si512(classes.blank + i), window_of(length));
  const __m512i digit = _mm512_and_si512(inside, _mm512_load_si512(classes.digit + i));
  const __m512i point = _mm512_and_si512(inside, _mm512_load_si512(classes.point + i));

  // The bytes of a number follow each other up to the end. What the window does not show whole is
  // not plain.
  const __m512i first = lowest_bit(inside);
  __mmask16 unclear = _mm512_cmpneq_epi32_mask(inside, from_bit_up(first));
  unclear |= _mm512_cmpgt_epu32_mask(length, _mm512_set1_epi32(window_bytes));
  if (rules.is_column) unclear |= _mm512_testn_epi32_mask(point, point);

  const __m512i other = _mm512_andnot_si512(_mm512_or_si512(digit, point), inside);
  const __m512i leading = _mm512_and_si512(other, first);
  unclear |= _mm512_test_epi32_mask(_mm512_andnot_si512(sign, leading), leading);
  const __m512i marks = _mm512_andnot_si512(first, other);
  if (rules.needs_exponent) unclear |= _mm512_testn_epi32_mask(marks, marks);
  exponents exponent{zero, _mm512_set1_epi32(-1), 0};
  if (_mm512_test_epi32_mask(marks, marks) != 0)
    exponent = read_exponents(marks, _mm512_load_si512(classes.letter + i), minus, sign,
                              _mm512_load_si512(classes.last_four + i), rules.style);

  const __m512i mantissa = _mm512_and_si512(digit, exponent.mantissa);
  unclear |= exponent.unclear;
  unclear |= _mm512_testn_epi32_mask(mantissa, mantissa);
  unclear |= _mm512_test_epi32_mask(point, _mm512_sub_epi32(point, _mm512_set1_epi32(1)));
  unclear |= _mm512_cmpneq_epi32_mask(_mm512_andnot_si512(exponent.mantissa, point), zero);

  // Zeros in front are not significant.
  const __m512i nonzero = _mm512_and_si512(mantissa, _mm512_load_si512(classes.nonzero + i));
  const __m512i digits = _mm512_and_si512(mantissa, from_bit_up(lowest_bit(nonzero)));
  const __m512i count = _mm512_popcnt_epi32(digits);
  unclear |= _mm512_cmpgt_epu32_mask(count, _mm512_set1_epi32(significant_digits));
  const __m512i behind_point = _mm512_popcnt_epi32(_mm512_and_si512(mantissa, from_bit_up(point)));
  const __m512i missing = _mm512_sub_epi32(count, _mm512_set1_epi32(significant_digits));
  __m512i power = _mm512_add_epi32(_mm512_sub_epi32(missing, behind_point), exponent.value);
  const __m512i from_lowest = _mm512_sub_epi32(power, _mm512_set1_epi32(lowest_decimal_power));
  const __mmask16 in_range = _mm512_cmple_epu32_mask(
      from_lowest, _mm512_set1_epi32(highest_decimal_power - lowest_decimal_power));
  unclear |= static_cast<__mmask16>(~in_range);
  power = _mm512_maskz_mov_epi32(in_range, power);

  _mm512_store_si512(numbers.digits + i, digits);
  _mm512_store_si512(numbers.power + i, _mm512_cvtepi32_epi64(_mm512_castsi512_si256(power)));
  _mm512_store_si512(numbers.power + i + 8,
                     _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(power, 1)));
  numbers.unclear |= std::uint64_t{unclear} << i;
  numbers.negative |= std::uint64_t{_mm512_test_epi32_mask(leading, minus)} << i;
}

// Moves the significant digits of two fields together: to the beginning of each half. Pairs of
// them become values of four digits (digits by multiply-add, after W. Mula and D. Lemire).
HEADRACE_AVX512 inline __m512i read_fours(const field_block& block, const decimals& numbers, int i,
                                          int k) noexcept {
  const __m512i tens = _mm512_broadcast_i64x4(
      _mm256_setr_epi8(10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1,  //
                       100, 10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m512i hundreds = _mm512_broadcast_i64x4(
      _mm256_setr_epi16(100, 1, 100, 1, 100, 1, 100, 1, 1, 1, 0, 0, 0, 0, 0, 0));
  const __m256i zero = _mm256_set1_epi8('0');
  const __m256i first =
      _mm256_maskz_compress_epi8(numbers.digits[i], _mm256_sub_epi8(load_window(block, i), zero));
  const __m256i second =
      _mm256_maskz_compress_epi8(numbers.digits[k], _mm256_sub_epi8(load_window(block, k), zero));
  const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
  return _mm512_madd_epi16(_mm512_maddubs_epi16(both, tens), hundreds);
}

// Four fields: each 16 digits, as eight and eight in 64 bits, and three more. Of the first two
// fields the 16 digits, then the three; then those of the other two.
HEADRACE_AVX512 inline __m512i read_eights(const field_block& block, const decimals& numbers,
                                           int i) noexcept {
  const __m512i ten_thousands = _mm512_broadcast_i64x4(
      _mm256_setr_epi16(10000, 1, 10000, 1, 10000, 1, 10000, 1, 1, 0, 0, 0, 1, 0, 0, 0));
  const __m512i even = read_fours(block, numbers, i, i + 2);
  const __m512i odd = read_fours(block, numbers, i + 1, i + 3);
  return _mm512_madd_epi16(_mm512_packus_epi32(even, odd), ten_thousands);
}

// The significands of fields i to i + 7.
HEADRACE_AVX512 inline __m512i significands(const field_block& block, const decimals& numbers,
                                            int i) noexcept {
  const __m512i first_four = read_eights(block, numbers, i);
  const __m512i second_four = read_eights(block, numbers, i + 4);
  const __m512i sixteen = _mm512_shuffle_i64x2(first_four, second_four, 0x88);
  const __m512i three = _mm512_shuffle_i64x2(first_four, second_four, 0xDD);
  // (first 8 * 10^8 + second 8) * 1000 + three; 10^11 = 48828125 * 2^11
  const __m512i first =
      _mm512_slli_epi64(_mm512_mul_epu32(sixteen, _mm512_set1_epi64(48828125)), 11);
  const __m512i second = _mm512_srli_epi64(sixteen, 32);
  return _mm512_add_epi64(first, _mm512_madd52lo_epu64(three, second, _mm512_set1_epi64(1000)));
}

HEADRACE_AVX512 inline void store(double* values, __mmask8 valid, __m512i bits,
                                  __mmask8 negative) noexcept {
  const __m512i sign = _mm512_maskz_set1_epi64(negative, INT64_MIN);
  _mm512_mask_storeu_epi64(values, valid, _mm512_or_si512(bits, sign));
}

HEADRACE_AVX512 inline void store(float* values, __mmask8 valid, __m512i bits,
                                  __mmask8 negative) noexcept {
  const __m256i sign = _mm256_maskz_set1_epi32(negative, INT32_MIN);
  _mm256_mask_storeu_epi32(values, valid, _mm256_or_si256(_mm512_cvtepi64_epi32(bits), sign));
}

// A phase of its own: digits of many fields are in flight while others are rounded.
HEADRACE_AVX512 inline void read_significands(const field_block& block, const decimals& numbers,
                                              __m512i* results) noexcept {
  for (int i = 0; i < block_fields; i += 8) results[i / 8] = significands(block, numbers, i);
}

template <class Real>
HEADRACE_AVX512 inline void round_block(const field_block& block, decimals& numbers,
                                        Real* values) noexcept {
  __m512i results[block_fields / 8];
  read_significands(block, numbers, results);
  for (int i = 0; i < block_fields; i += 8) {
    const rounded result = round_decimals<Real>(results[i / 8], numbers.power + i);
    numbers.unclear |= std::uint64_t{result.unclear} << i;
    store(values + i, static_cast<__mmask8>(block.valid >> i), result.bits,
          static_cast<__mmask8>(numbers.negative >> i));
  }
}

// Whether bytes stand in fields that belong to no plain number: blanks, perhaps.
HEADRACE_AVX512 bool has_others(const field_block& block, const byte_classes& classes) noexcept {
  __m512i others = _mm512_setzero_si512();
  for (int i = 0; i < block_fields; i += 16) {
    const __m512i marks = _mm512_or_si512(_mm512_load_si512(classes.point + i),
                                          _mm512_load_si512(classes.letter + i));
    const __m512i signs =
        _mm512_or_si512(_mm512_load_si512(classes.plus + i), _mm512_load_si512(classes.minus + i));
    const __m512i known =
        _mm512_or_si512(_mm512_or_si512(marks, signs), _mm512_load_si512(classes.digit + i));
    const __m512i window = window_of(_mm512_load_si512(block.length + i));
    others = _mm512_or_si512(others, _mm512_andnot_si512(known, window));
  }
  return _mm512_test_epi32_mask(others, others) != 0;
}

// The classes of all bytes; cuts blanks behind numbers off.
HEADRACE_AVX512 void classify_block(field_block& block, const number_rules& rules,
                                    byte_classes& classes) noexcept {
  classify(block, rules, classes);
  if (rules.is_column) return;
  if (has_others(block, classes)) {
    classify_blanks(block, classes.blank);
    if (!cut_blanks_behind(classes.blank, block)) return;
    classify(block, rules, classes);
    classify_blanks(block, classes.blank);
  } else {
    std::memset(classes.blank, 0, sizeof classes.blank);
  }
}

// Converts what is plain; returns the other fields.
template <class Real>
HEADRACE_AVX512 std::uint64_t parse_block(field_block& block, const number_rules& rules,
                                          Real* values) noexcept {
  byte_classes classes;
  decimals numbers;
  numbers.unclear = 0;
  numbers.negative = 0;
  classify_block(block, rules, classes);
  for (int i = 0; i < block_fields; i += 16) take_apart(block, classes, rules, i, numbers);
  round_block(block, numbers, values);
  return numbers.unclear & block.valid;
}

}  // namespace

template <class Real>
HEADRACE_AVX512 std::size_t parse_reals(const field_list& fields, Real* values,
                                        field_state& state) noexcept {
  state = field_state::good;
  field_block block;
  for (std::size_t begin = fields.first; begin < fields.last; begin += block_fields) {
    constexpr std::size_t few = 8;  // not worth a block
    if (fields.last - begin < few)
      return portable::parse_reals({fields.text, fields.ends, begin, fields.last, fields.style},
                                   values, state);
    load_block(fields.text, fields.ends + begin, fields.last - begin, block);
    const std::uint64_t unclear = parse_block(block, {fields.style, false, false}, values);
    const int good = parse_unclear(fields, begin, unclear, values, state,
                                   [&fields](scalar::field_text field, Real& value) {
                                     return scalar::parse_real_field(field, fields.style, value);
                                   });
    if (good < block_fields) return begin + static_cast<std::size_t>(good);
    values += block_fields;
  }
  return fields.last;
}

template <class Real>
HEADRACE_AVX512 std::uint64_t parse_real_columns(const column_block& columns,
                                                 Real* values) noexcept {
  field_block block;
  load_columns(columns, block);
  return parse_block(block, {{columns.decimal, true}, true, columns.needs_exponent}, values);
}

#define HEADRACE_INSTANTIATE(REAL)                                                   \
  template std::size_t parse_reals(const field_list&, REAL*, field_state&) noexcept; \
  template std::uint64_t parse_real_columns(const column_block&, REAL*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace::avx512

#endif
