// The portable tier of the number kernels: one field after the other. Next:
// parse_numbers_scalar.hpp.
#include "parse_numbers_scalar.hpp"

namespace headrace::portable {
namespace {

using scalar::field_at;
using scalar::field_text;

template <class Value, class Parse>
std::size_t parse_each(const field_list& fields, Value* values, field_state& state,
                       Parse parse_field) noexcept {
  state = field_state::good;
  for (std::size_t i = fields.first; i < fields.last; ++i) {
    state = parse_field(field_at(fields.text, fields.ends + i), values[i - fields.first]);
    if (state != field_state::good) return i;
  }
  return fields.last;
}

template <class Real>
std::size_t parse_reals(const field_list& fields, Real* values, field_state& state) noexcept {
  return parse_each(fields, values, state, [style = fields.style](field_text field, Real& value) {
    return scalar::parse_real_field(field, style, value);
  });
}

template <class Integer>
std::size_t parse_integers(const field_list& fields, Integer* values, field_state& state) noexcept {
  return parse_each(fields, values, state, [](field_text field, Integer& value) {
    return scalar::parse_integer_field(field, value);
  });
}

}  // namespace

std::size_t parse_fields(const field_list& fields, double* values, field_state& state) noexcept {
  return parse_reals(fields, values, state);
}

std::size_t parse_fields(const field_list& fields, float* values, field_state& state) noexcept {
  return parse_reals(fields, values, state);
}

std::size_t parse_fields(const field_list& fields, std::int8_t* values,
                         field_state& state) noexcept {
  return parse_integers(fields, values, state);
}

std::size_t parse_fields(const field_list& fields, std::int16_t* values,
                         field_state& state) noexcept {
  return parse_integers(fields, values, state);
}

std::size_t parse_fields(const field_list& fields, std::int32_t* values,
                         field_state& state) noexcept {
  return parse_integers(fields, values, state);
}

std::size_t parse_fields(const field_list& fields, std::int64_t* values,
                         field_state& state) noexcept {
  return parse_integers(fields, values, state);
}

std::size_t parse_hexadecimal(const field_list& fields, std::size_t elem_len, void* values,
                              field_state& state) noexcept {
  auto* bytes = static_cast<unsigned char*>(values);
  state = field_state::good;
  for (std::size_t i = fields.first; i < fields.last; ++i, bytes += elem_len) {
    const field_text field = field_at(fields.text, fields.ends + i);
    state = scalar::parse_hexadecimal_field(field, elem_len, bytes);
    if (state != field_state::good) return i;
  }
  return fields.last;
}

}  // namespace headrace::portable
