// The hr_cells_ functions. Next: src/cells/cells.hpp.
#include "../cells/cells.hpp"

#include <algorithm>

#include "../cells/edit.hpp"
#include "../cells/file.hpp"
#include "../cells/format.hpp"
#include "texts.hpp"

namespace headrace {
namespace {

handle_registry<cell_array>& registry() {
  static handle_registry<cell_array> cells;
  return cells;
}

// Runs body(cells) with the object of a handle.
template <class Body>
int with_cells(hr_cells number, hr_error* error, Body body) noexcept {
  return guarded(error, [&] {
    std::shared_ptr<cell_array> cells;
    if (status s = open_handle(registry(), &number, false, "the cells", cells); !s.ok()) return s;
    return status(body(*cells));
  });
}

// Runs body(fresh cells); if it succeeds they take the place of the old ones.
template <class Body>
status fill(hr_cells* number, Body body) {
  std::shared_ptr<cell_array> cells;
  if (number != nullptr && *number != 0)
    if (status s = open_handle(registry(), number, false, "the cells", cells); !s.ok()) return s;
  // The old texts go first: both together may be more than the memory.
  if (cells) *cells = cell_array();
  cell_array fresh;
  if (status s = body(fresh); !s.ok()) return s;
  if (!cells)
    if (status s = open_handle(registry(), number, true, "the cells", cells); !s.ok()) return s;
  *cells = std::move(fresh);
  return {};
}

row_rule to_rule(const hr_separators* separators) {
  row_rule rule;
  if (separators == nullptr) return rule;
  if (separators->column != nullptr && separators->column_length > 0)
    rule.column_separator.assign(separators->column, separators->column_length);
  if (separators->row != nullptr && separators->row_length > 0)
    rule.row_separator.assign(separators->row, separators->row_length);
  return rule;
}

status check_place(const cell_array& cells, std::int64_t row, std::int64_t column) {
  if (row >= 1 && column >= 1 && static_cast<std::size_t>(row) <= cells.rows() &&
      static_cast<std::size_t>(column) <= cells.columns())
    return {};
  return status::failure(stat_code::argument_invalid, "there is no cell at row " +
                                                          std::to_string(row) + ", column " +
                                                          std::to_string(column))
      .advise("there are " + std::to_string(cells.rows()) + " rows and " +
              std::to_string(cells.columns()) + " columns");
}

status wrong_shape(stat_code code, const char* what, std::size_t cells, std::size_t array) {
  return status::failure(code, std::string("the array does not fit the ") + what + " of the cells")
      .expected(std::to_string(cells), std::to_string(array))
      .advise("ask row_count(cells) and column_count(cells), or say where to begin");
}

// The cells that fill an array of so many rows and columns. row, column: from 1, 0: all of them.
status find_range(const cell_array& cells, std::int64_t row, std::int64_t column, std::size_t rows,
                  std::size_t columns, cell_range& range) {
  range = {static_cast<std::size_t>(std::max<std::int64_t>(row, 1) - 1), rows,
           static_cast<std::size_t>(std::max<std::int64_t>(column, 1) - 1), columns};
  if (rows == 0 || columns == 0)
    return cells.rows() == 0 || row > 0 || column > 0
               ? status()
               : wrong_shape(stat_code::row_count, "rows", cells.rows(), rows);
  const std::size_t rows_left = cells.rows() - std::min(range.first_row, cells.rows());
  const std::size_t columns_left = cells.columns() - std::min(range.first_column, cells.columns());
  if (row < 0 || rows > rows_left || (row == 0 && rows != rows_left))
    return wrong_shape(stat_code::row_count, "rows", rows_left, rows);
  if (column < 0 || columns > columns_left || (column == 0 && columns != columns_left))
    return wrong_shape(stat_code::row_length, "columns", columns_left, columns);
  return {};
}

void shape_of(const array_view& array, std::size_t& rows, std::size_t& columns) {
  const std::size_t count = element_count(array).value_or(0);
  const auto first = static_cast<std::size_t>(array.array_rank == 0 ? 1 : array.extent[0]);
  rows = array.array_rank <= 2 ? first : (first == 0 ? 0 : count / first);
  columns = array.array_rank <= 1   ? 1
            : array.array_rank == 2 ? static_cast<std::size_t>(array.extent[1])
                                    : first;
}

}  // namespace
}  // namespace headrace

using namespace headrace;

extern "C" int hr_cells_put(hr_cells* cells, const hr_array* array, const hr_text_style* style,
                            int append, hr_error* error) {
  return guarded(error, [&] {
    array_view view;
    value_style chosen;
    if (status s = checked_view(array, view); !s.ok()) return s;
    if (status s = to_value_style(style, chosen); !s.ok()) return s;
    if (status s = check_value_style(chosen, view.type, view.elem_len); !s.ok()) return s;
    const auto format = [&](cell_array& target) {
      return append_cells(view, chosen, threads_of(style), target);
    };
    if (append == 0) return fill(cells, format);
    std::shared_ptr<cell_array> old;
    if (status s = open_handle(registry(), cells, true, "the cells", old); !s.ok()) return s;
    return format(*old);
  });
}

