// The portable tier of find_fields: masks from eight bytes in one integer. Next:
// find_fields_blocks.hpp.
#include "find_fields_blocks.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace::portable {
namespace {

using namespace blocks;

constexpr std::uint64_t ones = 0x0101010101010101;
constexpr std::uint64_t high_bits = ones * 0x80;

// The high bit of each byte that is c.
std::uint64_t bytes_equal(std::uint64_t word, char c) noexcept {
  const std::uint64_t differing = word ^ ones * static_cast<unsigned char>(c);
  return ~(((differing & ~high_bits) + ~high_bits) | differing) & high_bits;
}

// The eight high bits as one byte, that of the lowest byte first.
std::uint64_t gather_high_bits(std::uint64_t word) noexcept {
  return (word >> 7) * 0x0102040810204080 >> 56;
}

block_masks read_block(const char* text, const field_bytes& style) noexcept {
  block_masks masks{};
  for (int i = 0; i < 64; i += 8) {
    const std::uint64_t word = scalar::load_eight(text + i);
    const std::uint64_t blank =
        bytes_equal(word, ' ') | bytes_equal(word, '\t') | bytes_equal(word, '\r');
    const std::uint64_t special = (bytes_equal(word, style.special[0]) & style.uses_special[0]) |
                                  (bytes_equal(word, style.special[1]) & style.uses_special[1]);
    masks.delimiter |= gather_high_bits(bytes_equal(word, style.delimiter)) << i;
    masks.line_feed |= gather_high_bits(bytes_equal(word, '\n')) << i;
    masks.blank |= gather_high_bits(blank) << i;
    masks.special |= gather_high_bits(special) << i;
  }
  return masks;
}

}  // namespace

void find_fields(const char* text, std::size_t bytes, const field_bytes& style,
                 field_map& map) noexcept {
  const bool blank_separated = style.delimiter == ' ';
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
}

}  // namespace headrace::portable
