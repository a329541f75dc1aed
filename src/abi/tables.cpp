// The hr_table_ functions. Next: src/cells/table.hpp, src/cells/table_file.hpp.
#include "../cells/table_file.hpp"
#include "formats.hpp"
#include "texts.hpp"

namespace headrace {
namespace {

handle_registry<data_table>& registry() {
  static handle_registry<data_table> tables;
  return tables;
}

// Runs body(table) with the object of a handle.
template <class Body>
int with_table(hr_table number, hr_error* error, Body body) noexcept {
  return guarded(error, [&] {
    std::shared_ptr<data_table> table;
    if (status s = open_handle(registry(), &number, false, "the table", table); !s.ok()) return s;
    return status(body(*table));
  });
}

// Runs body(table, index of a column).
template <class Body>
int with_column(hr_table number, const char* name, std::int64_t column, hr_error* error,
                Body body) noexcept {
  return with_table(number, error, [&](data_table& table) {
    std::size_t index = 0;
    status found = name == nullptr ? table.find(column, index) : table.find(name, index);
    return found.ok() ? status(body(table, index)) : found;
  });
}

// As arrays have it: the ending of the file tells.
char usual_delimiter(const std::string& file, char decimal) {
  const format* const found = format_by_ending(file);
  const char usual = found != nullptr && found->is_text ? found->delimiter : ',';
  return usual == ',' && decimal == ',' ? ';' : usual;
}

hr_table_options completed(const hr_table_options* options, const std::string& file) {
  hr_table_options chosen = options == nullptr ? hr_table_options{} : *options;
  if (chosen.decimal == '\0') chosen.decimal = '.';
  if (chosen.delimiter == '\0') chosen.delimiter = usual_delimiter(file, chosen.decimal);
  if (chosen.quote == '\0') chosen.quote = '"';
  if (chosen.no_quotes != 0) chosen.quote = '\0';
  return chosen;
}

status check_decimal(char decimal) {
  if (decimal == '.' || decimal == ',') return {};
  return status::failure(stat_code::option_unknown,
                         std::string("there is no decimal=\"") + decimal + "\"")
      .advise("known are \".\" and \",\"");
}

}  // namespace
}  // namespace headrace

using namespace headrace;

extern "C" int hr_table_read(const char* file, hr_table* table, const hr_table_options* options,
                             hr_error* error) {
  return guarded(error, [&] {
    std::shared_ptr<data_table> old;
    if (table != nullptr && *table != 0)
      if (status s = open_handle(registry(), table, false, "the table", old); !s.ok()) return s;
    const hr_table_options chosen = completed(options, string_of(file));
    if (status s = check_decimal(chosen.decimal); !s.ok()) return s;
    if (old) *old = data_table();
    data_table fresh;
    const table_reading reading{
        chosen.delimiter,      chosen.quote,           chosen.comment,   chosen.decimal,
        chosen.no_header == 0, chosen.any_header != 0, chosen.skip_rows, string_of(chosen.missing),
        chosen.threads};
    if (status s = read_table(string_of(file), reading, fresh); !s.ok()) return s;
    if (!old)
      if (status s = open_handle(registry(), table, true, "the table", old); !s.ok()) return s;
    *old = std::move(fresh);
    return status();
  });
}

extern "C" int hr_table_write(const char* file, hr_table table, const hr_table_options* options,
                              hr_error* error) {
  return with_table(table, error, [&](data_table& object) {
    const hr_table_options chosen = completed(options, string_of(file));
    if (status s = check_decimal(chosen.decimal); !s.ok()) return s;
    return write_table(string_of(file), object,
                       {chosen.delimiter, chosen.quote, chosen.no_header == 0,
                        chosen.any_header != 0, chosen.append != 0, chosen.threads, chosen.level,
                        options == nullptr ? '\0' : options->decimal});
  });
}

extern "C" int hr_table_get(hr_table table, const char* name, int64_t number, const hr_array* array,
                            const hr_text_style* style, hr_error* error) {
  return with_column(table, name, number, error, [&](data_table& object, std::size_t index) {
    array_view view;
    parse_style chosen;
    if (status s = checked_view(array, view); !s.ok()) return s;
    hr_text_style of_file = style == nullptr ? hr_text_style{} : *style;
    const char decimal[] = {object.decimal, '\0'};
    if (string_of(of_file.decimal).empty()) of_file.decimal = decimal;
    if (status s = to_parse_style(&of_file, chosen); !s.ok()) return s;
    return object.get(index, chosen, threads_of(style), view);
  });
}

extern "C" int hr_table_put(hr_table* table, const char* name, const hr_array* array,
                            const hr_text_style* style, hr_error* error) {
  return guarded(error, [&] {
    array_view view;
    value_style chosen;
    if (status s = checked_view(array, view); !s.ok()) return s;
    if (status s = to_value_style(style, chosen); !s.ok()) return s;
    if (style == nullptr || style->imaginary == nullptr) chosen.imaginary = "j";
    if (status s = check_value_style(chosen, view.type, view.elem_len); !s.ok()) return s;
    std::shared_ptr<data_table> object;
    if (status s = open_handle(registry(), table, true, "the table", object); !s.ok()) return s;
    return object->put(string_of(name), chosen, threads_of(style), view);
  });
}

extern "C" int hr_table_shape(hr_table table, int64_t* rows, int64_t* columns, hr_error* error) {
  return with_table(table, error, [&](data_table& object) {
    if (rows != nullptr) *rows = static_cast<int64_t>(object.rows());
    if (columns != nullptr) *columns = static_cast<int64_t>(object.columns().size());
    return status();
  });
}

extern "C" int hr_table_column_name(hr_table table, int64_t number, hr_text* name,
                                    hr_error* error) {
  return with_column(table, nullptr, number, error, [&](data_table& object, std::size_t index) {
    deliver_text(object.columns()[index].name, name);
    return status();
  });
}

extern "C" int hr_table_column_type(hr_table table, const char* name, int64_t number, hr_text* type,
                                    hr_error* error) {
  return with_column(table, name, number, error, [&](data_table& object, std::size_t index) {
    deliver_text(object.type_of(index), type);
    return status();
  });
}

extern "C" int hr_table_column_length(hr_table table, const char* name, int64_t number,
                                      int64_t* length, hr_error* error) {
  return with_column(table, name, number, error, [&](data_table& object, std::size_t index) {
    if (length != nullptr) *length = static_cast<int64_t>(object.longest(index));
    return status();
  });
}

extern "C" int hr_table_close(hr_table* table, hr_error* error) {
  return guarded(error, [&] { return close_handle(registry(), table, "the table"); });
}
