// Arrays of characters from text files: cells may be quoted and go over lines, so that a table
// reads them. Next: table_file.hpp.
#include "../core/buffer.hpp"
#include "table_file.hpp"
#include "text_read.hpp"

namespace headrace {
namespace {

status has_shape_line(const std::string& file, bool& found) {
  found = false;
  if (!is_regular_file(file)) return {};  // what is read from a pipe is gone
  text_input input;
  const char* text = nullptr;
  std::size_t bytes = 0;
  if (status s = input.open(file); !s.ok()) return s;
  status result = input.peek(1, text, bytes);
  found = std::string_view(text, bytes).substr(0, shape_mark.size()) == shape_mark;
  return result;
}

status wrong_size(const std::string& file, const char* what, std::size_t expected,
                  std::size_t found) {
  return status::failure(stat_code::row_count, "the file does not fit the array")
      .expected(std::to_string(expected) + " " + what, std::to_string(found))
      .in_file(file)
      .advise("read into an array with the rows and columns of the file");
}

// A column of the row-major tile.
array_view column_of(const text_matrix& matrix, char* tile, std::size_t column) {
  const std::size_t elem_len = matrix.array().elem_len;
  array_view view{tile + column * elem_len, elem_len, type_class::character, 1};
  view.extent[0] = static_cast<std::ptrdiff_t>(matrix.rows());
  view.stride[0] = static_cast<std::ptrdiff_t>(matrix.columns() * elem_len);
  return view;
}

}  // namespace

status read_text_characters(const std::string& file, const array_view& array,
                            const read_settings& settings) {
  bool shaped = false;
  if (status s = has_shape_line(file, shaped); !s.ok()) return s;
  table_reading reading;
  reading.delimiter = settings.text.delimiter;
  reading.comment = settings.comment;
  reading.header = settings.header == header_rule::yes;
  reading.skip_rows = settings.skip_rows + (shaped ? 1 : 0);
  reading.threads = settings.threads;
  data_table table;
  if (status s = read_table(file, reading, table); !s.ok()) return s;
  const std::size_t columns =
      settings.columns.empty() ? table.columns().size() : settings.columns.size();
  const text_matrix matrix(fitting_view(array, columns));
  const std::size_t rows = matrix.columns() == 0 ? 0 : matrix.rows();
  if (table.rows() != rows) return wrong_size(file, "rows", rows, table.rows());
  if (rows == 0) return {};
  if (columns != matrix.columns()) return wrong_size(file, "columns", matrix.columns(), columns);
  buffer tile;
  tile.reserve(byte_count(array).value_or(0));
  for (std::size_t c = 0; c < columns; ++c) {
    std::size_t index = c;
    if (!settings.columns.empty())
      if (status s = table.find(std::int64_t{settings.columns[c]}, index); !s.ok())
        return std::move(s).in_file_once(file);
    if (status s = table.get(index, {}, settings.threads, column_of(matrix, tile.data(), c));
        !s.ok())
      return s;
  }
  matrix.scatter(0, matrix.rows(), tile.data());
  return {};
}

}  // namespace headrace
