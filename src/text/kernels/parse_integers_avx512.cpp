// The AVX-512 tier of parse_fields for integers: 64 fields in four phases, and one by one what is
// not plain. Next: parse_numbers_avx512_block.hpp.
//
// Plain is a minus or none, and digits: 16 bytes, and for int64 up to 20. The digits of a field
// already stand together at its end, so four fields share a register.
#if defined(__x86_64__)

#include <limits>

#include "intrinsics.hpp"
#include "number_types.hpp"
#include "parse_numbers_avx512_block.hpp"

namespace headrace::avx512 {
namespace {

constexpr int quarter_bytes = 16;  // of a register: one field
constexpr int upper_bytes = 4;     // of a longer field, before them
constexpr int minus_value = ('-' - '0') & 0xFF;

// What the fields hold. Eight masks of 16 bits belong to fields 0, 2, 4, 6, 1, 3, 5, 7: sums of
// neighbours from two registers then stand in order.
struct integer_block {
  alignas(64) std::uint64_t inside[block_fields / 4];  // the bytes that belong to the fields
  alignas(64) std::uint64_t digit[block_fields / 4];   // and those that are digits, or outside
  alignas(64) std::uint64_t minus[block_fields / 4];
  alignas(64) std::uint32_t upper[block_fields];  // the four bytes before the last 16, their value
  __m512i values[block_fields / 8];               // without their signs
  std::uint64_t negative;
  std::uint64_t unclear;
};

// Fields in the order of the registers.
HEADRACE_AVX512 inline __m512i even_before_odd(__m512i words) noexcept {
  return _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(_mm_setr_epi8(
                                        0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)));
}

// And back.
HEADRACE_AVX512 inline __m512i in_order(const std::uint64_t* masks) noexcept {
  const __m512i words = _mm512_load_si512(masks);
  return _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(_mm_setr_epi8(
                                        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15)));
}

// The lengths of fields i to i + 31 in 16 bits, at most longest.
HEADRACE_AVX512 inline __m512i lengths_of(const field_block& block, int i, int longest) noexcept {
  const __m512i most = _mm512_set1_epi32(longest);
  const __m512i first = _mm512_min_epu32(_mm512_load_si512(block.length + i), most);
  const __m512i second = _mm512_min_epu32(_mm512_load_si512(block.length + i + 16), most);
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(first)),
                            _mm512_cvtepi32_epi16(second), 1);
}

HEADRACE_AVX512 inline void find_inside(const field_block& block, integer_block& b) noexcept {
  for (int i = 0; i < block_fields; i += 32) {
    const __m512i outside =
        _mm512_sub_epi16(_mm512_set1_epi16(quarter_bytes), lengths_of(block, i, quarter_bytes));
    const __m512i inside = _mm512_sllv_epi16(_mm512_set1_epi16(-1), outside);
    _mm512_store_si512(b.inside + i / 4, even_before_odd(inside));
  }
}

HEADRACE_AVX512 inline __m128i load_quarter(const field_block& block, int i) noexcept {
  const char* const begin = block.text + block.end[i] - quarter_bytes;
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(begin));
}

// Digits of the fields i, i + 2, i + 4 and i + 6 as values of four digits each (digits by
// multiply-add, after W. Mula and D. Lemire).
HEADRACE_AVX512 inline __m512i read_fours(const field_block& block, int i, integer_block& b,
                                          int masks) noexcept {
  __m512i bytes = _mm512_castsi128_si512(load_quarter(block, i));
  bytes = _mm512_inserti32x4(bytes, load_quarter(block, i + 2), 1);
  bytes = _mm512_inserti32x4(bytes, load_quarter(block, i + 4), 2);
  bytes = _mm512_inserti32x4(bytes, load_quarter(block, i + 6), 3);
  const __m512i values = _mm512_maskz_sub_epi8(b.inside[masks], bytes, _mm512_set1_epi8('0'));
  const __mmask64 digit = _mm512_cmple_epu8_mask(values, _mm512_set1_epi8(9));
  b.digit[masks] = digit;
  b.minus[masks] = _mm512_cmpeq_epi8_mask(values, _mm512_set1_epi8(static_cast<char>(minus_value)));
  const __m512i digits = _mm512_maskz_mov_epi8(digit, values);
  return _mm512_madd_epi16(_mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A)),
                           _mm512_set1_epi32(0x00010064));
}

