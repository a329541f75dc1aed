// The AVX2 tier of find_fields: masks from two registers of 32 bytes. Next: find_fields_blocks.hpp.
#if defined(__x86_64__)

#include "find_fields_blocks.hpp"
#include "intrinsics.hpp"

namespace headrace::avx2 {
namespace {

using namespace blocks;

struct two_halves {
  __m256i low;
  __m256i high;
};

HEADRACE_AVX2 inline std::uint64_t mask_of(__m256i low, __m256i high) noexcept {
  const auto first = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
  const auto second = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
  return std::uint64_t{second} << 32 | first;
}

HEADRACE_AVX2 inline std::uint64_t equal(const two_halves& block, char c) noexcept {
  const __m256i byte = _mm256_set1_epi8(c);
  return mask_of(_mm256_cmpeq_epi8(block.low, byte), _mm256_cmpeq_epi8(block.high, byte));
}

HEADRACE_AVX2 inline block_masks read_block(const char* text, const style_bytes& style) noexcept {
  const auto* const address = reinterpret_cast<const __m256i*>(text);
  const two_halves block{_mm256_loadu_si256(address), _mm256_loadu_si256(address + 1)};
  // The only blank with these low four bits; 0 stands for none (a NUL would need the bits 0).
  const __m256i blanks = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', 0, 0, 0, '\r', 0, 0));
  const std::uint64_t blank =
      mask_of(_mm256_cmpeq_epi8(block.low, _mm256_shuffle_epi8(blanks, block.low)),
              _mm256_cmpeq_epi8(block.high, _mm256_shuffle_epi8(blanks, block.high)));
  const std::uint64_t special = (equal(block, style.special[0]) & style.uses_special[0]) |
                                (equal(block, style.special[1]) & style.uses_special[1]);
  return {equal(block, style.delimiter), equal(block, '\n'), blank, special};
}

template <bool blank_separated>
HEADRACE_AVX2 void find(const char* text, std::size_t bytes, const style_bytes& style,
                        field_map& result) noexcept {
  field_map map = result;  // a copy stays in registers
  block_carry carry;
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    block_masks masks = read_block(text + at, style);
    if (!blank_separated) masks.blank &= ~masks.delimiter;
    if (bytes - at < block_bytes) masks = only(masks, first_bytes(bytes - at));
    const std::uint64_t ends = field_ends(blank_separated, masks, carry);
    append_lines(masks.line_feed, ends, map);
    append_ends(ends, static_cast<std::uint32_t>(at), map);
  }
  map.has_special = carry.special != 0;
  result = map;
}

HEADRACE_AVX2 inline quoted_masks read_quoted(const char* text, const quote_style& style,
                                              std::uint64_t valid) noexcept {
  const auto* const address = reinterpret_cast<const __m256i*>(text);
  const two_halves block{_mm256_loadu_si256(address), _mm256_loadu_si256(address + 1)};
  const std::uint64_t delimiter = equal(block, style.delimiter) & valid;
  const std::uint64_t returns = equal(block, '\r') & valid;
  return {delimiter,
          equal(block, '\n') & valid,
          (equal(block, ' ') | equal(block, '\t') | returns) & valid & ~delimiter,
          returns,
          equal(block, style.quote) & valid,
          style.comment == '\0' ? 0 : equal(block, style.comment) & valid};
}

}  // namespace

void find_fields(const char* text, std::size_t bytes, const style_bytes& style,
                 field_map& map) noexcept {
  if (style.delimiter == ' ')
    find<true>(text, bytes, style, map);
  else
    find<false>(text, bytes, style, map);
}

HEADRACE_AVX2 void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
                                      quoted_map& result) noexcept {
  quoted_map map = result;
  quoted_carry carry;
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    const std::uint64_t valid =
        bytes - at < block_bytes ? first_bytes(bytes - at) : ~std::uint64_t{0};
    quoted_masks masks = read_quoted(text + at, style, valid);
    const std::uint64_t ends = take_quoted(masks, at, valid, carry, map);
    if (map.fields.ends == nullptr) continue;
    append_lines(masks.line_feed, ends, map.fields);
    append_ends(ends, static_cast<std::uint32_t>(at), map.fields);
  }
  finish_quoted(carry, map);
  result = map;
}

}  // namespace headrace::avx2

#endif
