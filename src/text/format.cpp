#include "format.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "../core/blanks.hpp"
#include "edit/edit_transfer.hpp"
#include "edit/uniform_rows.hpp"
#include "kernels/format_numbers.hpp"
#include "kernels/number_types.hpp"

namespace headrace {
namespace {

template <class Number>
char* write_number(char* out, const char* values, std::size_t n, const char* separators) noexcept {
  const auto* const numbers = reinterpret_cast<const Number*>(values);
  if constexpr (std::is_floating_point_v<Number>)
    return format_shortest(out, numbers, n, separators);
  else
    return format_integers(out, numbers, n, separators);
}

template <std::size_t Bytes>
char* write_logicals(char* out, const char* values, std::size_t n,
                     const char* separators) noexcept {
  // Its lowest bit tells in every kind and with every compiler.
  for (std::size_t i = 0; i < n; ++i) {
    *out++ = (values[i * Bytes] & 1) != 0 ? 'T' : 'F';
    *out++ = separators[i];
  }
  return out;
}

template <std::size_t Bytes>
char* write_bits(char* out, const char* values, std::size_t n, const char* separators) noexcept {
  return format_hexadecimal(out, values, Bytes, n, separators);
}

constexpr std::size_t tile_text = std::size_t{1} << 20;
// Cells of whole rows that a kernel gets at once: enough for its speed, and soon made ready for one
// row.
constexpr std::size_t kernel_block = 1024;

std::size_t rows_for(std::size_t row_bytes) {
  return std::max<std::size_t>(1, tile_text / std::max<std::size_t>(1, row_bytes));
}

array_view row_major(type_class type, std::size_t elem_len, const char* values, std::size_t n) {
  array_view view{const_cast<char*>(values), elem_len, type, 1};
  view.extent[0] = static_cast<std::ptrdiff_t>(n);
  view.stride[0] = static_cast<std::ptrdiff_t>(elem_len);
  return view;
}

// Cells whose texts a kernel writes one after another, each with its separator.
class kernel_cells final : public cell_formatter {
 public:
  kernel_cells(const text_layout& layout, std::size_t columns, const number_kernel& kernel,
               std::size_t elem_len)
      : kernel_(kernel),
        decimal_(kernel.equal ? '.' : layout.decimal),
        columns_(columns),
        elem_len_(elem_len) {
    tile_rows = rows_for(columns * (kernel.longest + 1));
    const std::size_t rows = std::clamp<std::size_t>(kernel_block / columns, 1, tile_rows);
    separators_.assign(rows * columns, layout.delimiter);
    for (std::size_t i = columns; i <= separators_.size(); i += columns) separators_[i - 1] = '\n';
  }

  status format(const char* tile, std::size_t count, buffer& out, buffer&,
                std::size_t& bytes) const override {
    out.reserve(count * columns_ * (kernel_.longest + 1) + format_slack);
    char* end = out.data();
    for (std::size_t left = count * columns_; left > 0;) {
      const std::size_t n = std::min(left, separators_.size());
      end = kernel_.write(end, tile, n, separators_.data());
      tile += n * elem_len_;
      left -= n;
    }
    bytes = static_cast<std::size_t>(end - out.data());
    if (decimal_ != '.') std::replace(out.data(), end, '.', decimal_);
    return {};
  }

 private:
  number_kernel kernel_;
  char decimal_;
  std::size_t columns_;
  std::size_t elem_len_;
  std::string separators_;  // of a block of rows
};

// Cells through an edit descriptor: the rows of the format ((columns -
// 1)(descriptor,'delimiter'),descriptor).
class edited_cells final : public cell_formatter {
 public:
  edited_cells(edit_format format, type_class type, std::size_t elem_len, std::size_t columns)
      : format_(std::move(format)),
        type_(type),
        elem_len_(elem_len),
        columns_(columns),
        rows_(make_row_formatter(format_, type, elem_len)) {
    tile_rows = rows_for(rows_ ? rows_->bytes : columns * 24);
  }

  status format(const char* tile, std::size_t count, buffer& out, buffer&,
                std::size_t& bytes) const override {
    const std::size_t n = count * columns_;
    if (rows_) {
      out.reserve(count * rows_->bytes + format_slack);
      bytes = static_cast<std::size_t>(rows_->format(out.data(), tile, n) - out.data());
      return {};
    }
    std::string text;
    string_sink sink(text);
    if (status s = write_edited(format_, row_major(type_, elem_len_, tile, n), sink); !s.ok())
      return s;
    out.reserve(text.size());
    std::memcpy(out.data(), text.data(), text.size());
    bytes = text.size();
    return {};
  }