HEADRACE_AVX512 inline void read_digits(const field_block& block, integer_block& b) noexcept {
  const __m512i ten_thousands = _mm512_set1_epi32(0x00012710);
  for (int i = 0; i < block_fields; i += 8) {
    const __m512i even = read_fours(block, i, b, i / 4);
    const __m512i odd = read_fours(block, i + 1, b, i / 4 + 1);
    const __m512i eights = _mm512_madd_epi16(_mm512_packus_epi32(even, odd), ten_thousands);
    b.values[i / 8] = _mm512_add_epi64(_mm512_mul_epu32(eights, _mm512_set1_epi64(100000000)),
                                       _mm512_srli_epi64(eights, 32));
  }
}

// Digits only, behind a minus or nothing, in the last 16 bytes of each field.
HEADRACE_AVX512 inline void check_signs(const field_block& block, integer_block& b) noexcept {
  b.negative = 0;
  b.unclear = 0;
  for (int i = 0; i < block_fields; i += 32) {
    const __m512i inside = in_order(b.inside + i / 4);
    const __m512i digit = in_order(b.digit + i / 4);
    const __m512i minus = in_order(b.minus + i / 4);
    const __mmask32 ends_here = _mm512_cmple_epu16_mask(lengths_of(block, i, quarter_bytes + 1),
                                                        _mm512_set1_epi16(quarter_bytes));
    const __m512i first =
        _mm512_and_si512(inside, _mm512_sub_epi16(_mm512_setzero_si512(), inside));
    const __m512i sign = _mm512_maskz_mov_epi16(ends_here, _mm512_and_si512(first, minus));
    const __m512i other = _mm512_andnot_si512(_mm512_or_si512(digit, sign), inside);
    const __mmask32 unclear =
        _mm512_test_epi16_mask(other, other) | _mm512_testn_epi16_mask(inside, digit);
    b.unclear |= std::uint64_t{unclear} << i;
    b.negative |= std::uint64_t{_mm512_test_epi16_mask(sign, sign)} << i;
  }
}

// The bytes 17 to 20 before the ends of fields i to i + 15.
HEADRACE_AVX512 inline void read_upper(const field_block& block, integer_block& b, int i) noexcept {
  const __m512i longest = _mm512_set1_epi32(quarter_bytes + upper_bytes);
  const __m512i length = _mm512_load_si512(block.length + i);
  const __m512i outside = _mm512_slli_epi32(
      _mm512_sub_epi32(longest, _mm512_min_epu32(length, longest)), 3);  // in bits
  __m512i inside = _mm512_sllv_epi32(_mm512_set1_epi32(-1), outside);
  const __m512i bytes = _mm512_sub_epi8(_mm512_load_si512(b.upper + i), _mm512_set1_epi8('0'));
  const __m512i first = _mm512_and_si512(
      _mm512_srlv_epi32(_mm512_and_si512(bytes, inside), outside), _mm512_set1_epi32(0xFF));
  const __mmask16 negative = _mm512_cmpeq_epi32_mask(first, _mm512_set1_epi32(minus_value));
  inside = _mm512_mask_slli_epi32(inside, negative, inside, 8);
  const __m512i digits = _mm512_and_si512(bytes, inside);
  const __m512i other = _mm512_movm_epi8(_mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9)));
  const __m512i value = _mm512_madd_epi16(_mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A)),
                                          _mm512_set1_epi32(0x00010064));
  _mm512_store_si512(b.upper + i, value);
  // 999 * 10^16 is below 2^64.
  const __mmask16 unclear = _mm512_test_epi32_mask(other, other) |
                            _mm512_cmpgt_epu32_mask(value, _mm512_set1_epi32(999)) |
                            _mm512_cmpgt_epu32_mask(length, longest);
  b.unclear |= std::uint64_t{unclear} << i;
  b.negative |= std::uint64_t{negative} << i;
}

