// Text to numbers, many at a time. Kernels never allocate, throw or read beyond the padding.
//
// Every function picks the tier of current_tier(); the tiers give the same values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace {

// Bytes before and after a text that kernels may read (whatever they hold, they do not count).
inline constexpr std::size_t parse_padding = 64;

// What a number looks like. Where the text is a cell, an exponent has a letter, e or d: without one
// a month such as 2010-01 would be a number, and with q a quarter such as 1974Q1.
struct number_style {
  constexpr number_style(char symbol, bool fortran = false) noexcept  // NOLINT: '.' is a style
      : decimal(symbol), as_read(fortran) {}
  char decimal = '.';
  // As Fortran's READ: 1.0+300 and 1q5, too, and a point beside a decimal comma.
  bool as_read = false;
};

// How the fields of a line are told apart.
struct field_style {
  char delimiter = ',';  // ' ': fields are separated by any number of blanks and tabs
  char decimal = '.';
};

// Where the fields of a text end. The caller provides the arrays.
struct field_map {
  // ends[i]: offset of the byte after field i (a delimiter, blank, or line feed). Field i begins
  // after ends[i - 1]; ends[-1] must exist and hold uint32 -1. Blanks around a field belong to it.
  std::uint32_t* ends = nullptr;
  // line_fields[k]: number of fields up to the end of line k. An empty line adds none.
  std::uint32_t* line_fields = nullptr;
  std::size_t fields = 0;
  std::size_t lines = 0;
  // The text has a quote or a comment character: fields found here may be wrong.
  bool has_special = false;
};

// Finds the fields of complete lines: the last byte is a line feed. bytes < 2^32 - 64. The arrays
// need room for bytes + 64 entries. A carriage return before a line feed belongs to the field (to
// none in style ' '). With delimiter ',' a line of nothing but blanks is empty, "1,2," has three
// fields. special: characters whose presence sets has_special, at most two (0: none).
void find_fields(const char* text, std::size_t bytes, const field_style& style,
                 const char special[2], field_map& map) noexcept;

// How the fields of a text with quotes are told apart: RFC 4180.
struct quote_style {
  char delimiter = ',';
  char quote = '"';
  char comment = '\0';  // 0: none
};

struct quoted_map {
  field_map fields;            // ends null: they are not asked for
  std::size_t rows_end = 0;    // after the last line feed outside of quotes
  std::size_t line_feeds = 0;  // all of them, those in quotes, too
  bool is_open = false;        // the text ends in quotes
  // Every quote begins a field, perhaps behind blanks, or ends one, or is one of two within quotes,
  // and there is no comment:
  // false: what is found here may be wrong.
  bool is_sound = false;
};

// As find_fields, but delimiters and line feeds in quotes do not count. The text may end anywhere.
void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
                        quoted_map& map) noexcept;

enum class field_state : std::uint8_t {
  good,
  empty,         // nothing but blanks
  not_a_number,  // something else than a number of that type
  too_large,     // the number overflows the type
};

// Converts fields first to last - 1 of a map, in order, to values[0] ... Stops at the first field
// that is not good, gives its state and returns its number; returns last when all are good (state
// is good). Reals are rounded correctly: 1.5, .5, 5., 1e5, 1D+05, inf, nan(...), and the exponents
// of the style; integers accept a sign and digits. A real beyond the largest finite value is
// too_large. Number: double, float, or an integer of 1, 2, 4 or 8 bytes.
template <class Number>
std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, Number* values,
                         field_state& state) noexcept;

// Hexadecimal fields ("0x3FF0...", with or without 0x, at most 2 * elem_len digits) as the bits of
// values of elem_len bytes: 1, 2, 4, 8 or 16.
std::size_t parse_hexadecimal(const char* text, const std::uint32_t* ends, std::size_t first,
                              std::size_t last, std::size_t elem_len, void* values,
                              field_state& state) noexcept;

}  // namespace headrace
