// Chooses the tier. Next: parse_numbers_portable.cpp; parse_numbers_avx2.cpp,
// parse_numbers_avx512_reals.cpp, parse_integers_avx2.cpp and parse_integers_avx512.cpp.
#include "parse_numbers.hpp"

#include "../../core/cpu.hpp"
#include "few_values.hpp"
#include "parse_numbers_tiers.hpp"

namespace headrace {
namespace {

#if defined(__x86_64__)
template <class Number>
std::size_t parse_numbers(const field_list& fields, Number* values, field_state& state) noexcept {
  if (fields.last <= fields.first + few_values)
    return portable::parse_fields(fields, values, state);
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::parse_fields(fields, values, state);
  if (tier == simd_tier::avx2) return avx2::parse_fields(fields, values, state);
  return portable::parse_fields(fields, values, state);
}

std::size_t parse_bits(const field_list& fields, std::size_t elem_len, void* values,
                       field_state& state) noexcept {
  if (fields.last > fields.first + few_values && current_tier() == simd_tier::avx512)
    return avx512::parse_hexadecimal(fields, elem_len, values, state);
  return portable::parse_hexadecimal(fields, elem_len, values, state);
}
#else
template <class Number>
std::size_t parse_numbers(const field_list& fields, Number* values, field_state& state) noexcept {
  return portable::parse_fields(fields, values, state);
}

std::size_t parse_bits(const field_list& fields, std::size_t elem_len, void* values,
                       field_state& state) noexcept {
  return portable::parse_hexadecimal(fields, elem_len, values, state);
}
#endif

}  // namespace

std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, double* values,
                         field_state& state) noexcept {
  return parse_numbers({text, ends, first, last, style}, values, state);
}

std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, float* values,
                         field_state& state) noexcept {
  return parse_numbers({text, ends, first, last, style}, values, state);
}

std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, std::int8_t* values,
                         field_state& state) noexcept {
  return parse_numbers({text, ends, first, last, style}, values, state);
}

std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, std::int16_t* values,
                         field_state& state) noexcept {
  return parse_numbers({text, ends, first, last, style}, values, state);
}

std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, std::int32_t* values,
                         field_state& state) noexcept {
  return parse_numbers({text, ends, first, last, style}, values, state);
}

std::size_t parse_fields(const char* text, const std::uint32_t* ends, std::size_t first,
                         std::size_t last, number_style style, std::int64_t* values,
                         field_state& state) noexcept {
  return parse_numbers({text, ends, first, last, style}, values, state);
}

std::size_t parse_hexadecimal(const char* text, const std::uint32_t* ends, std::size_t first,
                              std::size_t last, std::size_t elem_len, void* values,
                              field_state& state) noexcept {
  return parse_bits({text, ends, first, last, '.'}, elem_len, values, state);
}

}  // namespace headrace