HEADRACE_AVX512 inline void add_upper(const field_block& block, integer_block& b) noexcept {
  for (int i = 0; i < block_fields; ++i)
    std::memcpy(b.upper + i, block.text + block.end[i] - (quarter_bytes + upper_bytes),
                upper_bytes);
  for (int i = 0; i < block_fields; i += 16) read_upper(block, b, i);
  for (int i = 0; i < block_fields; i += 8) {
    const __m512i upper =
        _mm512_cvtepu32_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(b.upper + i)));
    // 10^16 = 5^16 * 2^16
    const __m512i product =
        _mm512_madd52lo_epu64(_mm512_setzero_si512(), upper, _mm512_set1_epi64(152587890625));
    b.values[i / 8] = _mm512_add_epi64(b.values[i / 8], _mm512_slli_epi64(product, 16));
  }
}

HEADRACE_AVX512 inline std::uint64_t longer_than(const field_block& block, int bytes) noexcept {
  std::uint64_t longer = 0;
  for (int i = 0; i < block_fields; i += 16)
    longer |= std::uint64_t{_mm512_cmpgt_epu32_mask(_mm512_load_si512(block.length + i),
                                                    _mm512_set1_epi32(bytes))}
              << i;
  return longer;
}

HEADRACE_AVX512 inline void store(std::int64_t* values, __mmask8 valid, __m512i numbers) noexcept {
  _mm512_mask_storeu_epi64(values, valid, numbers);
}
HEADRACE_AVX512 inline void store(std::int32_t* values, __mmask8 valid, __m512i numbers) noexcept {
  _mm256_mask_storeu_epi32(values, valid, _mm512_cvtepi64_epi32(numbers));
}
HEADRACE_AVX512 inline void store(std::int16_t* values, __mmask8 valid, __m512i numbers) noexcept {
  _mm_mask_storeu_epi16(values, valid, _mm512_cvtepi64_epi16(numbers));
}
HEADRACE_AVX512 inline void store(std::int8_t* values, __mmask8 valid, __m512i numbers) noexcept {
  _mm_mask_storeu_epi8(values, valid, _mm512_cvtepi64_epi8(numbers));
}

// The least value of a type is not plain.
template <class Integer>
HEADRACE_AVX512 inline void store_block(const field_block& block, integer_block& b,
                                        Integer* values) noexcept {
  const __m512i largest = _mm512_set1_epi64(std::numeric_limits<Integer>::max());
  for (int i = 0; i < block_fields; i += 8) {
    const __m512i size = b.values[i / 8];
    const __mmask8 too_large = _mm512_cmpgt_epu64_mask(size, largest);
    b.unclear |= std::uint64_t{too_large} << i;
    const __m512i numbers = _mm512_mask_sub_epi64(size, static_cast<__mmask8>(b.negative >> i),
                                                  _mm512_setzero_si512(), size);
    store(values + i, static_cast<__mmask8>(block.valid >> i), numbers);
  }
}

// Converts the plain fields of a block without blanks; returns the others.
template <class Integer>
HEADRACE_AVX512 std::uint64_t parse_block(const field_block& block, Integer* values) noexcept {
  integer_block b;
  find_inside(block, b);
  read_digits(block, b);
  check_signs(block, b);
  const std::uint64_t is_long = longer_than(block, quarter_bytes);
  if (sizeof(Integer) == sizeof(std::int64_t) && is_long != 0)
    add_upper(block, b);
  else
    b.unclear |= is_long;
  store_block(block, b, values);
  return b.unclear & block.valid;
}

