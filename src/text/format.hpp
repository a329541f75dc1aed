// Rows of values as delimited cells. Next: kernels/format_numbers.hpp, edit/uniform_rows.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "../core/array_view.hpp"
#include "../core/buffer.hpp"
#include "../core/settings.hpp"

namespace headrace {

// What writes numbers that follow each other, each with the separator given for it.
struct number_kernel {
  char* (*write)(char* out, const char* values, std::size_t n,
                 const char* separators) noexcept = nullptr;
  std::size_t longest = 0;
  bool equal = false;  // all texts have the longest length, and no decimal sign
};

// Integers and reals that have a text form.
number_kernel shortest_kernel(type_class type, std::size_t elem_len) noexcept;
// Of 1, 2, 4, 8 or 16 bytes.
number_kernel hexadecimal_kernel(std::size_t elem_len) noexcept;

// Formats row-major tiles of one type. Threads may share one.
class cell_formatter {
 public:
  virtual ~cell_formatter() = default;
  // The most rows of a tile, so that its text has about a megabyte.
  std::size_t tile_rows = 1;
  // Writes the text of count rows to out from its beginning; bytes is the length.
  virtual status format(const char* tile, std::size_t count, buffer& out, buffer& scratch,
                        std::size_t& bytes) const = 0;
};

// array: its type and elem_len count. Kinds without a text form are refused (kind_unsupported).
status make_cell_formatter(const text_layout& layout, type_class type, std::size_t elem_len,
                           std::size_t columns, std::unique_ptr<cell_formatter>& formatter);

// The failure of an option that says how a number is written or read.
status no_meaning_for_characters(const std::string& option);

// The failure of number="hex" for complex numbers.
status no_complex_bits();

// Characters without the blanks at their end, or the null bytes that C and numpy fill up with.
inline std::string_view without_padding(std::string_view value) noexcept {
  using namespace std::string_view_literals;
  if (!value.empty() && value.back() != ' ' && value.back() != '\0') return value;
  return value.substr(0, value.find_last_not_of(" \0"sv) + 1);
}

// A cell of characters: quoted, quotes doubled, when it holds the delimiter, a quote, a line end or
// blanks at its ends (RFC 4180), or when it is empty.
void append_quoted(std::string& line, std::string_view cell, char delimiter);

// Quotes within are doubled.
void append_in_quotes(std::string& text, std::string_view cell, char quote);

}  // namespace headrace
