#include "shape.hpp"

#include <algorithm>
#include <charconv>

#include "missing.hpp"
#include "read.hpp"

namespace headrace {
namespace {

status no_fit(const std::string& file, const std::string& what, const std::string& expected,
              const std::string& found, const char* advice) {
  return status::failure(stat_code::row_count, what)
      .expected(expected, found)
      .in_file(file)
      .advise(advice);
}

std::string rows_and_columns(const text_extents& found) {
  return std::to_string(found.rows) + " rows and " + std::to_string(found.columns) + " columns";
}

template <class Extents>
std::string shape_text(const Extents& extents, std::size_t count) {
  std::string text = "the shape";
  for (std::size_t d = 0; d < count; ++d) text += " " + std::to_string(extents[d]);
  return text;
}

// Of array rank 0.
status fit_value(const std::string& file, const text_extents& found) {
  if (found.rows == 1 && found.columns == 1) return {};
  return no_fit(file, "the file does not fit a scalar", "one value", rows_and_columns(found),
                "load it into an array of rank 1 or 2");
}

// Of array rank 1.
status fit_line(const std::string& file, const text_extents& found, array_view& array) {
  if (found.columns != 1 && found.rows > 1)
    return no_fit(file, "the file does not fit an array of rank 1", "one column or one row",
                  rows_and_columns(found),
                  "load it into an array of rank 2, or choose a column with columns=");
  array.extent[0] = static_cast<std::ptrdiff_t>(
      found.columns == 1 || found.rows == 0 ? found.rows : found.columns);
  return {};
}

// With columns= the first extent is the number of those.
void choose_columns(const read_settings& settings, std::vector<std::size_t>& stated) {
  if (settings.column_count() > 0 && !stated.empty()) stated[0] = settings.column_count();
}

// Of values that show which rows a file has.
std::size_t length_to_measure(type_class type) noexcept {
  return type == type_class::complex ? 16 : 8;
}

bool holds_rows(const text_extents& found) {
  std::uint64_t rows = 1;
  for (std::size_t d = 1; d < found.stated.size(); ++d)
    if (__builtin_mul_overflow(rows, found.stated[d], &rows)) return false;
  if (rows == 0 || found.stated[0] == 0) return found.rows == 0;
  return found.rows == rows && found.columns == found.stated[0];
}

// Of array rank 3 and more.
status fit_stated(const std::string& file, const read_settings& settings, text_extents& found,
                  array_view& array) {
  const auto rank = static_cast<std::size_t>(array.array_rank);
  const std::string wanted = "an array of rank " + std::to_string(rank);
  if (found.stated.empty())
    return no_fit(file, "the file states no shape for " + wanted,
                  "a first line such as \"# shape: 2 3 4\"", rows_and_columns(found),
                  "load it into an array of rank 2, or read_array into one of known shape");
  choose_columns(settings, found.stated);
  const std::string shape = shape_text(found.stated, found.stated.size());
  if (found.stated.size() != rank)
    return no_fit(file, "the file holds an array of another array rank", wanted, shape,
                  "load it into an array of that rank");
  if (!holds_rows(found))
    return no_fit(file, "the file does not hold the shape that it states", shape,
                  rows_and_columns(found), "correct its first line, or load it as array rank 2");
  std::copy(found.stated.begin(), found.stated.end(), array.extent.begin());
  return {};
}

}  // namespace

std::vector<std::size_t> stated_extents(std::string_view shape_line) {
  std::vector<std::size_t> extents;
  const char* at = shape_line.data() + std::min(shape_mark.size(), shape_line.size());
  const char* const end = shape_line.data() + shape_line.size();
  for (;;) {
    while (at < end && (*at == ' ' || *at == '\r')) ++at;
    if (at == end) return extents;
    std::ptrdiff_t extent = 0;
    const auto [behind, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || extent < 0) return {};
    if (extents.size() == static_cast<std::size_t>(max_array_rank)) return {};
    extents.push_back(static_cast<std::size_t>(extent));
    at = behind;
  }
}

status check_stated_shape(const std::string& file, const array_view& array,
                          const read_settings& settings, std::vector<std::size_t> stated) {
  if (array.array_rank <= 2 || stated.empty()) return {};
  choose_columns(settings, stated);
  const std::string expected = shape_text(array.extent, static_cast<std::size_t>(array.array_rank));
  const std::string found = shape_text(stated, stated.size());
  if (expected == found) return {};
  return no_fit(file, "the file does not fit the array", expected, found,
                "read into an array with the shape of the file");
}

status measure_rows(const std::string& file, const read_settings& settings, type_class type,
                    text_extents& found) {
  text_row_reader reader;
  if (status s = reader.open(file, settings); !s.ok()) return s;
  if (status s = reader.begin(type, length_to_measure(type)); !s.ok()) return s;
  if (status s = reader.count_rest(found.rows); !s.ok()) return s;
  found.columns = reader.columns();
  found.stated = reader.shape();
  return reader.check_unchanged();
}

status read_column_names(const std::string& file, const read_settings& settings, type_class type,
                         std::vector<std::string>& names) {
  const bool characters = type == type_class::character;
  read_settings chosen = settings;
  // Values are not read: what missing ones become need not fit their type.
  const char decimal = settings.text.decimal;
  chosen.missing = characters ? "" : "error";
  for (const std::string& text : parse_missing(settings.missing, decimal).texts)
    if (!characters) chosen.missing += (decimal == ',' ? ";" : ",") + text;
  if (characters && chosen.header == header_rule::automatic && chosen.column_names.empty())
    chosen.header = header_rule::no;  // as tables of characters
  text_row_reader reader;
  if (status s = reader.open(file, chosen); !s.ok()) return s;
  if (status s = reader.begin(characters ? type_class::real : type, length_to_measure(type));
      !s.ok())
    return s;
  return reader.names(names);
}

status fit_to_extents(const std::string& file, const read_settings& settings, text_extents found,
                      array_view& array) {
  if (array.array_rank == 0) return fit_value(file, found);
  if (array.array_rank == 1) return fit_line(file, found, array);
  if (array.array_rank > 2) return fit_stated(file, settings, found, array);
  array.extent[0] = static_cast<std::ptrdiff_t>(found.rows);
  array.extent[1] = static_cast<std::ptrdiff_t>(found.columns);
  return {};
}

}  // namespace headrace
