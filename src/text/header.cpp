#include "header.hpp"

#include <algorithm>

#include "../core/blanks.hpp"
#include "kernels/parse_one.hpp"
#include "times.hpp"

namespace headrace {
namespace {

constexpr std::string_view marks = "#%!/";  // alone they begin lines that other programs skip

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool begins_number(char c) noexcept {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == ',';
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
  cell_state cell = rules.converter.parser().parse(text, value);
  if (cell == cell_state::good || cell == cell_state::too_large) return cell_look::number;
  double number = 0;
  const field_state state =
      parse_real(text.data(), text.data() + text.size(), rules.settings.text.decimal, number);
  if (state == field_state::good || state == field_state::too_large) return cell_look::number;
  return look_of_text(text);
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
