// The portable tier of the number kernels: one field after the other. Next:
// parse_numbers_scalar.hpp.
#include "number_types.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace {
namespace portable {
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

template <class Value, class Read>
std::uint64_t read_each(const column_block& columns, Value* values, Read read) noexcept {
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < columns.n; ++i)
    unclear |= std::uint64_t{!read(scalar::column_at(columns, i), values[i])} << i;
  return unclear;
}

}  // namespace

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

template <class Real>
std::uint64_t parse_real_columns(const column_block& columns, Real* values) noexcept {
  return read_each(columns, values, [&columns](scalar::field_text field, Real& value) {
    scalar::decimal_parts parts;
    return scalar::read_decimal(field, {columns.decimal, true}, parts) && parts.has_point &&
           (parts.has_exponent || !columns.needs_exponent) && scalar::round_parts(parts, value);
  });
}

template <class Integer>
std::uint64_t parse_integer_columns(const column_block& columns, Integer* values) noexcept {
  return read_each(columns, values, [](scalar::field_text field, Integer& value) {
    return scalar::read_integer(field, value);
  });
}

#define HEADRACE_INSTANTIATE_REAL(REAL)                                              \
  template std::size_t parse_reals(const field_list&, REAL*, field_state&) noexcept; \
  template std::uint64_t parse_real_columns(const column_block&, REAL*) noexcept;
#define HEADRACE_INSTANTIATE_INTEGER(INTEGER)                                              \
  template std::size_t parse_integers(const field_list&, INTEGER*, field_state&) noexcept; \
  template std::uint64_t parse_integer_columns(const column_block&, INTEGER*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE_REAL)
HEADRACE_FOR_INTEGERS(HEADRACE_INSTANTIATE_INTEGER)

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

}  // namespace portable

std::uint64_t parse_hexadecimal_columns(const column_block& columns, std::size_t elem_len,
                                        void* values) noexcept {
  auto* bytes = static_cast<unsigned char*>(values);
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < columns.n; ++i, bytes += elem_len) {
    const scalar::field_text field = scalar::column_at(columns, i);
    // A Fortran format knows no 0x.
    const bool has_prefix = field.end - field.begin > 1 && (field.begin[1] | 0x20) == 'x';
    const bool is_good =
        !has_prefix && scalar::parse_hexadecimal_field(field, elem_len, bytes) == field_state::good;
    unclear |= std::uint64_t{!is_good} << i;
  }
  return unclear;
}

}  // namespace headrace
