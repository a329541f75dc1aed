// The AVX-512 tier of find_fields: a mask is one comparison, the places of its bits one compress.
// Next: find_fields_blocks.hpp.
#if defined(__x86_64__)

#include "find_fields_blocks.hpp"
#include "intrinsics.hpp"

namespace headrace::avx512 {
namespace {

using namespace blocks;

struct sought_bytes {
  __m512i delimiter;
  __m512i line_feed;
  __m512i special[2];
  __m512i blank_of_low_bits;  // what byte would be blank, by the low four bits
};

HEADRACE_AVX512 inline sought_bytes sought(const field_bytes& style) noexcept {
  // Bytes that no text byte with these low bits equals stand for "none is blank".
  const __m128i blanks = _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', 0, 0, 0, '\r', 0, 0);
  return {_mm512_set1_epi8(style.delimiter),
          _mm512_set1_epi8('\n'),
          {_mm512_set1_epi8(style.special[0]), _mm512_set1_epi8(style.special[1])},
          _mm512_broadcast_i32x4(blanks)};
}

HEADRACE_AVX512 inline block_masks read_block(const char* text, const sought_bytes& bytes,
                                              const field_bytes& style) noexcept {
  const __m512i block = _mm512_loadu_si512(text);
  const __m512i blank = _mm512_shuffle_epi8(bytes.blank_of_low_bits, block);
  const std::uint64_t special =
      (_mm512_cmpeq_epi8_mask(block, bytes.special[0]) & style.uses_special[0]) |
      (_mm512_cmpeq_epi8_mask(block, bytes.special[1]) & style.uses_special[1]);
  return {_mm512_cmpeq_epi8_mask(block, bytes.delimiter),
          _mm512_cmpeq_epi8_mask(block, bytes.line_feed), _mm512_cmpeq_epi8_mask(block, blank),
          special};
}

HEADRACE_AVX512 inline __m512i bit_numbers() noexcept {
  alignas(64) static constexpr std::uint8_t numbers[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  return _mm512_load_si512(numbers);
}

// The map has room for the 16 entries that are written at once.
HEADRACE_AVX512 inline void append_places(std::uint64_t bits, std::size_t offset,
                                          field_map& map) noexcept {
  const __m512i places = _mm512_maskz_compress_epi8(bits, bit_numbers());
  const __m512i base = _mm512_set1_epi32(static_cast<int>(offset));
  const int count = __builtin_popcountll(bits);
  std::uint32_t* const out = map.ends + map.fields;
  const __m512i first = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
  _mm512_storeu_si512(out, _mm512_add_epi32(base, first));
  if (count > 16) {
    const __m512i second = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places, 1));
    const __m512i third = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places, 2));
    const __m512i fourth = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places, 3));
    _mm512_storeu_si512(out + 16, _mm512_add_epi32(base, second));
    _mm512_storeu_si512(out + 32, _mm512_add_epi32(base, third));
    _mm512_storeu_si512(out + 48, _mm512_add_epi32(base, fourth));
  }
  map.fields += static_cast<std::size_t>(count);
}

template <bool blank_separated>
HEADRACE_AVX512 void find(const char* text, std::size_t bytes, const field_bytes& style,
                          field_map& result) noexcept {
  field_map map = result;  // a copy stays in registers
  block_carry carry;
  const sought_bytes wanted = sought(style);
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    block_masks masks = read_block(text + at, wanted, style);
    if (!blank_separated) masks.blank &= ~masks.delimiter;
    if (bytes - at < block_bytes) masks = only(masks, first_bytes(bytes - at));
    const std::uint64_t ends = field_ends(blank_separated, masks, carry);
    append_lines(masks.line_feed, ends, map);
    append_places(ends, at, map);
  }
  map.has_special = carry.special != 0;
  result = map;
}

}  // namespace

void find_fields(const char* text, std::size_t bytes, const field_bytes& style,
                 field_map& map) noexcept {
  if (style.delimiter == ' ')
    find<true>(text, bytes, style, map);
  else
    find<false>(text, bytes, style, map);
}

}  // namespace headrace::avx512

#endif
