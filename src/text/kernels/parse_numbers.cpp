// Chooses the tier. Next: find_fields_blocks.hpp, parse_numbers_portable.cpp,
// parse_numbers_avx2.cpp, parse_numbers_avx512_reals.cpp, parse_integers_avx2.cpp and
// parse_integers_avx512.cpp.
#include "parse_numbers.hpp"

#include <type_traits>

#include "number_types.hpp"
#include "parse_numbers_tiers.hpp"

namespace headrace {

template <class Number>
std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, Number* values,
                         field_state& state) noexcept {
  const field_list fields{text, ends, first, last, style};
  const simd_tier tier = last <= first + few_values ? simd_tier::portable : current_tier();
  if constexpr (std::is_floating_point_v<Number>) {
    if (tier == simd_tier::avx512) return avx512::parse_reals(fields, values, state);
    if (tier == simd_tier::avx2) return avx2::parse_reals(fields, values, state);
    return portable::parse_reals(fields, values, state);
  } else {
    if (tier == simd_tier::avx512) return avx512::parse_integers(fields, values, state);
    if (tier == simd_tier::avx2) return avx2::parse_integers(fields, values, state);
    return portable::parse_integers(fields, values, state);
  }
}

#define HEADRACE_PARSE_FIELDS(NUMBER)                                                            \
  template std::size_t parse_fields(const char*, const std::uint32_t*, std::size_t, std::size_t, \
                                    number_style, NUMBER*, field_state&) noexcept;
HEADRACE_FOR_REALS(HEADRACE_PARSE_FIELDS)
HEADRACE_FOR_INTEGERS(HEADRACE_PARSE_FIELDS)

template <class Number>
std::uint64_t parse_columns(const column_block& columns, Number* values) noexcept {
  const simd_tier tier = current_tier();
  if constexpr (std::is_floating_point_v<Number>) {
    if (tier == simd_tier::avx512) return avx512::parse_real_columns(columns, values);
    if (tier == simd_tier::avx2) return avx2::parse_real_columns(columns, values);
    return portable::parse_real_columns(columns, values);
  } else {
    if (tier == simd_tier::avx512) return avx512::parse_integer_columns(columns, values);
    if (tier == simd_tier::avx2) return avx2::parse_integer_columns(columns, values);
    return portable::parse_integer_columns(columns, values);
  }
}

#define HEADRACE_PARSE_COLUMNS(NUMBER) \
  template std::uint64_t parse_columns(const column_block&, NUMBER*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_PARSE_COLUMNS)
HEADRACE_FOR_INTEGERS(HEADRACE_PARSE_COLUMNS)

std::size_t parse_hexadecimal(const char* text, const std::uint32_t* ends, std::size_t first,
                              std::size_t last, std::size_t elem_len, void* values,
                              field_state& state) noexcept {
  const field_list fields{text, ends, first, last, '.'};
  if (last > first + few_values && current_tier() == simd_tier::avx512)
    return avx512::parse_hexadecimal(fields, elem_len, values, state);
  return portable::parse_hexadecimal(fields, elem_len, values, state);
}

void find_fields(const char* text, std::size_t bytes, const field_style& style,
                 const char special[2], field_map& map) noexcept {
  const auto uses = [](char c) { return c == '\0' ? std::uint64_t{0} : ~std::uint64_t{0}; };
  const style_bytes sought{
      style.delimiter, {special[0], special[1]}, {uses(special[0]), uses(special[1])}};
  map.fields = 0;
  map.lines = 0;
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::find_fields(text, bytes, sought, map);
  if (tier == simd_tier::avx2) return avx2::find_fields(text, bytes, sought, map);
  portable::find_fields(text, bytes, sought, map);
}

void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
                        quoted_map& map) noexcept {
  map.fields.fields = map.fields.lines = 0;
  map.rows_end = map.line_feeds = 0;
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::find_quoted_fields(text, bytes, style, map);
  if (tier == simd_tier::avx2) return avx2::find_quoted_fields(text, bytes, style, map);
  portable::find_quoted_fields(text, bytes, style, map);
}

}  // namespace headrace