// Takes blanks at both ends off the fields; false when there are none. Fields beyond the window
// keep those in front.
HEADRACE_AVX512 bool trim_block(field_block& block) noexcept {
  alignas(64) std::uint32_t blanks[block_fields];
  classify_blanks(block, blanks);
  const __m512i zero = _mm512_setzero_si512();
  __m512i cut = zero;
  for (int i = 0; i < block_fields; i += 16) {
    const __m512i length = _mm512_load_si512(block.length + i);
    const __m512i text = _mm512_andnot_si512(_mm512_load_si512(blanks + i), window_of(length));
    const __m512i behind = _mm512_min_epu32(_mm512_lzcnt_epi32(text), length);
    const __m512i lowest = _mm512_and_si512(text, _mm512_sub_epi32(zero, text));
    const __m512i before = _mm512_popcnt_epi32(_mm512_sub_epi32(lowest, _mm512_set1_epi32(1)));
    const __m512i width = _mm512_set1_epi32(window_bytes);
    const __m512i shorter =
        _mm512_max_epi32(_mm512_sub_epi32(_mm512_sub_epi32(width, before), behind), zero);
    const __mmask16 seen = _mm512_cmple_epu32_mask(length, width);
    const __m512i trimmed = _mm512_mask_mov_epi32(_mm512_sub_epi32(length, behind), seen, shorter);
    cut = _mm512_or_si512(cut, _mm512_sub_epi32(length, trimmed));
    _mm512_store_si512(block.end + i, _mm512_sub_epi32(_mm512_load_si512(block.end + i), behind));
    _mm512_store_si512(block.length + i, trimmed);
  }
  return _mm512_test_epi32_mask(cut, cut) != 0;
}

// Takes the blanks in front off columns that the window shows whole. What lies behind a number
// stays: it is not plain.
HEADRACE_AVX512 void trim_columns(field_block& block) noexcept {
  alignas(64) std::uint32_t blanks[block_fields];
  for (int i = 0; i < block_fields; i += 2)
    store_masks(blanks, i, _mm512_cmpeq_epi8_mask(load_windows(block, i), _mm512_set1_epi8(' ')));
  for (int i = 0; i < block_fields; i += 16) {
    const __m512i length = _mm512_load_si512(block.length + i);
    const __m512i text = _mm512_andnot_si512(_mm512_load_si512(blanks + i), window_of(length));
    const __m512i lowest = _mm512_and_si512(text, _mm512_sub_epi32(_mm512_setzero_si512(), text));
    const __m512i before = _mm512_popcnt_epi32(_mm512_sub_epi32(lowest, _mm512_set1_epi32(1)));
    const __m512i width = _mm512_set1_epi32(window_bytes);
    _mm512_mask_store_epi32(block.length + i, _mm512_cmple_epu32_mask(length, width),
                            _mm512_sub_epi32(width, before));
  }
}

}  // namespace

template <class Integer>
HEADRACE_AVX512 std::size_t parse_integers(const field_list& fields, Integer* values,
                                           field_state& state) noexcept {
  state = field_state::good;
  field_block block;
  bool has_blanks = false;
  for (std::size_t begin = fields.first; begin < fields.last; begin += block_fields) {
    constexpr std::size_t few = 8;  // not worth a block
    if (fields.last - begin < few)
      return portable::parse_integers({fields.text, fields.ends, begin, fields.last, fields.style},
                                      values, state);
    load_block(fields.text, fields.ends + begin, fields.last - begin, block);
    if (has_blanks) trim_block(block);
    std::uint64_t unclear = parse_block(block, values);
    if (unclear != 0 && !has_blanks) {
      has_blanks = trim_block(block);
      if (has_blanks) unclear = parse_block(block, values);
    }
    const int good = parse_unclear(fields, begin, unclear, values, state,
                                   [](scalar::field_text field, Integer& value) {
                                     return scalar::parse_integer_field(field, value);
                                   });
    if (good < block_fields) return begin + static_cast<std::size_t>(good);
    values += block_fields;
  }
  return fields.last;
}

template <class Integer>
HEADRACE_AVX512 std::uint64_t parse_integer_columns(const column_block& columns,
                                                    Integer* values) noexcept {
  field_block block;
  load_columns(columns, block);
  trim_columns(block);
  return parse_block(block, values);
}

#define HEADRACE_INSTANTIATE(INTEGER)                                                      \
  template std::size_t parse_integers(const field_list&, INTEGER*, field_state&) noexcept; \
  template std::uint64_t parse_integer_columns(const column_block&, INTEGER*) noexcept;
HEADRACE_FOR_INTEGERS(HEADRACE_INSTANTIATE)

}  // namespace headrace::avx512

#endif