 private:
  edit_format format_;
  type_class type_;
  std::size_t elem_len_;
  std::size_t columns_;
  std::unique_ptr<row_formatter> rows_;
};

// Complex numbers: (1.5,-2.0) as Fortran reads them between blanks, else 1.5-2.0j as Python does.
class complex_cells final : public cell_formatter {
 public:
  complex_cells(const text_layout& layout, std::size_t columns,
                std::unique_ptr<cell_formatter> parts)
      : layout_(layout), columns_(columns), parts_(std::move(parts)) {
    tile_rows = std::max<std::size_t>(1, parts_->tile_rows / (2 * columns));
  }

  status format(const char* tile, std::size_t count, buffer& out, buffer& scratch,
                std::size_t& bytes) const override {
    const std::size_t n = count * columns_;
    std::size_t parts_bytes = 0;
    bytes = 0;
    const char* part = nullptr;
    buffer unused;
    // With many columns a row has more parts than the inner tile: the parts come in pieces.
    for (std::size_t done = 0; done < n;) {
      const std::size_t piece = std::min(n - done, std::max<std::size_t>(1, parts_->tile_rows / 2));
      if (status s =
              parts_->format(tile + done * element_bytes, 2 * piece, scratch, unused, parts_bytes);
          !s.ok())
        return s;
      out.reserve(bytes + parts_bytes + 5 * piece, bytes);
      part = scratch.data();
      for (std::size_t i = done; i < done + piece; ++i)
        bytes = append(out.data(), bytes, part, (i + 1) % columns_ == 0 ? '\n' : layout_.delimiter);
      done += piece;
    }
    return {};
  }

  std::size_t element_bytes = 0;

 private:
  // Moves one part, which a line feed ends, without leading blanks.
  static std::size_t take(char* out, std::size_t at, const char*& part) noexcept {
    while (*part == ' ') ++part;
    while (*part != '\n') out[at++] = *part++;
    ++part;
    return at;
  }

  std::size_t append(char* out, std::size_t at, const char*& part, char separator) const noexcept {
    const bool fortran = layout_.delimiter == ' ';
    if (fortran) out[at++] = '(';
    at = take(out, at, part);
    if (fortran) out[at++] = layout_.decimal == ',' ? ';' : ',';
    while (*part == ' ') ++part;
    if (!fortran && *part != '-' && *part != '+') out[at++] = '+';
    at = take(out, at, part);
    out[at++] = fortran ? ')' : 'j';
    out[at++] = separator;
    return at;
  }

  text_layout layout_;
  std::size_t columns_;
  std::unique_ptr<cell_formatter> parts_;
};

class character_cells final : public cell_formatter {
 public:
  character_cells(const text_layout& layout, std::size_t columns, std::size_t elem_len)
      : delimiter_(layout.delimiter), columns_(columns), elem_len_(elem_len) {
    tile_rows = rows_for(columns * (elem_len + 1));
  }

  status format(const char* tile, std::size_t count, buffer& out, buffer&,
                std::size_t& bytes) const override {
    std::string text;
    for (std::size_t i = 0; i < count * columns_; ++i) {
      const std::string_view cell = without_padding({tile + i * elem_len_, elem_len_});
      if (cell.find('\0') != std::string_view::npos) return inner_null();
      append_quoted(text, cell, delimiter_);
      text += (i + 1) % columns_ == 0 ? '\n' : delimiter_;
    }
    out.reserve(text.size());
    std::memcpy(out.data(), text.data(), text.size());
    bytes = text.size();
    return {};
  }

 private:
  static status inner_null() {
    return status::failure(stat_code::text_encoding, "an element holds a null byte")
        .expected("text, with blanks or null bytes behind it only", "a null byte within it")
        .advise("end the text before it: files with null bytes are refused when they are read");
  }

