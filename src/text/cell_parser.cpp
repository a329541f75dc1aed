#include "cell_parser.hpp"

#include <cstring>

#include "../core/blanks.hpp"
#include "format.hpp"
#include "kernels/number_types.hpp"
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

std::string_view raw_field(const char* text, const std::uint32_t* ends,
                           std::size_t field) noexcept {
  const std::uint32_t begin = *(ends + field - 1) + 1U;
  return {text + begin, ends[field] - begin};
}

template <class Real>
cell_state parse_real_as(std::string_view text, char decimal, char* value) noexcept {
  Real number = 0;
  const field_state state = parse_real(text.data(), text.data() + text.size(), decimal, number);
  std::memcpy(value, &number, sizeof number);
  return to_cell_state(state);
}

cell_state parse_real_cell(std::string_view text, std::size_t elem_len, const cell_style& style,
                           char* value) noexcept {
  if (style.hexadecimal)
    return to_cell_state(
        parse_hexadecimal_one(text.data(), text.data() + text.size(), elem_len, value));
  return elem_len == 4 ? parse_real_as<float>(text, style.decimal, value)
                       : parse_real_as<double>(text, style.decimal, value);
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

// Takes the imaginary unit off; false when there is none.
bool take_unit(std::string_view& text, const std::string& unit) noexcept {
  const auto take = [&](std::string_view known) {
    if (text.size() < known.size() || text.substr(text.size() - known.size()) != known)
      return false;
    text.remove_suffix(known.size());
    return true;
  };
  if (!unit.empty()) return take(unit);
  for (const char* const known : {"*1i", "*1j", "*i", "*j", "i", "j", "I", "J"})
    if (take(known)) return true;
  return false;
}

cell_state parse_logical_cell(std::string_view text, std::size_t elem_len, char* value) noexcept {
  bool truth = false;
  const field_state state = parse_logical_word(text.data(), text.data() + text.size(), truth);
  std::memset(value, 0, elem_len);
  value[0] = truth ? 1 : 0;  // the lowest byte: headrace runs on little-endian machines
  return to_cell_state(state);
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
  const std::size_t careful = length == 0 ? last : (characters_together - 1) / length + 1;
  for (std::size_t i = first; i < last; ++i, values += length) {
    const std::string_view cell = raw_field(text, ends, i);
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

// To an int64 or a real64.
cell_state to_seconds(const time_stamp& stamp, type_class type, const time_stamp& epoch,
                      char* value) noexcept {
  const time_span span = seconds_between(epoch, stamp);
  if (type == type_class::real) {
    const double seconds = to_real(span);
    std::memcpy(value, &seconds, sizeof seconds);
    return cell_state::good;
  }
  std::memcpy(value, &span.seconds, sizeof span.seconds);
  return span.nanoseconds == 0 ? cell_state::good : cell_state::has_fraction;
}

}  // namespace

// A part of a complex number may not be empty.
cell_state cell_parser::parse_complex_part(std::string_view text, char* value) const noexcept {
  const cell_state state = parse_real_cell(text, type_.elem_len / 2, style_, value);
  return state == cell_state::empty ? cell_state::wrong : state;
}

// "(1.5,-2)", "1.5-2j", "1.5-2*1i", both in parentheses, too, as Python writes them, or a real part
// alone.
cell_state cell_parser::parse_complex(std::string_view text, char* value) const noexcept {
  char* const imaginary_value = value + type_.elem_len / 2;
  text = trimmed(text);
  if (text.empty()) return cell_state::empty;
  std::string_view real;
  std::string_view imaginary;
  const bool enclosed = text.front() == '(';
  if (enclosed && (text.size() < 3 || text.back() != ')')) return cell_state::wrong;
  if (enclosed) text = trimmed(text.substr(1, text.size() - 2));
  const std::size_t middle = text.find(style_.decimal == ',' ? ';' : ',');
  if (enclosed && middle != std::string_view::npos) {
    real = text.substr(0, middle);
    imaginary = text.substr(middle + 1);
  } else {
    std::memset(value, 0, type_.elem_len);
    // "(5)" is none: to some programs it is -5.
    if (!take_unit(text, style_.imaginary))
      return enclosed ? cell_state::wrong : parse_complex_part(text, value);
    const std::size_t second = second_part(text);
    imaginary = text.substr(second);
    if (style_.hexadecimal && !imaginary.empty() && imaginary.front() == '+')
      imaginary.remove_prefix(1);
    if (second == 0) return parse_complex_part(imaginary, imaginary_value);
    real = text.substr(0, second);
    if (real.back() == '+' && imaginary.front() == '-') real.remove_suffix(1);  // 1+-2j
  }
  const cell_state state = parse_complex_part(real, value);
  return state == cell_state::good ? parse_complex_part(imaginary, imaginary_value) : state;
}

cell_state cell_parser::parse_time(std::string_view text, time_stamp_parser& times,
                                   char* value) const noexcept {
  time_stamp stamp;
  if (times.parse(text, stamp)) return to_seconds(stamp, type_.type, style_.epoch, value);
  return trimmed(text).empty() ? cell_state::empty : cell_state::wrong;
}

cell_state cell_parser::parse(std::string_view text, char* value) const noexcept {
  const char* const end = text.data() + text.size();
  if (style_.as_seconds && type_.type != type_class::character) {
    time_stamp_parser times;
    return parse_time(text, times, value);
  }
  switch (type_.type) {
    case type_class::character:
      return parse_characters(text, type_.elem_len, value);
    case type_class::logical:
      if (style_.hexadecimal) break;
      return parse_logical_cell(text, type_.elem_len, value);
    case type_class::complex:
      return parse_complex(text, value);
    case type_class::real:
      return parse_real_cell(text, type_.elem_len, style_, value);
    case type_class::integer:
      break;
  }
  return to_cell_state(style_.hexadecimal
                           ? parse_hexadecimal_one(text.data(), end, type_.elem_len, value)
                           : parse_integer(text.data(), end, type_.elem_len, value));
}

// What has no block kernel.
std::size_t cell_parser::parse_each(const char* text, const std::uint32_t* ends, std::size_t first,
                                    std::size_t last, char* values,
                                    cell_state& state) const noexcept {
  time_stamp_parser times;
  for (; first < last; ++first, values += type_.elem_len) {
    const std::string_view cell = raw_field(text, ends, first);
    state = style_.as_seconds ? parse_time(cell, times, values) : parse(cell, values);
    if (state != cell_state::good) break;
  }
  return first;
}

std::size_t cell_parser::parse(const char* text, const std::uint32_t* ends, std::size_t first,
                               std::size_t last, char* values, cell_state& state) const noexcept {
  const std::size_t elem_len = type_.elem_len;
  const char decimal = style_.decimal;
  field_state fields = field_state::good;
  state = cell_state::good;
  if (type_.type == type_class::character)
    return parse_character_fields(text, ends, first, last, elem_len, values, state);
  if (style_.as_seconds) return parse_each(text, ends, first, last, values, state);
  if (style_.hexadecimal && type_.type != type_class::complex)
    first = parse_hexadecimal(text, ends, first, last, elem_len, values, fields);
  else if (type_.type == type_class::real || is_integer())
    first = with_number(type_.type, elem_len, [&](auto number) {
      auto* const to = reinterpret_cast<decltype(number)*>(values);
      return parse_fields(text, ends, first, last, decimal, to, fields);
    });
  else
    return parse_each(text, ends, first, last, values, state);
  state = to_cell_state(fields);
  return first;
}

bool cell_parser::parse(const std::string& text, std::string& value) const {
  value.assign(type_.elem_len, '\0');
  return parse(std::string_view(text), value.data()) == cell_state::good;
}

std::string cell_parser::expected() const {
  if (type_.type == type_class::character) return "at most " + bytes_text(type_.elem_len);
  if (style_.as_seconds) return "a date or time";
  if (style_.hexadecimal && type_.type != type_class::complex)
    return "hexadecimal digits of the element's size";
  if (type_.type == type_class::real) return "a real number";
  if (type_.type == type_class::integer) return "an integer";
  return type_.type == type_class::logical ? "T or F"
                                           : "a complex number such as 1.5-2.0j or (1.5,-2.0)";
}

status make_cell_parser(const text_layout& layout, const value_type& type, cell_parser& parser) {
  if (status s = check_text_kind(type.type, type.elem_len); !s.ok()) return s;
  const bool hexadecimal = layout.number == "hex";
  if (hexadecimal && type.type == type_class::complex) return no_complex_bits();
  if (!hexadecimal && !layout.number.empty() && layout.number != "decimal")
    return status::failure(stat_code::option_unknown,
                           "there is no number=\"" + layout.number + "\"")
        .advise("known for reading are \"decimal\" and \"hex\"");
  if (type.type == type_class::character)
    return status::failure(stat_code::type_unknown, "characters are not read row by row")
        .advise("read_array and tables read them");
  cell_style style;
  style.hexadecimal = hexadecimal;
  style.decimal = layout.decimal;
  parser = cell_parser(type, style);
  return {};
}

std::string_view field_text(const char* text, const std::uint32_t* ends,
                            std::size_t field) noexcept {
  return trimmed(raw_field(text, ends, field));
}

}  // namespace headrace
