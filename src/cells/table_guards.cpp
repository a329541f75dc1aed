#include "table_guards.hpp"

#include <algorithm>
#include <cstdlib>

#include "../core/name_text.hpp"
#include "../text/header.hpp"
#include "../text/kernels/parse_one.hpp"
#include "../text/times.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_cells_seen = 1000;  // of a column, to find one that is not empty
constexpr int first_year = 1800;
constexpr int last_year = 2200;

bool is_number(std::string_view text, char decimal) noexcept {
  double value = 0;
  const bool has_digit = text.find_first_of("0123456789") != std::string_view::npos;
  return has_digit &&
         parse_real(text.data(), text.data() + text.size(), decimal, value) == field_state::good;
}

bool is_empty(std::string_view text) noexcept {
  return trimmed(text).empty();
}

// Empty, or what stands for a missing value somewhere.
bool has_no_value(std::string_view text) noexcept {
  return is_empty(text) || is_missing(text) || is_lost_value(text);
}

enum cell_kind : unsigned {
  no_kind = 0,
  number_kind = 1,
  time_kind = 2,
  logical_kind = 4,
  text_kind = 8,
};

cell_kind kind_of(std::string_view text, char decimal) noexcept {
  text = trimmed(text);
  if (has_no_value(text)) return no_kind;
  if (is_number(text, decimal)) return number_kind;
  time_stamp stamp;
  if (parse_time_stamp(text, stamp)) return time_kind;
  bool truth = false;
  return parse_logical_word(text.data(), text.data() + text.size(), truth) == field_state::good
             ? logical_kind
             : text_kind;
}

// Calls visit(text) for the first cells of a column until it returns false.
template <class Visit>
void for_first_cells(const cell_array& cells, std::size_t column, std::size_t most, Visit visit) {
  std::string scratch;
  for (std::size_t row = 0; row < std::min(most, cells.rows()); ++row)
    if (!visit(cells.text(row, column, scratch))) return;
}

// The first cell below a name that has a value.
std::string first_value(const cell_column& column, const missing_texts& missing) {
  std::string found;
  for_first_cells(*column.cells, column.number, most_cells_seen, [&](std::string_view text) {
    if (has_no_value(text) || missing.is_text(text)) return true;
    found = trimmed(text);
    return false;
  });
  return found;
}

bool is_year(std::string_view text) noexcept {
  if (text.size() != 4 || text.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  const int year = std::atoi(std::string(text).c_str());
  return year >= first_year && year <= last_year;
}

// At least two years in equal steps, above cells that are none: a table with a column a year.
bool are_years(const cell_columns& cells, const missing_texts& missing) {
  const std::vector<std::string>& names = cells.names.cells;
  std::vector<int> years;
  bool years_below = true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (kind_of(names[i], '.') != number_kind) continue;
    if (!is_year(names[i])) return false;
    years.push_back(std::atoi(names[i].c_str()));
    years_below = years_below && is_year(first_value(cells.columns[i], missing));
  }
  if (years.size() < 2 || years_below) return false;
  const int step = years[1] - years[0];
  for (std::size_t i = 1; i < years.size(); ++i)
    if (step == 0 || years[i] - years[i - 1] != step) return false;
  return true;
}

status first_row_is_data(const std::string& cell, const std::string& below) {
  return status::failure(
             stat_code::column_unknown,
             "the first row is data, not names of columns" +
                 (below.empty() ? "" : ": below " + shown(cell) + " is " + shown(below)))
      .expected("names", shown(cell))
      .advise("say header=\"no\" if the file has no names, \"yes\" if these are names");
}

// The first cell if all of them are empty or hold what stands for a missing value.
const std::string* first_of_empty_row(const std::vector<std::string>& cells,
                                      const missing_texts& missing) {
  const auto is_none = [&](const std::string& cell) {
    return has_no_value(cell) || missing.is_text(cell);
  };
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), is_none) ? &cells.front()
                                                                            : nullptr;
}

std::string kind_text(unsigned kinds) {
  if (kinds == number_kind) return "numbers";
  if (kinds == time_kind) return "dates";
  return kinds == logical_kind ? "logicals" : "texts";
}

// The first cells of a column: of the file, or of the table.
struct seen_cells {
  unsigned kinds = 0;
  std::string numbers_with[2];  // the first with a decimal point, and with a comma
  std::string first;
  std::string first_text;  // that is no number

  void add(std::string_view text) {
    const cell_kind with_point = kind_of(text, '.');
    const cell_kind with_comma = kind_of(text, ',');
    const bool is_any_number = with_point == number_kind || with_comma == number_kind;
    const unsigned kind = is_any_number ? unsigned{number_kind} : unsigned{with_point};
    if (kind == 0) return;
    kinds |= kind;
    if (first.empty()) first = text;
    if (!is_any_number && first_text.empty()) first_text = text;
    if (is_any_number && with_point != with_comma)
      numbers_with[with_point == number_kind ? 0 : 1] = text;
  }
};

class appended_cells_check {
 public:
  appended_cells_check(const file_beginning& beginning, const data_table& table, char delimiter,
                       char quote)
      : rows_(beginning, row_rule::of_text(delimiter, quote)), table_(table) {}

  status run(bool named) {
    const std::size_t columns = table_.columns().size();
    std::vector<std::vector<std::string>> rows;
    decoded_row row;
    while (rows_.next(row)) rows.push_back(std::move(row.cells));
    // Without names of ours the first row may have others.
    const bool skips = named || rows.size() > 1;
    const auto is_gone = [&](std::string_view text) {
      return table_.missing.stands_for_none(text);
    };
    for (std::size_t i = 0; i < columns; ++i) {
      seen_cells old;
      for (std::size_t k = skips ? 1 : 0; k < rows.size(); ++k)
        if (rows[k].size() == columns && !is_gone(rows[k][i])) old.add(rows[k][i]);
      if (!skips && old.kinds == text_kind) continue;  // a name, perhaps
      if (status s = compare(table_.columns()[i], old, named, is_gone); !s.ok()) return s;
    }
    return {};
  }