  char delimiter_;
  std::size_t columns_;
  std::size_t elem_len_;
};

// The format of a row: every cell through the descriptor, the delimiter between two.
status make_edited(const text_layout& layout, type_class type, std::size_t elem_len,
                   std::size_t columns, std::unique_ptr<cell_formatter>& formatter) {
  std::string text = layout.decimal == ',' ? "(dc," : "(";
  if (columns == 1) {
    text += layout.number + ")";
  } else {
    const std::string delimiter(layout.delimiter == '\'' ? 2 : 1, layout.delimiter);
    text += std::to_string(columns - 1) + "(" + layout.number + ",'" + delimiter + "')," +
            layout.number + ")";
  }
  edit_dialect dialect;
  if (status s = parse_dialect(layout.dialect, dialect); !s.ok()) return s;
  edit_format descriptor;
  if (status s = parse_edit_format("(" + layout.number + ")", descriptor, '.', dialect); !s.ok())
    return std::move(s).advise(
        "number= takes \"shortest\", \"hex\" or one edit descriptor such as \"es24.16e3\"");
  std::size_t data = 0;
  for (const edit_item& item : descriptor.items)
    data += item.kind <= edit_kind::character && item.repeat == 1 ? 1U : 2U;
  if (data != 1)
    return status::failure(stat_code::option_unknown,
                           "number=\"" + layout.number + "\" is not one edit descriptor")
        .advise("give one such as \"es24.16e3\"; edit= takes whole formats");
  edit_format format;
  if (status s = parse_edit_format(text, format, '.', dialect); !s.ok()) return s;
  formatter = std::make_unique<edited_cells>(std::move(format), type, elem_len, columns);
  return {};
}

status make_complex(const text_layout& layout, std::size_t elem_len, std::size_t columns,
                    std::unique_ptr<cell_formatter>& formatter) {
  text_layout one_a_line = layout;
  one_a_line.delimiter = '\n';
  std::unique_ptr<cell_formatter> parts;
  if (status s = make_cell_formatter(one_a_line, type_class::real, elem_len / 2, 1, parts); !s.ok())
    return s;
  auto cells = std::make_unique<complex_cells>(layout, columns, std::move(parts));
  cells->element_bytes = elem_len;
  formatter = std::move(cells);
  return {};
}

number_kernel logical_kernel(std::size_t elem_len) noexcept {
  return with_integer(elem_len, [](auto logical) -> number_kernel {
    return {write_logicals<sizeof logical>, 1, true};
  });
}

}  // namespace

number_kernel shortest_kernel(type_class type, std::size_t elem_len) noexcept {
  return with_number(type, elem_len, [](auto number) -> number_kernel {
    using number_type = decltype(number);
    constexpr std::size_t longest_real = sizeof number == 4 ? longest_real32 : longest_real64;
    constexpr auto longest_integer = std::size_t{std::numeric_limits<number_type>::digits10} + 2;
    return {write_number<number_type>,
            std::is_floating_point_v<number_type> ? longest_real : longest_integer};
  });
}

number_kernel hexadecimal_kernel(std::size_t elem_len) noexcept {
  const std::size_t longest = 2 * elem_len + 2;
  switch (elem_len) {
    case 1:
      return {write_bits<1>, longest, true};
    case 2:
      return {write_bits<2>, longest, true};
    case 4:
      return {write_bits<4>, longest, true};
    case 8:
      return {write_bits<8>, longest, true};
    default:
      return {write_bits<16>, longest, true};
  }
}

status no_complex_bits() {
  return status::failure(stat_code::option_unknown, "complex numbers have no hexadecimal cells")
      .advise("write their real and imaginary parts as two columns");
}

status no_meaning_for_characters(const std::string& option) {
  return status::failure(stat_code::option_unknown, option + "= has no meaning for characters")
      .advise("leave it out: a cell of characters is its text, an empty one is blank");
}

status make_cell_formatter(const text_layout& layout, type_class type, std::size_t elem_len,
                           std::size_t columns, std::unique_ptr<cell_formatter>& formatter) {
  if (status s = check_text_kind(type, elem_len); !s.ok()) return s;
  if (type == type_class::character && !layout.number.empty())
    return no_meaning_for_characters("number");
  if (type == type_class::character) {
    formatter = std::make_unique<character_cells>(layout, columns, elem_len);
    return {};
  }
  if (type == type_class::complex && layout.number == "hex") return no_complex_bits();
  if (type == type_class::complex) return make_complex(layout, elem_len, columns, formatter);
  const bool hexadecimal = layout.number == "hex";
  if (!hexadecimal && !layout.number.empty() && layout.number != "shortest")
    return make_edited(layout, type, elem_len, columns, formatter);
  const number_kernel kernel = hexadecimal                   ? hexadecimal_kernel(elem_len)
                               : type == type_class::logical ? logical_kernel(elem_len)
                                                             : shortest_kernel(type, elem_len);
  formatter = std::make_unique<kernel_cells>(layout, columns, kernel, elem_len);
  return {};
}

void append_in_quotes(std::string& text, std::string_view cell, char quote) {
  text += quote;
  for (const char c : cell) {
    if (c == quote) text += quote;
    text += c;
  }
  text += quote;
}

void append_quoted(std::string& line, std::string_view cell, char delimiter) {
  const char special[] = {delimiter, delimiter == ' ' ? '\t' : delimiter, '"', '\n', '\r', '\0'};
  const bool blank_end = !cell.empty() && (is_blank(cell.front()) || is_blank(cell.back()));
  if (!cell.empty() && !blank_end && cell.find_first_of(special) == std::string_view::npos) {
    line += cell;
    return;
  }
  append_in_quotes(line, cell, '"');
}

}  // namespace headrace
