#include "characters.hpp"

#include <algorithm>

#include "../core/buffer.hpp"
#include "../text/format.hpp"
#include "../text/read.hpp"
#include "table_file.hpp"

namespace headrace {
namespace {

// The first line if it holds a shape; nothing otherwise.
status find_shape_line(const std::string& file, std::string& line) {
  if (!is_regular_file(file)) return {};  // what is read from a pipe is gone
  text_input input;
  const char* text = nullptr;
  std::size_t bytes = 0;
  if (status s = input.open(file); !s.ok()) return s;
  status result = input.peek(shape_mark.size(), text, bytes);
  const std::string_view begin(text, bytes);
  if (begin.substr(0, shape_mark.size()) == shape_mark) line = begin.substr(0, begin.find('\n'));
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

// A cell of characters is its text: it is no number, and an empty one is not missing.
status check_options(const std::string& file, const read_settings& settings) {
  if (settings.text.number.empty() && settings.missing.empty()) return {};
  return no_meaning_for_characters(settings.text.number.empty() ? "missing" : "number")
      .in_file(file);
}

// Reads a whole file; stated receives the extents of a "# shape:" line.
status read_character_table(const std::string& file, const read_settings& settings,
                            data_table& table, std::vector<std::size_t>& stated) {
  std::string shape_line;
  if (status s = check_options(file, settings); !s.ok()) return s;
  if (status s = find_shape_line(file, shape_line); !s.ok()) return s;
  stated = stated_extents(shape_line);
  table_reading reading;
  reading.delimiter = settings.text.delimiter;
  reading.comment = settings.comment;
  reading.header = reading.any_header =
      settings.header == header_rule::yes || !settings.column_names.empty();
  reading.skip_rows = settings.skip_rows + (shape_line.empty() ? 0 : 1);
  reading.threads = settings.threads;
  return read_table(file, reading, table);
}

// The column of a table that is wanted as number c, from 0.
status find_wanted(const data_table& table, const read_settings& settings, std::size_t c,
                   std::size_t& index) {
  index = c;
  if (!settings.columns.empty()) return table.find(std::int64_t{settings.columns[c]}, index);
  return settings.column_names.empty() ? status() : table.find(settings.column_names[c], index);
}

status read_characters(const std::string& file, const array_view& array,
                       const read_settings& settings) {
  data_table table;
  std::vector<std::size_t> stated;
  if (status s = read_character_table(file, settings, table, stated); !s.ok()) return s;
  if (status s = check_stated_shape(file, array, settings, stated); !s.ok()) return s;
  const std::size_t columns =
      settings.column_count() == 0 ? table.columns().size() : settings.column_count();
  const text_matrix matrix(fitting_view(array, columns));
  const std::size_t rows = matrix.columns() == 0 ? 0 : matrix.rows();
  if (table.rows() != rows) return wrong_size(file, "rows", rows, table.rows());
  if (rows == 0) return {};
  if (columns != matrix.columns()) return wrong_size(file, "columns", matrix.columns(), columns);
  buffer tile;
  tile.reserve(byte_count(array).value_or(0));
  for (std::size_t c = 0; c < columns; ++c) {
    std::size_t index = c;
    if (status s = find_wanted(table, settings, c, index); !s.ok())
      return std::move(s).in_file_once(file);
    if (status s = table.get(index, {}, settings.threads, column_of(matrix, tile.data(), c));
        !s.ok())
      return s;
  }
  matrix.scatter(0, matrix.rows(), tile.data());
  return {};
}

status measure_characters(const std::string& file, const read_settings& settings,
                          text_extents& found) {
  data_table table;
  if (status s = read_character_table(file, settings, table, found.stated); !s.ok()) return s;
  found.rows = table.rows();
  found.columns = settings.column_count() == 0 ? table.columns().size() : settings.column_count();
  for (std::size_t c = 0; c < found.columns; ++c) {
    std::size_t index = c;
    if (status s = find_wanted(table, settings, c, index); !s.ok())
      return std::move(s).in_file_once(file);
    found.longest = std::max(found.longest, table.longest(index));
  }
  return {};
}

}  // namespace

status read_text_array(const std::string& file, const array_view& array,
                       const read_settings& settings) {
  const bool by_cells = array.type == type_class::character && settings.text.edit.empty();
  return by_cells ? read_characters(file, array, settings) : read_text(file, array, settings);
}

status measure_text(const std::string& file, const read_settings& settings, type_class type,
                    text_extents& found) {
  return type == type_class::character ? measure_characters(file, settings, found)
                                       : measure_rows(file, settings, type, found);
}

status fit_to_text(const std::string& file, const read_settings& settings, array_view& array) {
  text_extents found;
  if (status s = measure_text(file, settings, array.type, found); !s.ok()) return s;
  if (array.type == type_class::character) array.elem_len = std::max<std::size_t>(1, found.longest);
  return fit_to_extents(file, settings, std::move(found), array);
}

}  // namespace headrace
