// The AVX-512 tier of find_fields: a mask is one comparison, the places of its bits one compress.
// Next: find_fields_blocks.hpp.
#if defined(__x86_64__)

#include "find_fields_blocks.hpp"
#include "intrinsics.hpp"

namespace headrace::avx512 {
namespace {

using namespace blocks;

// Blanks, tabs and carriage returns: the table holds the only blank with these low four bits.
HEADRACE_AVX512 inline std::uint64_t blanks_of(__m512i block) noexcept {
  const __m512i blanks =
      _mm512_broadcast_i32x4(_mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', 0, 0, 0, '\r', 0, 0));
  return _mm512_cmpeq_epi8_mask(block, _mm512_shuffle_epi8(blanks, block));
}

// Notices two special characters: a byte of least becomes 0 where one of them is found.
struct special_watch {
  __m512i characters[2];
  __m512i least;
  bool is_used;
};

HEADRACE_AVX512 inline special_watch watch_for(const style_bytes& style) noexcept {
  // A character that does not count is watched twice instead.
  const char first = style.uses_special[0] != 0 ? style.special[0] : style.special[1];
  const char second = style.uses_special[1] != 0 ? style.special[1] : first;
  return {{_mm512_set1_epi8(first), _mm512_set1_epi8(second)},
          _mm512_set1_epi8(-1),
          (style.uses_special[0] | style.uses_special[1]) != 0};
}

HEADRACE_AVX512 inline void look_at(__m512i block, special_watch& watch) noexcept {
  const __m512i first = _mm512_xor_si512(block, watch.characters[0]);
  const __m512i second = _mm512_xor_si512(block, watch.characters[1]);
  watch.least = _mm512_min_epu8(watch.least, _mm512_min_epu8(first, second));
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
HEADRACE_AVX512 inline std::uint64_t ends_of(__m512i block, std::uint64_t valid, __m512i delimiter,
                                             std::uint64_t line_feed, block_carry& carry) noexcept {
  if (blank_separated)
    return blank_separated_ends({0, line_feed, blanks_of(block) & valid, 0}, carry);
  const std::uint64_t delimiters = _mm512_cmpeq_epi8_mask(block, delimiter) & valid;
  const std::uint64_t begins = line_feed << 1 | carry.line_begins;
  const std::uint64_t low = _mm512_cmple_epu8_mask(block, _mm512_set1_epi8(' '));
  if ((begins & low) == 0) {  // no line is empty or begins with a blank
    carry.line_begins = line_feed >> 63;
    return delimiters | line_feed;
  }
  return delimited_ends({delimiters, line_feed, blanks_of(block) & ~delimiters, 0}, carry);
}

template <bool blank_separated>
HEADRACE_AVX512 void find(const char* text, std::size_t bytes, const style_bytes& style,
                          field_map& result) noexcept {
  field_map map = result;  // a copy stays in registers
  block_carry carry;
  special_watch watch = watch_for(style);
  const __m512i delimiter = _mm512_set1_epi8(style.delimiter);
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    const std::uint64_t valid = bytes - at < block_bytes ? first_bytes(bytes - at) : ~0ULL;
    const __m512i block = _mm512_loadu_si512(text + at);
    const std::uint64_t line_feed = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n')) & valid;
    const std::uint64_t ends = ends_of<blank_separated>(block, valid, delimiter, line_feed, carry);
    if (watch.is_used) look_at(_mm512_mask_mov_epi8(_mm512_set1_epi8('\n'), valid, block), watch);
    append_lines(line_feed, ends, map);
    append_places(ends, at, map);
  }
  map.has_special = watch.is_used && _mm512_testn_epi8_mask(watch.least, watch.least) != 0;
  result = map;
}

HEADRACE_AVX512 inline quoted_masks read_quoted(const char* text, const quote_style& style,
                                                std::uint64_t valid) noexcept {
  const __m512i block = _mm512_loadu_si512(text);
  const std::uint64_t delimiter =
      _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(style.delimiter)) & valid;
  const std::uint64_t comment = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(style.comment));
  return {delimiter,
          _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n')) & valid,
          blanks_of(block) & valid & ~delimiter,
          _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\r')) & valid,
          _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(style.quote)) & valid,
          style.comment == '\0' ? 0 : comment & valid};
}

}  // namespace

void find_fields(const char* text, std::size_t bytes, const style_bytes& style,
                 field_map& map) noexcept {
  if (style.delimiter == ' ')
    find<true>(text, bytes, style, map);
  else
    find<false>(text, bytes, style, map);
}

HEADRACE_AVX512 void find_quoted_fields(const char* text, std::size_t bytes,
                                        const quote_style& style, quoted_map& result) noexcept {
  quoted_map map = result;
  quoted_carry carry;
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    const std::uint64_t valid =
        bytes - at < block_bytes ? first_bytes(bytes - at) : ~std::uint64_t{0};
    quoted_masks masks = read_quoted(text + at, style, valid);
    const std::uint64_t ends = take_quoted(masks, at, valid, carry, map);
    if (map.fields.ends == nullptr) continue;
    append_lines(masks.line_feed, ends, map.fields);
    append_places(ends, at, map.fields);
  }
  finish_quoted(carry, map);
  result = map;
}

}  // namespace headrace::avx512

#endif
