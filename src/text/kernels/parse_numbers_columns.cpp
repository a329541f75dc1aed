// Fields of fixed width: the portable tier, and the choice of the tier. Next:
// parse_numbers_scalar.hpp.
#include "../../core/cpu.hpp"
#include "parse_numbers_scalar.hpp"

namespace headrace {
namespace portable {
namespace {

// The field without the blanks in front. Tabs and line feeds are no blanks here.
scalar::field_text column_at(const column_block& columns, std::size_t i) noexcept {
  const char* const end = columns.text + columns.ends[i];
  const char* begin = end - columns.widths[i];
  while (begin < end && *begin == ' ') ++begin;
  return {begin, end};
}

template <class Value, class Read>
std::uint64_t parse_each(const column_block& columns, Value* values, Read read) noexcept {
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < columns.n; ++i)
    unclear |= std::uint64_t{!read(column_at(columns, i), values[i])} << i;
  return unclear;
}

template <class Real>
std::uint64_t parse_reals(const column_block& columns, Real* values) noexcept {
  return parse_each(columns, values, [&columns](scalar::field_text field, Real& value) {
    scalar::decimal_parts parts;
    return scalar::read_decimal(field, {columns.decimal, true}, parts) && parts.has_point &&
           (parts.has_exponent || !columns.needs_exponent) && scalar::round_parts(parts, value);
  });
}

template <class Integer>
std::uint64_t parse_integers(const column_block& columns, Integer* values) noexcept {
  return parse_each(columns, values, [](scalar::field_text field, Integer& value) {
    return scalar::read_integer(field, value);
  });
}

}  // namespace

std::uint64_t parse_columns(const column_block& columns, double* values) noexcept {
  return parse_reals(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, float* values) noexcept {
  return parse_reals(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int8_t* values) noexcept {
  return parse_integers(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int16_t* values) noexcept {
  return parse_integers(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int32_t* values) noexcept {
  return parse_integers(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int64_t* values) noexcept {
  return parse_integers(columns, values);
}

std::uint64_t parse_hexadecimal_columns(const column_block& columns, std::size_t elem_len,
                                        void* values) noexcept {
  auto* bytes = static_cast<unsigned char*>(values);
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < columns.n; ++i, bytes += elem_len) {
    const scalar::field_text field = column_at(columns, i);
    // A Fortran format knows no 0x.
    const bool has_prefix = field.end - field.begin > 1 && (field.begin[1] | 0x20) == 'x';
    const bool is_good =
        !has_prefix && scalar::parse_hexadecimal_field(field, elem_len, bytes) == field_state::good;
    unclear |= std::uint64_t{!is_good} << i;
  }
  return unclear;
}

}  // namespace portable

namespace {

#if defined(__x86_64__)
template <class Number>
std::uint64_t parse_number_columns(const column_block& columns, Number* values) noexcept {
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::parse_columns(columns, values);
  if (tier == simd_tier::avx2) return avx2::parse_columns(columns, values);
  return portable::parse_columns(columns, values);
}
#else
template <class Number>
std::uint64_t parse_number_columns(const column_block& columns, Number* values) noexcept {
  return portable::parse_columns(columns, values);
}
#endif

}  // namespace

std::uint64_t parse_columns(const column_block& columns, double* values) noexcept {
  return parse_number_columns(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, float* values) noexcept {
  return parse_number_columns(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int8_t* values) noexcept {
  return parse_number_columns(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int16_t* values) noexcept {
  return parse_number_columns(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int32_t* values) noexcept {
  return parse_number_columns(columns, values);
}

std::uint64_t parse_columns(const column_block& columns, std::int64_t* values) noexcept {
  return parse_number_columns(columns, values);
}

std::uint64_t parse_hexadecimal_columns(const column_block& columns, std::size_t elem_len,
                                        void* values) noexcept {
  return portable::parse_hexadecimal_columns(columns, elem_len, values);
}

}  // namespace headrace
