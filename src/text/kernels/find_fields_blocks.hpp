// Fields from the bit masks of 64 bytes: the part of find_fields that all tiers share. Bit k of a
// mask is byte k of the block.
#pragma once

#include "parse_numbers_tiers.hpp"

namespace headrace::blocks {

inline constexpr std::size_t block_bytes = 64;

struct block_masks {
  std::uint64_t delimiter;
  std::uint64_t line_feed;
  std::uint64_t blank;  // blank, tab or carriage return, and no delimiter
  std::uint64_t special;
};

// What one block leaves for the next.
struct block_carry {
  std::uint64_t line_begins = 1;  // only blanks since the last line feed
  std::uint64_t in_field = 0;     // the last byte belongs to a field
  std::uint64_t special = 0;
};

// Ends of fields between delimiters. A line of nothing but blanks has none: an addition carries
// from the first byte of each line over its blanks to the first other byte.
inline std::uint64_t delimited_ends(const block_masks& masks, block_carry& carry) noexcept {
  const std::uint64_t begins = masks.line_feed << 1 | carry.line_begins;
  std::uint64_t sum = 0;
  carry.line_begins = __builtin_add_overflow(begins & masks.blank, masks.blank, &sum);
  carry.line_begins |= masks.line_feed >> 63;
  const std::uint64_t first_other = (sum | begins) & ~masks.blank;
  return masks.delimiter | (masks.line_feed & ~first_other);
}

// Ends of fields between blanks: the first blank or line feed after something else.
inline std::uint64_t blank_separated_ends(const block_masks& masks, block_carry& carry) noexcept {
  const std::uint64_t other = ~(masks.blank | masks.line_feed);
  const std::uint64_t ends = ~other & (other << 1 | carry.in_field);
  carry.in_field = other >> 63;
  return ends;
}

inline std::uint64_t field_ends(bool blank_separated, const block_masks& masks,
                                block_carry& carry) noexcept {
  carry.special |= masks.special;
  return blank_separated ? blank_separated_ends(masks, carry) : delimited_ends(masks, carry);
}

// Writes offset + k for each bit k. A few more entries than bits may be written.
inline void append_ends(std::uint64_t ends, std::uint32_t offset, field_map& map) noexcept {
  constexpr int usual = 4;
  constexpr std::uint64_t any = std::uint64_t{1} << 63;  // ctz needs a bit
  const int count = __builtin_popcountll(ends);
  std::uint32_t* out = map.ends + map.fields;
  for (int i = 0; i < usual; ++i, ends &= ends - 1)
    out[i] = offset + static_cast<std::uint32_t>(__builtin_ctzll(ends | any));
  for (int i = usual; i < count; ++i, ends &= ends - 1)
    out[i] = offset + static_cast<std::uint32_t>(__builtin_ctzll(ends));
  map.fields += static_cast<std::size_t>(count);
}

// Counts the fields up to each line feed. Comes before append_ends of the same block.
inline void append_lines(std::uint64_t line_feeds, std::uint64_t ends, field_map& map) noexcept {
  const auto fields = static_cast<std::uint32_t>(map.fields);
  std::uint32_t* out = map.line_fields + map.lines;
  for (; line_feeds != 0; line_feeds &= line_feeds - 1) {
    const std::uint64_t up_to_here = line_feeds ^ (line_feeds - 1);
    *out++ = fields + static_cast<std::uint32_t>(__builtin_popcountll(ends & up_to_here));
  }
  map.lines = static_cast<std::size_t>(out - map.line_fields);
}

// The bytes of the last block that belong to the text; bytes is from 1 to 64.
inline std::uint64_t first_bytes(std::size_t bytes) noexcept {
  return ~std::uint64_t{0} >> (block_bytes - bytes);
}

inline block_masks only(const block_masks& masks, std::uint64_t valid) noexcept {
  return {masks.delimiter & valid, masks.line_feed & valid, masks.blank & valid,
          masks.special & valid};
}

// ---- texts with quotes ----

struct quoted_masks {
  std::uint64_t delimiter;
  std::uint64_t line_feed;
  std::uint64_t blank;  // blank, tab or carriage return, and no delimiter
  std::uint64_t carriage_return;
  std::uint64_t quote;
  std::uint64_t comment;
};

struct quoted_carry {
  block_carry lines;
  std::uint64_t inside = 0;    // all bits: the last byte is in quotes
  std::uint64_t may_open = 1;  // only blanks since the end of a field, or of quotes
  std::uint64_t closed = 0;    // the last byte ends quotes
  std::uint64_t returned = 0;  // and is a carriage return behind them
  std::uint64_t wrong = 0;     // not 0: quotes stand where none may
};

// Bit k: the number of bits up to k is odd.
inline std::uint64_t odd_before(std::uint64_t bits) noexcept {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// Ends of fields outside of quotes; takes the line feeds in quotes out of the masks.
inline std::uint64_t quoted_ends(quoted_masks& masks, std::uint64_t valid,
                                 quoted_carry& carry) noexcept {
  const std::uint64_t inside = odd_before(masks.quote) ^ carry.inside;
  const std::uint64_t opens = masks.quote & inside;
  const std::uint64_t closes = masks.quote & ~inside;
  masks.line_feed &= ~inside;
  const std::uint64_t ends = (masks.delimiter & ~inside) | masks.line_feed;
  const std::uint64_t blank = masks.blank & ~inside;
  const std::uint64_t begins = (ends | closes) << 1 | carry.may_open;
  std::uint64_t sum = 0;
  const bool all_blank = __builtin_add_overflow(begins & blank, blank, &sum);
  const std::uint64_t may_open = begins | (sum & ~blank);
  const std::uint64_t after = closes << 1 | carry.closed;
  const std::uint64_t returns = after & masks.carriage_return;
  const std::uint64_t after_return = returns << 1 | carry.returned;
  carry.wrong |= ((opens & ~may_open) | (after & ~(ends | opens | returns)) |
                  (after_return & ~masks.line_feed) | masks.comment) &
                 valid;
  carry.may_open = (ends | closes) >> 63 | std::uint64_t{all_blank};
  carry.closed = closes >> 63;
  carry.returned = returns >> 63;
  carry.inside = std::uint64_t{0} - (inside >> 63);
  const block_masks outside{masks.delimiter & ~inside, masks.line_feed, blank, 0};
  return delimited_ends(outside, carry.lines);
}

// What the tiers do with the masks of 64 bytes.
inline std::uint64_t take_quoted(quoted_masks& masks, std::size_t at, std::uint64_t valid,
                                 quoted_carry& carry, quoted_map& map) noexcept {
  map.line_feeds += static_cast<std::size_t>(__builtin_popcountll(masks.line_feed));
  const std::uint64_t ends = quoted_ends(masks, valid, carry);
  if (masks.line_feed != 0)
    map.rows_end = at + block_bytes - static_cast<std::size_t>(__builtin_clzll(masks.line_feed));
  return ends;
}

inline void finish_quoted(const quoted_carry& carry, quoted_map& map) noexcept {
  map.is_open = carry.inside != 0;
  map.is_sound = carry.wrong == 0;
}

}  // namespace headrace::blocks
