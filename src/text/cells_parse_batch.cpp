#include "cells_parse_batch.hpp"

#include <cstring>
#include <string>

#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

cell_state to_cell_state(field_state state) noexcept {
  switch (state) {
    case field_state::good:
      return cell_state::good;
    case field_state::empty:
      return cell_state::empty;
    case field_state::too_large:
      return cell_state::too_large;
    case field_state::not_a_number:
      break;
  }
  return cell_state::wrong;
}

std::string_view without_blanks(std::string_view text) noexcept {
  const char* const blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

template <class T>
std::size_t parse_as(const char* text, const std::uint32_t* ends, std::size_t first,
                     std::size_t last, char decimal, char* values, field_state& state) {
  return parse_fields(text, ends, first, last, decimal, reinterpret_cast<T*>(values), state);
}

// The kernel of the type; false when there is none and cells are parsed one by one.
bool parse_by_kernel(const char* text, const std::uint32_t* ends, std::size_t first,
                     std::size_t last, const value_type& type, const parse_style& style,
                     char* values, field_state& state, std::size_t& reached) {
  const bool real = type.type == type_class::real;
  if ((!real && type.type != type_class::integer) || style.as_seconds) return false;
  if (style.hexadecimal) {
    reached = parse_hexadecimal(text, ends, first, last, type.elem_len, values, state);
    return true;
  }
  const char decimal = style.decimal;
  const std::size_t length = type.elem_len;
  if (real && length == 4)
    reached = parse_as<float>(text, ends, first, last, decimal, values, state);
  else if (real && length == 8)
    reached = parse_as<double>(text, ends, first, last, decimal, values, state);
  else if (!real && length == 1)
    reached = parse_as<std::int8_t>(text, ends, first, last, decimal, values, state);
  else if (!real && length == 2)
    reached = parse_as<std::int16_t>(text, ends, first, last, decimal, values, state);
  else if (!real && length == 4)
    reached = parse_as<std::int32_t>(text, ends, first, last, decimal, values, state);
  else if (!real && length == 8)
    reached = parse_as<std::int64_t>(text, ends, first, last, decimal, values, state);
  else
    return false;
  return true;
}

cell_state parse_real_part(std::string_view text, std::size_t elem_len, const parse_style& style,
                           char* value) {
  const char* const end = text.data() + text.size();
  if (style.hexadecimal)
    return to_cell_state(parse_hexadecimal_one(text.data(), end, elem_len, value));
  if (elem_len == 4) {
    float number = 0;
    const field_state state = parse_real(text.data(), end, style.decimal, number);
    std::memcpy(value, &number, sizeof number);
    return to_cell_state(state);
  }
  double number = 0;
  const field_state state = parse_real(text.data(), end, style.decimal, number);
  std::memcpy(value, &number, sizeof number);
  return to_cell_state(state);
}

// Where the imaginary part of 1.5e-3-2.0e+4j begins: at its sign. 0: there is only one part.
std::size_t second_part(std::string_view text) noexcept {
  for (std::size_t i = text.size(); i-- > 1;) {
    if (text[i] != '+' && text[i] != '-') continue;
    const char before = static_cast<char>(text[i - 1] | 0x20);
    if (before != 'e' && before != 'd') return i;
  }
  return 0;
}

bool ends_with(std::string_view text, std::string_view ending) noexcept {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

// Takes the imaginary unit off; false when there is none.
bool take_unit(std::string_view& text, const std::string& unit) noexcept {
  if (!unit.empty()) {
    if (!ends_with(text, unit)) return false;
    text.remove_suffix(unit.size());
    return true;
  }
  for (const char* const known : {"*1i", "*1j", "*i", "*j", "i", "j", "I", "J"}) {
    if (!ends_with(text, known)) continue;
    text.remove_suffix(std::strlen(known));
    return true;
  }
  return false;
}

// A part of a complex number may not be empty.
cell_state parse_complex_part(std::string_view text, std::size_t half, const parse_style& style,
                              char* value) {
  const cell_state state = parse_real_part(text, half, style, value);
  return state == cell_state::empty ? cell_state::wrong : state;
}

cell_state parse_pair(std::string_view text, std::size_t half, const parse_style& style,
                      char* value) {
  if (text.back() != ')') return cell_state::wrong;
  text = text.substr(1, text.size() - 2);
  const std::size_t middle = text.find(style.decimal == ',' ? ';' : ',');
  if (middle == std::string_view::npos) return cell_state::wrong;
  const cell_state state = parse_complex_part(text.substr(0, middle), half, style, value);
  if (state != cell_state::good) return state;
  return parse_complex_part(text.substr(middle + 1), half, style, value + half);
}

cell_state parse_complex(std::string_view text, std::size_t elem_len, const parse_style& style,
                         char* value) {
  const std::size_t half = elem_len / 2;
  text = without_blanks(text);
  if (text.empty()) return cell_state::empty;
  if (text.front() == '(') return parse_pair(text, half, style, value);
  std::memset(value, 0, elem_len);
  if (!take_unit(text, style.imaginary)) return parse_complex_part(text, half, style, value);
  const std::size_t second = second_part(text);
  std::string_view imaginary = text.substr(second);
  if (style.hexadecimal && !imaginary.empty() && imaginary.front() == '+')
    imaginary.remove_prefix(1);
  const cell_state state = parse_complex_part(imaginary, half, style, value + half);
  if (state != cell_state::good || second == 0) return state;
  return parse_complex_part(text.substr(0, second), half, style, value);
}

cell_state parse_characters(std::string_view text, std::size_t length, char* value) noexcept {
  const std::size_t last = text.find_last_not_of(' ') + 1;
  if (last > length) return cell_state::too_long;
  std::memcpy(value, text.data(), last);
  std::memset(value + last, ' ', length - last);
  return cell_state::good;
}

constexpr std::size_t characters_together = 16;
static_assert(characters_together <= parse_padding);

// The first bytes of a text, or blanks behind its end.
void put_characters(const char* text, std::size_t left, char* value) noexcept {
  for (std::size_t i = 0; i < characters_together; ++i) value[i] = i < left ? text[i] : ' ';
}

// Texts to values of the same length. Values are written in pieces that may reach into the next
// one, which comes later; the last ones are not.
std::size_t parse_character_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                                   std::size_t last, std::size_t length, char* values,
                                   cell_state& state) noexcept {
  state = cell_state::good;
  std::size_t begin = first == 0 ? 0 : std::size_t{ends[first - 1]} + 1;
  const std::size_t careful = length == 0 ? last : (characters_together - 1) / length + 1;
  for (std::size_t i = first; i < last; ++i, values += length) {
    const std::size_t end = ends[i];
    const std::string_view cell(text + begin, end - begin);
    begin = end + 1;
    if (last - i > careful && cell.size() <= length) {
      for (std::size_t k = 0; k < length; k += characters_together)
        put_characters(cell.data() + k, cell.size() < k ? 0 : cell.size() - k, values + k);
    } else {
      state = parse_characters(cell, length, values);
      if (state != cell_state::good) return i;
    }
  }
  return last;
}

cell_state parse_logical_cell(std::string_view text, std::size_t elem_len, char* value) noexcept {
  bool truth = false;
  const field_state state = parse_logical_word(text.data(), text.data() + text.size(), truth);
  std::memset(value, 0, elem_len);
  value[0] = truth ? 1 : 0;
  return to_cell_state(state);
}

// To an int64 or a real64: check_seconds_kind().
cell_state to_seconds(const time_stamp& stamp, const value_type& type, const parse_style& style,
                      char* value) noexcept {
  const time_span span = seconds_between(style.epoch, stamp);
  if (type.type == type_class::real) {
    const double seconds = to_real(span);
    std::memcpy(value, &seconds, sizeof seconds);
    return cell_state::good;
  }
  std::memcpy(value, &span.seconds, sizeof span.seconds);
  return span.nanoseconds == 0 ? cell_state::good : cell_state::has_fraction;
}

cell_state parse_seconds(std::string_view text, const value_type& type, const parse_style& style,
                         time_stamp_parser& parser, char* value) noexcept {
  time_stamp stamp;
  if (parser.parse(text, stamp)) return to_seconds(stamp, type, style, value);
  return without_blanks(text).empty() ? cell_state::empty : cell_state::wrong;
}

std::size_t parse_time_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                              std::size_t last, const value_type& type, const parse_style& style,
                              char* values, cell_state& state) noexcept {
  time_stamp_parser parser;
  std::size_t begin = first == 0 ? 0 : std::size_t{ends[first - 1]} + 1;
  for (std::size_t i = first; i < last; ++i, values += type.elem_len) {
    state = parse_seconds({text + begin, ends[i] - begin}, type, style, parser, values);
    if (state != cell_state::good) return i;
    begin = std::size_t{ends[i]} + 1;
  }
  return last;
}

}  // namespace

