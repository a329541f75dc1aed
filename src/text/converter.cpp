#include "converter.hpp"

#include <cstring>
#include <limits>

#include "../core/name_text.hpp"
#include "bad_cells.hpp"

namespace headrace {
namespace {

// Bytes of NaN of a real or complex type; nothing for other types.
std::string nan_of(type_class type, std::size_t elem_len) {
  if (type != type_class::real && type != type_class::complex) return {};
  const float small = std::numeric_limits<float>::quiet_NaN();
  const double large = std::numeric_limits<double>::quiet_NaN();
  const bool single = elem_len == (type == type_class::complex ? 8U : 4U);
  std::string part(
      single ? reinterpret_cast<const char*>(&small) : reinterpret_cast<const char*>(&large),
      single ? sizeof small : sizeof large);
  return type == type_class::complex ? part + part : part;
}

}  // namespace

status cell_converter::prepare(cell_parser parser, const missing_option& missing) {
  using outcome = missing_option::outcome;
  parser_ = std::move(parser);
  const type_class type = parser_.type();
  const cell_style& style = parser_.style();
  stand_ins_ = missing_values(type, elem_len());
  texts_ = missing_texts(missing.texts, style.decimal, !style.hexadecimal);
  texts_first_ = false;
  replacement_.clear();
  if (type == type_class::character) return {};  // their texts are what they are
  std::string value;
  for (const std::string& text : missing.texts) {
    const bool any_spelling = parser_.is_integer() && !style.hexadecimal && !style.as_seconds;
    if (!parser_.parse(any_spelling ? integer_text(text, style.decimal) : text, value)) continue;
    if (type == type_class::logical || style.as_seconds)
      texts_first_ = true;
    else
      stand_ins_.add(value.data());
  }
  if (missing.becomes == outcome::nan) replacement_ = nan_of(type, elem_len());
  if (missing.becomes != outcome::value) return {};
  cell_style plain = style;
  plain.as_seconds = false;
  const cell_parser numbers({type, elem_len()}, plain);
  if (numbers.parse(missing.value, replacement_)) return {};
  const bool has_nan = type == type_class::real || type == type_class::complex;
  return status::failure(stat_code::option_unknown,
                         "missing=" + excerpt(missing.value) + " is no value of the array")
      .expected((has_nan ? "\"error\", \"nan\" or " : "\"error\" or ") + numbers.expected() +
                    ", then texts that stand for a missing value",
                excerpt(missing.value))
      .advise("say first what it becomes: missing=\"" + std::string(has_nan ? "nan," : "error,") +
              missing.value + "\", or read into an array that takes it");
}

std::size_t cell_converter::replace(char* values, std::size_t count) const noexcept {
  for (std::size_t i = stand_ins_.find(values, 0, count); i < count;
       i = stand_ins_.find(values, i + 1, count)) {
    if (replacement_.empty()) return i;
    std::memcpy(values + i * elem_len(), replacement_.data(), elem_len());
  }
  return count;
}

// Of a cell that is no value: state is empty then if it is a missing one.
bool cell_converter::becomes_value(std::string_view cell, cell_state& state) const {
  if (state == cell_state::wrong || state == cell_state::too_large)
    if (texts_.stands_for_none(cell)) state = cell_state::empty;
  return state == cell_state::empty && !replacement_.empty();
}

std::size_t cell_converter::convert(const char* text, const std::uint32_t* ends, std::size_t first,
                                    std::size_t last, char* values, cell_state& state) const {
  if (texts_first_) return convert_each(text, ends, first, last, values, state);
  for (std::size_t field = first; field < last; ++field) {
    char* const to = values + (field - first) * elem_len();
    const std::size_t begin = field;
    field = parser_.parse(text, ends, field, last, to, state);
    if (!stand_ins_.empty()) {
      const std::size_t at = replace(to, field - begin);
      if (begin + at < field) return state = cell_state::empty, begin + at;
    }
    if (state == cell_state::good) return last;
    if (!becomes_value(field_text(text, ends, field), state)) return field;
    std::memcpy(values + (field - first) * elem_len(), replacement_.data(), elem_len());
  }
  state = cell_state::good;
  return last;
}

// Texts that stand for a missing value are looked for before they become values.
std::size_t cell_converter::convert_each(const char* text, const std::uint32_t* ends,
                                         std::size_t first, std::size_t last, char* values,
                                         cell_state& state) const {
  for (std::size_t field = first; field < last; ++field, values += elem_len()) {
    const std::string_view cell = field_text(text, ends, field);
    state = cell_state::empty;
    if (!texts_.is_text(cell)) parser_.parse(text, ends, field, field + 1, values, state);
    if (state == cell_state::good) continue;
    if (!becomes_value(cell, state)) return field;
    std::memcpy(values, replacement_.data(), elem_len());
  }
  state = cell_state::good;
  return last;
}

}  // namespace headrace
