#include "bad_cells.hpp"

#include "../core/name_text.hpp"

#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

bool is_real(std::string_view cell, number_style style) noexcept {
  double value = 0;
  return parse_real(cell.data(), cell.data() + cell.size(), style, value) == field_state::good;
}

// If a cell has another type than the array: often 1.5 among integers.
std::string advice_for(std::string_view cell, const cell_parser& parser) {
  const std::string advice = "check the delimiter=, header= and columns= of the file";
  const char decimal = parser.style().decimal;
  time_stamp stamp;
  if (parser.style().as_seconds)
    return "ISO 8601 has 2010-01, 2010-01-05 and 2010-01-05T12:30:00Z; correct the cell, or read "
           "it "
           "as characters";
  if (parser.type() == type_class::logical) return advice + "; T, F, true and false are logicals";
  if (parser.is_integer() && is_real(cell, decimal))
    return advice + ", or read it into a real array";
  if (parse_time_stamp(cell, stamp))
    return "tables read dates, as texts or with since= as seconds; " + advice;
  if (is_real(cell, decimal == '.' ? ',' : '.'))
    return advice + ", and its decimal=\"" + decimal + "\": the cell has the other sign";
  if (is_real(cell, {decimal, true}))
    return advice + "; an exponent has e or d here, edit=\"*\" reads the others, too";
  return advice + ", or read it as characters";
}

}  // namespace

status bad_cell(std::string_view cell, cell_state state, const cell_parser& parser,
                const std::string& place) {
  if (state == cell_state::empty)
    return status::failure(stat_code::missing_value, place + "a value is missing")
        .expected(parser.expected(), excerpt(cell))
        .advise(parser.is_integer() ? "missing=\"-1\" or another integer says what it becomes"
                : parser.type() == type_class::logical
                    ? "missing=\"F\" or \"T\" says what it becomes"
                    : "missing=\"nan\" reads it as NaN, missing= with a value as that");
  if (cell.find('\0') != std::string_view::npos) return bad_row(row_trouble::null_byte);
  if (state == cell_state::too_large)
    return status::failure(stat_code::number_out_of_range, place + "a number is out of range")
        .expected(parser.expected() + " of " + bytes_text(parser.elem_len()), excerpt(cell))
        .advise("read into a larger kind");
  if (state == cell_state::too_long)
    return status::failure(stat_code::number_out_of_range,
                           place + "the text " + excerpt(cell) + " is too long")
        .expected(parser.expected(), bytes_text(cell.size()))
        .advise("read into longer characters");
  if (state == cell_state::has_fraction)
    return status::failure(stat_code::number_out_of_range,
                           place + "a time has a fraction of a second")
        .expected("a time of whole seconds", excerpt(cell))
        .advise("read a real array");
  return status::failure(stat_code::bad_number, place + "a cell has another type than the array")
      .expected(parser.expected(), excerpt(cell))
      .advise(advice_for(cell, parser));
}

status bad_row(row_trouble kind, std::size_t expected, const std::string& found) {
  switch (kind) {
    case row_trouble::row_length:
      return status::failure(stat_code::row_length, "a row has the wrong number of columns")
          .expected(std::to_string(expected), found)
          .advise("check the delimiter= and that line: cells that hold the delimiter are quoted");
    case row_trouble::text_after_quote:
      return status::failure(stat_code::quote_unbalanced, "a quoted cell goes on after its quote")
          .advise("quotes inside a quoted cell are written twice");
    case row_trouble::open_quote:
      return status::failure(stat_code::quote_unbalanced, "a quote that begins here has no end")
          .advise(
              "close it, for numbers in its line; a header over several lines is left out with "
              "skip_rows= and header=\"no\"");
    case row_trouble::null_byte:
      return status::failure(stat_code::text_encoding, "the file has a null byte")
          .expected("text", "\"\\x00\"")
          .advise(
              "check that it is a text file; where a program was killed while it appended, the old "
              "rows end before the null byte");
    case row_trouble::lone_return:
      return status::failure(stat_code::text_encoding,
                             "lines end with carriage returns instead of line feeds")
          .advise("if it is a text file, convert it: tr '\\r' '\\n' < old > new");
    default:
      return status::failure(stat_code::line_too_long, "a row has 2 GiB or more")
          .advise("write it as several rows, or use a binary format");
  }
}

}  // namespace headrace
