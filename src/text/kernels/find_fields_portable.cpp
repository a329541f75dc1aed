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

std::uint64_t mask_of(const char* text, char c) noexcept {
  std::uint64_t mask = 0;
  for (int i = 0; i < 64; i += 8)
    mask |= gather_high_bits(bytes_equal(scalar::load_eight(text + i), c)) << i;
  return mask;
}

std::uint64_t blanks_of(const char* text) noexcept {
  return mask_of(text, ' ') | mask_of(text, '\t') | mask_of(text, '\r');
}

// Not zero when one of 64 bytes is c: cheaper than which of them.
std::uint64_t contains(const char* text, char c) noexcept {
  const std::uint64_t pattern = ones * static_cast<unsigned char>(c);
  std::uint64_t found = 0;
  for (int i = 0; i < 64; i += 8) {
    const std::uint64_t differing = scalar::load_eight(text + i) ^ pattern;
    found |= (differing - ones) & ~differing;
  }
  return found & high_bits;
}

std::uint64_t specials_of(const char* text, const style_bytes& style,
                          std::uint64_t valid) noexcept {
  std::uint64_t found = 0;
  for (int i = 0; i < 2; ++i) {
    if (style.uses_special[i] == 0) continue;
    const char c = style.special[i];
    found |= ~valid == 0 ? contains(text, c) : mask_of(text, c) & valid;
  }
  return found;
}

// Delimiters and line feeds; what the two have in common is done once.
block_masks read_separators(const char* text, char delimiter) noexcept {
  block_masks masks{};
  for (int i = 0; i < 64; i += 8) {
    const std::uint64_t word = scalar::load_eight(text + i);
    const std::uint64_t line_feed = bytes_equal(word, '\n');
    const std::uint64_t either = bytes_equal(word, delimiter) | line_feed;
    masks.delimiter |= gather_high_bits(either) << i;
    if (line_feed != 0) masks.line_feed |= gather_high_bits(line_feed) << i;
  }
  masks.delimiter &= ~masks.line_feed;
  return masks;
}

// Whether a line may begin with a blank or be empty.
bool begins_low(const char* text, std::uint64_t begins) noexcept {
  for (; begins != 0; begins &= begins - 1)
    if (static_cast<unsigned char>(text[__builtin_ctzll(begins)]) <= ' ') return true;
  return false;
}

std::uint64_t ends_of(const char* text, const style_bytes& style, std::uint64_t valid,
                      block_masks& masks, block_carry& carry) noexcept {
  if (style.delimiter == ' ') {
    masks.line_feed = mask_of(text, '\n');
    masks.blank = blanks_of(text);
    masks = only(masks, valid);
    return blank_separated_ends(masks, carry);
  }
  masks = only(read_separators(text, style.delimiter), valid);
  if (begins_low(text, masks.line_feed << 1 | carry.line_begins)) {
    masks.blank = blanks_of(text) & ~masks.delimiter;
    return delimited_ends(masks, carry);
  }
  carry.line_begins = masks.line_feed >> 63;
  return masks.delimiter | masks.line_feed;
}

quoted_masks read_quoted(const char* text, const quote_style& style, std::uint64_t valid) noexcept {
  const std::uint64_t delimiter = mask_of(text, style.delimiter) & valid;
  const std::uint64_t returns = mask_of(text, '\r') & valid;
  return {delimiter,
          mask_of(text, '\n') & valid,
          (mask_of(text, ' ') | mask_of(text, '\t') | returns) & valid & ~delimiter,
          returns,
          mask_of(text, style.quote) & valid,
          style.comment == '\0' ? 0 : mask_of(text, style.comment) & valid};
}

}  // namespace

void find_fields(const char* text, std::size_t bytes, const style_bytes& style,
                 field_map& result) noexcept {
  field_map map = result;  // a copy stays in registers
  block_carry carry;
  const bool has_specials = (style.uses_special[0] | style.uses_special[1]) != 0;
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    const std::uint64_t valid =
        bytes - at < block_bytes ? first_bytes(bytes - at) : ~std::uint64_t{0};
    block_masks masks{};
    const std::uint64_t ends = ends_of(text + at, style, valid, masks, carry);
    if (has_specials) carry.special |= specials_of(text + at, style, valid);
    append_lines(masks.line_feed, ends, map);
    append_ends(ends, static_cast<std::uint32_t>(at), map);
  }
  map.has_special = carry.special != 0;
  result = map;
}

void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
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

}  // namespace headrace::portable