cell_state parse_cell(std::string_view text, const value_type& type, const parse_style& style,
                      char* value) {
  if (style.as_seconds && type.type != type_class::character) {
    time_stamp_parser parser;
    return parse_seconds(text, type, style, parser, value);
  }
  switch (type.type) {
    case type_class::character:
      return parse_characters(text, type.elem_len, value);
    case type_class::logical:
      return parse_logical_cell(text, type.elem_len, value);
    case type_class::complex:
      return parse_complex(text, type.elem_len, style, value);
    case type_class::real:
      return parse_real_part(text, type.elem_len, style, value);
    case type_class::integer:
      break;
  }
  const char* const end = text.data() + text.size();
  return to_cell_state(style.hexadecimal
                           ? parse_hexadecimal_one(text.data(), end, type.elem_len, value)
                           : parse_integer(text.data(), end, type.elem_len, value));
}

std::size_t parse_batch(const char* text, const std::uint32_t* ends, std::size_t first,
                        std::size_t last, const value_type& type, const parse_style& style,
                        char* values, cell_state& state) {
  field_state fields = field_state::good;
  std::size_t reached = first;
  state = cell_state::good;
  if (type.type == type_class::character)
    return parse_character_fields(text, ends, first, last, type.elem_len, values, state);
  if (style.as_seconds)
    return parse_time_fields(text, ends, first, last, type, style, values, state);
  if (parse_by_kernel(text, ends, first, last, type, style, values, fields, reached)) {
    state = to_cell_state(fields);
    return reached;
  }
  for (; reached < last; ++reached, values += type.elem_len) {
    const std::size_t begin = reached == 0 ? 0 : std::size_t{ends[reached - 1]} + 1;
    const std::string_view cell(text + begin, ends[reached] - begin);
    state = parse_cell(cell, type, style, values);
    if (state != cell_state::good) break;
  }
  return reached;
}

std::string name_of_type(const value_type& type) {
  const std::string bits = std::to_string(8 * type.elem_len);
  switch (type.type) {
    case type_class::integer:
      return "integer(int" + bits + ")";
    case type_class::real:
      return "real(real" + bits + ")";
    case type_class::complex:
      return "complex(real" + std::to_string(4 * type.elem_len) + ")";
    case type_class::logical:
      return "logical";
    case type_class::character:
      break;
  }
  return "character(len=" + std::to_string(type.elem_len) + ")";
}

}  // namespace headrace