 private:
  // is_gone: a cell is a missing value of the table.
  template <class Gone>
  static status compare(const data_table::column& column, const seen_cells& old, bool named,
                        const Gone& is_gone) {
    seen_cells fresh;
    for_first_cells(*column.cells, column.number, most_cells_seen, [&](std::string_view text) {
      if (!is_gone(text)) fresh.add(text);
      return true;
    });
    if (old.kinds == 0 || fresh.kinds == 0) return {};
    const auto differ = [&](const std::string& expected, const std::string& found) {
      return status::failure(stat_code::bad_number,
                             "the rows do not fit column " + shown(column.name) + " of the file")
          .expected(expected + " such as " + shown(old.first), shown(found))
          .advise("append columns of the types of the file, with its delimiter= and decimal=");
    };
    for (const int sign : {0, 1}) {
      const bool one_sign = old.numbers_with[1 - sign].empty() && !old.numbers_with[sign].empty();
      if (one_sign && !fresh.numbers_with[1 - sign].empty() && fresh.numbers_with[sign].empty() &&
          old.kinds == number_kind)
        return differ(sign == 0 ? "numbers with the decimal sign \".\""
                                : "numbers with the decimal sign \",\"",
                      fresh.numbers_with[1 - sign]);
    }
    // Identifiers, of which the file has only some of digits: 007 and A07.
    const bool has_digit = fresh.first_text.find_first_of("0123456789") != std::string::npos;
    const bool identifiers = named && has_digit && fresh.kinds == text_kind &&
                             old.kinds == number_kind && old.numbers_with[0].empty() &&
                             old.numbers_with[1].empty();
    if (identifiers) return {};
    if ((old.kinds == number_kind || old.kinds == time_kind) && (fresh.kinds & ~old.kinds) != 0)
      return differ(kind_text(old.kinds),
                    old.kinds == number_kind ? fresh.first_text : fresh.first);
    const bool numbers = column.of_numbers && fresh.kinds == number_kind;
    if (numbers && (old.kinds & number_kind) == 0) return differ(kind_text(old.kinds), fresh.first);
    return {};
  }

  beginning_rows rows_;
  const data_table& table_;
};

// Of a cell of the first row, or below it: complex numbers are numbers.
cell_kind kind_of_name(std::string_view text, const data_table& table) {
  if (look_of_cell(text, table.decimal, table.missing) == cell_look::number) return number_kind;
  return kind_of(text, table.decimal);
}

bool are_logicals(const std::string& name, const std::string& below) noexcept {
  return kind_of(name, '.') == logical_kind && kind_of(below, '.') == logical_kind;
}

quotes_say quotes_of(const cell_columns& cells, const data_table& table, char delimiter) {
  std::vector<cell_look> looks;
  for (const std::string& name : cells.names.cells)
    looks.push_back(look_of_cell(name, table.decimal, table.missing));
  decoded_row below;
  std::string scratch;
  for (const cell_column& column : cells.columns) {
    const cell_array& array = *column.cells;
    if (array.rows() == 0) break;
    const std::size_t i = below.cells.size();
    below.cells.emplace_back(array.text(0, column.number, scratch));
    below.quoted.push_back(is_quoted(array.blocks()[0].raw(column.number), array.decoding.quote));
    if (are_logicals(cells.names.cells[i], below.cells[i])) looks[i] = cell_look::number;
  }
  return what_quotes_say(cells.names, looks, below, delimiter);
}

}  // namespace

status check_table_header(const cell_columns& cells, const data_table& table, char delimiter) {
  const std::vector<std::string>& names = cells.names.cells;
  if (quotes_of(cells, table, delimiter) == quotes_say::names) return {};
  if (const std::string* empty = first_of_empty_row(names, table.missing); empty != nullptr)
    return first_row_is_data(*empty, "");
  if (are_all_same(names)) return first_row_is_data(names.front(), "");
  std::size_t texts = 0;
  const std::string* data = nullptr;
  bool certain = false;
  std::string value_below;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (has_no_value(name) || table.missing.is_text(name)) {
      if (data == nullptr && is_lost_value(name)) data = &name;
      continue;
    }
    const cell_column& column = cells.columns[i];
    const std::string below = first_value(column, table.missing);
    const cell_kind kind = kind_of_name(name, table);
    const cell_kind kind_below = below.empty() ? no_kind : kind_of_name(below, table);
    const bool alone = column.cells->rows() == 0;
    const bool is_data =
        kind == logical_kind ? below.empty() || kind_below == kind : kind != text_kind;
    texts += is_data ? 0 : 1;
    if (!is_data) continue;
    if (data == nullptr) data = &name;
    if (certain) continue;
    certain = (kind == number_kind && name.find(table.decimal) != std::string::npos) ||
              (kind != logical_kind && (alone || kind_below == kind));
    if (!certain) continue;
    data = &name;
    if (kind_below == kind) value_below = below;
  }
  if (data == nullptr || (texts > 0 && !certain)) return {};
  if (texts > 0 && !value_below.empty() && are_years(cells, table.missing)) return {};
  return first_row_is_data(*data, value_below);
}

status check_appended_cells(const file_beginning& beginning, const data_table& table,
                            char delimiter, char quote, bool named) {
  return appended_cells_check(beginning, table, delimiter, quote).run(named);
}

}  // namespace headrace