extern "C" int hr_cells_get(hr_cells cells, const hr_array* array, int64_t row, int64_t column,
                            const hr_text_style* style, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    array_view view;
    parse_style chosen;
    if (status s = checked_view(array, view); !s.ok()) return s;
    if (status s = to_parse_style(style, chosen); !s.ok()) return s;
    std::size_t rows = 0;
    std::size_t columns = 0;
    shape_of(view, rows, columns);
    cell_range range;
    if (status s = find_range(object, row, column, rows, columns, range); !s.ok()) return s;
    return parse_cells(object, range, chosen, threads_of(style), view);
  });
}

extern "C" int hr_cells_read(const char* file, hr_cells* cells, const hr_separators* separators,
                             hr_error* error) {
  return guarded(error, [&] {
    return fill(cells, [&](cell_array& fresh) {
      cell_reading reading;
      reading.rule = to_rule(separators);
      std::vector<std::string> names;
      return read_cells(string_of(file), reading, fresh, names);
    });
  });
}

extern "C" int hr_cells_write(const char* file, hr_cells cells, const hr_separators* separators,
                              int append, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    const row_rule rule = to_rule(separators);
    return write_cells(string_of(file), object,
                       {rule.column_separator, rule.row_separator, append != 0});
  });
}

extern "C" int hr_cells_shape(hr_cells cells, int64_t* rows, int64_t* columns, int64_t* bytes,
                              hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    if (rows != nullptr) *rows = static_cast<int64_t>(object.rows());
    if (columns != nullptr) *columns = static_cast<int64_t>(object.columns());
    if (bytes != nullptr) *bytes = static_cast<int64_t>(object.bytes());
    return status();
  });
}

extern "C" int hr_cells_text(hr_cells cells, int64_t row, int64_t column, hr_text* text,
                             hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    if (status s = check_place(object, row, column); !s.ok()) return s;
    std::string scratch;
    deliver_text(object.text(static_cast<std::size_t>(row) - 1,
                             static_cast<std::size_t>(column) - 1, scratch),
                 text);
    return status();
  });
}

extern "C" int hr_cells_set(hr_cells cells, int64_t row, int64_t column, const char* text,
                            size_t length, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    if (status s = check_place(object, row, column); !s.ok()) return s;
    return set_cell(object, static_cast<std::size_t>(row) - 1, static_cast<std::size_t>(column) - 1,
                    view_of_text(text, length));
  });
}

extern "C" int hr_cells_split(hr_cells* cells, const char* text, size_t length,
                              const char* separator, size_t separator_length, hr_error* error) {
  return guarded(error, [&] {
    return fill(cells, [&](cell_array& fresh) {
      return split_text(view_of_text(text, length), view_of_text(separator, separator_length),
                        fresh);
    });
  });
}

extern "C" int hr_cells_join(hr_cells cells, const char* separator, size_t separator_length,
                             hr_text* text, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    deliver_text(join_cells(object, view_of_text(separator, separator_length)), text);
    return status();
  });
}

extern "C" int hr_cells_replace(hr_cells cells, const char* match, size_t match_length,
                                const char* by, size_t by_length, int back, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    const std::string_view wanted = view_of_text(match, match_length);
    const std::string_view other = view_of_text(by, by_length);
    return edit_cells(
        object,
        [&](std::string_view cell, std::string& text) {
          text += replace_all(cell, wanted, other, back != 0);
        },
        0);
  });
}

extern "C" int hr_cells_trim(hr_cells cells, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    return edit_cells(
        object, [](std::string_view cell, std::string& text) { text += trimmed(cell); }, 0);
  });
}

extern "C" int hr_cells_push(hr_cells cells, const char* text, size_t length, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    const std::string_view tail = view_of_text(text, length);
    return edit_cells(
        object, [&](std::string_view cell, std::string& out) { out.append(cell).append(tail); }, 0);
  });
}

extern "C" int hr_cells_repeat(hr_cells cells, int64_t copies, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    return edit_cells(
        object,
        [&](std::string_view cell, std::string& out) {
          for (int64_t i = 0; i < copies && out.size() <= largest_block_text; ++i) out += cell;
        },
        0);
  });
}

extern "C" int hr_cells_count(hr_cells cells, const char* match, size_t match_length,
                              int64_t* count, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    const std::uint64_t found = count_in_cells(object, view_of_text(match, match_length));
    if (count != nullptr) *count = static_cast<int64_t>(found);
    return status();
  });
}

extern "C" int hr_cells_equal(hr_cells left, hr_cells right, int* equal, hr_error* error) {
  return with_cells(left, error, [&](cell_array& first) {
    std::shared_ptr<cell_array> second;
    if (status s = open_handle(registry(), &right, false, "the cells", second); !s.ok()) return s;
    if (equal != nullptr) *equal = equal_cells(first, *second) ? 1 : 0;
    return status();
  });
}

extern "C" int hr_cells_print(hr_cells cells, hr_text* text, hr_error* error) {
  return with_cells(cells, error, [&](cell_array& object) {
    deliver_text(print_cells(object), text);
    return status();
  });
}

extern "C" int hr_cells_close(hr_cells* cells, hr_error* error) {
  return guarded(error, [&] { return close_handle(registry(), cells, "the cells"); });
}
