// Where 64 fields of a text stand, and which of their bytes are digits, signs and so on.
//
// The number kernels work in phases over blocks of 64 fields: each phase is a short loop without
// branches, so that the processor overlaps many fields. Every field is seen through the 32 bytes
// before its end; bit 31 of a mask is the last byte of the field.
#pragma once

#include <cstring>

#include "intrinsics.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace::avx512 {

inline constexpr int block_fields = 64;
inline constexpr int window_bytes = 32;

struct field_block {
  const char* text;
  std::uint64_t valid;  // bit i: field i exists
  alignas(64) std::uint32_t end[block_fields];
  alignas(64) std::uint32_t length[block_fields];
};

// The fields that ends[0] ... end; all others are empty at the beginning of the text.
HEADRACE_AVX512 inline void load_block(const char* text, const std::uint32_t* ends,
                                       std::size_t fields, field_block& block) noexcept {
  block.text = text;
  block.valid = fields >= block_fields ? ~std::uint64_t{0} : (std::uint64_t{1} << fields) - 1;
  for (int i = 0; i < block_fields; i += 16) {
    const auto valid = static_cast<__mmask16>(block.valid >> i);
    const __m512i end = _mm512_maskz_loadu_epi32(valid, ends + i);
    const __m512i end_before = _mm512_maskz_loadu_epi32(valid, ends + i - 1);
    const __m512i length =
        _mm512_sub_epi32(_mm512_sub_epi32(end, end_before), _mm512_set1_epi32(1));
    _mm512_store_si512(block.end + i, end);
    _mm512_store_si512(block.length + i, _mm512_maskz_mov_epi32(valid, length));
  }
}

HEADRACE_AVX512 inline void load_columns(const column_block& columns, field_block& block) noexcept {
  block.text = columns.text;
  block.valid = ~std::uint64_t{0} >> (block_fields - columns.n);
  for (int i = 0; i < block_fields; i += 16) {
    const auto valid = static_cast<__mmask16>(block.valid >> i);
    _mm512_store_si512(block.end + i, _mm512_maskz_loadu_epi32(valid, columns.ends + i));
    _mm512_store_si512(block.length + i, _mm512_maskz_loadu_epi32(valid, columns.widths + i));
  }
}

HEADRACE_AVX512 inline __m256i load_window(const field_block& block, int i) noexcept {
  const char* const begin = block.text + block.end[i] - window_bytes;
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin));
}

// The windows of fields i and i + 1.
HEADRACE_AVX512 inline __m512i load_windows(const field_block& block, int i) noexcept {
  return _mm512_inserti64x4(_mm512_castsi256_si512(load_window(block, i)),
                            load_window(block, i + 1), 1);
}

// Blanks, tabs, carriage returns and line feeds: the table holds the only blank with these low four
// bits (if there is none, a byte with other low bits).
HEADRACE_AVX512 inline __mmask64 blanks_of(__m512i bytes) noexcept {
  const __m512i blanks = _mm512_broadcast_i32x4(
      _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
  return _mm512_cmpeq_epi8_mask(bytes, _mm512_shuffle_epi8(blanks, bytes));
}

HEADRACE_AVX512 inline __mmask64 digits_of(__m512i bytes) noexcept {
  return _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
}

// The masks of two fields lie side by side.
HEADRACE_AVX512 inline void store_masks(std::uint32_t* masks, std::ptrdiff_t i,
                                        __mmask64 two) noexcept {
  const std::uint64_t bits = two;
  std::memcpy(masks + i, &bits, sizeof bits);
}

// All ones in the bits that belong to the field.
HEADRACE_AVX512 inline __m512i window_of(__m512i length) noexcept {
  const __m512i width = _mm512_set1_epi32(window_bytes);
  const __m512i outside = _mm512_sub_epi32(width, _mm512_min_epu32(length, width));
  return _mm512_sllv_epi32(_mm512_set1_epi32(-1), outside);
}

// Cuts blanks at the ends of fields off ("1.0 ,", and the carriage return of "1.0\r\n"); false when
// there are none. Blanks at the beginning stay.
HEADRACE_AVX512 inline bool cut_blanks_behind(const std::uint32_t* blank_masks,
                                              field_block& block) noexcept {
  __m512i cut = _mm512_setzero_si512();
  for (int i = 0; i < block_fields; i += 16) {
    const __m512i length = _mm512_load_si512(block.length + i);
    const __m512i blank = _mm512_load_si512(blank_masks + i);
    const __m512i inside = _mm512_andnot_si512(blank, window_of(length));
    const __m512i behind = _mm512_min_epu32(_mm512_lzcnt_epi32(inside), length);
    const __m512i end = _mm512_load_si512(block.end + i);
    cut = _mm512_or_si512(cut, behind);
    _mm512_store_si512(block.end + i, _mm512_sub_epi32(end, behind));
    _mm512_store_si512(block.length + i, _mm512_sub_epi32(length, behind));
  }
  return _mm512_test_epi32_mask(cut, cut) != 0;
}

// The masks of the blanks in all windows.
HEADRACE_AVX512 inline void classify_blanks(const field_block& block,
                                            std::uint32_t* blank_masks) noexcept {
  for (int i = 0; i < block_fields; i += 2)
    store_masks(blank_masks, i, blanks_of(load_windows(block, i)));
}

// One by one by parse_field(text, value); returns the place of the first field that is not good, or
// block_fields.
template <class Value, class Parse>
int parse_unclear(const field_list& fields, std::size_t begin, std::uint64_t unclear, Value* values,
                  field_state& state, Parse parse_field) noexcept {
  for (; unclear != 0; unclear &= unclear - 1) {
    const int i = __builtin_ctzll(unclear);
    const std::uint32_t* const end = fields.ends + begin + i;
    state = parse_field(scalar::field_at(fields.text, end), values[i]);
    if (state != field_state::good) return i;
  }
  return block_fields;
}

}  // namespace headrace::avx512
