#include "text_header.hpp"

#include <algorithm>
#include <cctype>

#include "cell_times.hpp"
#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

constexpr std::string_view marks = "#%!/*";  // alone they begin lines that other programs skip

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool begins_number(char c) noexcept {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == ',';
}

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

cell_look look_of_text(std::string_view cell) noexcept {
  time_stamp stamp;
  if (cell.find('\0') != std::string_view::npos) return cell_look::other;
  if (cell.find_first_not_of(marks) == std::string_view::npos) return cell_look::name;
  if (parse_time_stamp(cell, stamp)) return cell_look::perhaps_name;
  if (std::none_of(cell.begin(), cell.end(), is_letter)) return cell_look::other;
  return begins_number(cell.front()) ? cell_look::perhaps_name : cell_look::name;
}

// "ab" is hexadecimal, but as likely a name, unless it has all digits of a value.
bool is_word(std::string_view cell, const row_rules& rules) noexcept {
  return rules.settings.text.number == "hex" && std::none_of(cell.begin(), cell.end(), is_digit) &&
         cell.size() != 2 * rules.parser->elem_len;
}

bool is_wanted(std::size_t column, const row_rules& rules) noexcept {
  const std::vector<int>& columns = rules.settings.columns;
  const auto is_it = [&](int number) { return number > 0 && std::size_t(number) == column + 1; };
  return columns.empty() || std::any_of(columns.begin(), columns.end(), is_it);
}

}  // namespace

cell_look row_block::look_of(std::size_t field, const row_rules& rules) const {
  const std::string_view text = cell(field);
  if (is_missing(text)) return cell_look::missing;
  if (!is_word(text, rules)) {
    alignas(16) char value[16];
    field_state state = field_state::good;
    rules.parser->parse(text_, map_.ends, field, field + 1, value, state);
    if (state == field_state::good || state == field_state::too_large) return cell_look::number;
    double number = 0;
    state = parse_real(text.data(), text.data() + text.size(), rules.settings.text.decimal, number);
    if (state == field_state::good || state == field_state::too_large) return cell_look::number;
  }
  return look_of_text(text);
}

line_looks looks_of(const row_block& line, const row_rules& rules) {
  line_looks looks;
  for (std::size_t field = 0; field < line.fields(); ++field) {
    const std::string_view text = line.cell(field);
    const cell_look look = line.look_of(field, rules);
    const bool is_text = look != cell_look::number && look != cell_look::missing;
    looks.numbers += look == cell_look::number ? 1 : 0;
    looks.missing += look == cell_look::missing ? 1 : 0;
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
