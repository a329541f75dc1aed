#include "header.hpp"

#include <algorithm>

#include "../core/blanks.hpp"
#include "kernels/parse_one.hpp"
#include "times.hpp"

namespace headrace {
namespace {

constexpr std::string_view marks = "#%!/";  // alone they begin lines that other programs skip
constexpr std::string_view before_numbers = "([{<>=~$ ";  // (1.5, <2e-3

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool begins_number(char c) noexcept {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == ',';
}

// Unquoted it would be no part of the name, or of no cell where # begins comments.
bool has_mark(std::string_view name) noexcept {
  return name.find('#') != std::string_view::npos || name.substr(0, 1) == "%" || name == "!" ||
         name == "//";
}

bool is_comment_mark(std::string_view cell) noexcept {
  return cell == "//" || (cell.size() == 1 && marks.find(cell[0]) != std::string_view::npos);
}

// As many digits as the bits of a value have.
bool has_digits_of_value(std::string_view cell) noexcept {
  const std::size_t digits = cell.size();
  return digits == 2 || digits == 4 || digits == 8 || digits == 16 || digits == 32;
}

cell_look look_of_text(std::string_view cell) noexcept {
  time_stamp stamp;
  if (cell.find('\0') != std::string_view::npos) return cell_look::other;
  if (is_comment_mark(cell)) return cell_look::name;
  if (is_lost_value(cell)) return cell_look::other;
  if (parse_time_stamp(cell, stamp)) return cell_look::perhaps_name;
  if (std::none_of(cell.begin(), cell.end(), is_letter)) return cell_look::other;
  const std::size_t first = cell.find_first_not_of(before_numbers);
  if (first > 0 && first != std::string_view::npos && begins_number(cell[first]))
    return cell_look::other;
  return begins_number(cell.front()) ? cell_look::perhaps_name : cell_look::name;
}

bool is_wanted(std::size_t column, const row_rules& rules) noexcept {
  const std::vector<int>& columns = rules.settings.columns;
  const auto is_it = [&](int number) { return number > 0 && std::size_t(number) == column + 1; };
  return columns.empty() || std::any_of(columns.begin(), columns.end(), is_it);
}

}  // namespace

cell_look row_block::look_of(std::size_t field, const row_rules& rules) const {
  const std::string_view text = cell(field);
  if (rules.converter.texts().is_text(text)) return cell_look::missing;
  // Measuring and reading into any kind must see the same rows.
  if (rules.settings.text.number == "hex" && is_hexadecimal(text)) return cell_look::number;
  alignas(16) char value[16];
  const cell_state cell = rules.converter.parser().parse(text, value);
  if (cell == cell_state::good || cell == cell_state::too_large) return cell_look::number;
  return look_of_cell(text, rules.settings.text.decimal, rules.converter.texts());
}

cell_look look_of_cell(std::string_view text, char decimal, const missing_texts& missing) noexcept {
  if (missing.is_text(text)) return cell_look::missing;
  cell_style style;
  style.decimal = decimal;
  alignas(16) char value[16];
  const cell_state cell = cell_parser({type_class::complex, 16}, style).parse(text, value);
  if (cell == cell_state::good || cell == cell_state::too_large) return cell_look::number;
  return look_of_text(text);
}

bool are_all_same(const std::vector<std::string>& cells) noexcept {
  const auto is_first = [&](const std::string& cell) { return cell == cells.front(); };
  return cells.size() > 1 && std::all_of(cells.begin(), cells.end(), is_first);
}

quotes_say what_quotes_say(const decoded_row& first, const std::vector<cell_look>& looks,
                           const decoded_row& below, char delimiter) {
  // Here or in the file of another program: "1,078" is a number there.
  const auto needs_quotes = [&](const std::string& cell) {
    return cell.find(delimiter) != std::string::npos ||
           cell.find_first_of(",;|\t \"\n") != std::string::npos;
  };
  if (!below.cells.empty() && below.cells.size() != first.cells.size()) return quotes_say::nothing;
  const bool all_same = are_all_same(first.cells);
  const auto is_name = [&](std::size_t i) { return looks[i] == cell_look::name && !all_same; };
  bool has_names = false;
  for (std::size_t i = 0; i < looks.size(); ++i) has_names |= is_name(i);
  bool any = false;
  bool clear = true;
  bool any_below = false;  // a value below one of them
  for (std::size_t i = 0; i < first.cells.size(); ++i) {
    const std::string& cell = first.cells[i];
    if (is_name(i)) continue;
    if (!first.quoted[i] || needs_quotes(cell)) return quotes_say::nothing;
    const bool is_text = looks[i] != cell_look::number && looks[i] != cell_look::missing;
    if (is_text && !has_names && !all_same) return quotes_say::nothing;
    if (i < below.cells.size() && below.quoted[i] && !needs_quotes(below.cells[i]))
      return quotes_say::nothing;
    any = true;
    // Only digits are certain: a number with a decimal sign, or NA, may be a value in quotes.
    const bool has_digits = !cell.empty() && std::all_of(cell.begin(), cell.end(), is_digit);
    clear &= has_names || has_digits || looks[i] == cell_look::name;
    any_below |= i < below.cells.size() && !is_missing(below.cells[i]);
  }
  if (!any) return quotes_say::nothing;
  return clear && any_below ? quotes_say::names : quotes_say::unclear;
}

std::vector<bool> names_like_values(const std::vector<std::string>& names,
                                    const text_layout& layout,
                                    const std::vector<bool>& above_logicals) {
  const bool all = are_all_same(names);
  std::vector<bool> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    found.push_back(all || look_of_cell(names[i], layout.decimal, {}) != cell_look::name ||
                    (above_logicals[i] && is_logical_word(names[i])) || has_mark(names[i]) ||
                    (layout.number == "hex" && is_hexadecimal(names[i])));
  return found;
}

bool is_logical_word(std::string_view text) noexcept {
  bool truth = false;
  return parse_logical_word(text.data(), text.data() + text.size(), truth) == field_state::good;
}

bool is_hexadecimal(std::string_view cell) noexcept {
  if (cell.substr(0, 2) == "0x" || cell.substr(0, 2) == "0X") cell.remove_prefix(2);
  return !cell.empty() &&
         cell.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool is_ambiguous(const row_block& line, const row_rules& rules) noexcept {
  if (rules.settings.text.number != "hex") return false;
  std::size_t letters = 0;  // cells of them alone
  std::size_t digits = 0;   // of each cell so far
  bool like_values = true;
  for (std::size_t field = 0; field < line.fields(); ++field) {
    const std::string_view cell = line.cell(field);
    if (is_missing(cell)) continue;
    if (!is_hexadecimal(cell) || std::any_of(cell.begin(), cell.end(), is_digit)) return false;
    like_values &= has_digits_of_value(cell) && (letters == 0 || cell.size() == digits);
    digits = cell.size();
    ++letters;
  }
  return letters > 0 && !like_values;
}

bool has_prefixes(const row_block& line) noexcept {
  bool any = false;
  for (std::size_t field = 0; field < line.fields(); ++field) {
    const std::string_view cell = line.cell(field);
    if (is_missing(cell)) continue;
    any = cell.substr(0, 2) == "0x" || cell.substr(0, 2) == "0X";
    if (!any) return false;
  }
  return any;
}

line_looks looks_of(const row_block& line, const row_rules& rules) {
  line_looks looks;
  for (std::size_t field = 0; field < line.fields(); ++field) {
    const std::string_view text = line.cell(field);
    const cell_look look = line.look_of(field, rules);
    const bool is_text = look != cell_look::number && look != cell_look::missing;
    looks.numbers += look == cell_look::number ? 1 : 0;
    looks.missing += look == cell_look::missing ? 1 : 0;
    looks.lost += look == cell_look::missing && is_lost_value(text) ? 1 : 0;
    looks.names += look == cell_look::name ? 1 : 0;
    looks.perhaps_names += look == cell_look::perhaps_name ? 1 : 0;
    looks.others += look == cell_look::other ? 1 : 0;
    looks.has_delimiter |= text.find_first_of(",;|\t") != std::string_view::npos;
    looks.all_same = field > 0 && text == line.cell(0) && (field == 1 || looks.all_same);
    if (!is_wanted(field, rules)) continue;
    looks.wanted_numbers += look == cell_look::number ? 1 : 0;
    if (is_text && looks.wanted_texts++ == 0) looks.first_text = text;
  }
  return looks;
}

bool is_header_above(const line_looks& names, const line_looks* line_below) noexcept {
  if (line_below == nullptr) return names.perhaps_names == 0 && !names.has_delimiter;
  if (names.perhaps_names > 0 && line_below->texts() > 0) return false;
  return line_below->wanted_numbers > 0 || line_below->wanted_texts == 0;
}

}  // namespace headrace
